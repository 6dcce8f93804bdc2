//! What is known of the machine that this runs on.

use std::ffi::CStr;
use std::fs;
use std::thread;

use trend_profile::Machine;

/// This machine, without constants.
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

/// Its memory; 0 where that is not known.
pub(crate) fn memory_bytes() -> u64 {
    memory("MemTotal:")
}

/// The memory that programs can still have without others giving theirs up; 0 where that is not known.
pub(crate) fn free_memory_bytes() -> u64 {
    memory("MemAvailable:")
}

/// What /proc/meminfo says under this name.
fn memory(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = text.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix(" kB"));
    kilobytes.and_then(|kb| kb.trim().parse::<u64>().ok()).map_or(0, |kb| kb.saturating_mul(1024))
}
