//! Collects the rows of a table with a row per count: its workload, its location, and features of the workload.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use trend_profile::{Location, Unit};

use super::budget::{COUNT, ENTRY, RUN};
use super::text::{count, shown};
use super::{Budget, ImportError, Imported, ImportedRun};
use crate::csv::COLUMN;
use crate::csv::places::ColumnPlaces;

/// Rows of a table with a row per count, by workload.
pub(super) struct LongTable {
    columns: Vec<String>,
    workload: usize,
    location: usize,
    count: usize,
    features: Vec<usize>,
    budget: Rc<Budget>,
    places: ColumnPlaces,
    locations: Vec<Location>,
    location_ids: HashMap<String, u32>,
    run_ids: HashMap<String, usize>,
    runs: Vec<ImportedRun>,
}

impl LongTable {
    /// Creates a table with these columns. All but `workload`, `location` and `count` are features.
    pub(super) fn new(
        columns: Vec<String>,
        [workload, location, count]: [usize; 3],
        budget: &Rc<Budget>,
    ) -> Self {
        let is_feature = |column: &usize| ![workload, location, count].contains(column);
        Self {
            features: (0..columns.len()).filter(is_feature).collect(),
            columns,
            workload,
            location,
            count,
            budget: Rc::clone(budget),
            places: ColumnPlaces::default(),
            locations: Vec::new(),
            location_ids: HashMap::new(),
            run_ids: HashMap::new(),
            runs: Vec::new(),
        }
    }

    /// Adds a row, whose number is for error messages.
    pub(super) fn add(&mut self, number: u64, cells: &[&str]) -> Result<(), ImportError> {
        self.budget.check()?;
        let executions = count(cells[self.count], "count", number as usize)?;
        let (location, run) = (self.location_id(cells[self.location]), self.run_id(cells));
        self.budget.keep(COUNT);
        self.runs[run].counts.push((location, executions));
        Ok(())
    }

    fn location_id(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.location_ids.get(name) {
            return known;
        }
        self.budget.keep(COLUMN + 4 * name.len());
        let next = self.locations.len();
        self.locations.push(self.places.location(name));
        self.location_ids.insert(name.to_owned(), next as u32);
        next as u32
    }

    fn run_id(&mut self, cells: &[&str]) -> usize {
        let workload = cells[self.workload];
        if let Some(&known) = self.run_ids.get(workload) {
            return known;
        }
        let value = |&c: &usize| {
            Some((self.columns[c].clone(), cells[c].parse().ok().filter(|v: &f64| v.is_finite())?))
        };
        let features: Vec<(String, f64)> = self.features.iter().filter_map(value).collect();
        let names: usize = features.iter().map(|(name, _)| 2 * (ENTRY + name.len())).sum();
        self.budget.keep(RUN + 4 * workload.len() + names);
        let next = self.runs.len();
        self.runs.push(ImportedRun {
            workload: Some(Arc::from(workload)),
            features: features.into(),
            counts: Vec::new(),
        });
        self.run_ids.insert(workload.to_owned(), next);
        next
    }

    /// Returns the collected table.
    pub(super) fn imported(mut self) -> Result<Imported, ImportError> {
        for run in &mut self.runs {
            run.counts.sort_unstable();
            if let Some(pair) = run.counts.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                let name = &self.locations[pair[0].0 as usize].label;
                let workload = run.workload.as_deref().unwrap_or_default();
                let what = format!("workload `{}` has two counts for `{}`", shown(workload), shown(name));
                return Err(ImportError::Contradictory { what });
            }
        }
        if self.runs.is_empty() {
            return Err(ImportError::NoCounts { reason: "it has no rows".to_owned() });
        }
        Ok(Imported {
            unit: Unit::default(),
            functions: self.places.into_functions(),
            locations: self.locations,
            features: self.features.iter().map(|&c| self.columns[c].clone()).collect(),
            runs: self.runs,
            ..Imported::default()
        })
    }
}
