//! Describes the machine on which this process runs.

use std::ffi::CStr;
use std::fs;
use std::thread;

use trend_profile::Machine;

/// Describes this machine, without constants.
pub fn this_machine() -> Machine {
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let system = rustix::system::uname();
    let word = |text: &CStr| text.to_string_lossy().into_owned();
    Machine {
        cpu: name.map_or(word(system.machine()), |(_, name)| name.trim().to_owned()),
        cores: thread::available_parallelism().map_or(1, |n| n.get() as u32),
        memory_bytes: memory_bytes(),
        system: format!("{} {}", word(system.sysname()), word(system.release())),
        constants: Vec::new(),
    }
}

/// Returns the size of the memory; 0 if unknown.
pub(crate) fn memory_bytes() -> u64 {
    memory("MemTotal:")
}

/// Returns the memory that is available without taking any from other programs; 0 if unknown.
pub(crate) fn free_memory_bytes() -> u64 {
    memory("MemAvailable:")
}

/// Returns the value of an entry of /proc/meminfo, in bytes.
fn memory(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = text.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix(" kB"));
    kilobytes.and_then(|kb| kb.trim().parse::<u64>().ok()).map_or(0, |kb| kb.saturating_mul(1024))
}
