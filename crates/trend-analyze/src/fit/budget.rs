//! Limits the number of rows that an analysis models, and the effort for each. This bounds its memory and time whatever
//! a study holds. Studies of real programs stay below the limits; a doubt counts what a limit leaves out.

use trend_profile::Study;

use super::modeller::{Attention, IN_FULL, IN_PASSING};
use crate::findings::doubt::Doubt;

/// Maximum number of models of each kind of rows: clusters, functions, lines and blocks. Large studies get one more
/// per [`LOCATIONS_PER_MODEL`] locations. A model takes some 1,300 bytes. A million functions over 5 workloads take
/// 2.2 GB without this limit, and 1.15 GB with models of 350,000 of them.
const MODELS: usize = 100_000;

/// Number of locations that allow one more model.
const LOCATIONS_PER_MODEL: usize = 10;

/// Maximum number of points of the rows of one kind that get full attention, over all their features. Large studies
/// get one more per [`COUNTS_PER_POINT_IN_FULL`] counts. A point takes some 25 µs. A C analyser of 33,647 locations
/// and 785 workloads has 160,000 points.
const POINTS_IN_FULL: usize = 120_000;

/// Number of counts that allow one more point with full attention.
const COUNTS_PER_POINT_IN_FULL: usize = 50;

/// Maximum number of points of the rows of one kind that get a growth class in passing, over all their features.
/// Large studies get one more per [`COUNTS_PER_POINT_IN_PASSING`] counts. A C analyser of 33,647 locations and 785
/// workloads has 160,000 points, and a million locations over 200 workloads in 45,000 clusters have 1.8 million.
const POINTS_IN_PASSING: usize = 100_000;

/// Number of counts that allow one more point in passing.
const COUNTS_PER_POINT_IN_PASSING: usize = 36;

/// Number of rows that the user wants and that get full attention in any study.
const LEAST_WANTED: usize = 8;

/// Maximum number of models of series: four for each, or more if runs have features.
const SERIES_MODELS: usize = 100_000;

/// Minimum number of points that are charged for a growth class. With fewer points, its work is no smaller.
const LEAST_POINTS: usize = 20;

/// Maximum number of cluster members in the findings, at 100 bytes each plus their names. A location can be in many
/// clusters.
pub(crate) const MOST_MEMBERS: usize = 2_000_000;

/// Limits for one kind of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Maximum number of rows with models.
    pub(crate) rows: usize,
    in_full: usize,
    in_passing: usize,
}

impl Budget {
    /// Returns the budget for a study.
    pub(crate) fn for_study(study: &Study) -> Self {
        Self::new(study.locations().len(), study.workloads().len(), study.features().len())
    }

    /// Returns the budget for a study of this size; larger studies get more.
    fn new(locations: usize, workloads: usize, features: usize) -> Self {
        let counts = locations * workloads;
        let (workloads, features) = (workloads.clamp(1, IN_FULL), features.max(1));
        let in_full = POINTS_IN_FULL + counts / COUNTS_PER_POINT_IN_FULL;
        let in_passing = POINTS_IN_PASSING + counts / COUNTS_PER_POINT_IN_PASSING;
        Self {
            rows: (MODELS + locations / LOCATIONS_PER_MODEL) / features,
            in_full: in_full / (features * workloads),
            in_passing: in_passing / (features * workloads.min(IN_PASSING)),
        }
    }

    /// Returns the maximum number of rows with full attention because the user wants them.
    pub(crate) fn wanted_in_full(self) -> usize {
        self.in_full.max(LEAST_WANTED)
    }

    /// Lowers the attention of rows beyond the budget, the smallest shares first. Returns the number of rows that lose
    /// their growth class.
    pub(crate) fn lower(self, attention: &mut [Attention], shares: &[f64]) -> usize {
        lower_beyond(self.in_full, Attention::Full, Attention::Passing, attention, shares);
        lower_beyond(self.in_passing, Attention::Passing, Attention::Little, attention, shares)
    }
}

/// The work of one series.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeriesWork {
    /// Number of its models.
    pub(crate) models: usize,
    /// Number of points of each.
    pub(crate) points: usize,
    /// True if it costs too little for a growth class.
    pub(crate) is_cheap: bool,
    /// True if the user asked for it.
    pub(crate) is_requested: bool,
}

/// Returns the attention of each series; `None` for one that is left out. `all` are by falling cost. Requested series
/// come before all others.
pub(crate) fn attention_of_series(all: &[SeriesWork]) -> (Vec<Option<Attention>>, LeftOut) {
    let (mut models, mut in_full, mut in_passing) = (SERIES_MODELS, POINTS_IN_FULL, POINTS_IN_PASSING);
    let mut left_out = LeftOut::default();
    let mut attention = vec![None; all.len()];
    let spend = |budget: &mut usize, cost: usize| {
        let is_enough = *budget >= cost;
        *budget -= if is_enough { cost } else { 0 };
        is_enough
    };
    let (requested, others): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|&i| all[i].is_requested);
    for i in requested.into_iter().chain(others) {
        let one = all[i];
        if !spend(&mut models, one.models) {
            left_out.rows += 1;
            continue;
        }
        let is_cheap = one.is_cheap && !one.is_requested;
        attention[i] = Some(match () {
            () if is_cheap => Attention::Little,
            () if spend(&mut in_full, one.models * one.points.clamp(LEAST_POINTS, IN_FULL)) => {
                Attention::Full
            }
            () if spend(&mut in_passing, one.models * one.points.clamp(LEAST_POINTS, IN_PASSING)) => {
                Attention::Passing
            }
            () => Attention::Little,
        });
        left_out.classes += usize::from(!is_cheap && attention[i] == Some(Attention::Little));
    }
    (attention, left_out)
}

/// Keeps `most` rows with attention `from` and gives the rest `to`, the smallest shares first. Returns the number of
/// changed rows.
fn lower_beyond(
    most: usize,
    from: Attention,
    to: Attention,
    attention: &mut [Attention],
    shares: &[f64],
) -> usize {
    let mut of_these: Vec<usize> = (0..attention.len()).filter(|&i| attention[i] == from).collect();
    if of_these.len() <= most {
        return 0;
    }
    of_these.sort_by(|&i, &j| shares[j].total_cmp(&shares[i]).then(i.cmp(&j)));
    for &i in &of_these[most..] {
        attention[i] = to;
    }
    of_these.len() - most
}

/// Numbers of things that were left out for one kind of rows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeftOut {
    /// Rows without models, which are missing from the findings.
    pub(crate) rows: usize,
    /// Rows without a growth class, though their share is large enough for one.
    pub(crate) classes: usize,
    /// Cluster members that are not listed.
    pub(crate) members: usize,
}

impl LeftOut {
    /// Returns these as doubts; `rows` is `clusters`, `functions`, `lines`, `blocks` or `routines`.
    pub(crate) fn doubts(self, rows: &'static str) -> impl Iterator<Item = Doubt> {
        let some = |count: usize, doubt: Doubt| (count > 0).then_some(doubt);
        [
            some(self.rows, Doubt::RowsLeftOut { rows, count: self.rows }),
            some(self.classes, Doubt::ClassesLeftOut { rows, count: self.classes }),
            some(self.members, Doubt::MembersLeftOut { count: self.members }),
        ]
        .into_iter()
        .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_least_share_are_the_first_to_lose_attention() {
        let budget = Budget { rows: 10, in_full: 1, in_passing: 2 };
        let (full, passing, little) = (Attention::Full, Attention::Passing, Attention::Little);
        let mut attention = [full, passing, full, little, passing];
        let lost = budget.lower(&mut attention, &[0.03, 0.002, 0.5, 0.0, 0.01]);
        assert_eq!((attention, lost), ([passing, little, full, little, passing], 1));
    }

    #[test]
    fn a_hundred_thousand_series_get_so_many_verdicts_and_the_wanted_one_is_among_them() {
        let one = SeriesWork { models: 4, points: 8, is_cheap: false, is_requested: false };
        let mut all = vec![one; 100_000];
        all[99_999].is_requested = true;
        let (attention, left_out) = attention_of_series(&all);
        let count = |level: Option<Attention>| attention.iter().filter(|one| **one == level).count();
        let (full, passing) = (count(Some(Attention::Full)), count(Some(Attention::Passing)));
        assert_eq!((full, passing), (POINTS_IN_FULL / 80, POINTS_IN_PASSING / 80));
        assert_eq!((count(None), left_out.rows), (75_000, 75_000));
        assert_eq!(left_out.classes, 25_000 - full - passing);
        assert_eq!(attention[99_999], Some(Attention::Full));
        // Two thousand routines of a real program, a tenth of them costly.
        let honest: Vec<SeriesWork> =
            (0..2000).map(|i| SeriesWork { points: 100, is_cheap: i >= 200, ..one }).collect();
        let (attention, left_out) = attention_of_series(&honest);
        assert!(attention[..200].iter().all(|one| *one == Some(Attention::Full)), "{left_out:?}");
        assert_eq!((left_out.rows, left_out.classes), (0, 0));
    }

    #[test]
    fn honest_studies_lose_nothing() {
        // A C analyser: 1,489 clusters and 1,122 functions; 67 of these rows are costly, in three features or in a
        // dozen.
        for features in [3, 12] {
            let analyser = Budget::new(33_647, 785, features);
            assert!(
                analyser.rows > 1489 && analyser.in_full > 67 && analyser.in_passing > 1489,
                "{analyser:?}"
            );
        }
        // A million locations: 45,454 clusters and 100,000 functions.
        let million = Budget::new(1_000_000, 200, 3);
        assert!(million.rows > 45_454 && million.in_passing > 45_454, "{million:?}");
        assert!(Budget::new(1_000_000, 200, 2).rows >= 100_000);
    }

    #[test]
    fn a_small_study_of_very_many_clusters_gets_little() {
        let hostile = Budget::new(100_000, 60, 48);
        assert!(hostile.rows < 4000 && hostile.in_full < 250 && hostile.in_passing < 400, "{hostile:?}");
    }
}
