//! The calling contexts of series as trees, for drawings in which widths are costs and colours are growth.
//!
//! The page scales the cost of each context to a size by its law in the features of the runs, which is `runs` of its
//! series in the findings. If the study has no features, widths are measured costs.

use serde::Serialize;
use trend_analyze::{Findings, Model, RowLaw, SeriesRow, Source, degree};
use trend_profile::{SeriesKind, Unit, Variable};

use crate::rows::call_tree::{ContextNode, contexts};

/// Contexts of the series of one kind with the same variables and unit.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CallTree {
    #[cfg_attr(test, schemars(with = "String"))]
    kind: SeriesKind,
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    variables: Vec<Variable>,
    #[cfg_attr(test, schemars(with = "String"))]
    unit: Unit,
    /// Variable in which the growth of the series is described.
    growth_in: GrowthIn,
    /// Nodes, callers before callees; the callees of a caller are sorted by cost, the most expensive first.
    nodes: Vec<CallNode>,
}

/// A node of the tree: a routine in one calling context.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CallNode {
    /// Index of the caller's node; absent for a root.
    #[serde(skip_serializing_if = "Option::is_none")]
    caller: Option<usize>,
    /// Index of the series in the findings; absent for a caller that was not profiled.
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<usize>,
    /// Name of a caller without a series.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

/// Variable in which the growth of series is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum GrowthIn {
    /// The features of the runs: costs can be scaled to other runs.
    Runs,
    /// The input size of a call: the study has no features that explain the costs of runs.
    Input,
}

/// Returns the variable in which the growth of all series is described.
pub(super) fn growth_in(findings: &Findings) -> GrowthIn {
    let has_law = |row: &SeriesRow| row.runs.as_ref().and_then(|runs| runs.fits.law()?.law()).is_some();
    if findings.series.iter().any(has_law) { GrowthIn::Runs } else { GrowthIn::Input }
}

impl GrowthIn {
    /// Returns the law of a series in this variable.
    pub(super) fn law_of(self, row: &SeriesRow) -> Option<RowLaw<'_>> {
        match self {
            Self::Runs => row.runs.as_ref()?.fits.law(),
            Self::Input => row.worst.fits.law(),
        }
    }
}

/// Largest exponents of the first four steps of warmth; a logarithm counts as a tenth.
const WARMTHS: [f64; 4] = [1.05, 1.15, 1.65, 2.55];

/// Returns the step of a law's growth: 0 for at most linear, 1 for `n log n`, 2 up to about `n^1.6`, 3 up to about
/// `n^2.5`, 4 for faster. An undecided law counts as the middle of its possible classes.
pub(super) fn warmth(law: RowLaw<'_>) -> Option<u8> {
    let exponent = match law {
        RowLaw::Of(model) => pace(model)?,
        RowLaw::Joint(joint) => degree(joint),
    };
    Some(WARMTHS.iter().take_while(|&&most| exponent > most).count() as u8)
}

fn pace(model: &Model) -> Option<f64> {
    match (model.source?, &model.growth) {
        (Source::PowerLaw, _) | (_, None) => Some(model.power_law.as_ref()?.b),
        (_, Some(growth)) => {
            let mut named: Vec<f64> = growth.named().map(|class| class.class.term().pace()).collect();
            named.sort_by(f64::total_cmp);
            Some(named.first()?.midpoint(*named.last()?))
        }
    }
}

/// Key that distinguishes the trees.
type TreeKey<'a> = (SeriesKind, &'a [Variable], &'a Unit);

/// Returns the trees of all series that know their callers.
///
/// - Time: O(contexts · depth).
pub(super) fn call_trees(findings: &Findings) -> Vec<CallTree> {
    // The groups keep the order of the series, which are sorted by falling cost.
    let mut groups: Vec<(TreeKey<'_>, Vec<(usize, &SeriesRow)>)> = Vec::new();
    for (index, row) in findings.series.iter().enumerate().filter(|(_, row)| row.context.is_some()) {
        let key = (row.kind, row.variables.as_slice(), &row.unit);
        match groups.iter_mut().find(|group| group.0 == key) {
            Some(group) => group.1.push((index, row)),
            None => groups.push((key, vec![(index, row)])),
        }
    }
    let growth_in = growth_in(findings);
    let tree = |((kind, variables, unit), rows): (TreeKey<'_>, Vec<(usize, &SeriesRow)>)| CallTree {
        kind,
        variables: variables.to_vec(),
        unit: unit.clone(),
        growth_in,
        nodes: nodes(&rows),
    };
    groups.into_iter().map(tree).collect()
}

fn nodes(rows: &[(usize, &SeriesRow)]) -> Vec<CallNode> {
    let node = |node: ContextNode| CallNode {
        caller: node.caller,
        series: node.row.map(|row| rows[row].0),
        name: node.row.is_none().then_some(node.name),
    };
    contexts(&rows.iter().map(|(_, row)| *row).collect::<Vec<_>>()).into_iter().map(node).collect()
}

#[cfg(test)]
mod tests {
    use crate::tests::analyze;
    use trend_analyze::Options;
    use trend_profile::{Observation, Series, Study, StudyParts, Symbol, Workload};

    use super::*;

    /// Returns a routine that costs `cost(n)` at 40 sizes in a context; an empty context means all contexts.
    fn routine(name: &str, context: &str, cost: fn(u64) -> u64) -> Series {
        let observation = |i: u64| Observation::of_one(10 * i, cost(10 * i));
        let observations = (1..=40).map(observation).collect();
        let mut series = Series::of_routine(Symbol::plain(name), "s.c", Variable::Rms, observations);
        context.clone_into(&mut series.place.context);
        series
    }

    fn findings(series: Vec<Series>) -> Findings {
        let workloads = vec![Workload::imported("a")];
        let study = Study::new(StudyParts { workloads, series, ..StudyParts::default() }).unwrap();
        analyze(&study, &Options::default()).unwrap()
    }

    #[test]
    fn callers_stand_before_what_they_call_and_the_costliest_of_them_first() {
        let findings = findings(vec![
            routine("main", "(no caller)", |n| 2 * n * n + 9 * n),
            routine("sort", "main", |n| n * n),
            routine("sort", "main → query", |n| n * n / 2),
            routine("sum", "main", |n| 6 * n),
            routine("sort", "", |n| n * n + n * n / 2),
        ]);
        let [tree] = &call_trees(&findings)[..] else { panic!("one kind, variable and unit") };
        assert_eq!(tree.growth_in, GrowthIn::Input);
        let name = |node: &CallNode| {
            let of_series =
                node.series.map(|i| (findings.series[i].name.clone(), findings.series[i].context.is_some()));
            of_series.unwrap_or_else(|| (node.name.clone().unwrap(), false))
        };
        let drawn: Vec<_> = tree.nodes.iter().map(|node| (name(node), node.caller)).collect();
        let expected = [
            (("main", true), None),
            (("sort", true), Some(0)),
            (("query", false), Some(0)),
            (("sort", true), Some(2)),
            (("sum", true), Some(0)),
        ];
        assert_eq!(
            drawn,
            expected.map(|((name, has_context), caller)| ((name.to_owned(), has_context), caller))
        );
    }

    #[test]
    fn what_is_called_without_contexts_is_no_tree() {
        assert!(call_trees(&findings(vec![routine("sort", "", |n| n * n)])).is_empty());
    }

    #[test]
    fn laws_are_as_warm_as_they_grow() {
        type Cost = fn(u64) -> u64;
        let costs: [(Cost, u8); 5] = [
            (|_| 70, 0),
            (|n| 5 * n, 0),
            (|n| (n as f64 * (n as f64).log2()) as u64, 1),
            (|n| n * n, 3),
            (|n| n * n * n, 4),
        ];
        for (cost, expected) in costs {
            let findings = findings(vec![routine("f", "", cost)]);
            assert_eq!(GrowthIn::Input.law_of(&findings.series[0]).and_then(warmth), Some(expected));
        }
    }
}
