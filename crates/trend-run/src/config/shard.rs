//! Splits a plan between the tasks of a batch system, such as Slurm. Each task finds its share without the others.

use std::env;
use std::fmt;
use std::num::NonZeroU32;

use crate::program::digest::Digest;

/// A share of the workloads of a plan: every workload is in exactly one shard, whatever else is in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the shard, from 1.
    number: u32,
    count: NonZeroU32,
}

/// Batch systems that number their tasks by environment variables.
const ENGINES: [Engine; 6] = [
    Engine {
        task: "SLURM_ARRAY_TASK_ID",
        first: First::In("SLURM_ARRAY_TASK_MIN"),
        count: Some("SLURM_ARRAY_TASK_COUNT"),
    },
    Engine { task: "CI_NODE_INDEX", first: First::Is(1), count: Some("CI_NODE_TOTAL") },
    Engine {
        task: "AWS_BATCH_JOB_ARRAY_INDEX",
        first: First::Is(0),
        count: Some("AWS_BATCH_JOB_ARRAY_SIZE"),
    },
    Engine { task: "JOB_COMPLETION_INDEX", first: First::Is(0), count: None },
    Engine { task: "HQ_TASK_ID", first: First::Is(1), count: None },
    Engine { task: "PBS_ARRAY_INDEX", first: First::Is(1), count: None },
];

/// Environment variables of a batch system.
struct Engine {
    /// Variable with the number of the task.
    task: &'static str,
    /// Number of the first task.
    first: First,
    /// Variable with the number of tasks.
    count: Option<&'static str>,
}

enum First {
    Is(u32),
    In(&'static str),
}

impl Shard {
    /// Parses `3/16`, the third of 16 shards; `auto`, with number and count from the variables of Slurm, GitLab or AWS
    /// Batch; or `auto/16`, also with the number from Kubernetes, HyperQueue or PBS.
    ///
    /// # Errors
    /// A message that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::read(text, |name| env::var(name).ok())
    }

    fn read(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let (number, count) =
            text.split_once('/').map_or((text, None), |(number, count)| (number, Some(count)));
        let count = count.map(positive).transpose()?;
        if number == "auto" {
            return of_engine(count, variable);
        }
        let count = count.ok_or("expected a number and a count, such as `3/16`, or `auto`")?;
        Self::new(number.parse().map_err(|_| format!("`{number}` is not a number"))?, count)
    }

    fn new(number: u32, count: NonZeroU32) -> Result<Self, String> {
        if (1..=count.get()).contains(&number) {
            return Ok(Self { number, count });
        }
        Err(format!("there is no shard {number} of {count}; shards are numbered from 1 to {count}"))
    }

    /// Returns true if the workload with this name is in the shard.
    pub fn has(self, workload: &str) -> bool {
        let mut digest = Digest::new();
        digest.field(workload);
        digest.value() % u128::from(self.count.get()) + 1 == u128::from(self.number)
    }

    /// Returns a name for files of the shard: `3-of-16`.
    pub fn file_name(self) -> String {
        format!("{}-of-{}", self.number, self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

fn positive(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number of shards"))
}

/// Returns the shard of this task of a batch system. `count` replaces the number of tasks from the batch system.
fn of_engine(count: Option<NonZeroU32>, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let number_in = |name: &str| -> Result<Option<u32>, String> {
        let parse = |text: String| text.parse().map_err(|_| format!("{name}={text} is not a number"));
        variable(name).map(parse).transpose()
    };
    let is_set = |engine: &&Engine| variable(engine.task).is_some();
    let Some(engine) = ENGINES.iter().find(is_set) else {
        let names = ENGINES.map(|engine| engine.task).join(", ");
        return Err(format!(
            "no batch system was detected: none of {names} is set; write the shard as `3/16`"
        ));
    };
    let task = number_in(engine.task)?.unwrap_or_default();
    let first = match engine.first {
        First::Is(first) => first,
        First::In(name) => number_in(name)?.unwrap_or(1),
    };
    let of_engine =
        || engine.count.map(number_in).transpose().map(|count| count.flatten().and_then(NonZeroU32::new));
    let count = match count {
        Some(count) => count,
        None => of_engine()?.ok_or(format!("{} has no count; write it as `auto/16`", engine.task))?,
    };
    let number = task.checked_sub(first).map_or(0, |index| index.saturating_add(1));
    Shard::new(number, count).map_err(|what| format!("{}={task}: {what}", engine.task))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let variable =
            |name: &str| variables.iter().find(|entry| entry.0 == name).map(|entry| entry.1.to_owned());
        Shard::read(text, variable).map(|shard| shard.to_string())
    }

    #[test]
    fn every_workload_is_in_one_shard_and_all_have_some() {
        let shards: Vec<Shard> =
            (1..=7).map(|number| Shard::parse(&format!("{number}/7")).unwrap()).collect();
        let mut counts = [0; 7];
        for n in 0..7000 {
            let name = format!("n={n}");
            let of: Vec<usize> = (0..7).filter(|&i| shards[i].has(&name)).collect();
            assert_eq!(of.len(), 1, "{name}");
            counts[of[0]] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_share_is_the_same_on_every_machine_and_in_every_version() {
        let shard = Shard::parse("2/3").unwrap();
        let names: Vec<u32> = (0..20).filter(|n| shard.has(&format!("n={n}"))).collect();
        // By another implementation of the digest.
        assert_eq!(names, [1, 4, 7, 11, 16]);
    }

    #[test]
    fn shards_are_numbered_from_one() {
        assert_eq!(read("1/1", &[]), Ok("1/1".to_owned()));
        for bad in ["0/16", "17/16", "3", "3/0", "x/3", "-1/3", "3/x", ""] {
            assert!(read(bad, &[]).is_err(), "{bad}");
        }
    }

    #[test]
    fn tasks_of_engines_have_their_numbers() {
        let slurm =
            [("SLURM_ARRAY_TASK_ID", "10"), ("SLURM_ARRAY_TASK_MIN", "10"), ("SLURM_ARRAY_TASK_COUNT", "4")];
        assert_eq!(read("auto", &slurm), Ok("1/4".to_owned()));
        assert_eq!(read("auto", &[("CI_NODE_INDEX", "3"), ("CI_NODE_TOTAL", "5")]), Ok("3/5".to_owned()));
        assert_eq!(read("auto/8", &[("JOB_COMPLETION_INDEX", "0")]), Ok("1/8".to_owned()));
        assert!(read("auto", &[("JOB_COMPLETION_INDEX", "0")]).unwrap_err().contains("auto/16"));
        assert!(read("auto/8", &[("HQ_TASK_ID", "0")]).unwrap_err().contains("no shard 0"));
        assert!(read("auto", &[]).unwrap_err().contains("SLURM_ARRAY_TASK_ID"));
        // Without the word, no variable is read.
        assert_eq!(read("2/3", &slurm), Ok("2/3".to_owned()));
    }
}
