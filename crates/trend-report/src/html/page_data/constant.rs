//! Locations that belong to no cluster, because their cost hardly varies.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::Serialize;
use trend_analyze::{Findings, location_names};
use trend_profile::{LocationId, Study};

/// Maximum number of locations on a page, 60 bytes of JSON each. The source view shows their costs.
const MOST_LOCATIONS: usize = 200_000;

/// Locations as columns of equal length.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ConstantLocations<'a> {
    name: Vec<Arc<str>>,
    /// Index into the table `files`.
    file: Vec<usize>,
    line: Vec<u32>,
    /// Further lines of the location, without `line`; most blocks have none.
    lines: Vec<Vec<u32>>,
    /// Index into the table `functions`.
    function: Vec<usize>,
    max_cost: Vec<u64>,
    files: Vec<&'a str>,
    functions: Vec<&'a str>,
}

impl<'a> ConstantLocations<'a> {
    /// Returns the locations in the study's order; the most expensive ones if a page has no room for all.
    pub(super) fn new(findings: &Findings, study: &'a Study) -> Self {
        Self::of_at_most(findings, study, MOST_LOCATIONS)
    }

    fn of_at_most(findings: &Findings, study: &'a Study, most: usize) -> Self {
        let members = findings.clusters.iter().flat_map(|c| &c.members);
        let members: HashSet<&str> = members.map(|m| &*m.name).collect();
        let mut names = location_names(study);
        let mut all = Self::default();
        let (mut files, mut functions) = (HashMap::new(), HashMap::new());
        let greatest = |id: LocationId| study.counts().row(id).max();
        let mut constant: Vec<LocationId> =
            study.blocks().filter(|id| !members.contains(&*names[id.index()])).collect();
        if constant.len() > most {
            constant.sort_by_key(|&id| (Reverse(greatest(id)), id));
            constant.truncate(most);
            constant.sort_unstable();
        }
        for id in constant {
            let name = std::mem::take(&mut names[id.index()]);
            let location = study.location(id);
            all.name.push(name);
            all.file.push(index(&mut files, &mut all.files, &location.file));
            all.line.push(location.line);
            all.lines.push(location.lines.iter().copied().filter(|l| *l != location.line).collect());
            let function = &study.function(location.function).symbol.name;
            all.function.push(index(&mut functions, &mut all.functions, function));
            all.max_cost.push(greatest(id));
        }
        all
    }
}

/// Returns the index of a name in `names`, after adding the name if it is new.
fn index<'a>(indices: &mut HashMap<&'a str, usize>, names: &mut Vec<&'a str>, name: &'a str) -> usize {
    *indices.entry(name).or_insert_with(|| {
        names.push(name);
        names.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::analyze;
    use trend_analyze::Options;

    use super::*;

    #[test]
    fn every_location_is_a_members_or_constant() {
        let text =
            "n: 1 2 3 4\na.c:1:f: 100 200 300 400\na.c:2:f: 7 7 7 7\nb.c:3:g: 0 0 0 0\na.c:5:g: 3 3 3 4";
        let study = Study::from_text(text).unwrap();
        let findings = analyze(&study, &Options::default()).unwrap();
        let constant = ConstantLocations::new(&findings, &study);
        assert_eq!(constant.name, ["a.c:2", "a.c:5", "b.c:3"].map(Arc::from));
        assert_eq!((constant.file, constant.files), (vec![0, 0, 1], vec!["a.c", "b.c"]));
        assert_eq!((constant.function, constant.functions), (vec![0, 1, 1], vec!["f", "g"]));
        let costliest = ConstantLocations::of_at_most(&findings, &study, 1);
        assert_eq!((costliest.name, costliest.max_cost), (vec![Arc::from("a.c:2")], vec![7]));
        assert_eq!((constant.max_cost, constant.lines), (vec![7, 4, 0], vec![vec![]; 3]));
    }
}
