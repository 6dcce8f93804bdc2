//! Finds the descendants of a process in /proc.
//!
//! A process is identified by properties that it cannot change freely. Its parent changes only to the nearest ancestor
//! that adopts orphans. It can leave its session for a new one, but cannot join an existing one. Every program is
//! started in its own session, so all its descendants are in that session or in ones that they created.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rustix::process::{Pid, Signal, kill_process_group};

/// An entry of the process table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) session: i32,
    /// True if the process has ended, but has not been reaped by its parent.
    pub(crate) is_zombie: bool,
}

impl Process {
    /// Parses the content of /proc/PID/stat: `PID (NAME) STATE PARENT GROUP SESSION …`. The name may contain any
    /// characters.
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

/// Returns all processes. Processes that begin or end meanwhile may be missing.
///
/// - Time: O(processes of the machine), about ten microseconds each. Only called if processes are left.
pub(crate) fn all() -> Vec<Process> {
    let is_number = |name: &std::ffi::OsStr| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten().filter(|e| is_number(&e.file_name()));
    entries.filter_map(|e| Process::parse(&fs::read(e.path().join("stat")).ok()?)).collect()
}

/// Returns the descendants of a process, except those for which `leave_out` is true and their descendants.
pub(crate) fn below(root: i32, all: &[Process], leave_out: impl Fn(&Process) -> bool) -> Vec<Process> {
    let mut children: BTreeMap<i32, Vec<&Process>> = BTreeMap::new();
    for process in all {
        children.entry(process.parent).or_default().push(process);
    }
    let mut descendants = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        // Take each process once: the table is not a snapshot and could contain a cycle.
        for child in children.remove(&parent).unwrap_or_default() {
            if !leave_out(child) {
                descendants.push(*child);
                parents.push(child.pid);
            }
        }
    }
    descendants
}

/// Signals every process group of the given processes. The kernel signals a whole group at once, so no member can start
/// another process meanwhile.
pub(crate) fn signal_groups(processes: &[Process], signal: Signal) {
    let living = processes.iter().filter(|p| !p.is_zombie);
    let groups: BTreeSet<i32> = living.map(|p| p.group).collect();
    // The ids 0 and 1 would signal far more than one group.
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
        let mut pids: Vec<i32> = below(2, &all, |_| false).iter().map(|p| p.pid).collect();
        pids.sort_unstable();
        assert_eq!(pids, [2, 3, 4, 5]);
    }
}
