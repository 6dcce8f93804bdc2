//! Tables of costs, one row per workload, as other tools export them.
//!
//! ```text
//! workload,n,a.c:3:main,a.c:5:main         workload: names the run, optional
//! small,10,11,100                          n: a feature, because the caller says so
//! large,20,21,400                          the others: costs of locations
//! ```
//!
//! Nothing is guessed: a cell that is no count refuses the table, and only features may be missing.

mod error;

use std::collections::{HashMap, HashSet};

use trend_profile::{Definition, Feature, Function, FunctionId, Kind, Location, Symbol, Warning};

pub use error::CsvError;

/// The column that names the runs.
const WORKLOAD: &str = "workload";
/// As many names of columns are listed in an error.
const LISTED_COLUMNS: usize = 12;
/// Longer cells are cut in errors and warnings.
const SHOWN_CELL: usize = 40;

/// What a table of costs says.
#[derive(Clone, Debug, PartialEq)]
pub struct CountTable {
    /// The functions that the locations belong to.
    pub functions: Vec<Function>,
    /// One for each column of costs, in their order; the label is the column's name.
    pub locations: Vec<Location>,
    /// Names of the runs, in the order of the rows.
    pub workloads: Vec<String>,
    /// In the order in which they were asked for; their values are `[workloads]`.
    pub features: Vec<Feature>,
    /// Costs, `[locations][workloads]`; 0 = not executed.
    pub counts: Vec<Vec<u64>>,
    /// What was noticed.
    pub warnings: Vec<Warning>,
}

/// What a table of features says.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureTable {
    /// Names of the runs, in the order of the rows.
    pub workloads: Vec<String>,
    /// In the order of the columns; their values are `[workloads]`.
    pub features: Vec<Feature>,
    /// What was noticed.
    pub warnings: Vec<Warning>,
}

/// Reads a table of costs; the columns named in `features` are features.
///
/// Runs without a column `workload` are numbered from 1, padded with zeros so that they sort.
///
/// # Errors
/// The table is not rectangular or not unique in its names, or a cost is no count.
pub fn read(bytes: &[u8], features: &[String]) -> Result<CountTable, CsvError> {
    let table = Table::parse(bytes)?;
    let mut is_feature = vec![false; table.columns.len()];
    let mut feature_columns = Vec::new();
    for feature in features {
        let Some(column) = table.column(feature) else {
            return Err(CsvError::UnknownFeature { feature: feature.clone(), columns: table.listed() });
        };
        if !std::mem::replace(&mut is_feature[column], true) {
            feature_columns.push(column);
        }
    }
    let names = table.column(WORKLOAD).filter(|&c| !is_feature[c]);
    let costs = (0..table.columns.len()).filter(|&c| !is_feature[c] && Some(c) != names);
    let costs: Vec<usize> = costs.collect();
    if costs.is_empty() {
        return Err(CsvError::NoLocations { columns: table.listed() });
    }
    let workloads = match names {
        Some(column) => table.names(column)?,
        None => table.numbers(),
    };
    let mut warnings = table.unfinished();
    let features = feature_columns.iter().map(|&c| table.feature(c, &mut warnings)).collect();
    let counts = costs.iter().map(|&c| table.counts(c)).collect::<Result<_, _>>()?;
    let mut places = Places::default();
    let locations = costs.iter().map(|&c| places.location(&table.columns[c], c)).collect();
    Ok(CountTable { functions: places.functions, locations, workloads, features, counts, warnings })
}

/// Reads a table of features: the column `workload`, and every other column is a feature.
///
/// # Errors
/// The table is not rectangular or not unique in its names, or has no column `workload`.
pub fn read_features(bytes: &[u8]) -> Result<FeatureTable, CsvError> {
    let table = Table::parse(bytes)?;
    let Some(names) = table.column(WORKLOAD) else {
        return Err(CsvError::NoWorkloads { columns: table.listed() });
    };
    let workloads = table.names(names)?;
    let mut warnings = table.unfinished();
    let features = (0..table.columns.len()).filter(|&c| c != names);
    let features = features.map(|c| table.feature(c, &mut warnings)).collect();
    Ok(FeatureTable { workloads, features, warnings })
}

/// A rectangle of text with unique column names and at least one row.
struct Table {
    columns: Vec<String>,
    rows: Vec<Row>,
    /// Whether its last line ends.
    is_finished: bool,
}

struct Row {
    line: u64,
    cells: csv::StringRecord,
}

impl Table {
    fn parse(bytes: &[u8]) -> Result<Self, CsvError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if let Err(error) = std::str::from_utf8(bytes) {
            let offset = error.valid_up_to();
            let line = bytes[..offset].split(|&b| b == b'\n').count();
            return Err(CsvError::NotUtf8 { line, offset });
        }
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(bytes);
        // The text is UTF-8 and rows may have any length: nothing else can fail.
        let mut records = reader.records().map_while(Result::ok);
        let header = records.next().ok_or(CsvError::Empty)?;
        let columns: Vec<String> = header.iter().map(str::to_owned).collect();
        let mut seen = HashSet::new();
        for (i, column) in columns.iter().enumerate() {
            if column.is_empty() {
                return Err(CsvError::UnnamedColumn { column: i + 1 });
            }
            if !seen.insert(column) {
                return Err(CsvError::DuplicateColumn { column: column.clone() });
            }
        }
        let rows: Vec<Row> = records.map(|cells| Row { line: line_of(&cells, bytes), cells }).collect();
        if rows.is_empty() {
            return Err(CsvError::NoRows);
        }
        if let Some(row) = rows.iter().find(|r| r.cells.len() != columns.len()) {
            let (line, expected) = (row.line, columns.len());
            return Err(CsvError::Ragged { line, expected, found: row.cells.len() });
        }
        Ok(Self { columns, rows, is_finished: bytes.ends_with(b"\n") })
    }

    /// Of a table that is cut within its last number only the missing line end tells.
    fn unfinished(&self) -> Vec<Warning> {
        let cell = self.rows.last().and_then(|row| row.cells.iter().next_back()).unwrap_or_default();
        let message = format!(
            "its last line does not end, so that nothing says whether its last cell, `{}`, is whole",
            shown(cell)
        );
        if self.is_finished { Vec::new() } else { vec![Warning::new("unfinished_line", message)] }
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c == name)
    }

    /// The names of the columns, for reading.
    fn listed(&self) -> String {
        let names: Vec<String> =
            self.columns.iter().take(LISTED_COLUMNS).map(|c| format!("`{}`", shown(c))).collect();
        match self.columns.len().checked_sub(LISTED_COLUMNS) {
            None | Some(0) => names.join(", "),
            Some(more) => format!("{} and {more} more", names.join(", ")),
        }
    }

    fn names(&self, column: usize) -> Result<Vec<String>, CsvError> {
        let mut seen = HashSet::new();
        for row in &self.rows {
            if !seen.insert(&row.cells[column]) {
                let workload = row.cells[column].to_owned();
                return Err(CsvError::DuplicateWorkload { line: row.line, workload });
            }
        }
        Ok(self.rows.iter().map(|r| r.cells[column].to_owned()).collect())
    }

    fn numbers(&self) -> Vec<String> {
        let width = self.rows.len().to_string().len();
        (1..=self.rows.len()).map(|i| format!("{i:0width$}")).collect()
    }

    fn counts(&self, column: usize) -> Result<Vec<u64>, CsvError> {
        let count = |row: &Row| {
            crate::number::count(&row.cells[column]).map_err(|problem| CsvError::NotACount {
                line: row.line,
                column: self.columns[column].clone(),
                cell: shown(&row.cells[column]),
                problem,
            })
        };
        self.rows.iter().map(count).collect()
    }

    fn feature(&self, column: usize, warnings: &mut Vec<Warning>) -> Feature {
        let name = self.columns[column].clone();
        let value = |row: &Row| row.cells[column].parse().ok().filter(|v: &f64| v.is_finite());
        let values: Vec<Option<f64>> = self.rows.iter().map(value).collect();
        if let Some(first) = values.iter().position(Option::is_none) {
            let missing = values.iter().filter(|v| v.is_none()).count();
            let (line, cell) = (self.rows[first].line, shown(&self.rows[first].cells[column]));
            let message = format!(
                "feature `{name}` has no value in {missing} of {} rows (the first is line {line}: `{cell}`); \
                 models of it leave those runs out",
                values.len()
            );
            warnings.push(Warning::new("missing_feature_values", message));
        }
        Feature { name, definition: Definition::Given, values }
    }
}

/// The reader takes empty lines before a row as the row's beginning.
fn line_of(row: &csv::StringRecord, bytes: &[u8]) -> u64 {
    let Some(position) = row.position() else { return 0 };
    let start = usize::try_from(position.byte()).unwrap_or(usize::MAX).min(bytes.len());
    let empty = bytes[start..].iter().take_while(|b| b"\r\n".contains(b)).filter(|&&b| b == b'\n');
    position.line() + empty.count() as u64
}

fn shown(cell: &str) -> String {
    match cell.char_indices().nth(SHOWN_CELL) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell.to_owned(),
    }
}

/// The functions that columns belong to, each once.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) functions: Vec<Function>,
    ids: HashMap<Function, FunctionId>,
}

impl Places {
    pub(crate) fn location(&mut self, label: &str, column: usize) -> Location {
        let (file, line, name) = place(label);
        let symbol = Symbol { name: name.to_owned(), linkage: name.to_owned() };
        let function = Function { symbol, file: file.to_owned(), line: 0, signature: String::new() };
        let next = FunctionId(self.functions.len() as u32);
        let function = *self.ids.entry(function).or_insert_with_key(|function| {
            self.functions.push(function.clone());
            next
        });
        Location {
            function,
            kind: Kind::Block,
            // Tells apart several columns of one line.
            block: column as u32,
            file: file.into(),
            line,
            lines: (line > 0).then_some(line).into_iter().collect(),
            label: label.into(),
        }
    }
}

/// File, line and function of a column: `file:line`, `file:line:function`, `function()`, or a name that
/// says nothing more and is then the function's.
fn place(label: &str) -> (&str, u32, &str) {
    // `parse` alone would take `+3`.
    let line_number = |text: &str| {
        let line = text.parse::<u32>().ok()?;
        (line > 0 && text.bytes().all(|b| b.is_ascii_digit())).then_some(line)
    };
    for (colon, _) in label.match_indices(':').filter(|&(colon, _)| colon > 0) {
        let rest = &label[colon + 1..];
        let (line, function) = rest.split_once(':').unwrap_or((rest, ""));
        if let Some(line) = line_number(line) {
            return (&label[..colon], line, without_block(function));
        }
    }
    ("", 0, label.strip_suffix("()").unwrap_or(label))
}

/// A function's name without the `#12` or `#12~2` that tells its blocks apart.
fn without_block(function: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match function.rsplit_once('#') {
        Some((name, block)) if block.split('~').all(is_number) => name,
        _ => function,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_block_is_no_part_of_its_function() {
        assert_eq!(place("a.c:3:main#12"), ("a.c", 3, "main"));
        assert_eq!(place("a.c:3:main#12~2"), ("a.c", 3, "main"));
        assert_eq!(place("a.c:3:operator#"), ("a.c", 3, "operator#"));
    }

    fn features(names: &[&str]) -> Vec<String> {
        names.iter().map(|&n| n.to_owned()).collect()
    }

    #[test]
    fn a_table_becomes_locations_features_and_counts() {
        let table = "workload,n,a.c:3:main,bytes,a.c:5:std::max<int, int>,total\n\
                     small, 10, 11,, 1e2, 12.0\n\
                     large, 20, 21, x, 400, 0\n";
        let table = table.replace("a.c:5:std::max<int, int>", "\"a.c:5:std::max<int, int>\"");
        let read = read(table.as_bytes(), &features(&["n", "bytes"])).unwrap();
        assert_eq!(read.workloads, ["small", "large"]);
        assert_eq!(read.features[0].values, [Some(10.0), Some(20.0)]);
        assert_eq!(read.features[1].values, [None, None]);
        assert_eq!(read.counts, [[11, 21], [100, 400], [12, 0]]);
        assert_eq!(read.warnings.len(), 1);
        assert!(
            read.warnings[0].message.contains("`bytes` has no value in 2 of 2 rows (the first is line 2")
        );
        let place = |i: usize| {
            let location = &read.locations[i];
            let function = &read.functions[location.function.index()];
            (location.file.as_ref(), location.line, function.symbol.name.as_str(), location.label.as_ref())
        };
        assert_eq!(place(0), ("a.c", 3, "main", "a.c:3:main"));
        assert_eq!(place(1), ("a.c", 5, "std::max<int, int>", "a.c:5:std::max<int, int>"));
        assert_eq!(place(2), ("", 0, "total", "total"));
    }

    #[test]
    fn columns_name_places_as_they_can() {
        assert_eq!(place("src/a.c:12"), ("src/a.c", 12, ""));
        assert_eq!(place("C:\\a.c:12:f"), ("C:\\a.c", 12, "f"));
        assert_eq!(place("std::sort"), ("", 0, "std::sort"));
        assert_eq!(place("main()"), ("", 0, "main"));
        assert_eq!(place("a.c:0"), ("", 0, "a.c:0"));
        assert_eq!(place(":3"), ("", 0, ":3"));
        assert_eq!(place("a.c:99999999999"), ("", 0, "a.c:99999999999"));
    }

    #[test]
    fn unnamed_runs_are_numbered_so_that_they_sort() {
        let table = format!("\u{feff}cost\r\n{}", "5\r\n".repeat(10));
        let read = read(table.as_bytes(), &[]).unwrap();
        assert_eq!(read.workloads[0], "01");
        assert_eq!(read.workloads[9], "10");
        assert_eq!(&*read.locations[0].label, "cost");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let error = |table: &str, names: &[&str]| read(table.as_bytes(), &features(names)).unwrap_err();
        let text = |table: &str, names: &[&str]| error(table, names).to_string();
        assert_eq!(error("", &[]), CsvError::Empty);
        assert_eq!(error("a,b\n", &[]), CsvError::NoRows);
        assert_eq!(error("a,,b\n1,2,3\n", &[]), CsvError::UnnamedColumn { column: 2 });
        assert_eq!(error("a,b,a\n1,2,3\n", &[]), CsvError::DuplicateColumn { column: "a".to_owned() });
        assert_eq!(error("a,b\n1,2\n\n1\n", &[]), CsvError::Ragged { line: 4, expected: 2, found: 1 });
        assert!(text("a,b\n1,2\n", &["n"]).contains("its columns are `a`, `b`"));
        assert!(text("n,workload\n1,2\n", &["n"]).contains("no column with costs"));
        let again = CsvError::DuplicateWorkload { line: 3, workload: "x".to_owned() };
        assert_eq!(error("workload,a\nx,1\nx,2\n", &[]), again);
        assert!(
            text("a,b\n1,2\n1,0.5\n", &[]).starts_with("line 3, column `b`: `0.5` is not a whole number")
        );
        assert!(text("a,b\n1,-2\n", &[]).contains("`-2` is negative"));
        assert!(text("a,b\n1,\n", &[]).contains("`` is empty"));
    }

    #[test]
    fn text_in_another_encoding_is_refused_with_its_place() {
        let error = read(b"a,b\n1,2\n\xe9,3\n", &[]).unwrap_err();
        assert_eq!(error, CsvError::NotUtf8 { line: 3, offset: 8 });
    }

    #[test]
    fn a_table_of_features_is_joined_by_workload() {
        let read = read_features(b"n,workload,m\n1,a,\n2,b,4.5\n").unwrap();
        assert_eq!(read.workloads, ["a", "b"]);
        assert_eq!(read.features[1].values, [None, Some(4.5)]);
        assert_eq!(read.warnings.len(), 1);
        assert!(matches!(read_features(b"n\n1\n"), Err(CsvError::NoWorkloads { .. })));
    }
}
