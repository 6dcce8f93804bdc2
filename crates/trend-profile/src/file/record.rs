//! Writing into a study: what was built, what was run, what was counted.

use rusqlite::{Connection, OptionalExtension, Statement, Transaction, TransactionBehavior, params};

use super::{ObjectRecord, Origin, SourceText, StudyFile, blob};
use crate::{
    Definition, Function, Kind, Location, LocationId, Outcome, RoutineProfile, Run, StudyError, Unit,
    Warning, Workload,
};

impl StudyFile {
    /// Records objects of the build; one that is known under its path keeps its stamp.
    pub fn add_objects(&mut self, objects: &[ObjectRecord]) -> Result<(), StudyError> {
        self.transaction(|t| {
            let mut insert =
                t.prepare_cached("INSERT OR IGNORE INTO objects (path, stamp) VALUES (?1, ?2)")?;
            objects.iter().try_for_each(|o| insert.execute(params![o.path, o.stamp]).map(drop))
        })
    }

    /// Makes locations known and gives the position of each in a run's counts.
    ///
    /// The functions are those that `locations` refer to by index. What is known already keeps its
    /// position.
    pub fn intern(
        &mut self,
        functions: &[Function],
        locations: &[Location],
    ) -> Result<Vec<LocationId>, StudyError> {
        self.transaction(|t| {
            let mut function_ids = Vec::with_capacity(functions.len());
            for function in functions {
                function_ids.push(intern_function(t, function)?);
            }
            let mut next: u32 =
                t.query_row("SELECT ifnull(max(id) + 1, 0) FROM locations", [], |r| r.get(0))?;
            let mut find = t.prepare(
                "SELECT id FROM locations WHERE function = ?1 AND kind = ?2 AND block = ?3 AND label = ?4",
            )?;
            let mut insert = t.prepare("INSERT INTO locations VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
            let mut ids = Vec::with_capacity(locations.len());
            for l in locations {
                let function = function_ids[l.function.index()];
                let kind = kind_number(l.kind);
                let known =
                    find.query_row(params![function, kind, l.block, l.label], |r| r.get(0)).optional()?;
                ids.push(LocationId(if let Some(id) = known {
                    id
                } else {
                    let lines = serde_json::to_string(&*l.lines).unwrap_or_default();
                    insert.execute(params![next, function, kind, l.block, l.file, l.line, lines, l.label])?;
                    next += 1;
                    next - 1
                }));
            }
            Ok(ids)
        })
    }

    /// Keeps source texts; a file that is known is left as it is.
    pub fn add_sources(&mut self, sources: &[SourceText]) -> Result<(), StudyError> {
        self.transaction(|t| {
            let mut insert =
                t.prepare("INSERT OR IGNORE INTO sources (file, length, text) VALUES (?1, ?2, ?3)")?;
            for source in sources {
                // In memory compression fails only for want of memory.
                let text = zstd::bulk::compress(source.text.as_bytes(), 9).unwrap_or_default();
                insert.execute(params![source.file, source.text.len() as i64, text])?;
            }
            Ok(())
        })
    }

    /// Keeps warnings, each once.
    pub fn add_warnings(&mut self, warnings: &[Warning]) -> Result<(), StudyError> {
        self.transaction(|t| {
            let mut insert = t.prepare("INSERT OR IGNORE INTO warnings (kind, message) VALUES (?1, ?2)")?;
            warnings.iter().try_for_each(|w| insert.execute([&w.kind, &w.message]).map(drop))
        })
    }

    /// Declares the features, in this order, in place of those declared before. Values of features
    /// that are defined as they were are kept, also over a time in which they are not declared; values
    /// added by hand ([`Definition::Given`]) always remain. Warnings about features go: whoever declares them finds out anew.
    pub fn declare_features(&mut self, features: &[(String, Definition)]) -> Result<(), StudyError> {
        self.transaction(|t| {
            let given = serde_json::to_string(&Definition::Given).unwrap_or_default();
            for (name, definition) in features {
                let definition = serde_json::to_string(definition).unwrap_or_default();
                t.execute(
                    "DELETE FROM feature_values WHERE feature = ?1
                     AND feature NOT IN (SELECT name FROM features WHERE definition = ?2)",
                    [name, &definition],
                )?;
            }
            t.execute("DELETE FROM warnings WHERE kind LIKE 'feature\\_%' ESCAPE '\\'", [])?;
            // What is not declared any more sleeps at a negative position, and its values with it.
            t.execute("UPDATE features SET position = -1 WHERE definition <> ?1", [&given])?;
            t.execute(
                "UPDATE features SET position = position + ?1 WHERE position >= 0",
                [features.len() as i64],
            )?;
            for (position, (name, definition)) in features.iter().enumerate() {
                declare(t, position as i64, name, definition)?;
            }
            Ok(())
        })
    }

    /// Remembers the command that the program is run with, placeholders and all, instead of the one
    /// that was known.
    pub fn set_command(&mut self, command: &str) -> Result<(), StudyError> {
        self.transaction(|t| {
            t.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('command', ?1)", [command]).map(drop)
        })
    }

    /// Remembers that the counts come from elsewhere, and what they are counted in.
    pub fn set_origin(&mut self, origin: &Origin) -> Result<(), StudyError> {
        self.set_unit(&origin.unit)?;
        self.transaction(|t| {
            t.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('imported', ?1)", [&origin.format])
                .map(drop)
        })
    }

    /// Remembers what the counts are counted in.
    pub fn set_unit(&mut self, unit: &Unit) -> Result<(), StudyError> {
        self.transaction(|t| {
            t.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('unit', ?1)", [unit.name()]).map(drop)
        })
    }

    /// Adds a feature behind the others, or redefines it where it stands.
    pub fn add_feature(&mut self, name: &str, definition: &Definition) -> Result<(), StudyError> {
        self.transaction(|t| {
            let position =
                t.query_row("SELECT ifnull(max(position) + 1, 0) FROM features", [], |r| r.get(0))?;
            let known = t
                .query_row("SELECT position FROM features WHERE name = ?1", [name], |r| r.get(0))
                .optional()?;
            declare(t, known.unwrap_or(position), name, definition)
        })
    }

    /// Sets values of features of one workload; `None` clears one.
    ///
    /// # Errors
    /// Besides what the disk says, [`StudyError::Inconsistent`] for an unknown workload.
    pub fn set_feature_values(
        &mut self,
        workload: &str,
        values: &[(String, Option<f64>)],
    ) -> Result<(), StudyError> {
        let known = self.transaction(|t| {
            let id = t
                .query_row("SELECT id FROM workloads WHERE name = ?1", [workload], |r| r.get(0))
                .optional()?;
            id.map_or(Ok(false), |id: i64| set_values(t, id, values).map(|()| true))
        })?;
        if !known {
            return Err(StudyError::Inconsistent { what: format!("there is no workload `{workload}`") });
        }
        Ok(())
    }

    /// Records one run with its counts and features: all of it or nothing.
    ///
    /// `counts` are by [`LocationId`] as [`Self::intern`] gave them, and `None` where the run gave
    /// none. When the workload's fingerprint changed, what was recorded under the old one goes.
    pub fn record(
        &mut self,
        workload: &Workload,
        run: &Run,
        counts: Option<&[u64]>,
        values: &[(String, Option<f64>)],
    ) -> Result<(), StudyError> {
        let packed = counts
            .map(blob::pack)
            .transpose()
            .map_err(|source| StudyError::Io { path: self.path.clone(), source })?;
        self.transaction(|t| {
            t.prepare_cached("DELETE FROM workloads WHERE name = ?1 AND fingerprint <> ?2")?
                .execute([&workload.name, &workload.fingerprint])?;
            let id: i64 = t
                .prepare_cached(
                    "INSERT INTO workloads (name, command, input, fingerprint) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT (name) DO UPDATE SET command = excluded.command RETURNING id",
                )?
                .query_row(
                    params![workload.name, workload.command, workload.input, workload.fingerprint],
                    |row| row.get(0),
                )?;
            let (status, detail) = describe(&run.outcome);
            // Imported counts took no time that anybody measured.
            let usage = workload.usage.map(|_| run.usage);
            t.prepare_cached("INSERT OR REPLACE INTO runs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?
                .execute(params![
                    id,
                    run.repetition,
                    status,
                    detail,
                    usage.map(|u| u.wall.as_secs_f64()),
                    usage.map(|u| u.user.as_secs_f64()),
                    usage.map(|u| u.system.as_secs_f64()),
                    usage.map(|u| u.peak_rss_bytes as i64),
                    run.stderr_tail,
                    packed,
                ])?;
            set_values(t, id, values)
        })
    }

    /// Keeps a workload's routines by input size, in place of what was kept of it; the profiles' own workloads
    /// are not looked at.
    ///
    /// # Errors
    /// Besides what the disk says, [`StudyError::Inconsistent`] for an unknown workload.
    pub fn set_routines(&mut self, workload: &str, routines: &[RoutineProfile]) -> Result<(), StudyError> {
        let known = self.transaction(|t| {
            let id: Option<i64> = t
                .query_row("SELECT id FROM workloads WHERE name = ?1", [workload], |r| r.get(0))
                .optional()?;
            let Some(id) = id else { return Ok(false) };
            t.execute("DELETE FROM routine_tuples WHERE workload = ?1", [id])?;
            routines.iter().try_for_each(|r| add_routine(t, id, r))?;
            Ok(true)
        })?;
        if !known {
            return Err(StudyError::Inconsistent { what: format!("there is no workload `{workload}`") });
        }
        Ok(())
    }

    /// Forgets everything that was measured; the program's name, its folder and the features stay.
    pub fn clear(&mut self) -> Result<(), StudyError> {
        self.transaction(|t| {
            t.execute_batch(
                "DELETE FROM routine_tuples; DELETE FROM routines; DELETE FROM runs; DELETE FROM feature_values; DELETE FROM workloads; DELETE FROM locations;
                 DELETE FROM functions; DELETE FROM objects; DELETE FROM sources; DELETE FROM warnings;",
            )
        })
    }

    fn transaction<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StudyError> {
        let commit = || {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        commit().map_err(|e| super::open::explain(&self.path, e))
    }
}

fn intern_function(t: &Connection, function: &Function) -> rusqlite::Result<i64> {
    let Function { symbol, file, line, signature } = function;
    let mut find = t.prepare_cached(
        "SELECT id FROM functions
         WHERE file = ?1 AND line = ?2 AND linkage = ?3 AND name = ?4 AND signature = ?5",
    )?;
    let known = find
        .query_row(params![file, line, symbol.linkage, symbol.name, signature], |row| row.get(0))
        .optional()?;
    if let Some(id) = known {
        return Ok(id);
    }
    t.prepare_cached(
        "INSERT INTO functions (file, line, linkage, name, signature) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![file, line, symbol.linkage, symbol.name, signature])?;
    Ok(t.last_insert_rowid())
}

fn add_routine(t: &Connection, workload: i64, profile: &RoutineProfile) -> rusqlite::Result<()> {
    let RoutineProfile { symbol, object, context, metric, tuples, .. } = profile;
    t.prepare_cached("INSERT OR IGNORE INTO routines (name, linkage, object) VALUES (?1, ?2, ?3)")?
        .execute([&symbol.name, &symbol.linkage, object])?;
    let routine: i64 = t
        .prepare_cached("SELECT id FROM routines WHERE linkage = ?1 AND name = ?2 AND object = ?3")?
        .query_row([&symbol.linkage, &symbol.name, object], |row| row.get(0))?;
    let mut insert = t.prepare_cached(
        "INSERT OR REPLACE INTO routine_tuples VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    for tuple in tuples {
        insert.execute(params![
            workload,
            routine,
            context,
            metric.name(),
            stored(tuple.size),
            stored(tuple.calls),
            stored(tuple.min),
            stored(tuple.max),
            stored(tuple.sum),
            if tuple.sum_of_squares.is_finite() { tuple.sum_of_squares } else { 0.0 },
        ])?;
    }
    Ok(())
}

/// SQLite's numbers have 63 bits; no sum of costs that anybody waits for needs more.
fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn declare(t: &Connection, position: i64, name: &str, definition: &Definition) -> rusqlite::Result<()> {
    let definition = serde_json::to_string(definition).unwrap_or_default();
    t.execute("INSERT OR REPLACE INTO features VALUES (?1, ?2, ?3)", params![name, position, definition])?;
    Ok(())
}

fn set_values(t: &Connection, workload: i64, values: &[(String, Option<f64>)]) -> rusqlite::Result<()> {
    let mut insert: Statement<'_> =
        t.prepare("INSERT OR REPLACE INTO feature_values (workload, feature, value) VALUES (?1, ?2, ?3)")?;
    values.iter().try_for_each(|(name, value)| insert.execute(params![workload, name, value]).map(drop))
}

fn kind_number(kind: Kind) -> u8 {
    match kind {
        Kind::Block => 0,
        Kind::Entry => 1,
    }
}

/// The words of `runs.status` and `runs.detail`.
fn describe(outcome: &Outcome) -> (&'static str, String) {
    match outcome {
        Outcome::Finished => ("finished", String::new()),
        Outcome::Failed { code } => ("failed", code.to_string()),
        Outcome::Crashed { signal } => ("crashed", signal.to_string()),
        Outcome::TimedOut => ("timed out", String::new()),
        Outcome::NoCounts { reason } => ("no counts", reason.clone()),
        Outcome::NotStarted { reason } => ("not started", reason.clone()),
    }
}
