//! Reading a study into memory, checking everything on the way.

use std::collections::BTreeMap;
use std::time::Duration;

use rusqlite::Row;

use super::{ObjectRecord, Origin, RunState, SourceText, StudyFile, blob};
use crate::{
    Feature, Function, FunctionId, InputMetric, Kind, Location, Outcome, RoutineProfile, Study, StudyError,
    StudyParts, Symbol, Tuple, Unit, Usage, Warning, Workload, WorkloadId,
};

/// No source file of a program that people write is larger; a claim beyond this is damage.
const LONGEST_SOURCE: i64 = 64 << 20;

/// What the runs of one workload add up to.
#[derive(Default)]
struct Repetitions {
    /// By location, one for each repetition.
    counts: Vec<Vec<u64>>,
    usage: Vec<Usage>,
}

/// How many locations are brought from columns to rows at once: their rows stay in the cache meanwhile.
const TRANSPOSED: usize = 64;

impl StudyFile {
    /// The program's name.
    pub fn program(&self) -> Result<String, StudyError> {
        self.meta("program")
    }

    /// The folder that relative source paths start from.
    pub fn root(&self) -> Result<String, StudyError> {
        self.meta("root")
    }

    /// The command that the program is run with, placeholders and all; `None` for imported counts.
    pub fn command(&self) -> Result<Option<String>, StudyError> {
        self.meta_if_known("command")
    }

    /// What the counts are counted in.
    pub fn unit(&self) -> Result<Unit, StudyError> {
        Ok(self.meta_if_known("unit")?.map_or_else(Unit::default, |name| Unit::new(&name)))
    }

    /// Where the counts were imported from; `None` for counts that were measured.
    pub fn origin(&self) -> Result<Option<Origin>, StudyError> {
        let unit = self.unit()?;
        Ok(self.meta_if_known("imported")?.map(|format| Origin { format, unit }))
    }

    /// The objects of the build that was measured, by path.
    pub fn objects(&self) -> Result<Vec<ObjectRecord>, StudyError> {
        self.rows("SELECT path, stamp FROM objects ORDER BY path", |row| {
            Ok(ObjectRecord { path: row.get(0)?, stamp: row.get(1)? })
        })
    }

    /// Every recorded run, by workload and repetition.
    pub fn run_states(&self) -> Result<Vec<RunState>, StudyError> {
        self.rows(
            "SELECT name, fingerprint, repetition, status, detail, wall, stderr_tail
             FROM runs JOIN workloads ON id = workload ORDER BY name, repetition",
            |row| {
                Ok(RunState {
                    workload: row.get(0)?,
                    fingerprint: row.get(1)?,
                    repetition: row.get(2)?,
                    outcome: outcome(&row.get::<_, String>(3)?, row.get(4)?),
                    wall: row.get::<_, Option<f64>>(5)?.map(seconds),
                    stderr_tail: row.get(6)?,
                })
            },
        )
    }

    /// All workloads by name, run with success or not, and the features with their values in that
    /// order. Features that are a location's count have no values here: those come from the counts.
    pub fn feature_table(&self) -> Result<(Vec<String>, Vec<Feature>), StudyError> {
        let workloads: Vec<(i64, String)> =
            self.rows("SELECT id, name FROM workloads ORDER BY name", |row| Ok((row.get(0)?, row.get(1)?)))?;
        let (ids, names): (Vec<i64>, Vec<String>) = workloads.into_iter().unzip();
        Ok((names, self.load_features(&ids)?))
    }

    /// The whole study, checked and in canonical order.
    ///
    /// # Errors
    /// [`StudyError::Damaged`] names the first thing that does not fit.
    pub fn load(&self) -> Result<Study, StudyError> {
        // One transaction, so that a `run` under way is seen at one moment.
        let snapshot = self.connection.unchecked_transaction().map_err(|e| self.sqlite(e))?;
        let (functions, locations) = self.load_locations()?;
        let (ids, workloads, repetitions, failed) = self.load_runs(locations.len())?;
        let features = self.load_features(&ids)?;
        let (counts, unstable) = median_counts(repetitions, locations.len());
        let parts = StudyParts {
            program: self.program()?,
            root: self.root()?,
            unit: self.unit()?,
            functions,
            locations,
            workloads,
            features,
            counts,
            unstable,
            routines: self.load_routines(&ids)?,
            failed,
            sources: self.load_sources()?,
            warnings: self.rows("SELECT kind, message FROM warnings ORDER BY kind, message", |row| {
                Ok(Warning { kind: row.get(0)?, message: row.get(1)? })
            })?,
        };
        drop(snapshot);
        Study::new(parts).map_err(|e| self.damaged(e.to_string()))
    }

    fn meta(&self, key: &str) -> Result<String, StudyError> {
        self.connection.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0)).map_err(
            |e| match e {
                rusqlite::Error::QueryReturnedNoRows => self.damaged(format!("it does not say its {key}")),
                other => self.sqlite(other),
            },
        )
    }

    fn meta_if_known(&self, key: &str) -> Result<Option<String>, StudyError> {
        let query = format!("SELECT value FROM meta WHERE key = '{key}'");
        Ok(self.rows(&query, |row| row.get(0))?.into_iter().next())
    }

    fn rows<T>(
        &self,
        query: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StudyError> {
        let mut statement = self.connection.prepare(query).map_err(|e| self.sqlite(e))?;
        let rows = statement.query_map([], read).map_err(|e| self.sqlite(e))?;
        rows.collect::<rusqlite::Result<_>>().map_err(|e| match e {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..) => self.damaged(e.to_string()),
            other => self.sqlite(other),
        })
    }

    fn load_locations(&self) -> Result<(Vec<Function>, Vec<Location>), StudyError> {
        let functions =
            self.rows("SELECT id, name, linkage, file, line, signature FROM functions", |row| {
                let symbol = Symbol { name: row.get(1)?, linkage: row.get(2)? };
                let function =
                    Function { symbol, file: row.get(3)?, line: row.get(4)?, signature: row.get(5)? };
                Ok((row.get::<_, i64>(0)?, function))
            })?;
        let index: BTreeMap<i64, u32> =
            functions.iter().enumerate().map(|(i, (id, _))| (*id, i as u32)).collect();
        let rows = self.rows(
            "SELECT id, function, kind, block, file, line, lines, label FROM locations ORDER BY id",
            |row| {
                let location = Location {
                    function: FunctionId(0),
                    kind: if row.get::<_, i64>(2)? == 1 { Kind::Entry } else { Kind::Block },
                    block: row.get(3)?,
                    file: row.get(4)?,
                    line: row.get(5)?,
                    lines: Vec::new(),
                    label: row.get(7)?,
                };
                Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, String>(6)?, location))
            },
        )?;
        let mut locations = Vec::with_capacity(rows.len());
        for (position, (id, function, lines, location)) in rows.into_iter().enumerate() {
            if id != position as i64 {
                return Err(self.damaged(format!("location {position} is missing")));
            }
            let function = index
                .get(&function)
                .map(|&i| FunctionId(i))
                .ok_or_else(|| self.damaged(format!("location {id} belongs to no function")))?;
            let lines = serde_json::from_str(&lines)
                .map_err(|e| self.damaged(format!("the lines of location {id}: {e}")))?;
            locations.push(Location { function, lines, ..location });
        }
        Ok((functions.into_iter().map(|(_, f)| f).collect(), locations))
    }

    #[expect(clippy::type_complexity, reason = "four columns of one query, taken apart by the only caller")]
    fn load_runs(
        &self,
        locations: usize,
    ) -> Result<(Vec<i64>, Vec<Workload>, Vec<Repetitions>, Vec<(String, Outcome)>), StudyError> {
        let rows = self.rows(
            "SELECT id, name, command, input, fingerprint, status, detail, wall, user, system, peak_rss_bytes, counts
             FROM workloads JOIN runs ON id = workload ORDER BY name, repetition",
            |row| {
                let workload = Workload {
                    command: row.get(2)?,
                    input: row.get(3)?,
                    fingerprint: row.get(4)?,
                    ..Workload::imported(&row.get::<_, String>(1)?)
                };
                let usage = row.get::<_, Option<f64>>(7)?.map(|wall| {
                    Ok::<_, rusqlite::Error>(Usage {
                        wall: seconds(wall),
                        user: seconds(row.get(8)?),
                        system: seconds(row.get(9)?),
                        peak_rss_bytes: row.get::<_, i64>(10)?.unsigned_abs(),
                    })
                });
                let outcome = outcome(&row.get::<_, String>(5)?, row.get(6)?);
                Ok((row.get(0)?, workload, outcome, usage.transpose()?, row.get::<_, Option<Vec<u8>>>(11)?))
            },
        )?;
        let (mut ids, mut workloads, mut repetitions, mut failed) = (vec![], vec![], vec![], vec![]);
        let blobs: Vec<Option<&[u8]>> = rows
            .iter()
            .map(|(_, _, outcome, _, counts)| counts.as_deref().filter(|_| outcome.is_finished()))
            .collect();
        let unpacked = unpack_all(&blobs, locations);
        for ((id, workload, outcome, usage, _), counts) in rows.into_iter().zip(unpacked) {
            let Some(counts) = counts else {
                failed.push((workload.name, outcome));
                continue;
            };
            let counts = counts
                .map_err(|e| self.damaged(format!("the counts of workload `{}`: {e}", workload.name)))?;
            if ids.last() != Some(&id) {
                ids.push(id);
                workloads.push(workload);
                repetitions.push(Repetitions::default());
            }
            if let Some(last) = repetitions.last_mut() {
                last.counts.push(counts);
                last.usage.extend(usage);
            }
        }
        for (workload, repeated) in workloads.iter_mut().zip(&repetitions) {
            workload.repetitions = repeated.counts.len() as u32;
            workload.usage = median_usage(&repeated.usage);
        }
        // A workload of which one repetition succeeded has counts; the others are no failure of it.
        failed.retain(|(name, _)| !workloads.iter().any(|w| w.name == *name));
        failed.dedup_by(|a, b| a.0 == b.0);
        Ok((ids, workloads, repetitions, failed))
    }

    fn load_features(&self, workloads: &[i64]) -> Result<Vec<Feature>, StudyError> {
        let declared = self.rows(
            "SELECT name, definition FROM features WHERE position >= 0 ORDER BY position, name",
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)),
        )?;
        let values: BTreeMap<(String, i64), f64> = self
            .rows("SELECT feature, workload, value FROM feature_values WHERE value IS NOT NULL", |row| {
                Ok(((row.get(0)?, row.get(1)?), row.get(2)?))
            })?
            .into_iter()
            .collect();
        let feature = |(name, definition): (String, String)| {
            let definition = serde_json::from_str(&definition)
                .map_err(|e| self.damaged(format!("the definition of feature `{name}`: {e}")))?;
            let value = |&id: &i64| values.get(&(name.clone(), id)).copied().filter(|v| v.is_finite());
            let values = workloads.iter().map(value).collect();
            Ok(Feature { name, definition, values })
        };
        declared.into_iter().map(feature).collect()
    }

    /// Routines of the workloads with these ids.
    fn load_routines(&self, workloads: &[i64]) -> Result<Vec<RoutineProfile>, StudyError> {
        let rows = self.rows(
            "SELECT workload, routine, context, metric, size, calls, min, max, sum, sum_of_squares, name, linkage, object
             FROM routine_tuples JOIN routines ON id = routine ORDER BY workload, routine, context, metric, size",
            |row| {
                let number = |index: usize| row.get::<_, i64>(index).map(i64::unsigned_abs);
                let tuple = Tuple {
                    size: number(4)?,
                    calls: number(5)?,
                    min: number(6)?,
                    max: number(7)?,
                    sum: number(8)?,
                    sum_of_squares: row.get(9)?,
                };
                let symbol = Symbol { name: row.get(10)?, linkage: row.get(11)? };
                let object: String = row.get(12)?;
                let key: (i64, i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
                Ok((key, symbol, object, tuple))
            },
        )?;
        let mut profiles: Vec<RoutineProfile> = Vec::new();
        let mut last = None;
        for (key, symbol, object, tuple) in rows {
            let Some(position) = workloads.iter().position(|id| *id == key.0) else { continue };
            if let Some(profile) = profiles.last_mut().filter(|_| last.as_ref() == Some(&key)) {
                profile.tuples.push(tuple);
                continue;
            }
            let metric = InputMetric::named(&key.3)
                .ok_or_else(|| self.damaged(format!("`{}` is no metric of input sizes", key.3)))?;
            let (context, workload) = (key.2.clone(), WorkloadId(position as u32));
            profiles.push(RoutineProfile { symbol, object, context, metric, workload, tuples: vec![tuple] });
            last = Some(key);
        }
        Ok(profiles)
    }

    fn load_sources(&self) -> Result<Vec<SourceText>, StudyError> {
        let rows = self.rows("SELECT file, length, text FROM sources ORDER BY file", |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, Vec<u8>>(2)?))
        })?;
        let source = |(file, length, text): (String, i64, Vec<u8>)| {
            let damaged = |what: String| self.damaged(format!("the text of {file}: {what}"));
            if !(0..=LONGEST_SOURCE).contains(&length) {
                return Err(damaged(format!("claims {length} bytes")));
            }
            let text = zstd::bulk::decompress(&text, length as usize).map_err(|e| damaged(e.to_string()))?;
            let text = String::from_utf8_lossy(&text).into_owned();
            Ok(SourceText { file, text })
        };
        rows.into_iter().map(source).collect()
    }
}

/// A duration from a number that may be anything.
fn seconds(value: f64) -> Duration {
    Duration::try_from_secs_f64(value).unwrap_or_default()
}

fn outcome(status: &str, detail: String) -> Outcome {
    match status {
        "finished" => Outcome::Finished,
        "failed" => Outcome::Failed { code: detail.parse().unwrap_or(-1) },
        "crashed" => Outcome::Crashed { signal: detail.parse().unwrap_or(0) },
        "timed out" => Outcome::TimedOut,
        "not started" => Outcome::NotStarted { reason: detail },
        _ => Outcome::NoCounts { reason: detail },
    }
}

/// Unpacks blobs of counts, on all processors.
fn unpack_all(blobs: &[Option<&[u8]>], locations: usize) -> Vec<Option<Result<Vec<u64>, String>>> {
    let unpack = |some: &[Option<&[u8]>]| {
        some.iter().map(|b| b.map(|b| blob::unpack(b, locations))).collect::<Vec<_>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = blobs.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let mut shares = blobs.chunks(share);
        let own = shares.next().unwrap_or_default();
        let thread = |some| std::thread::Builder::new().spawn_scoped(scope, move || unpack(some)).ok();
        let others: Vec<_> = shares.map(|some| (some, thread(some))).collect();
        let mut unpacked = unpack(own);
        for (some, thread) in others {
            // Where no further thread can be had this one does the work.
            unpacked.extend(thread.and_then(|t| t.join().ok()).unwrap_or_else(|| unpack(some)));
        }
        unpacked
    })
}

/// `[locations × workloads]`, the lower median over each workload's repetitions, and where those
/// disagree. The lower median is a count that was seen, unlike a mean.
fn median_counts(repetitions: Vec<Repetitions>, locations: usize) -> (Vec<Vec<u64>>, Vec<bool>) {
    let mut unstable = vec![false; locations];
    let columns: Vec<Vec<u64>> = repetitions.into_iter().map(|r| median(r.counts, &mut unstable)).collect();
    let mut rows: Vec<Vec<u64>> = Vec::with_capacity(locations);
    for start in (0..locations).step_by(TRANSPOSED) {
        let end = (start + TRANSPOSED).min(locations);
        rows.extend((start..end).map(|_| Vec::with_capacity(columns.len())));
        for column in &columns {
            for (row, &count) in rows[start..].iter_mut().zip(&column[start..end]) {
                row.push(count);
            }
        }
    }
    (rows, unstable)
}

/// The lower median over the repetitions of one workload, by location.
fn median(mut repetitions: Vec<Vec<u64>>, unstable: &mut [bool]) -> Vec<u64> {
    let Some(mut first) = repetitions.pop() else { return vec![0; unstable.len()] };
    if !repetitions.is_empty() {
        let mut seen = Vec::with_capacity(repetitions.len() + 1);
        for (location, (count, unstable)) in first.iter_mut().zip(unstable).enumerate() {
            seen.clear();
            seen.push(*count);
            seen.extend(repetitions.iter().map(|r| r[location]));
            seen.sort_unstable();
            *unstable |= seen.first() != seen.last();
            *count = seen[(seen.len() - 1) / 2];
        }
    }
    first
}

fn median_usage(usage: &[Usage]) -> Option<Usage> {
    let mut by_cpu = usage.to_vec();
    by_cpu.sort_by_key(Usage::cpu);
    by_cpu.get(by_cpu.len().checked_sub(1)? / 2).copied()
}
