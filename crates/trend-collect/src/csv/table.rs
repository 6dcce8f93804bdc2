//! Collects rows by column.

use std::collections::HashSet;
use std::rc::Rc;

use trend_profile::{Definition, Feature, Function, Location, Unit, Warning, WarningKind};

use super::places::ColumnPlaces;
use crate::import::{Budget, ImportError, Imported, ImportedRun, listed, shown};

/// Contents of a table of costs.
#[derive(Clone, Debug, PartialEq)]
pub struct CountTable {
    /// Functions that the locations belong to.
    pub functions: Vec<Function>,
    /// One location per column of costs, in column order; the label is the column's name.
    pub locations: Vec<Location>,
    /// Names of the runs, in the order of the rows.
    pub workloads: Vec<String>,
    /// Features in the order requested; their values are `[workloads]`.
    pub features: Vec<Feature>,
    /// Costs, `[locations][workloads]`; 0 = not executed.
    pub counts: Vec<Vec<u64>>,
    /// Warnings about the table.
    pub warnings: Vec<Warning>,
}

impl From<CountTable> for Imported {
    /// Converts each row to a run. Zeros are kept: in a table a location exists for every workload.
    fn from(table: CountTable) -> Self {
        let features: Vec<String> = table.features.iter().map(|f| f.name.clone()).collect();
        let locations = table.locations.len();
        let run = |(index, workload): (usize, String)| ImportedRun {
            workload: Some(workload.into()),
            features: table
                .features
                .iter()
                .filter_map(|f| Some((f.name.clone(), f.values[index]?)))
                .collect(),
            counts: Vec::with_capacity(locations),
        };
        let mut runs: Vec<ImportedRun> = table.workloads.into_iter().enumerate().map(run).collect();
        // Each column is freed once the runs have it, so a large table is not in memory twice.
        for (column, location) in table.counts.into_iter().zip(0..) {
            for (run, count) in runs.iter_mut().zip(column) {
                run.counts.push((location, count));
            }
        }
        Self {
            unit: Unit::default(),
            features,
            runs,
            series: Vec::new(),
            loops: Vec::new(),
            functions: table.functions,
            locations: table.locations,
            warnings: table.warnings,
        }
    }
}

/// Name of the column that names the runs.
const WORKLOAD: &str = "workload";
/// Bytes that a column takes besides its name: as a place, as a function, and here.
pub(crate) const COLUMN: usize = 512;
/// Bytes that a cell takes: here, in its run, and in its workload.
const CELL: usize = 40;
/// Bytes that a row takes besides its cells and its name.
const ROW: usize = 256;

/// Role of each column.
pub(crate) struct Columns {
    names: Vec<String>,
    workload: Option<usize>,
    features: Vec<usize>,
    costs: Vec<usize>,
}

impl Columns {
    /// Assigns the columns of a table of costs; the named ones are features.
    pub(crate) fn of_costs(names: Vec<String>, features: &[String]) -> Result<Self, ImportError> {
        let mut columns = Self::named(names)?;
        let mut is_feature = vec![false; columns.names.len()];
        for feature in features {
            let Some(column) = columns.names.iter().position(|c| c == feature) else {
                let columns = columns.listed();
                return Err(ImportError::table(format!(
                    "the table has no column `{feature}` for the feature; its columns are {columns}"
                )));
            };
            if !std::mem::replace(&mut is_feature[column], true) {
                columns.features.push(column);
            }
        }
        columns.workload = columns.workload.filter(|&c| !is_feature[c]);
        let is_cost = |&c: &usize| !is_feature[c] && Some(c) != columns.workload;
        columns.costs = (0..columns.names.len()).filter(is_cost).collect();
        if columns.costs.is_empty() {
            return Err(ImportError::table(format!(
                "the table has no column with costs; its columns are {}. It needs at least one besides `workload` \
                 and the features, separated by commas",
                columns.listed()
            )));
        }
        Ok(columns)
    }

    /// Assigns the columns of a table in which all columns but `workload` are features.
    pub(crate) fn of_features(names: Vec<String>) -> Result<Self, ImportError> {
        let mut columns = Self::named(names)?;
        let Some(workload) = columns.workload else {
            return Err(ImportError::table(format!(
                "the table has no column `workload`, which names the run of a row; its columns are {}",
                columns.listed()
            )));
        };
        columns.features = (0..columns.names.len()).filter(|&c| c != workload).collect();
        Ok(columns)
    }

    fn named(names: Vec<String>) -> Result<Self, ImportError> {
        let mut seen = HashSet::new();
        for (i, column) in names.iter().enumerate() {
            if column.is_empty() {
                let number = i + 1;
                return Err(ImportError::table(format!(
                    "column {number} has no name in the header; name it or remove it"
                )));
            }
            if !seen.insert(column) {
                return Err(ImportError::table(format!(
                    "the table has two columns `{column}`; rename or remove one"
                )));
            }
        }
        let workload = names.iter().position(|c| c == WORKLOAD);
        Ok(Self { names, workload, features: Vec::new(), costs: Vec::new() })
    }

    /// Formats the names of the columns for a message.
    fn listed(&self) -> String {
        listed(self.names.iter().map(String::as_str))
    }
}

/// Values of a feature read so far.
#[derive(Default)]
struct Values {
    values: Vec<Option<f64>>,
    /// Line and cell of the first row without a value, and the number of such rows.
    missing: Option<(u64, String, usize)>,
}

/// Collects rows by column.
pub(crate) struct Table {
    columns: Columns,
    budget: Rc<Budget>,
    rows: usize,
    workloads: Vec<String>,
    seen: HashSet<String>,
    features: Vec<Values>,
    /// Counts by column of costs.
    counts: Vec<Vec<u64>>,
}

impl Table {
    pub(crate) fn new(columns: Columns, budget: &Rc<Budget>) -> Self {
        Self {
            budget: Rc::clone(budget),
            rows: 0,
            workloads: Vec::new(),
            seen: HashSet::new(),
            features: columns.features.iter().map(|_| Values::default()).collect(),
            counts: vec![Vec::new(); columns.costs.len()],
            columns,
        }
    }

    /// Adds a row; `line` is for error messages.
    pub(crate) fn add(&mut self, line: u64, cells: &[&str]) -> Result<(), ImportError> {
        let expected = self.columns.names.len();
        if cells.len() != expected {
            let found = cells.len();
            return Err(ImportError::table(format!(
                "line {line} has {found} cells, but the header has {expected}; quote cells that contain \
                 commas"
            )));
        }
        self.budget.keep(ROW + CELL * cells.len());
        self.budget.check()?;
        self.rows += 1;
        if let Some(column) = self.columns.workload {
            let workload = cells[column].to_owned();
            self.budget.keep(4 * workload.len());
            if !self.seen.insert(workload.clone()) {
                return Err(ImportError::table(format!(
                    "line {line} repeats workload `{workload}`; give each run its own name"
                )));
            }
            self.workloads.push(workload);
        }
        for (feature, &column) in self.features.iter_mut().zip(&self.columns.features) {
            feature.add(line, cells[column]);
        }
        for (counts, &column) in self.counts.iter_mut().zip(&self.columns.costs) {
            counts.push(crate::number::count(cells[column]).map_err(|problem| {
                let (column, cell) = (&self.columns.names[column], shown(cells[column]));
                ImportError::table(format!(
                    "line {line}, column `{column}`: `{cell}` {problem}; costs are whole numbers (0: not \
                     executed); name columns with other numbers as features"
                ))
            })?);
        }
        Ok(())
    }

    /// Returns the collected table, with `warnings` and new ones.
    pub(crate) fn into_counts(self, mut warnings: Vec<Warning>) -> Result<CountTable, ImportError> {
        let Self { columns, rows, workloads, features, counts, .. } = self;
        if rows == 0 {
            return Err(ImportError::table("the table has no rows below its header; each row is one run"));
        }
        let width = rows.to_string().len();
        let workloads = match columns.workload {
            Some(_) => workloads,
            None => (1..=rows).map(|i| format!("{i:0width$}")).collect(),
        };
        let of_feature = |(values, &column): (Values, &usize)| {
            let name = columns.names[column].clone();
            warnings.extend(values.warning(&name));
            Feature { name, definition: Definition::Given, values: values.values }
        };
        let features = features.into_iter().zip(&columns.features).map(of_feature).collect();
        let mut places = ColumnPlaces::default();
        let locations = columns.costs.iter().map(|&c| places.location(&columns.names[c])).collect();
        Ok(CountTable {
            functions: places.into_functions(),
            locations,
            workloads,
            features,
            counts,
            warnings,
        })
    }
}

impl Values {
    fn add(&mut self, line: u64, cell: &str) {
        let value = cell.parse().ok().filter(|v: &f64| v.is_finite());
        if value.is_none() {
            self.missing.get_or_insert_with(|| (line, shown(cell), 0)).2 += 1;
        }
        self.values.push(value);
    }

    fn warning(&self, name: &str) -> Option<Warning> {
        let (line, cell, missing) = self.missing.as_ref()?;
        let message = format!(
            "feature `{name}` has no value in {missing} of {} rows (the first is line {line}: `{cell}`); \
             its models leave those runs out",
            self.values.len()
        );
        Some(Warning::new(WarningKind::MissingFeatureValues, message))
    }
}
