use proptest::prelude::*;

use super::*;
use crate::study::survey::survey;

fn clustered(study: &Study, options: &Options) -> Clustering {
    in_batches(study, options, BATCH)
}

fn in_batches(study: &Study, options: &Options, batch: usize) -> Clustering {
    cluster_in_batches(study, &survey(study, options.min_deviation).varying, options, batch)
}

/// Returns the members of a group in canonical order.
fn members(clustering: &Clustering, group: &Group) -> Vec<(LocationId, f64)> {
    let mut members: Vec<_> = clustering.members(group).collect();
    members.sort_by_key(|member| member.0);
    members
}

/// Returns the lines of each group's members in canonical order.
fn lines(study: &Study) -> Vec<Vec<u32>> {
    let clustering = clustered(study, &Options::default());
    let lines = |group| members(&clustering, group).iter().map(|&(l, _)| study.location(l).line).collect();
    clustering.groups.iter().map(lines).collect()
}

/// Bubble sort without its swaps, with counts in closed form.
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
    let clusters = lines(&study);
    assert_eq!(clusters[0], [2, 3, 8]);
    assert_eq!(clusters[1], [4, 5, 7]);
    assert_eq!(clustering.groups[0].seed, Seed::Feature(FeatureId(0)));
    assert_eq!(clustering.varying(), 6);
}

#[test]
fn a_later_feature_that_fits_an_earlier_one_joins_its_cluster() {
    let study =
        Study::from_text("chars: 1 2 3 4\nnodes: 2 4 6 9\nodd: 1 9 1 9\na.c:1:f: 100 200 300 400").unwrap();
    let groups = clustered(&study, &Options::default()).groups;
    assert_eq!(groups[0].features, [FeatureId(1)]);
    assert_eq!(groups[1].seed, Seed::Feature(FeatureId(2)));
    assert_eq!(lines(&study)[0], [1]);
}

/// Costs at an angle on the circle in the plane of two orthogonal patterns. Rows within 8.13 degrees of a
/// representative have R² > 0.98.
fn at(degrees: f64, radius: f64) -> String {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let value = |u: f64, v: f64| (5.0 * radius + radius * (u * cos + v * sin)).round() as u64;
    format!("{} {} {} {}", value(1.0, 1.0), value(1.0, -1.0), value(-1.0, 1.0), value(-1.0, -1.0))
}

#[test]
fn a_row_in_the_direction_of_one_representative_can_fit_another_that_is_close() {
    let limit = 0.98_f64.sqrt().acos().to_degrees();
    let rows = |beyond: f64| {
        let (first, second, third) = (at(0.0, 4e12), at(limit + beyond, 3e12), at(4e-5, 2e12));
        format!("n: 1 1 1 1\na.c:1:f: {first}\na.c:2:f: {second}\na.c:3:f: {third}")
    };
    for (beyond, expected) in [(2e-5, vec![vec![1, 3], vec![2, 3]]), (6e-5, vec![vec![1, 3], vec![2]])] {
        let study = Study::from_text(&rows(beyond)).unwrap();
        let clustering = in_batches(&study, &Options::default(), 2);
        let mut clusters: Vec<Vec<u32>> = Vec::new();
        for group in &clustering.groups {
            clusters.push(members(&clustering, group).iter().map(|m| study.location(m.0).line).collect());
        }
        assert_eq!(clusters, expected, "{beyond}");
    }
}

#[test]
fn a_location_joins_every_cluster_that_it_fits() {
    let at = |degrees: f64| at(degrees, 1e6);
    let text = format!("n: 1 1 1 1\na.c:1:f: {}\na.c:2:f: {}\na.c:3:f: {}", at(0.0), at(14.0), at(7.0));
    let study = Study::from_text(&text).unwrap();
    let mut clusters = lines(&study);
    clusters.sort();
    // Variances are equal up to rounding, so any of the three may come first.
    assert!(clusters == [vec![1, 2, 3]] || clusters == [vec![1, 3], vec![2, 3]], "{clusters:?}");
}

/// Implements the module's definition naively, pair by pair.
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

    /// There are more rows than a tile or a batch holds. They vary about few patterns, so that many are near the
    /// threshold; some are equal, and some differ only by a factor.
    #[test]
    fn nothing_is_lost_behind_the_screen(
        patterns in prop::collection::vec(prop::collection::vec(0_u64..100_000, 20), 1..12),
        rows in prop::collection::vec((0_usize..12, 1_u64..6, prop::collection::vec(0_u64..100_000, 20), 0_u64..60), 1..200),
        batch in 1_usize..100,
        alpha in 0.01..0.3,
    ) {
        let text = rows.iter().enumerate().fold(String::new(), |text, (i, (pattern, factor, noise, percent))| {
            let pattern = &patterns[pattern % patterns.len()];
            let value = |(p, n): (&u64, &u64)| (factor * p + n * percent.saturating_sub(30) / 100).to_string();
            let values: Vec<String> = pattern.iter().zip(noise).map(value).collect();
            format!("{text}a.c:{}:f: {}\n", i + 1, values.join(" "))
        });
        let study = Study::from_text(&text).unwrap();
        let options = Options { alpha, ..Options::default() };
        let clustering = in_batches(&study, &options, batch);
        let actual: Vec<_> = clustering.groups.iter().map(|g| members(&clustering, g)).collect();
        let expected = one_by_one(&study, &options);
        let locations = |groups: &[Vec<(LocationId, f64)>]| -> Vec<Vec<LocationId>> {
            groups.iter().map(|g| g.iter().map(|m| m.0).collect()).collect()
        };
        prop_assert_eq!(locations(&actual), locations(&expected));
        for (&(_, actual), (_, expected)) in actual.iter().flatten().zip(expected.iter().flatten()) {
            prop_assert!((actual - expected).abs() < 1e-12, "{} {}", actual, expected);
        }
    }
}
