//! Reading a study into memory, checking everything on the way.

use std::collections::BTreeMap;
use std::time::Duration;

use rusqlite::Row;

use super::matrix::{self, Failed, Matrix};
use super::places::Locations;
use super::{ObjectRecord, Origin, RunState, SourceText, StudyFile};
use crate::{
    Feature, InputMetric, Outcome, RoutineProfile, Study, StudyError, StudyParts, Symbol, Tuple, Unit, Usage,
    Warning, Workload, WorkloadId,
};

/// No source file of a program that people write is larger; a claim beyond this is damage.
const LONGEST_SOURCE: i64 = 64 << 20;

/// What is recorded of runs, by workload.
#[derive(Default)]
struct Runs {
    ids: Vec<i64>,
    workloads: Vec<Workload>,
    /// Of every run in the order of the database, the position of the workload whose counts it has.
    counted: Vec<Option<usize>>,
    /// Workloads without counts, and why.
    failed: Vec<(String, Outcome)>,
}

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
        let functions = self.load_functions()?;
        let mut statement = self.locations()?;
        let mut locations = Locations::new(self, &mut statement, &functions)?;
        let runs = self.load_runs()?;
        let Matrix { rows, unstable, .. } = self.load_counts(&runs, &mut locations)?;
        let locations = locations.finish()?;
        let Runs { ids, workloads, failed, .. } = runs;
        let features = self.load_features(&ids)?;
        let parts = StudyParts {
            program: self.program()?,
            root: self.root()?,
            unit: self.unit()?,
            functions: functions.functions,
            locations,
            workloads,
            features,
            counts: Vec::new(),
            unstable,
            routines: self.load_routines(&ids)?,
            failed,
            sources: self.load_sources()?,
            warnings: self.rows("SELECT kind, message FROM warnings ORDER BY kind, message", |row| {
                Ok(Warning { kind: row.get(0)?, message: row.get(1)? })
            })?,
        };
        drop((statement, snapshot));
        Study::of_rows(parts, rows).map_err(|e| self.damaged(e.to_string()))
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

    pub(super) fn rows<T>(
        &self,
        query: &str,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StudyError> {
        let mut statement = self.connection.prepare(query).map_err(|e| self.sqlite(e))?;
        let mut rows = statement.query([]).map_err(|e| self.sqlite(e))?;
        let mut all = Vec::new();
        while let Some(row) = rows.next().map_err(|e| self.unread(e))? {
            all.push(read(row).map_err(|e| self.unread(e))?);
        }
        Ok(all)
    }

    /// Why a row could not be read.
    pub(super) fn unread(&self, error: rusqlite::Error) -> StudyError {
        match error {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..) => self.damaged(error.to_string()),
            other => self.sqlite(other),
        }
    }

    /// Everything about runs but their counts. The database keeps runs by workload, and the counts with them: to look for
    /// one run is to read all of the counts of several.
    fn load_runs(&self) -> Result<Runs, StudyError> {
        let workloads =
            self.rows("SELECT id, name, command, input, fingerprint FROM workloads ORDER BY name", |row| {
                let workload = Workload {
                    command: row.get(2)?,
                    input: row.get(3)?,
                    fingerprint: row.get(4)?,
                    ..Workload::imported(&row.get::<_, String>(1)?)
                };
                Ok((row.get::<_, i64>(0)?, workload))
            })?;
        let rows = self.rows(
            "SELECT workload, status, detail, wall, user, system, peak_rss_bytes, typeof(counts) <> 'null'
             FROM runs ORDER BY workload, repetition",
            |row| {
                let usage = row.get::<_, Option<f64>>(3)?.map(|wall| {
                    Ok::<_, rusqlite::Error>(Usage {
                        wall: seconds(wall),
                        user: seconds(row.get(4)?),
                        system: seconds(row.get(5)?),
                        peak_rss_bytes: row.get::<_, i64>(6)?.unsigned_abs(),
                    })
                });
                let outcome = outcome(&row.get::<_, String>(1)?, row.get(2)?);
                Ok((row.get::<_, i64>(0)?, outcome, usage.transpose()?, row.get::<_, bool>(7)?))
            },
        )?;
        let mut of_workload: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for (i, row) in rows.iter().enumerate() {
            of_workload.entry(row.0).or_default().push(i);
        }
        let mut runs = Runs { counted: vec![None; rows.len()], ..Runs::default() };
        for (id, workload) in workloads {
            let repetitions = of_workload.remove(&id).unwrap_or_default();
            let is_counted = |i: &usize| rows[*i].3 && rows[*i].1.is_finished();
            let (counted, failed): (Vec<usize>, Vec<usize>) = repetitions.into_iter().partition(is_counted);
            if counted.is_empty() {
                // Where one repetition succeeded, the others are no failure of the workload.
                runs.failed.extend(failed.first().map(|&i| (workload.name, rows[i].1.clone())));
                continue;
            }
            let usages: Vec<Usage> = counted.iter().filter_map(|&i| rows[i].2).collect();
            let (repetitions, usage) = (counted.len() as u32, median_usage(&usages));
            for i in counted {
                runs.counted[i] = Some(runs.ids.len());
            }
            runs.workloads.push(Workload { repetitions, usage, ..workload });
            runs.ids.push(id);
        }
        Ok(runs)
    }

    /// The counts of all runs that have some, a run after the other as the database keeps them.
    /// Locations are read in between, where the counts leave time.
    fn load_counts(&self, runs: &Runs, locations: &mut Locations<'_>) -> Result<Matrix, StudyError> {
        let failed = |e| self.sqlite(e);
        let mut statement = (self.connection)
            .prepare("SELECT counts FROM runs ORDER BY workload, repetition")
            .map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut counted = runs.counted.iter();
        let next = |blob: &mut Vec<u8>| loop {
            let Some((row, is_counted)) = rows.next().map_err(failed)?.zip(counted.next()) else {
                return Err(self.damaged("a run is missing".to_owned()));
            };
            if is_counted.is_some() {
                let counts = row.get_ref(0).map_err(failed)?.as_blob();
                let counts = counts.map_err(|e| self.damaged(format!("the counts of a run: {e}")))?;
                blob.clear();
                blob.extend_from_slice(counts);
                return Ok(());
            }
        };
        let of_runs: Vec<usize> = runs.counted.iter().flatten().copied().collect();
        let (workloads, count) = (runs.workloads.len(), locations.len());
        matrix::unpacked(count, workloads, &of_runs, next, || locations.read_some()).map_err(
            |why| match why {
                Failed::Source(error) => error,
                Failed::Unreadable { workload, what } => {
                    let name = &runs.workloads[workload].name;
                    self.damaged(format!("the counts of workload `{name}`: {what}"))
                }
                Failed::TooMany => self.damaged(format!(
                    "{count} locations in {workloads} workloads: more than memory can hold"
                )),
            },
        )
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

fn median_usage(usage: &[Usage]) -> Option<Usage> {
    let mut by_cpu = usage.to_vec();
    by_cpu.sort_by_key(Usage::cpu);
    by_cpu.get(by_cpu.len().checked_sub(1)? / 2).copied()
}
