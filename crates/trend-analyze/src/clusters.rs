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

use std::collections::HashMap;

use rayon::prelude::*;
use trend_model::{Standardized, sample_standard_deviation};
use trend_profile::{FeatureId, LocationId, Study};

use crate::Options;

/// How many locations are compared with the known representatives at once. Within a batch, new
/// representatives are compared one after the other.
const BATCH: usize = 512;

/// How many locations of a batch are one product of matrices, by one thread. Fixed, so that every
/// number comes from the same additions with any number of threads.
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
    /// Members and the R² of their fit to the representative, in canonical order.
    pub(crate) members: Vec<(LocationId, f64)>,
    /// Later features that fit the representative.
    pub(crate) features: Vec<FeatureId>,
}

/// All clusters, and how many locations vary.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clustering {
    /// In the order in which they were begun: features first.
    pub(crate) groups: Vec<Group>,
    pub(crate) varying: usize,
}

/// Rows that are equal count for count.
struct Distinct {
    locations: Vec<LocationId>,
    deviation: f64,
}

/// Clusters the varying locations of a study.
///
/// - Time: O(r·c·k) for r distinct rows, c clusters and k workloads. Memory: O(r·k).
pub(crate) fn cluster(study: &Study, options: &Options) -> Clustering {
    let threshold = 1.0 - options.alpha;
    let workloads = study.workloads().len();
    let mut representatives = Standardized::new(workloads);
    let mut groups: Vec<Group> = Vec::new();
    for (index, feature) in study.features().iter().enumerate() {
        let id = FeatureId(index as u32);
        // A feature with a missing or constant value can represent nothing.
        let Some(values) = feature.values.iter().copied().collect::<Option<Vec<f64>>>() else { continue };
        let mut row = Standardized::new(workloads);
        if !row.push(values.iter().copied()) {
            continue;
        }
        let fits = (0..groups.len()).find(|&g| r2(representatives.row(g), row.row(0)) > threshold);
        if let Some(group) = fits {
            groups[group].features.push(id);
        } else {
            representatives.push(values.into_iter());
            groups.push(Group { seed: Seed::Feature(id), members: Vec::new(), features: Vec::new() });
        }
    }

    let distinct = distinct_rows(study, options.min_deviation);
    let varying = distinct.iter().map(|d| d.locations.len()).sum();
    for batch in distinct.chunks(BATCH) {
        let mut rows = Standardized::new(workloads);
        for row in batch {
            // Rows here have a standard deviation of at least `min_deviation`: none is constant.
            rows.push(study.counts().row(row.locations[0]).iter().map(|&c| c as f64));
        }
        let known = representatives.len();
        let fits: Vec<Vec<(usize, f64)>> = rows
            .values()
            .par_chunks(TILE * workloads)
            .flat_map_iter(|tile| fitting_known(&representatives, tile, threshold))
            .collect();
        for (i, (row, mut fits)) in batch.iter().zip(fits).enumerate() {
            fits.extend(fitting(&representatives, known..representatives.len(), rows.row(i), threshold));
            if fits.is_empty() {
                fits.push((groups.len(), 1.0));
                representatives.push(rows.row(i).iter().copied());
                let seed = Seed::Location(row.locations[0]);
                groups.push(Group { seed, members: Vec::new(), features: Vec::new() });
            }
            for (group, r2) in fits {
                groups[group].members.extend(row.locations.iter().map(|&l| (l, r2)));
            }
        }
    }
    for group in &mut groups {
        group.members.sort_by_key(|&(location, _)| location);
    }
    Clustering { groups, varying }
}

/// For each row of a tile, which of the representatives it fits, and how well.
#[expect(unsafe_code, reason = "matrixmultiply takes pointers; the lengths are checked right before")]
fn fitting_known(representatives: &Standardized, tile: &[f64], threshold: f64) -> Vec<Vec<(usize, f64)>> {
    let (points, known) = (representatives.points(), representatives.len());
    let rows = tile.len() / points;
    let mut correlations = vec![0.0; rows * known];
    assert_eq!((tile.len(), representatives.values().len()), (rows * points, known * points));
    // SAFETY: the three matrices are `rows × points`, `points × known` (the representatives read
    // column by column) and `rows × known`; the slices have exactly these lengths.
    unsafe {
        matrixmultiply::dgemm(
            rows,
            points,
            known,
            1.0,
            tile.as_ptr(),
            points as isize,
            1,
            representatives.values().as_ptr(),
            1,
            points as isize,
            0.0,
            correlations.as_mut_ptr(),
            known as isize,
            1,
        );
    }
    let fits = |row: usize| {
        let of_row = correlations[row * known..(row + 1) * known].iter().map(|r| (r * r).min(1.0));
        of_row.enumerate().filter(|&(_, r2)| r2 > threshold).collect()
    };
    (0..rows).map(fits).collect()
}

/// Which of the representatives in the range the row fits, and how well.
fn fitting(
    representatives: &Standardized,
    range: std::ops::Range<usize>,
    row: &[f64],
    threshold: f64,
) -> Vec<(usize, f64)> {
    range.map(|g| (g, r2(representatives.row(g), row))).filter(|&(_, r2)| r2 > threshold).collect()
}

/// R² of two standardised rows: the square of their dot product. Four sums run side by side, which
/// lets the compiler use vector instructions and fixes the order of the additions.
fn r2(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (xs, ys) = (x.chunks_exact(4), y.chunks_exact(4));
    let rest: f64 = xs.remainder().iter().zip(ys.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in xs.zip(ys) {
        for i in 0..4 {
            sums[i] += a[i] * b[i];
        }
    }
    let r = (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest;
    (r * r).min(1.0)
}

/// The varying rows, equal ones merged, by falling variance and then in canonical order.
fn distinct_rows(study: &Study, min_deviation: f64) -> Vec<Distinct> {
    let mut index: HashMap<&[u64], usize> = HashMap::new();
    let mut distinct: Vec<Distinct> = Vec::new();
    for location in study.blocks() {
        let row = study.counts().row(location);
        if let Some(&known) = index.get(row) {
            distinct[known].locations.push(location);
            continue;
        }
        index.insert(row, distinct.len());
        let values: Vec<f64> = row.iter().map(|&c| c as f64).collect();
        distinct.push(Distinct { locations: vec![location], deviation: sample_standard_deviation(&values) });
    }
    // A single workload has no deviation at all.
    distinct.retain(|d| d.deviation >= min_deviation);
    distinct.sort_by(|a, b| b.deviation.total_cmp(&a.deviation).then(a.locations[0].cmp(&b.locations[0])));
    distinct
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(study: &Study, group: &Group) -> Vec<u32> {
        group.members.iter().map(|&(l, _)| study.location(l).line).collect()
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
        let clustering = cluster(&study, &Options::default());
        let found: Vec<_> = clustering.groups.iter().map(|g| lines(&study, g)).collect();
        assert_eq!(found[0], [2, 3, 8]);
        assert_eq!(found[1], [4, 5, 7]);
        assert_eq!(clustering.groups[0].seed, Seed::Feature(FeatureId(0)));
        assert_eq!(clustering.varying, 6);
    }

    #[test]
    fn a_later_feature_that_fits_an_earlier_one_joins_its_cluster() {
        let study =
            Study::from_text("chars: 1 2 3 4\nnodes: 2 4 6 9\nodd: 1 9 1 9\na.c:1:f: 100 200 300 400")
                .unwrap();
        let groups = cluster(&study, &Options::default()).groups;
        assert_eq!(groups[0].features, [FeatureId(1)]);
        assert_eq!(groups[1].seed, Seed::Feature(FeatureId(2)));
        assert_eq!(lines(&study, &groups[0]), [1]);
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
        let mut found: Vec<_> =
            cluster(&study, &Options::default()).groups.iter().map(|g| lines(&study, g)).collect();
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
            let clustering = cluster(&study, &options);
            let values = |l: LocationId| -> Vec<f64> {
                study.counts().row(l).iter().map(|&c| c as f64).collect()
            };
            for group in &clustering.groups {
                for &(x, _) in &group.members {
                    for &(y, _) in &group.members {
                        let r2 = trend_model::r_squared(&values(x), &values(y)).unwrap();
                        prop_assert!(r2 > 1.0 - 4.0 * alpha * (1.0 - alpha) - 1e-9);
                    }
                }
            }
            // Every varying location is in at least one cluster.
            let mut members: Vec<_> = clustering.groups.iter().flat_map(|g| &g.members).map(|m| m.0).collect();
            members.sort();
            members.dedup();
            prop_assert_eq!(members.len(), clustering.varying);
        }
    }
}
