//! Which processes descend from which, as /proc shows it.
//!
//! A process is known by what it cannot change: its parent, which is given anew only to the nearest process above that
//! takes in orphans, and its session, which it can leave for a new one and never for one that exists. Every program is
//! started in a session of its own, so that all its descendants are in that one or in others that they made.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rustix::process::{Pid, Signal, kill_process_group};

/// One line of the process table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) session: i32,
    /// It has ended, and its parent does not know it yet.
    pub(crate) is_zombie: bool,
}

impl Process {
    /// Reads what /proc/PID/stat has: `PID (NAME) STATE PARENT GROUP SESSION …`. The name may contain anything.
    fn parse(stat: &[u8]) -> Option<Self> {
        let close = stat.iter().rposition(|&b| b == b')')?;
        let pid = stat.split(|&b| b == b' ').next()?;
        let mut fields = stat.get(close + 2..)?.split(|&b| b == b' ');
        let number = |field: &[u8]| std::str::from_utf8(field).ok()?.parse::<i32>().ok();
        Some(Self {
            pid: number(pid)?,
            is_zombie: matches!(fields.next()?, b"Z" | b"X"),
            parent: number(fields.next()?)?,
            group: number(fields.next()?)?,
            session: number(fields.next()?)?,
        })
    }
}

/// Every process that there is. Those that begin or end meanwhile may be missing.
///
/// - Time: O(processes of the machine), some ten microseconds each; nothing calls it while nothing is left behind.
pub(crate) fn all() -> Vec<Process> {
    let is_number = |name: &std::ffi::OsStr| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten().filter(|e| is_number(&e.file_name()));
    entries.filter_map(|e| Process::parse(&fs::read(e.path().join("stat")).ok()?)).collect()
}

/// The descendants of a process, without those that `leave_out` names and theirs.
pub(crate) fn below(root: i32, all: &[Process], leave_out: impl Fn(&Process) -> bool) -> Vec<Process> {
    let mut children: BTreeMap<i32, Vec<&Process>> = BTreeMap::new();
    for process in all {
        children.entry(process.parent).or_default().push(process);
    }
    let mut found = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        // Each is taken once: the table was not read at one moment, and could have a circle.
        for child in children.remove(&parent).unwrap_or_default() {
            if !leave_out(child) {
                found.push(*child);
                parents.push(child.pid);
            }
        }
    }
    found
}

/// Signals every process group that one of the processes is in. The kernel signals a whole group at once, so that none
/// of it can start another process meanwhile.
pub(crate) fn signal_groups(processes: &[Process], signal: Signal) {
    let living = processes.iter().filter(|p| !p.is_zombie);
    let groups: BTreeSet<i32> = living.map(|p| p.group).collect();
    // 0 and 1 would be everybody.
    for group in groups.into_iter().filter(|&g| g > 1).filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, signal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: i32, parent: i32) -> Process {
        Process { pid, parent, group: pid, session: pid, is_zombie: false }
    }

    #[test]
    fn names_may_contain_anything() {
        let stat = b"4711 (a) R 1 (x) Z 12 4711 -1 0 -1 4194560 95 0\n";
        let parsed = Process::parse(stat).unwrap();
        assert_eq!((parsed.pid, parsed.parent, parsed.group, parsed.session), (4711, 12, 4711, -1));
        assert!(parsed.is_zombie);
        assert_eq!(Process::parse(b"1 (x"), None);
        assert_eq!(Process::parse(b""), None);
    }

    #[test]
    fn this_process_descends_from_its_parent() {
        let (own, parent) = (std::process::id() as i32, std::os::unix::process::parent_id() as i32);
        let all = all();
        assert!(below(parent, &all, |_| false).iter().any(|p| p.pid == own));
        assert!(!below(parent, &all, |p| p.pid == own).iter().any(|p| p.pid == own));
    }

    #[test]
    fn a_circle_is_walked_once() {
        let all = [process(2, 3), process(3, 2), process(4, 2), process(5, 4), process(6, 1)];
        let mut found: Vec<i32> = below(2, &all, |_| false).iter().map(|p| p.pid).collect();
        found.sort_unstable();
        assert_eq!(found, [2, 3, 4, 5]);
    }
}
