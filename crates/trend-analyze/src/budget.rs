//! How many rows an analysis models, and how much time each is worth: what bounds its memory and time whatever a study
//! holds. Studies of real programs stay below; what a limit leaves out is counted and said.

use trend_profile::Study;

use crate::doubt::Doubt;
use crate::modeller::{Attention, IN_PASSING};

/// Models of the clusters, of the functions, of the lines and of the blocks each: so many, and one for so many locations
/// besides. One takes some 1,300 bytes. Without this limit a million functions over 5 workloads take 2.2 GB, with 350,000 of
/// them 1.15 GB.
const MODELS: usize = 100_000;
const LOCATIONS_PER_MODEL: usize = 10;

/// Points of the rows of one kind whose models get full attention, over all their features: so many, and one for so
/// many counts besides. A point takes some 25 µs. A C analyser of 33,647 locations and 785 workloads has 160,000.
const POINTS_IN_FULL: usize = 500_000;
const COUNTS_PER_POINT_IN_FULL: usize = 50;

/// The same of the rows that have a growth class in passing. The analyser has 160,000, and a million locations over 200
/// workloads in 45,000 clusters 1.8 million. With two and four million points in the place of these two limits, 100,000
/// clusters in three features over 60 workloads take 32 s of processor time; with these, 13 s.
const POINTS_IN_PASSING: usize = 500_000;
const COUNTS_PER_POINT_IN_PASSING: usize = 25;

/// Members of clusters that are listed, 100 bytes each and their names. A location can be in many clusters.
pub(crate) const MOST_MEMBERS: usize = 2_000_000;

/// What is allowed of one kind of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// How many have models.
    pub(crate) rows: usize,
    in_full: usize,
    in_passing: usize,
}

impl Budget {
    /// For a study.
    pub(crate) fn of(study: &Study) -> Self {
        Self::new(study.locations().len(), study.workloads().len(), study.features().len())
    }

    /// For a study of such size: what is allowed follows what there is.
    fn new(locations: usize, workloads: usize, features: usize) -> Self {
        let counts = locations * workloads;
        let (workloads, features) = (workloads.max(1), features.max(1));
        let in_full = POINTS_IN_FULL + counts / COUNTS_PER_POINT_IN_FULL;
        let in_passing = POINTS_IN_PASSING + counts / COUNTS_PER_POINT_IN_PASSING;
        Self {
            rows: (MODELS + locations / LOCATIONS_PER_MODEL) / features,
            in_full: in_full / (features * workloads),
            in_passing: in_passing / (features * workloads.min(IN_PASSING)),
        }
    }

    /// Lowers the attention of rows beyond the budget, those of the least share first; gives how many lose their growth
    /// class.
    pub(crate) fn lower(self, attention: &mut [Attention], shares: &[f64]) -> usize {
        lower_beyond(self.in_full, Attention::Full, Attention::Passing, attention, shares);
        lower_beyond(self.in_passing, Attention::Passing, Attention::Little, attention, shares)
    }
}

/// Gives all but so many of the rows that have one attention another, those of the least share; returns how many.
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

/// What was left out of one kind of rows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeftOut {
    /// Rows without models, which the findings do not have.
    pub(crate) rows: usize,
    /// Rows without a growth class that others of their share have.
    pub(crate) classes: usize,
    /// Members that are not listed.
    pub(crate) members: usize,
}

impl LeftOut {
    /// As doubts; `rows` is `clusters`, `functions`, `lines` or `blocks`.
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
    fn honest_studies_lose_nothing() {
        // A C analyser: 1,489 clusters and 1,122 functions, 67 rows of them costly, in three features or in a dozen.
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
