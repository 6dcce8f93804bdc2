//! Fills in the values of features that a target does not give.

/// Rule for a feature that a target does not give.
#[derive(Clone, Debug, Default)]
pub struct Filling {
    /// The value in the costliest run; `None` if it is unknown.
    pub costliest: Option<f64>,
    /// The features that this one can follow.
    pub along: Vec<Leader>,
}

/// A feature that another one follows as `a·x^b`.
#[derive(Clone, Copy, Debug)]
pub struct Leader {
    /// Its position.
    pub feature: usize,
    /// The coefficient `a`.
    pub a: f64,
    /// The exponent `b`.
    pub b: f64,
    /// R² in the log domain.
    pub r2: f64,
}

/// Origin of a feature's value at a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The target gives it.
    Given,
    /// It follows the feature at this position.
    Follows(usize),
    /// It is the value in the costliest run.
    Costliest,
}

/// Returns the value of each feature, with its origin. A value that is not given follows the given feature that
/// explains it best, if there is one; otherwise it is the value in the costliest run.
pub fn fill(fillings: &[Filling], given: &[Option<f64>]) -> Vec<Option<(f64, Origin)>> {
    let value = |(feature, given_here): (usize, &Option<f64>)| {
        if let Some(at) = given_here {
            return Some((*at, Origin::Given));
        }
        let filling = fillings.get(feature)?;
        let followed =
            filling.along.iter().filter_map(|leader| Some((leader, given.get(leader.feature)?.as_ref()?)));
        if let Some((leader, at)) = followed.max_by(|p, q| p.0.r2.total_cmp(&q.0.r2)) {
            let at = (leader.a.ln() + leader.b * at.ln()).exp();
            return Some((at, Origin::Follows(leader.feature)));
        }
        Some((filling.costliest?, Origin::Costliest))
    };
    given.iter().enumerate().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_follows_the_given_one_that_explains_it_best_or_stays() {
        let leader = |feature, a, r2| Leader { feature, a, b: 2.0, r2 };
        let follower =
            Filling { costliest: Some(7.0), along: vec![leader(0, 3.0, 0.99), leader(2, 5.0, 0.95)] };
        let fillings = [Filling::default(), follower, Filling { costliest: Some(9.0), along: Vec::new() }];
        let fill_second =
            |given: [Option<f64>; 3]| fill(&fillings, &given)[1].map(|(at, origin)| (at.round(), origin));
        assert_eq!(fill_second([Some(10.0), None, Some(4.0)]), Some((300.0, Origin::Follows(0))));
        assert_eq!(fill_second([None, None, Some(4.0)]), Some((80.0, Origin::Follows(2))));
        assert_eq!(fill_second([None, Some(1.0), None]), Some((1.0, Origin::Given)));
        assert_eq!(fill_second([None; 3]), Some((7.0, Origin::Costliest)));
        assert_eq!(fill(&fillings, &[None; 3])[0], None);
    }
}
