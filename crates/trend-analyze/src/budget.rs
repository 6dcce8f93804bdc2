//! How many rows an analysis models, and how closely it looks at them: what bounds its memory and time whatever a study
//! holds. Studies of real programs stay below; what a limit leaves out is counted and said.

use trend_profile::Warning;

use crate::models::{Attention, IN_PASSING};

/// Models of the clusters, of the functions, of the lines and of the blocks each. One takes some 1,000 bytes: the clusters
/// and functions of a million locations have a model or two each. Without this limit 100,000 clusters in 48 features take
/// 5 GB.
const MOST_MODELS: usize = 200_000;

/// Points of the rows whose models are looked at closely, over all their features: 25 µs each. A C analyser of 33,647
/// locations has 160,000.
const MOST_POINTS_CLOSELY: usize = 2_000_000;

/// Points of the rows that have a growth class in passing, over all their features: 25 µs each. One million locations in
/// 45,000 clusters have 1.8 million.
const MOST_POINTS_IN_PASSING: usize = 4_000_000;

/// Members of clusters that are listed, 100 bytes each and their names. A location can be in many clusters.
pub(crate) const MOST_MEMBERS: usize = 2_000_000;

/// What is allowed of one kind of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// How many have models.
    pub(crate) rows: usize,
    closely: usize,
    in_passing: usize,
}

impl Budget {
    pub(crate) fn new(features: usize, workloads: usize) -> Self {
        let (features, workloads) = (features.max(1), workloads.max(1));
        Self {
            rows: MOST_MODELS / features,
            closely: MOST_POINTS_CLOSELY / (features * workloads),
            in_passing: MOST_POINTS_IN_PASSING / (features * workloads.min(IN_PASSING)),
        }
    }

    /// Lowers the attention of rows beyond the budget, those of the least share first; gives how many lose their growth
    /// class.
    pub(crate) fn lower(self, attention: &mut [Attention], shares: &[f64]) -> usize {
        self.lower_beyond(self.closely, Attention::Full, Attention::Passing, attention, shares);
        self.lower_beyond(self.in_passing, Attention::Passing, Attention::Little, attention, shares)
    }

    fn lower_beyond(
        self,
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
    /// What to say of it; `kind` is `clusters`, `functions`, `lines` or `blocks`.
    pub(crate) fn warnings(self, kind: &str) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut warn = |word: &str, count: usize, message: String| {
            if count > 0 {
                warnings.push(Warning::new(word, message));
            }
        };
        let rows = self.rows;
        warn(
            "rows_left_out",
            rows,
            format!(
                "{rows} {kind} are left out, the cheapest: {MOST_MODELS} models of {kind} are the most that are made"
            ),
        );
        let classes = self.classes;
        warn(
            "classes_left_out",
            classes,
            format!(
                "{classes} {kind}, those of the least share of a run, have a power law and no growth class: verdicts over \
                 {MOST_POINTS_IN_PASSING} points are the most that are made"
            ),
        );
        let members = self.members;
        warn(
            "members_left_out",
            members,
            format!(
                "{members} members of {kind} are not listed, the cheapest: {MOST_MEMBERS} are the most that are; their \
                 costs count"
            ),
        );
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_least_share_are_the_first_to_lose_attention() {
        let budget = Budget { rows: 10, closely: 1, in_passing: 2 };
        let (full, passing, little) = (Attention::Full, Attention::Passing, Attention::Little);
        let mut attention = [full, passing, full, little, passing];
        let lost = budget.lower(&mut attention, &[0.03, 0.002, 0.5, 0.0, 0.01]);
        assert_eq!((attention, lost), ([passing, little, full, little, passing], 1));
    }

    #[test]
    fn honest_studies_lose_nothing() {
        // A C analyser: 1,489 clusters and 1,122 functions, 67 rows of them costly, in three features over 785 workloads.
        let analyser = Budget::new(3, 785);
        assert!(analyser.rows > 1489 && analyser.closely > 67 && analyser.in_passing > 2611, "{analyser:?}");
        // A million locations: 45,454 clusters and 100,000 functions in one feature over 200 workloads.
        let million = Budget::new(1, 200);
        assert!(million.rows > 100_000 && million.in_passing > 45_454, "{million:?}");
    }
}
