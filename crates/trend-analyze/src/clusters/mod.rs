//! Groups the locations that vary together: section 4.1 of the paper.
//!
//! ```text
//! features   n ────────┐                 locations by falling variance
//!                      ▼                 │
//!   representatives [ n, …            ]◀─┤ a.c:4  fits none       → becomes a representative
//!                   [ n, a.c:4        ]◀─┤ a.c:5  R² 1.00 to a.c:4 → joins it
//!                   [ n, a.c:4        ]◀─┘ a.c:2  R² 1.00 to n     → joins it
//! ```
//!
//! A location joins *every* cluster that it fits. The result depends on the order of the locations, which is therefore
//! fixed: falling variance, then canonical order. Rows with equal counts are treated as one row until the end.
//!
//! No representative fits another one. So a row that is a linear function of a representative fits no other, and is
//! not compared with the others. For example, the count of the body of a loop is a linear function of the count of
//! its head.

pub(crate) mod distinct;
pub(crate) mod screen;
pub(crate) mod shadows;

use rayon::prelude::*;
use trend_model::{Standardized, dot};
use trend_profile::{FeatureId, LocationId, Study};

use self::distinct::{Distinct, distinct_rows};
use self::screen::Screen;
use self::shadows::{Shadows, Sorted};
use crate::options::Options;
use crate::study::survey::Varying;

/// Minimum number of rows that are compared with the known representatives at once. Within a batch, new representatives
/// are compared one after the other.
const BATCH: usize = 1024;

/// With many representatives, a batch has at least one row per this many. Sorting the representatives for a batch takes
/// time proportional to their number.
const REPRESENTATIVES_PER_ROW: usize = 32;

/// Number of rows of a batch that one thread takes at a time.
const TILE: usize = 64;

/// The origin of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seed {
    Feature(FeatureId),
    Location(LocationId),
}

/// A cluster before its findings are computed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) seed: Seed,
    /// Positions of its rows in [`Clustering::distinct`], ascending, and the R² of their fit to the representative.
    pub(crate) rows: Vec<(u32, f64)>,
    /// Later features that fit the representative.
    pub(crate) features: Vec<FeatureId>,
}

/// All clusters of a study, with their rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clustering {
    /// In order of creation: features first.
    pub(crate) groups: Vec<Group>,
    /// The rows that vary.
    pub(crate) distinct: Vec<Distinct>,
}

impl Clustering {
    /// Returns the number of locations that vary.
    pub(crate) fn varying(&self) -> usize {
        self.distinct.iter().map(|row| row.locations.len()).sum()
    }

    /// Returns the members of a group and the R² of their fit to its representative, unsorted.
    pub(crate) fn members(&self, group: &Group) -> impl Iterator<Item = (LocationId, f64)> {
        let locations =
            |&(row, r2): &(u32, f64)| self.distinct[row as usize].locations.iter().map(move |&l| (l, r2));
        group.rows.iter().flat_map(locations)
    }

    /// Returns the sum of the members' costs, `[workloads]`.
    pub(crate) fn cost(&self, study: &Study, group: &Group) -> Vec<u64> {
        let mut costs = vec![0; study.workloads().len()];
        for (row, _) in &group.rows {
            let locations = &self.distinct[*row as usize].locations;
            study.counts().row(locations[0]).add_to(&mut costs, locations.len() as u32);
        }
        costs
    }
}

/// Rows whose R² differs from 1 by less are linear functions of each other, up to rounding. The angle between them is
/// below 1e-5. The cosine of the angle to a third row changes by no more than that, which is less than
/// [`Screen::CLOSE`].
const SAME_DIRECTION: f64 = 1e-10;

/// The representatives so far.
struct Representatives {
    rows: Standardized,
    shadows: Shadows,
    /// True for a representative if another one would fit it at a slightly lower threshold.
    has_close: Vec<bool>,
}

/// Relation of a row to the representatives.
#[derive(Default)]
struct Fits {
    /// Representatives that the row fits, each with its R².
    fitting: Vec<(usize, f64)>,
    /// Representatives that the row nearly fits.
    close: Vec<usize>,
    /// The representative that the row is a linear function of. It is the only one that fits, unless another
    /// representative is close to it.
    alone: Option<usize>,
}

/// Some rows of a batch.
struct Tile {
    rows: Standardized,
    shadows: Shadows,
}

/// Clusters the varying locations of a study.
///
/// - Time: O(r·k + d·c) for r distinct rows, d rows that are not a linear function of a representative, c clusters and
///   k workloads. A single number rules out most pairs of a row and a representative; shadows rule out all but a few of
///   the rest. Memory: O(r + c·k).
pub(crate) fn cluster(study: &Study, varying: &[Varying], options: &Options) -> Clustering {
    cluster_in_batches(study, varying, options, BATCH)
}

/// Clusters the varying locations in batches of at least `least` rows.
fn cluster_in_batches(study: &Study, varying: &[Varying], options: &Options, least: usize) -> Clustering {
    let threshold = 1.0 - options.alpha;
    let distinct = distinct_rows(study, varying);
    let screen = screen(study, &distinct, threshold);
    let (mut representatives, mut groups) = features(study, &screen, threshold);
    let mut sorted = Sorted::default();
    let mut first = 0;
    while first < distinct.len() {
        let before = groups.len();
        let length = least.max(before / REPRESENTATIVES_PER_ROW).min(distinct.len() - first);
        let batch = &distinct[first..first + length];
        sorted.update(&representatives.shadows);
        let tiles: Vec<Tile> = batch.par_chunks(TILE).map(|rows| Tile::new(study, rows, &screen)).collect();
        let known_fits = fits(&tiles, &screen, &representatives, &sorted, threshold);
        for (at, (row, mut fits)) in batch.iter().zip(known_fits).enumerate() {
            let (tile, i) = (&tiles[at / TILE], at % TILE);
            if fits.alone.is_none_or(|group| representatives.has_close[group]) {
                screen.pairs_of_one(&tile.shadows, i, &representatives.shadows, before, |group| {
                    fits.add(group, tile.rows.row(i), &representatives, &screen, threshold);
                });
            }
            if fits.fitting.is_empty() {
                fits.fitting.push((groups.len(), 1.0));
                representatives.push(tile, i, &fits.close);
                let seed = Seed::Location(row.locations[0]);
                groups.push(Group { seed, rows: Vec::new(), features: Vec::new() });
            }
            for (group, r2) in fits.fitting {
                groups[group].rows.push(((first + at) as u32, r2));
            }
        }
        first += length;
    }
    Clustering { groups, distinct }
}

/// Returns the features as representatives and groups. A feature that fits an earlier one joins its group.
fn features(study: &Study, screen: &Screen, threshold: f64) -> (Representatives, Vec<Group>) {
    let rows = Standardized::new(study.workloads().len());
    let mut representatives = Representatives { rows, shadows: Shadows::default(), has_close: Vec::new() };
    let mut groups: Vec<Group> = Vec::new();
    for (index, feature) in study.features().iter().enumerate() {
        let id = FeatureId(index as u32);
        // A feature with a missing or constant value cannot represent a cluster.
        let Some(values) = feature.values.iter().copied().collect::<Option<Vec<f64>>>() else { continue };
        let mut row = Standardized::new(values.len());
        if !row.push(values.into_iter()) {
            continue;
        }
        let mut fits = Fits::default();
        (0..groups.len()).for_each(|group| fits.add(group, row.row(0), &representatives, screen, threshold));
        if let Some(&(group, _)) = fits.fitting.first() {
            groups[group].features.push(id);
        } else {
            let mut shadows = Shadows::default();
            screen.cast(row.row(0), &mut shadows);
            representatives.push(&Tile { rows: row, shadows }, 0, &fits.close);
            groups.push(Group { seed: Seed::Feature(id), rows: Vec::new(), features: Vec::new() });
        }
    }
    (representatives, groups)
}

impl Representatives {
    /// Adds a row as a representative; it nearly fits the representatives in `close`.
    fn push(&mut self, tile: &Tile, i: usize, close: &[usize]) {
        self.rows.push_row(&tile.rows, i);
        self.shadows.push(&tile.shadows, i);
        self.has_close.push(!close.is_empty());
        for &other in close {
            self.has_close[other] = true;
        }
    }

    /// Returns the representative that a row is a linear function of, with its R², if the row can fit no other.
    fn same_direction(&self, tile: &Tile, i: usize, sorted: &Sorted, threshold: f64) -> Option<(usize, f64)> {
        let alone = sorted.nearest(&tile.shadows, i).filter(|&group| !self.has_close[group]);
        let of_group = |group| (group, r2(tile.rows.row(i), self.rows.row(group)));
        alone.map(of_group).filter(|&(_, r2)| r2 > threshold.max(1.0 - SAME_DIRECTION))
    }
}

impl Fits {
    /// Compares a row with a representative, and records the result.
    fn add(
        &mut self,
        group: usize,
        row: &[f64],
        representatives: &Representatives,
        screen: &Screen,
        threshold: f64,
    ) {
        let r2 = r2(row, representatives.rows.row(group));
        if r2 > threshold {
            self.fitting.push((group, r2));
        } else if r2.sqrt() > screen.least() {
            self.close.push(group);
        }
    }
}

impl Tile {
    fn new(study: &Study, batch: &[Distinct], screen: &Screen) -> Self {
        let rows = standardized(study, batch);
        let mut shadows = Shadows::default();
        (0..rows.len()).for_each(|i| screen.cast(rows.row(i), &mut shadows));
        Self { rows, shadows }
    }
}

/// Compares each row of the tiles with the known representatives; fits are sorted by representative. Rows at nearly the
/// same angle to the first direction are compared together.
fn fits(
    tiles: &[Tile],
    screen: &Screen,
    representatives: &Representatives,
    sorted: &Sorted,
    threshold: f64,
) -> Vec<Fits> {
    let known_directions = |tile: &Tile| -> Vec<Option<(usize, f64)>> {
        (0..tile.rows.len()).map(|i| representatives.same_direction(tile, i, sorted, threshold)).collect()
    };
    let known_directions: Vec<_> = tiles.par_iter().map(known_directions).collect();
    let one = |fit: Option<(usize, f64)>| Fits {
        fitting: fit.into_iter().collect(),
        close: Vec::new(),
        alone: fit.map(|(group, _)| group),
    };
    let mut fits: Vec<Fits> = known_directions.into_iter().flatten().map(one).collect();

    let place = |row: usize| (&tiles[row / TILE], row % TILE);
    let angle = |row: usize| place(row).0.shadows.angles[place(row).1];
    let mut order: Vec<usize> = (0..fits.len()).filter(|&row| fits[row].fitting.is_empty()).collect();
    order.par_sort_unstable_by(|&i, &j| angle(i).total_cmp(&angle(j)));
    let of_some = |some: &[usize]| -> Vec<Fits> {
        let mut shadows = Shadows::default();
        for (tile, i) in some.iter().map(|&row| place(row)) {
            shadows.push(&tile.shadows, i);
        }
        let mut fits: Vec<Fits> = some.iter().map(|_| Fits::default()).collect();
        screen.pairs(&shadows, sorted, |i, group| {
            let (tile, row) = place(some[i]);
            fits[i].add(group, tile.rows.row(row), representatives, screen, threshold);
        });
        for fits in &mut fits {
            fits.fitting.sort_unstable_by_key(|&(group, _)| group);
        }
        fits
    };
    let compared: Vec<Vec<Fits>> = order.par_chunks(TILE).map(of_some).collect();
    for (row, compared) in order.into_iter().zip(compared.into_iter().flatten()) {
        fits[row] = compared;
    }
    fits
}

fn screen(study: &Study, distinct: &[Distinct], threshold: f64) -> Screen {
    let mut sample = Standardized::new(study.workloads().len());
    Screen::sample(distinct.len()).for_each(|i| push(study, &distinct[i], &mut sample));
    Screen::new(&sample, threshold)
}

/// Returns one standardized row each; a varying row is never constant, so none is dropped.
fn standardized(study: &Study, distinct: &[Distinct]) -> Standardized {
    let mut rows = Standardized::new(study.workloads().len());
    for row in distinct {
        push(study, row, &mut rows);
    }
    rows
}

fn push(study: &Study, row: &Distinct, rows: &mut Standardized) {
    let mut costs = Vec::new();
    study.counts().row(row.locations[0]).push_to(&mut costs);
    rows.push(costs.into_iter());
}

/// Returns the R² of two standardized rows: the square of their dot product.
fn r2(x: &[f64], y: &[f64]) -> f64 {
    let r = dot(x, y);
    (r * r).min(1.0)
}

#[cfg(test)]
mod tests;
