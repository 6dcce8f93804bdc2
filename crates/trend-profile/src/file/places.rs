//! Reading functions and locations, some at a time, as there is a million of them in a large program.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{Row, Rows, Statement};

use super::StudyFile;
use crate::{Function, FunctionId, Kind, Location, StudyError, Symbol};

/// How many locations are read at a time.
const TOGETHER: usize = 2048;

/// No location takes fewer bytes of the file: it has eight columns and a key.
const LEAST_BYTES: i64 = 9;

/// The functions of a study, and which row of the database each is.
pub(super) struct Functions {
    pub(super) functions: Vec<Function>,
    positions: HashMap<i64, u32>,
}

/// Locations that are being read.
pub(super) struct Locations<'a> {
    file: &'a StudyFile,
    rows: Rows<'a>,
    functions: &'a Functions,
    /// How many there are, unless the file is damaged.
    expected: usize,
    known: Vec<Location>,
    /// The function of the location before, which is mostly that of the next one as well.
    last: Option<(i64, FunctionId)>,
}

impl StudyFile {
    pub(super) fn load_functions(&self) -> Result<Functions, StudyError> {
        let functions =
            self.rows("SELECT id, name, linkage, file, line, signature FROM functions", |row| {
                let symbol = Symbol { name: row.get(1)?, linkage: row.get(2)? };
                let function =
                    Function { symbol, file: row.get(3)?, line: row.get(4)?, signature: row.get(5)? };
                Ok((row.get::<_, i64>(0)?, function))
            })?;
        let positions = functions.iter().zip(0..).map(|((id, _), i)| (*id, i)).collect();
        Ok(Functions { functions: functions.into_iter().map(|(_, f)| f).collect(), positions })
    }

    /// What reads the locations.
    pub(super) fn locations(&self) -> Result<Statement<'_>, StudyError> {
        (self.connection)
            .prepare("SELECT id, function, kind, block, file, line, lines, label FROM locations ORDER BY id")
            .map_err(|e| self.sqlite(e))
    }
}

impl<'a> Locations<'a> {
    pub(super) fn new(
        file: &'a StudyFile,
        statement: &'a mut Statement<'_>,
        functions: &'a Functions,
    ) -> Result<Self, StudyError> {
        // To count them would be to read as much as half of them is.
        let (expected, bytes): (u32, i64) = (file.connection)
            .query_row(
                "SELECT (SELECT ifnull(max(id) + 1, 0) FROM locations), page_count * page_size
                 FROM pragma_page_count(), pragma_page_size()",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .map_err(|e| file.unread(e))?;
        if i64::from(expected) > bytes / LEAST_BYTES {
            return Err(file.damaged(format!("{bytes} bytes cannot have {expected} locations")));
        }
        let rows = statement.query([]).map_err(|e| file.sqlite(e))?;
        Ok(Self { file, rows, functions, expected: expected as usize, known: Vec::new(), last: None })
    }

    /// How many locations there are.
    pub(super) fn len(&self) -> usize {
        self.expected
    }

    /// Reads some; whether there may be more.
    pub(super) fn read_some(&mut self) -> Result<bool, StudyError> {
        for _ in 0..TOGETHER {
            let Some(row) = self.rows.next().map_err(|e| self.file.unread(e))? else {
                return Ok(false);
            };
            let previous = self.known.last();
            let (id, function, mut location) = location(row, previous).map_err(|e| self.file.unread(e))?;
            let position = self.known.len();
            if id != position as i64 {
                return Err(self.file.damaged(format!("location {position} is missing")));
            }
            let known = self.last.filter(|last| last.0 == function).map(|last| last.1);
            location.function = known
                .or_else(|| self.functions.positions.get(&function).map(|&i| FunctionId(i)))
                .ok_or_else(|| self.file.damaged(format!("location {id} belongs to no function")))?;
            self.last = Some((function, location.function));
            let lines = row.get_ref(6).map_err(|e| self.file.unread(e))?;
            let lines = lines.as_str().map_err(|e| self.file.damaged(e.to_string())).and_then(|lines| {
                serde_json::from_str::<Vec<u32>>(lines)
                    .map_err(|e| self.file.damaged(format!("the lines of location {id}: {e}")))
            })?;
            location.lines = lines.into();
            self.known.push(location);
        }
        Ok(true)
    }

    /// All of them.
    pub(super) fn finish(mut self) -> Result<Vec<Location>, StudyError> {
        while self.read_some()? {}
        let (known, expected) = (self.known.len(), self.expected);
        if known != expected {
            return Err(self.file.damaged(format!("{known} locations of {expected}")));
        }
        Ok(self.known)
    }
}

/// Row and function of a location, and the location without function and lines. Texts are those of the one before, where
/// they are the same.
fn location(row: &Row<'_>, previous: Option<&Location>) -> rusqlite::Result<(i64, i64, Location)> {
    let text = |index: usize, known: Option<&Arc<str>>| -> rusqlite::Result<Arc<str>> {
        let text = row.get_ref(index)?.as_str()?;
        Ok(known.filter(|known| ***known == *text).cloned().unwrap_or_else(|| text.into()))
    };
    let location = Location {
        function: FunctionId(0),
        kind: if row.get::<_, i64>(2)? == 1 { Kind::Entry } else { Kind::Block },
        block: row.get(3)?,
        file: text(4, previous.map(|l| &l.file))?,
        line: row.get(5)?,
        lines: Arc::default(),
        label: text(7, previous.map(|l| &l.label))?,
    };
    Ok((row.get(0)?, row.get(1)?, location))
}
