//! Writes the counts of a study as a CSV table that `import csv` reads.

use std::collections::HashMap;

use trend_profile::{Location, LocationId, Study};

use super::fields::field;

/// Returns the counts as CSV, with a row per workload. Columns are `workload`, the features, and the locations, named
/// `file:line:function`. If several locations share that name, `#block` is added. Missing feature values are empty.
pub fn counts_csv(study: &Study) -> String {
    let blocks: Vec<LocationId> = study.blocks().collect();
    let mut text = String::from("workload");
    let headers = headers(study, &blocks);
    for name in study.features().iter().map(|f| &f.name).chain(&headers) {
        text.push(',');
        text.push_str(&field(name));
    }
    text.push('\n');
    for (index, workload) in study.workloads().iter().enumerate() {
        text.push_str(&field(&workload.name));
        for feature in study.features() {
            text.push(',');
            text.extend(feature.values[index].map(|v| v.to_string()));
        }
        for &block in &blocks {
            text.push(',');
            text.push_str(&study.counts().row(block).at(index).to_string());
        }
        text.push('\n');
    }
    text
}

/// Returns a unique name for each of these locations.
pub(crate) fn headers(study: &Study, blocks: &[LocationId]) -> Vec<String> {
    let full = |l: &Location| {
        if l.label.is_empty() {
            format!("{}:{}:{}", l.file, l.line, study.function(l.function).symbol.name)
        } else {
            l.label.to_string()
        }
    };
    let mut seen: HashMap<String, usize> = HashMap::new();
    for &id in blocks {
        *seen.entry(full(study.location(id))).or_default() += 1;
    }
    let mut used: HashMap<String, usize> = HashMap::new();
    let header = |&id: &LocationId| {
        let location = study.location(id);
        let name = full(location);
        if seen[&name] == 1 {
            return name;
        }
        let name = format!("{name}#{}", location.block);
        // Copies of a function that were compiled differently can have blocks with the same number.
        let copies = used.entry(name.clone()).or_default();
        *copies += 1;
        if *copies == 1 { name } else { format!("{name}~{copies}") }
    };
    blocks.iter().map(header).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_per_workload_and_names_that_differ() {
        let study =
            Study::from_text("n: 1 2.5\nm: 7 -\na.c:3:f: 10 20\na.c:3:f: 30 40\nb.c:1:g, h: 5 6").unwrap();
        assert_eq!(
            counts_csv(&study),
            "workload,n,m,a.c:3:f#2,a.c:3:f#3,\"b.c:1:g, h\"\nw0001,1,7,10,30,5\nw0002,2.5,,20,40,6\n"
        );
    }
}
