//! Models functions, lines and blocks.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use trend_answer::Outlook;
use trend_profile::{LocationId, Study};

use super::outlook::outlook;
use super::today;
use crate::findings::Findings;
use crate::findings::law::Fits;
use crate::findings::model::Model;
use crate::findings::row::Row;
use crate::fit::budget::{Budget, LeftOut};
use crate::fit::modeller::{Attention, Modeller};
use crate::options::Options;
use crate::study::point::Point;

/// Minimum share of a run with which functions, lines and blocks get a growth class. Finding it takes longer than
/// everything else about a row, and users do not look at thousands of rows that cost nothing. Clusters are always worth
/// one, so that a square with negligible cost so far is found.
const GROWTH_SHARE: f64 = 0.001;

/// Maximum number of rows that get full attention because the user wants to see this many.
const MOST_WANTED: usize = 1000;

/// Maximum number of rows that get full attention because the user named them.
const MOST_NAMED: usize = 64;

/// Data for modelling the rows of a study.
pub(crate) struct RowModels<'a> {
    pub(crate) study: &'a Study,
    pub(crate) options: &'a Options,
    pub(crate) totals: &'a [u64],
    pub(crate) modeller: &'a Modeller,
    pub(crate) budget: Budget,
    pub(crate) points: &'a [Point],
}

impl RowModels<'_> {
    /// Models functions. Functions with the same name and file form one row: differently compiled copies of a template
    /// instance or an inline function, and a function with its outlined parts.
    pub(crate) fn functions(&self) -> (Vec<Row>, LeftOut) {
        let mut groups: BTreeMap<(&str, &str), (u32, Vec<LocationId>)> = BTreeMap::new();
        for id in self.study.blocks() {
            let function = self.study.function(self.study.location(id).function);
            // Imported columns need not belong to a function.
            if function.symbol.name.is_empty() {
                continue;
            }
            let (line, members) =
                groups.entry((&function.symbol.name, &function.file)).or_insert((function.line, Vec::new()));
            *line = function.line.min(*line);
            members.push(id);
        }
        let named = groups.into_iter().map(|((name, file), (line, ids))| (name.to_owned(), file, line, ids));
        self.rows(named.collect(), true)
    }

    /// Models lines. A block's cost belongs to its first line.
    pub(crate) fn lines(&self, is_wanted: impl Fn(&str, u32) -> bool) -> (Vec<Row>, LeftOut) {
        let mut groups: BTreeMap<(&str, u32), Vec<LocationId>> = BTreeMap::new();
        for id in self.study.blocks() {
            let location = self.study.location(id);
            if is_wanted(&location.file, location.line) {
                groups.entry((&location.file, location.line)).or_default().push(id);
            }
        }
        let named = groups.into_iter().map(|((file, line), ids)| (format!("{file}:{line}"), file, line, ids));
        self.rows(named.collect(), false)
    }

    pub(crate) fn blocks(&self, names: &[Arc<str>]) -> (Vec<Row>, LeftOut) {
        let named = self.study.blocks().map(|id| {
            let location = self.study.location(id);
            (names[id.index()].to_string(), &*location.file, location.line, vec![id])
        });
        self.rows(named.collect(), false)
    }

    /// Returns the predicted costs of a row at the points.
    pub(crate) fn outlooks(&self, fits: &Fits) -> Vec<Option<Outlook>> {
        let predicted = |model: &Model, at: f64| model.prediction_at(at).cloned();
        let at = |point: &Point| outlook(fits, point, self.options.level, predicted);
        self.points.iter().map(at).collect()
    }

    /// Gives full attention to the rows that the user wants to see: the costliest, and the ones with a name.
    pub(crate) fn attend_to_wanted<C: AsRef<[u64]>>(
        &self,
        attention: &mut [Attention],
        costs: &[C],
        is_named: impl Fn(&str, usize) -> bool,
    ) {
        let most = |i: &usize| costs[*i].as_ref().iter().copied().max();
        let mut order: Vec<usize> = (0..costs.len()).collect();
        let most_in_full = self.budget.wanted_in_full();
        if self.options.full_rows > 0 {
            order.sort_by_key(|i| (Reverse(most(i)), *i));
            order
                .iter()
                .take(self.options.full_rows.min(MOST_WANTED).min(most_in_full))
                .for_each(|&i| attention[i] = Attention::Full);
        }
        if let Some(name) = &self.options.full_named {
            let named = order.iter().filter(|&&i| is_named(name, i));
            named.take(MOST_NAMED.min(most_in_full)).for_each(|&i| attention[i] = Attention::Full);
        }
    }

    pub(crate) fn attention(&self, max_share: f64) -> Attention {
        match max_share {
            share if share > self.options.costly_share => Attention::Full,
            share if share >= GROWTH_SHARE => Attention::Passing,
            _ => Attention::Little,
        }
    }

    /// Models the rows that ever cost something, and sorts them by falling maximum cost. With `fits_jointly`, costly
    /// rows may have a law in several features, which takes longer to find than everything else.
    fn rows(&self, mut groups: Vec<NamedRow<'_>>, fits_jointly: bool) -> (Vec<Row>, LeftOut) {
        let mut left_out = LeftOut::default();
        if groups.len() > self.budget.rows {
            // Storing the costs of all rows takes more memory than the study, so they are computed again for the rows
            // that stay.
            let most = |row: &NamedRow<'_>| sum(self.study, row.3.iter().copied()).into_iter().max();
            let greatest: Vec<Option<u64>> = groups.par_iter().map(most).collect();
            let running = greatest.iter().filter(|most| most.is_some_and(|most| most > 0)).count();
            left_out.rows = running.saturating_sub(self.budget.rows);
            groups = costliest(&groups, &greatest, self.budget.rows);
        }
        let row = |(name, file, line, ids): NamedRow<'_>| {
            let costs = sum(self.study, ids.into_iter());
            let max_cost = costs.iter().copied().max().filter(|&m| m > 0)?;
            let max_share = max_share(&costs, self.totals);
            let file = file.to_owned();
            let share_of_largest = share_of_largest(&costs, self.totals);
            Some(Row {
                name,
                file,
                line,
                max_cost,
                max_share,
                share_of_largest,
                share_now: share_of_largest,
                fits: Fits::default(),
                outlooks: Vec::new(),
                note: None,
                callers: Vec::new(),
                more_callers: 0,
                only_caller: None,
                costs,
            })
        };
        let mut rows: Vec<Row> = groups.into_par_iter().filter_map(row).collect();
        left_out.classes = self.fit(&mut rows, fits_jointly);
        rows.sort_by(|a, b| b.max_cost.cmp(&a.max_cost).then_with(|| a.name.cmp(&b.name)));
        (rows, left_out)
    }

    /// Fits rows with an effort that depends on their share of a run. Returns the number of rows without a growth class
    /// because there are too many.
    pub(crate) fn fit(&self, rows: &mut [Row], fits_jointly: bool) -> usize {
        let shares: Vec<f64> = rows.iter().map(|row| row.max_share).collect();
        let mut attention: Vec<Attention> = shares.iter().map(|&share| self.attention(share)).collect();
        let left_out = self.budget.lower(&mut attention, &shares);
        let costs: Vec<&[u64]> = rows.iter().map(|row| row.costs.as_slice()).collect();
        self.attend_to_wanted(&mut attention, &costs, |name, i| rows[i].name.contains(name));
        let meant =
            (0..rows.len()).filter(|&i| self.options.full_meant.iter().any(|word| rows[i].is_meant(word)));
        meant
            .take(MOST_WANTED.min(self.budget.wanted_in_full()))
            .for_each(|i| attention[i] = Attention::Full);
        let requests: Vec<_> =
            rows.iter().map(|row| row.costs.as_slice()).zip(attention.iter().copied()).collect();
        let models = self.modeller.models_of_rows(&requests);
        rows.par_iter_mut().zip(models).zip(attention).for_each(|((row, models), attention)| {
            row.fits = if fits_jointly && attention == Attention::Full {
                self.modeller.fit_jointly(self.study, &row.costs, models)
            } else {
                Fits { models, joint: None }
            };
            row.outlooks = self.outlooks(&row.fits);
        });
        left_out
    }
}

/// Models the wanted lines of a study, as an analysis with these options and findings would.
pub(crate) fn lines_of(
    study: &Study,
    options: &Options,
    findings: &Findings,
    is_wanted: impl Fn(&str, u32) -> bool,
) -> Vec<Row> {
    let modeller = Modeller::new(study, options, &findings.points);
    let totals = &findings.total.costs;
    let rows = RowModels {
        study,
        options,
        totals,
        modeller: &modeller,
        budget: Budget::for_study(study),
        points: &findings.points,
    };
    let mut lines = rows.lines(is_wanted).0;
    today::fill_in_rows(study, findings, &mut lines);
    lines
}

/// A row's name, file, line and locations.
type NamedRow<'a> = (String, &'a str, u32, Vec<LocationId>);

/// Returns the `most` rows with the greatest cost, in their original order.
pub(crate) fn costliest<T: Clone>(rows: &[T], greatest: &[Option<u64>], most: usize) -> Vec<T> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&i, &j| greatest[j].cmp(&greatest[i]).then(i.cmp(&j)));
    order.truncate(most);
    order.sort_unstable();
    order.into_iter().map(|i| rows[i].clone()).collect()
}

/// Returns the sum of locations' costs per workload. Saturates; no real sum comes near 2^64.
fn sum(study: &Study, locations: impl Iterator<Item = LocationId>) -> Vec<u64> {
    let mut costs = vec![0_u64; study.workloads().len()];
    for location in locations {
        study.counts().row(location).add_to(&mut costs, 1);
    }
    costs
}

/// Returns the greatest share that `costs` have in a workload's total.
pub(crate) fn max_share(costs: &[u64], totals: &[u64]) -> f64 {
    let shares = costs.iter().zip(totals).filter(|&(_, &t)| t > 0).map(|(&c, &t)| c as f64 / t as f64);
    shares.fold(0.0, f64::max)
}

/// Returns the share that `costs` have in the total of the costliest workload, the first of equal ones.
pub(crate) fn share_of_largest(costs: &[u64], totals: &[u64]) -> f64 {
    let runs = costs.iter().zip(totals).rev();
    let largest = runs.max_by_key(|&(_, &total)| total).filter(|&(_, &total)| total > 0);
    largest.map_or(0.0, |(&cost, &total)| cost as f64 / total as f64)
}
