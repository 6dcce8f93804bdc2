//! Converts the tables of a database into the records of a study.

use std::time::Duration;

use rusqlite::Row;

use super::super::body::{Budget, OverBudget};
use super::super::{NewStudy, Origin, SourceText, StudyFile, blob};
use super::Database;
use crate::{
    Definition, Function, FunctionId, Kind, Location, Observation, Outcome, Place, Run, Series, SeriesKind,
    StudyError, StudyId, Symbol, Unit, Usage, Variable, Warning, Workload, WorkloadId,
};

/// Maximum length of a source file in bytes; no handwritten one is larger.
const LONGEST_SOURCE: usize = 64 << 20;

impl Database<'_> {
    pub(super) fn new_study(&self) -> Result<NewStudy, StudyError> {
        let text =
            |key: &str| self.meta(key)?.ok_or_else(|| self.damaged(format!("it does not say its {key}")));
        let (program, root) = (text("program")?, text("root")?);
        Ok(NewStudy { id: self.id(), program, root })
    }

    /// Returns an id derived from the file's inode, so that reading the same database again gives the same id.
    fn id(&self) -> StudyId {
        use std::os::unix::fs::MetadataExt;
        let inode = std::fs::metadata(self.path).map_or(0, |m| m.ino() ^ m.dev().rotate_left(32));
        let mut id = [0; 16];
        id[..8].copy_from_slice(b"database");
        id[8..].copy_from_slice(&inode.to_le_bytes());
        StudyId(id)
    }

    fn meta(&self, key: &str) -> Result<Option<String>, StudyError> {
        let query = format!("SELECT value FROM meta WHERE key = '{key}'");
        Ok(self.rows(&query, |row| row.get(0))?.into_iter().next())
    }

    fn over(&self, OverBudget(limit): OverBudget) -> StudyError {
        StudyError::Limit { path: self.path.to_owned(), bytes: 0, limit }
    }

    /// Copies everything in the database into `study`.
    pub(super) fn copy_into(&self, study: &mut StudyFile, budget: &mut Budget) -> Result<(), StudyError> {
        let unit = self.meta("unit")?.map_or_else(Unit::default, |name| Unit::new(&name));
        match self.meta("imported")? {
            Some(format) => study.set_origin(&Origin { format, unit })?,
            None => study.set_unit(&unit)?,
        }
        if let Some(command) = self.meta("command")? {
            study.set_command(&command)?;
        }
        let objects = self.rows("SELECT path, stamp FROM objects ORDER BY path", |row| {
            Ok(super::super::ObjectRecord { path: row.get(0)?, stamp: row.get(1)? })
        })?;
        study.add_objects(&objects)?;
        let locations = self.copy_places(study, budget)?;
        for (name, definition) in self.features()? {
            study.add_feature(&name, &definition)?;
        }
        self.copy_runs(study, locations, budget)?;
        if self.has_routines()? {
            self.copy_series(study, budget)?;
        }
        self.copy_sources(study, budget)?;
        let warnings = self.rows("SELECT kind, message FROM warnings", |row| {
            Ok(Warning { kind: row.get(0)?, message: row.get(1)? })
        })?;
        study.add_warnings(&warnings)
    }

    /// Copies functions and locations, and returns the number of locations.
    fn copy_places(&self, study: &mut StudyFile, budget: &mut Budget) -> Result<usize, StudyError> {
        let rows =
            self.rows("SELECT id, name, linkage, file, line, signature FROM functions ORDER BY id", |row| {
                let symbol = Symbol { name: row.get(1)?, linkage: row.get(2)? };
                let function =
                    Function { symbol, file: row.get(3)?, line: row.get(4)?, signature: row.get(5)? };
                Ok((row.get::<_, i64>(0)?, function))
            })?;
        let (ids, functions): (Vec<i64>, Vec<Function>) = rows.into_iter().unzip();
        let mut locations: Vec<Location> = Vec::new();
        let query = "SELECT id, function, kind, block, file, line, lines, label FROM locations ORDER BY id";
        let mut statement = self.connection.prepare(query).map_err(|e| self.failed(&e))?;
        let mut rows = statement.query([]).map_err(|e| self.failed(&e))?;
        while let Some(row) = rows.next().map_err(|e| self.failed(&e))? {
            budget.take::<Location>(2).map_err(|e| self.over(e))?;
            let (id, function, location) = location(row).map_err(|e| self.failed(&e))?;
            if id != locations.len() as i64 {
                return Err(self.damaged(format!("location {} is missing", locations.len())));
            }
            let function = ids
                .binary_search(&function)
                .map_err(|_| self.damaged(format!("location {id} belongs to no function")))?;
            locations.push(Location { function: FunctionId(function as u32), ..location });
        }
        let positions = study.intern(&functions, &locations)?;
        if positions.iter().enumerate().any(|(i, id)| id.index() != i) {
            return Err(self.damaged("it has a location twice"));
        }
        Ok(locations.len())
    }

    fn features(&self) -> Result<Vec<(String, Definition)>, StudyError> {
        let query = "SELECT name, definition FROM features WHERE position >= 0 ORDER BY position, name";
        let rows: Vec<(String, String)> = self.rows(query, |row| Ok((row.get(0)?, row.get(1)?)))?;
        let feature = |(name, definition): (String, String)| {
            let definition = serde_json::from_str(&definition)
                .map_err(|e| self.damaged(format!("the definition of feature `{name}`: {e}")))?;
            Ok((name, definition))
        };
        rows.into_iter().map(feature).collect()
    }

    fn copy_runs(
        &self,
        study: &mut StudyFile,
        locations: usize,
        budget: &mut Budget,
    ) -> Result<(), StudyError> {
        let mut unpacker = blob::Unpacker::default();
        let mut counts = Vec::new();
        let workloads: Vec<(i64, Workload)> =
            self.rows("SELECT id, name, command, input, fingerprint FROM workloads ORDER BY name", |row| {
                let workload = Workload {
                    command: row.get(2)?,
                    input: row.get(3)?,
                    fingerprint: row.get(4)?,
                    ..Workload::imported(&row.get::<_, String>(1)?)
                };
                Ok((row.get(0)?, workload))
            })?;
        let values = "SELECT feature, value FROM feature_values WHERE workload = ?1 AND value IS NOT NULL";
        let mut values = self.connection.prepare(values).map_err(|e| self.failed(&e))?;
        let runs =
            "SELECT repetition, status, detail, wall, user, system, peak_rss_bytes, stderr_tail, counts
                    FROM runs WHERE workload = ?1 ORDER BY repetition";
        let mut runs = self.connection.prepare(runs).map_err(|e| self.failed(&e))?;
        for (id, workload) in workloads {
            budget.take_bytes(1024).map_err(|e| self.over(e))?;
            let of_features = values.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)));
            let of_features: Vec<(String, Option<f64>)> =
                of_features.and_then(Iterator::collect).map_err(|e| self.failed(&e))?;
            let mut rows = runs.query([id]).map_err(|e| self.failed(&e))?;
            while let Some(row) = rows.next().map_err(|e| self.failed(&e))? {
                let (run, usage) = run(row).map_err(|e| self.failed(&e))?;
                let packed = row.get_ref(8).and_then(|value| Ok(value.as_blob_or_null()?));
                let packed = packed.map_err(|e| self.failed(&e))?;
                if let Some(packed) = packed {
                    let unreadable =
                        |what| self.damaged(format!("the counts of workload `{}`: {what}", workload.name));
                    unpacker.unpack(packed, locations, &mut counts).map_err(unreadable)?;
                }
                let workload = Workload { usage, ..workload.clone() };
                study.record(&workload, &run, packed.map(|_| counts.as_slice()), &of_features)?;
            }
        }
        Ok(())
    }

    fn copy_series(&self, study: &mut StudyFile, budget: &mut Budget) -> Result<(), StudyError> {
        let names: Vec<(i64, String)> =
            self.rows("SELECT id, name FROM workloads", |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut statement = self
            .connection
            .prepare(
                "SELECT routine, context, metric, size, calls, min, max, sum, sum_of_squares, name, linkage, object
                 FROM routine_tuples JOIN routines ON id = routine WHERE workload = ?1
                 ORDER BY routine, context, metric, size",
            )
            .map_err(|e| self.failed(&e))?;
        for (id, name) in names {
            let mut series: Vec<Series> = Vec::new();
            let mut last = None;
            let mut rows = statement.query([id]).map_err(|e| self.failed(&e))?;
            while let Some(row) = rows.next().map_err(|e| self.failed(&e))? {
                budget.take::<Observation>(2).map_err(|e| self.over(e))?;
                let (key, observation) = observation(row).map_err(|e| self.failed(&e))?;
                if let Some(one) = series.last_mut().filter(|_| last.as_ref() == Some(&key)) {
                    one.observations.push(observation);
                    continue;
                }
                let variable = Variable::named(&key.2)
                    .ok_or_else(|| self.damaged(format!("`{}` is not a variable of input sizes", key.2)))?;
                let symbol = (row.get(9), row.get(10), row.get(11));
                let (Ok(name), Ok(linkage), Ok(object)) = symbol else {
                    return Err(self.damaged("a routine has no name"));
                };
                let (kind, symbol) = (SeriesKind::Routine, Symbol { name, linkage });
                series.push(Series {
                    place: Place { kind, symbol, object, context: key.1.clone(), line: 0 },
                    variables: vec![variable],
                    unit: study.unit().clone(),
                    workload: WorkloadId(0),
                    observations: vec![observation],
                });
                last = Some(key);
            }
            if !series.is_empty() {
                study.set_series(&name, &series)?;
            }
        }
        Ok(())
    }

    fn copy_sources(&self, study: &mut StudyFile, budget: &mut Budget) -> Result<(), StudyError> {
        let mut statement =
            self.connection.prepare("SELECT file, length, text FROM sources").map_err(|e| self.failed(&e))?;
        let mut rows = statement.query([]).map_err(|e| self.failed(&e))?;
        while let Some(row) = rows.next().map_err(|e| self.failed(&e))? {
            let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            let (file, length, text): (String, i64, Vec<u8>) = read(row).map_err(|e| self.failed(&e))?;
            let damaged = |what: String| self.damaged(format!("the text of {file}: {what}"));
            let length = usize::try_from(length).ok().filter(|l| *l <= LONGEST_SOURCE);
            let length = length.ok_or_else(|| damaged("claims too many bytes".to_owned()))?;
            budget.take_bytes(length as u64).map_err(|e| self.over(e))?;
            let text = zstd::bulk::decompress(&text, length).map_err(|e| damaged(e.to_string()))?;
            let text = String::from_utf8_lossy(&text).into_owned();
            study.add_sources(&[SourceText { file, text }])?;
        }
        Ok(())
    }
}

/// Reads a location with its row id and the row id of its function.
fn location(row: &Row<'_>) -> rusqlite::Result<(i64, i64, Location)> {
    let lines: String = row.get(6)?;
    let lines: Vec<u32> = serde_json::from_str(&lines).map_err(|e| {
        rusqlite::Error::FromSqlConversionFailure(6, rusqlite::types::Type::Text, Box::new(e))
    })?;
    let location = Location {
        function: FunctionId(0),
        kind: if row.get::<_, i64>(2)? == 1 { Kind::Entry } else { Kind::Block },
        block: row.get(3)?,
        file: row.get::<_, String>(4)?.into(),
        line: row.get(5)?,
        lines: lines.into(),
        label: row.get::<_, String>(7)?.into(),
    };
    Ok((row.get(0)?, row.get(1)?, location))
}

/// Reads a run without its counts, and its usage if that was measured.
fn run(row: &Row<'_>) -> rusqlite::Result<(Run, Option<Usage>)> {
    let usage = row.get::<_, Option<f64>>(3)?.map(|wall| {
        Ok::<_, rusqlite::Error>(Usage {
            wall: seconds(wall),
            user: seconds(row.get(4)?),
            system: seconds(row.get(5)?),
            peak_rss_bytes: row.get::<_, i64>(6)?.unsigned_abs(),
        })
    });
    let usage = usage.transpose()?;
    let run = Run {
        repetition: row.get(0)?,
        outcome: outcome(&row.get::<_, String>(1)?, row.get(2)?),
        usage: usage.unwrap_or_default(),
        stderr_tail: row.get(7)?,
    };
    Ok((run, usage))
}

/// Reads an observation with its routine, context and variable.
fn observation(row: &Row<'_>) -> rusqlite::Result<((i64, String, String), Observation)> {
    let number = |index: usize| row.get::<_, i64>(index).map(i64::unsigned_abs);
    let observation = Observation {
        count: number(4)?,
        min: number(5)?,
        max: number(6)?,
        sum: number(7)?,
        sum_of_squares: row.get(8)?,
        ..Observation::at(number(3)?)
    };
    Ok(((row.get(0)?, row.get(1)?, row.get(2)?), observation))
}

/// Converts seconds to a duration; invalid numbers become 0.
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
