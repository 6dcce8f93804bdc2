//! Supervises one run: starts a program, watches it, and ends it with all its processes.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, getpid, getppid, getrlimit, kill_process, pidfd_open,
    set_parent_process_death_signal, setrlimit, setsid,
};
use rustix::thread::disable_transparent_huge_pages;

use super::family::{Family, Pauses, errno};
use super::output::Output;
use super::post::Post;
use super::sampler::Sampler;
use super::wire::{self, Answer, End, Ended, Job, Limits, Order, Part};

/// Interval at which a running program is checked. Its end and orders are noticed immediately. In this time, a program
/// that writes 2 GB/s gets 50 MB ahead of the trimming of its output.
const TICK: Duration = Duration::from_millis(25);

/// Time that processes may outlive the program, because they may be writing their counts.
const LINGER: Duration = Duration::from_secs(2);

/// Time that a program gets to end after SIGTERM, because servers finish their current work.
pub(crate) const STOPPING: Duration = Duration::from_secs(10);

/// Runs a program, and returns the answer when none of its processes are left. Returns `None` if the tool is gone.
pub(super) fn run(job: &Job, post: &Post) -> Option<Answer> {
    match Running::start(job, post) {
        Ok((mut running, process)) => running.until_its_end(&process).map(Ok),
        Err(refused) => Some(Err(refused)),
    }
}

/// The reason for interrupting a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interruption {
    TimedOut,
    Cancelled,
    /// The program was asked to end, and may have done so.
    Stopped,
    Flooded(Part, i32),
    /// The tool is gone.
    Abandoned,
}

/// The result of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum News {
    Nothing,
    Ended,
    Interrupted(Interruption),
}

struct Running<'a> {
    job: &'a Job,
    post: &'a Post,
    program: Pid,
    family: Family,
    outputs: Vec<Output>,
    begin: Instant,
    deadline: Option<Instant>,
    peak_address_bytes: u64,
    sampler: Option<Sampler>,
    not_sampled: Option<i32>,
}

impl<'a> Running<'a> {
    fn start(job: &'a Job, post: &'a Post) -> Result<(Self, OwnedFd), (Part, i32)> {
        let failed = |part: Part| move |e: io::Error| (part, errno(&e));
        let mut command = Command::new(&job.program);
        command.arg0(&job.name).args(&job.arguments).current_dir(&job.cwd);
        for (name, value) in &job.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.stdin(match &job.stdin {
            Some(path) => File::open(path).map_err(failed(Part::Stdin))?.into(),
            None => Stdio::null(),
        });
        let mut outputs = Vec::new();
        let mut stream = |output: &Option<wire::Output>, part: Part| {
            let Some(output) = output else { return Ok(Stdio::null()) };
            let output = Output::create(post.handle.as_fd(), output, part).map_err(failed(part))?;
            let stream = output.for_program().map_err(failed(part))?;
            outputs.push(output);
            Ok(Stdio::from(stream))
        };
        command.stdout(stream(&job.stdout, Part::Stdout)?);
        command.stderr(stream(&job.stderr, Part::Stderr)?);
        bind(&mut command, &job.limits, post.is_small);
        // A program that cannot be sampled still runs.
        let (mut sampler, mut not_sampled) = (None, None);
        if let Some(sampling) = &job.sampling {
            match Sampler::start(post.handle.as_fd(), sampling) {
                Ok(started) => sampler = Some(started),
                Err(error) => not_sampled = Some(errno(&error)),
            }
        }
        let begin = Instant::now();
        let child = command.spawn().map_err(failed(Part::Program))?;
        let program = Pid::from_child(&child);
        let deadline = job.limits.timeout.and_then(|t| begin.checked_add(t));
        let family = Family::new(child.id());
        let peak_address_bytes = 0;
        let mut running = Self {
            job,
            post,
            program,
            family,
            outputs,
            begin,
            deadline,
            peak_address_bytes,
            sampler,
            not_sampled,
        };
        match pidfd_open(program, PidfdFlags::empty()) {
            Ok(process) => Ok((running, process)),
            Err(error) => {
                running.family.end(false);
                Err((Part::Program, error.raw_os_error()))
            }
        }
    }

    /// Waits for the program, then ends the processes that it left.
    fn until_its_end(&mut self, process: &OwnedFd) -> Option<Ended> {
        let mut interruption = self.watch(process);
        let wall = self.begin.elapsed();
        let mut has_left_processes = false;
        let mut is_left = self.family.reap();
        let ended = self.family.status.is_some();
        if is_left && ended && matches!(interruption, None | Some(Interruption::Stopped)) {
            match self.linger() {
                News::Ended => is_left = false,
                News::Nothing => has_left_processes = true,
                News::Interrupted(other) => interruption = Some(other),
            }
        }
        self.collect_samples();
        let is_abandoned = interruption == Some(Interruption::Abandoned);
        let unending = if is_left { self.family.end(!is_abandoned) } else { None };
        if is_abandoned {
            return None;
        }
        let end = match (unending, interruption) {
            (Some(process), _) => End::Unending { process },
            (None, None) => self.own_end(),
            (None, Some(Interruption::TimedOut)) => End::TimedOut,
            // A program that another signal ends in the meantime was not stopped by us.
            (None, Some(Interruption::Stopped)) => match self.own_end() {
                End::Signaled(signal) if ended && signal != Signal::TERM.as_raw() => End::Signaled(signal),
                _ if !ended => End::Ignored,
                _ => End::Stopped,
            },
            (None, Some(Interruption::Flooded(part, errno))) => End::Flooded { part, errno },
            (None, Some(Interruption::Cancelled | Interruption::Abandoned)) => End::Cancelled,
        };
        let Family { user, system, peak_rss_bytes, .. } = self.family;
        let Self { peak_address_bytes, not_sampled, .. } = *self;
        Some(Ended {
            end,
            wall,
            user,
            system,
            peak_rss_bytes,
            peak_address_bytes,
            has_left_processes,
            not_sampled,
        })
    }

    fn own_end(&self) -> End {
        let status = self.family.status.unwrap_or_default();
        match status.code() {
            Some(code) => End::Exited(code),
            None => End::Signaled(status.signal().unwrap_or_default()),
        }
    }

    /// Waits until the program has ended. Returns the reason if it must be interrupted before that.
    fn watch(&mut self, process: &OwnedFd) -> Option<Interruption> {
        let mut stop_at = self.job.limits.stop_after.and_then(|t| self.begin.checked_add(t));
        let mut is_asked = false;
        loop {
            let left = |at: Option<Instant>| at.map(|at| at.saturating_duration_since(Instant::now()));
            if left(self.deadline).is_some_and(|left| left.is_zero()) {
                return Some(Interruption::TimedOut);
            }
            if left(stop_at).is_some_and(|left| left.is_zero()) {
                if std::mem::replace(&mut is_asked, true) {
                    return Some(Interruption::Stopped);
                }
                // The program is not reaped yet, so the process id still belongs to it.
                let _ = kill_process(self.program, Signal::TERM);
                stop_at = Some(Instant::now() + STOPPING);
            }
            let most = left(self.deadline).into_iter().chain(left(stop_at)).fold(TICK, Duration::min);
            match self.wait(Some(process), most) {
                News::Ended => return is_asked.then_some(Interruption::Stopped),
                News::Interrupted(interruption) => return Some(interruption),
                News::Nothing => {}
            }
            // Otherwise the orphans of a long run would fill the process table.
            self.family.reap();
            self.look_at_memory();
            self.collect_samples();
            if let Err((part, errno)) = self.trim() {
                return Some(Interruption::Flooded(part, errno));
            }
        }
    }

    /// Gives processes that the program left some time to end by themselves.
    fn linger(&mut self) -> News {
        let linger = Instant::now() + LINGER;
        let until = self.deadline.map_or(linger, |deadline| deadline.min(linger));
        let mut pauses = Pauses::new();
        while self.family.reap() {
            self.collect_samples();
            if let Err((part, errno)) = self.trim() {
                return News::Interrupted(Interruption::Flooded(part, errno));
            }
            if Instant::now() >= until {
                return News::Nothing;
            }
            if let News::Interrupted(interruption) = self.wait(None, pauses.next()) {
                return News::Interrupted(interruption);
            }
        }
        News::Ended
    }

    /// Waits until the process ends, an order arrives, or `time` is over.
    fn wait(&self, process: Option<&OwnedFd>, time: Duration) -> News {
        let socket = PollFd::new(&self.post.socket, PollFlags::IN);
        let mut both = [socket.clone(), process.map_or(socket, |p| PollFd::new(p, PollFlags::IN))];
        let watched = &mut both[..=usize::from(process.is_some())];
        let time = Timespec::try_from(time).ok();
        match poll(watched, time.as_ref()) {
            Ok(0) | Err(Errno::INTR) => News::Nothing,
            // The run cannot continue unwatched.
            Err(_) => News::Interrupted(Interruption::Cancelled),
            Ok(_) if process.is_some() && !watched[1].revents().is_empty() => News::Ended,
            Ok(_) => News::Interrupted(match wire::receive(&self.post.socket) {
                Ok(Order::Stop) => Interruption::Cancelled,
                Ok(Order::Run(_)) | Err(_) => Interruption::Abandoned,
            }),
        }
    }

    /// Stores the samples that the kernel has written since the last call. If this fails, sampling stops.
    fn collect_samples(&mut self) {
        if let Some(Err(error)) = self.sampler.as_mut().map(Sampler::collect) {
            (self.sampler, self.not_sampled) = (None, Some(errno(&error)));
        }
    }

    fn trim(&self) -> Result<(), (Part, i32)> {
        self.outputs.iter().try_for_each(Output::trim)
    }

    fn look_at_memory(&mut self) {
        if self.job.limits.memory_bytes.is_none() || self.family.status.is_some() {
            return;
        }
        let status = fs::read_to_string(format!("/proc/{}/status", self.program.as_raw_nonzero()));
        let peak = status.ok().and_then(|status| peak_address_bytes(&status));
        self.peak_address_bytes = self.peak_address_bytes.max(peak.unwrap_or_default());
    }
}

/// Returns the peak address space of a process, from the text of its /proc/PID/status.
fn peak_address_bytes(status: &str) -> Option<u64> {
    let peak = status.lines().find_map(|line| line.strip_prefix("VmPeak:"))?;
    peak.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Factor by which the stack limit of a program with a probe is raised. Its frames are larger: a recursion that needs
/// 4 MB of stack without the probe needs 20 MB with it.
pub(crate) const FRAME_GROWTH: u64 = 8;

/// Prepares a program before its first instruction: it gets its own session, ends with this process, and has a limited
/// address space. It also gets huge pages if only this process is denied them.
fn bind(command: &mut Command, limits: &Limits, may_have_huge_pages: bool) {
    let Limits { memory_bytes, needs_larger_stack, .. } = *limits;
    let own = getpid();
    let hook = move || {
        setsid()?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have ended before the previous call.
        if getppid() != Some(own) {
            return Err(Errno::SRCH.into());
        }
        if may_have_huge_pages {
            disable_transparent_huge_pages(false)?;
        }
        if let Some(bytes) = memory_bytes {
            setrlimit(Resource::As, Rlimit { current: Some(bytes), maximum: Some(bytes) })?;
        }
        if needs_larger_stack {
            let Rlimit { current, maximum } = getrlimit(Resource::Stack);
            let larger = current.map(|bytes| bytes.saturating_mul(FRAME_GROWTH));
            let current = larger.into_iter().chain(maximum).min();
            setrlimit(Resource::Stack, Rlimit { current, maximum })?;
        }
        Ok(())
    };
    #[expect(unsafe_code, reason = "the only way to do something in the child before the program begins")]
    // SAFETY: the hook runs between fork and exec, where only async-signal-safe functions are allowed. It makes system
    // calls without libc, and neither allocates nor locks.
    unsafe {
        command.pre_exec(hook);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_address_space_is_found_in_the_status() {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        assert!(peak_address_bytes(&status).unwrap() > 1 << 20);
        assert_eq!(peak_address_bytes("VmPeak:\t    2048 kB\nVmSize:\t 1 kB\n"), Some(2 << 20));
        assert_eq!(peak_address_bytes("Name:\tx\n"), None);
    }
}
