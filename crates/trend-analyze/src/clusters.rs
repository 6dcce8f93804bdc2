//! Grouping the locations that vary together: section 4.1 of the paper.
//!
//! ```text
//! features   n ────────┐                 locations by falling variance
//!                      ▼                 │
//!   representatives [ n, …            ]◀─┤ a.c:4  fits none       → becomes a representative
//!                   [ n, a.c:4        ]◀─┤ a.c:5  R² 1.00 to a.c:4 → joins it
//!                   [ n, a.c:4        ]◀─┘ a.c:2  R² 1.00 to n     → joins it
//! ```
//!
//! A location joins *every* cluster that it fits. The outcome depends on the order of the
//! locations, which is therefore fixed: falling variance, then canonical order. Rows that are equal
//! count for count are one row until the end.

use rayon::prelude::*;
use trend_model::{Standardized, dot};
use trend_profile::{FeatureId, LocationId, Study};

use crate::Options;
use crate::distinct::{Distinct, distinct_rows};
use crate::screen::Screen;
use crate::shadows::{Shadows, Sorted};
use crate::survey::Varying;

/// How many rows are compared with the known representatives at once. Within a batch, new representatives are
/// compared one after the other.
const BATCH: usize = 2048;

/// How many rows of a batch one thread takes at a time.
const TILE: usize = 64;

/// What a cluster was begun by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seed {
    Feature(FeatureId),
    Location(LocationId),
}

/// A cluster before anything is computed of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) seed: Seed,
    /// Positions of its rows among the distinct ones, ascending, and the R² of their fit to the representative.
    pub(crate) rows: Vec<(u32, f64)>,
    /// Later features that fit the representative.
    pub(crate) features: Vec<FeatureId>,
}

/// All clusters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clustering {
    /// In the order in which they were begun: features first.
    pub(crate) groups: Vec<Group>,
    /// The rows that vary.
    pub(crate) distinct: Vec<Distinct>,
}

impl Clustering {
    /// How many locations vary.
    pub(crate) fn varying(&self) -> usize {
        self.distinct.iter().map(|row| row.locations.len()).sum()
    }

    /// Members of a group and the R² of their fit to its representative, in some order.
    pub(crate) fn members(&self, group: &Group) -> impl Iterator<Item = (LocationId, f64)> {
        let locations =
            |&(row, r2): &(u32, f64)| self.distinct[row as usize].locations.iter().map(move |&l| (l, r2));
        group.rows.iter().flat_map(locations)
    }

    /// The sum of the members' costs, `[workloads]`.
    pub(crate) fn cost(&self, study: &Study, group: &Group) -> Vec<u64> {
        let mut costs = vec![0; study.workloads().len()];
        for (row, _) in &group.rows {
            let locations = &self.distinct[*row as usize].locations;
            study.counts().row(locations[0]).add_to(&mut costs, locations.len() as u32);
        }
        costs
    }
}

/// The representatives so far.
struct Known {
    rows: Standardized,
    shadows: Shadows,
}

/// Some rows of a batch.
struct Tile {
    rows: Standardized,
    shadows: Shadows,
}

/// Clusters the locations of a study that vary.
///
/// - Time: O(r·k + r·c) for r distinct rows, c clusters and k workloads: most pairs of a row and a representative are told
///   apart by a single number, and all but a few by their shadows. Memory: O(r + c·k).
pub(crate) fn cluster(study: &Study, varying: &[Varying], options: &Options) -> Clustering {
    let threshold = 1.0 - options.alpha;
    let distinct = distinct_rows(study, varying);
    let screen = screen(study, &distinct, threshold);
    let (mut known, mut groups) = features(study, &screen, threshold);
    let mut sorted = Sorted::default();
    for (first, batch) in distinct.chunks(BATCH).enumerate().map(|(i, batch)| (i * BATCH, batch)) {
        let before = groups.len();
        sorted.update(&known.shadows);
        let tiles: Vec<Tile> = batch.par_chunks(TILE).map(|rows| Tile::new(study, rows, &screen)).collect();
        let known_fits = fits(&tiles, &screen, &known, &sorted, threshold);
        for (at, (row, mut fits)) in batch.iter().zip(known_fits).enumerate() {
            let (tile, i) = (&tiles[at / TILE], at % TILE);
            for group in before..groups.len() {
                if screen.may_fit(&tile.shadows, i, &known.shadows, group) {
                    let r2 = r2(tile.rows.row(i), known.rows.row(group));
                    fits.extend((r2 > threshold).then_some((group, r2)));
                }
            }
            if fits.is_empty() {
                fits.push((groups.len(), 1.0));
                known.rows.push_row(&tile.rows, i);
                known.shadows.push(&tile.shadows, i);
                let seed = Seed::Location(row.locations[0]);
                groups.push(Group { seed, rows: Vec::new(), features: Vec::new() });
            }
            for (group, r2) in fits {
                groups[group].rows.push(((first + at) as u32, r2));
            }
        }
    }
    Clustering { groups, distinct }
}

/// The features as representatives, those that join an earlier one with it.
fn features(study: &Study, screen: &Screen, threshold: f64) -> (Known, Vec<Group>) {
    let mut known = Known { rows: Standardized::new(study.workloads().len()), shadows: Shadows::default() };
    let mut groups: Vec<Group> = Vec::new();
    for (index, feature) in study.features().iter().enumerate() {
        let id = FeatureId(index as u32);
        // A feature with a missing or constant value can represent nothing.
        let Some(values) = feature.values.iter().copied().collect::<Option<Vec<f64>>>() else { continue };
        let mut row = Standardized::new(values.len());
        if !row.push(values.into_iter()) {
            continue;
        }
        let fits = (0..groups.len()).find(|&g| r2(row.row(0), known.rows.row(g)) > threshold);
        if let Some(group) = fits {
            groups[group].features.push(id);
        } else {
            screen.cast(row.row(0), &mut known.shadows);
            known.rows.push_row(&row, 0);
            groups.push(Group { seed: Seed::Feature(id), rows: Vec::new(), features: Vec::new() });
        }
    }
    (known, groups)
}

impl Tile {
    fn new(study: &Study, batch: &[Distinct], screen: &Screen) -> Self {
        let rows = standardized(study, batch);
        let mut shadows = Shadows::default();
        (0..rows.len()).for_each(|i| screen.cast(rows.row(i), &mut shadows));
        Self { rows, shadows }
    }
}

/// For each row of the tiles the known representatives that it fits, and how well; by representative. Rows that lie near
/// each other along the first direction are compared together.
fn fits(
    tiles: &[Tile],
    screen: &Screen,
    known: &Known,
    sorted: &Sorted,
    threshold: f64,
) -> Vec<Vec<(usize, f64)>> {
    let count = tiles.iter().map(|tile| tile.rows.len()).sum();
    let place = |row: usize| (&tiles[row / TILE], row % TILE);
    let along_first = |row: usize| place(row).0.shadows.along_first(place(row).1);
    let mut order: Vec<usize> = (0..count).collect();
    order.par_sort_unstable_by(|&i, &j| along_first(i).total_cmp(&along_first(j)));
    let of_some = |some: &[usize]| {
        let mut shadows = Shadows::default();
        for (tile, i) in some.iter().map(|&row| place(row)) {
            shadows.push(&tile.shadows, i);
        }
        let mut found = Vec::new();
        screen.pairs(&shadows, sorted, |i, group| {
            let (tile, row) = place(some[i]);
            let r2 = r2(tile.rows.row(row), known.rows.row(group));
            found.extend((r2 > threshold).then_some((some[i], group, r2)));
        });
        found
    };
    let found: Vec<Vec<(usize, usize, f64)>> = order.par_chunks(TILE).map(of_some).collect();
    let mut fits = vec![Vec::new(); count];
    for (row, group, r2) in found.into_iter().flatten() {
        fits[row].push((group, r2));
    }
    for fits in &mut fits {
        fits.sort_unstable_by_key(|&(group, _)| group);
    }
    fits
}

fn screen(study: &Study, distinct: &[Distinct], threshold: f64) -> Screen {
    let mut sample = Standardized::new(study.workloads().len());
    Screen::sample(distinct.len()).for_each(|i| push(study, &distinct[i], &mut sample));
    Screen::new(&sample, threshold)
}

/// One row for each, as none that varies is constant.
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

/// R² of two standardized rows: the square of their dot product.
fn r2(x: &[f64], y: &[f64]) -> f64 {
    let r = dot(x, y);
    (r * r).min(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::survey::survey;

    fn clustered(study: &Study, options: &Options) -> Clustering {
        cluster(study, &survey(study, options.min_deviation).varying, options)
    }

    /// In canonical order.
    fn members(clustering: &Clustering, group: &Group) -> Vec<(LocationId, f64)> {
        let mut members: Vec<_> = clustering.members(group).collect();
        members.sort_by_key(|member| member.0);
        members
    }

    /// Of every group, in canonical order.
    fn lines(study: &Study) -> Vec<Vec<u32>> {
        let clustering = clustered(study, &Options::default());
        let lines =
            |group| members(&clustering, group).iter().map(|&(l, _)| study.location(l).line).collect();
        clustering.groups.iter().map(lines).collect()
    }

    /// Bubble sort without its swaps: counts in closed form.
    fn bubble_sort() -> Study {
        let sizes = [60_u64, 200, 500, 1000, 2000];
        let row = |name: &str, f: &dyn Fn(u64) -> u64| {
            format!("{name}: {}\n", sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" "))
        };
        let text = row("n", &|n| n)
            + &row("b.c:1:sort", &|_| 1)
            + &row("b.c:2:sort", &|n| n + 1)
            + &row("b.c:3:sort", &|n| n)
            + &row("b.c:4:sort", &|n| n * (n + 1) / 2)
            + &row("b.c:5:sort", &|n| n * (n - 1) / 2)
            + &row("b.c:7:sort", &|n| n * (n - 1) / 2)
            + &row("b.c:8:sort", &|n| n);
        Study::from_text(&text).unwrap()
    }

    #[test]
    fn compares_and_size_of_bubble_sort_are_the_clusters_of_the_paper() {
        let study = bubble_sort();
        let clustering = clustered(&study, &Options::default());
        let found = lines(&study);
        assert_eq!(found[0], [2, 3, 8]);
        assert_eq!(found[1], [4, 5, 7]);
        assert_eq!(clustering.groups[0].seed, Seed::Feature(FeatureId(0)));
        assert_eq!(clustering.varying(), 6);
    }

    #[test]
    fn a_later_feature_that_fits_an_earlier_one_joins_its_cluster() {
        let study =
            Study::from_text("chars: 1 2 3 4\nnodes: 2 4 6 9\nodd: 1 9 1 9\na.c:1:f: 100 200 300 400")
                .unwrap();
        let groups = clustered(&study, &Options::default()).groups;
        assert_eq!(groups[0].features, [FeatureId(1)]);
        assert_eq!(groups[1].seed, Seed::Feature(FeatureId(2)));
        assert_eq!(lines(&study)[0], [1]);
    }

    #[test]
    fn a_location_joins_every_cluster_that_it_fits() {
        // Angles on the circle in the plane of two orthogonal patterns: members within 8.1 degrees
        // of a representative have R² > 0.98.
        let at = |degrees: f64| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let value = |u: f64, v: f64| (5e6 + 1e6 * (u * cos + v * sin)).round() as u64;
            format!("{} {} {} {}", value(1.0, 1.0), value(1.0, -1.0), value(-1.0, 1.0), value(-1.0, -1.0))
        };
        let text = format!("n: 1 1 1 1\na.c:1:f: {}\na.c:2:f: {}\na.c:3:f: {}", at(0.0), at(14.0), at(7.0));
        let study = Study::from_text(&text).unwrap();
        let mut found = lines(&study);
        found.sort();
        // Variances are equal up to rounding, so any of the three may come first.
        assert!(found == [vec![1, 2, 3]] || found == [vec![1, 3], vec![2, 3]], "{found:?}");
    }

    proptest! {
        /// Section 4.1.1: two members of one cluster fit each other with R² > 1 − 4α(1 − α).
        #[test]
        fn members_of_a_cluster_fit_each_other_as_the_theorem_says(
            rows in prop::collection::vec(prop::collection::vec(0_u64..100_000, 6), 1..40),
            noise in prop::collection::vec(prop::collection::vec(0_u64..9_000, 6), 40),
            alpha in 0.01..0.49,
        ) {
            // Noisy copies of a few rows, so that clusters have members.
            let text = rows.iter().enumerate().fold(String::new(), |text, (i, _)| {
                let base = &rows[i % rows.len().min(4)];
                let values: Vec<_> = base.iter().zip(&noise[i]).map(|(b, e)| (b + e).to_string()).collect();
                format!("{text}a.c:{}:f: {}\n", i + 1, values.join(" "))
            });
            let study = Study::from_text(&text).unwrap();
            let options = Options { alpha, ..Options::default() };
            let clustering = clustered(&study, &options);
            let values = |l: LocationId| -> Vec<f64> {
                study.counts().row(l).iter().map(|c| c as f64).collect()
            };
            for group in &clustering.groups {
                for (x, _) in clustering.members(group) {
                    for (y, _) in clustering.members(group) {
                        let r2 = trend_model::r_squared(&values(x), &values(y)).unwrap();
                        prop_assert!(r2 > 1.0 - 4.0 * alpha * (1.0 - alpha) - 1e-9);
                    }
                }
            }
            // Every varying location is in at least one cluster.
            let mut members: Vec<_> = clustering.groups.iter().flat_map(|g| clustering.members(g)).map(|m| m.0).collect();
            members.sort();
            members.dedup();
            prop_assert_eq!(members.len(), clustering.varying());
        }
    }

    /// What the module says, pair by pair.
    fn one_by_one(study: &Study, options: &Options) -> Vec<Vec<(LocationId, f64)>> {
        let values = |l: LocationId| study.counts().row(l).iter().map(|c| c as f64).collect::<Vec<_>>();
        let mut rows: Vec<(f64, LocationId)> =
            study.blocks().map(|l| (trend_model::sample_standard_deviation(&values(l)), l)).collect();
        rows.retain(|row| row.0 >= options.min_deviation);
        rows.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut groups: Vec<(Standardized, Vec<(LocationId, f64)>)> = Vec::new();
        for (_, location) in rows {
            let mut row = Standardized::new(study.workloads().len());
            row.push(values(location).into_iter());
            let mut fits_none = true;
            for (representative, members) in &mut groups {
                let r2 = r2(row.row(0), representative.row(0));
                if r2 > 1.0 - options.alpha {
                    members.push((location, r2));
                    fits_none = false;
                }
            }
            if fits_none {
                groups.push((row, vec![(location, 1.0)]));
            }
        }
        let sorted = |(_, mut members): (_, Vec<(LocationId, f64)>)| {
            members.sort_by_key(|m| m.0);
            members
        };
        groups.into_iter().map(sorted).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// More rows than a tile has, about few patterns, so that many are near the threshold; some are equal.
        #[test]
        fn nothing_is_lost_behind_the_screen(
            patterns in prop::collection::vec(prop::collection::vec(0_u64..100_000, 20), 1..12),
            rows in prop::collection::vec((0_usize..12, 1_u64..6, prop::collection::vec(0_u64..100_000, 20), 0_u64..30), 1..200),
            alpha in 0.01..0.3,
        ) {
            let text = rows.iter().enumerate().fold(String::new(), |text, (i, (pattern, factor, noise, percent))| {
                let pattern = &patterns[pattern % patterns.len()];
                let value = |(p, n): (&u64, &u64)| (factor * p + n * percent / 100).to_string();
                let values: Vec<String> = pattern.iter().zip(noise).map(value).collect();
                format!("{text}a.c:{}:f: {}\n", i + 1, values.join(" "))
            });
            let study = Study::from_text(&text).unwrap();
            let options = Options { alpha, ..Options::default() };
            let clustering = clustered(&study, &options);
            let found: Vec<_> = clustering.groups.iter().map(|g| members(&clustering, g)).collect();
            let expected = one_by_one(&study, &options);
            let locations = |groups: &[Vec<(LocationId, f64)>]| -> Vec<Vec<LocationId>> {
                groups.iter().map(|g| g.iter().map(|m| m.0).collect()).collect()
            };
            prop_assert_eq!(locations(&found), locations(&expected));
            for (&(_, found), (_, expected)) in found.iter().flatten().zip(expected.iter().flatten()) {
                prop_assert!((found - expected).abs() < 1e-12, "{} {}", found, expected);
            }
        }
    }
}
