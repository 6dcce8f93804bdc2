//! The exact cost of one thing in every workload, which the page has for rows of some cost only.

use std::collections::BTreeMap;

use hyper::body::Bytes;
use serde_json::{Value, json};
use trend_profile::{LocationId, Study};

use crate::answer::Refusal;
use crate::content::{Content, Ready};
use crate::query::Query;

/// The parameters of `points`.
pub(crate) const POINTS: [&str; 3] = ["location", "cluster", "file"];

/// `{"revision", "kind", "name", "costs"}`: costs in the order of the page's workloads.
///
/// `location` is a location's name, `file:line`, or a function's name, tried in this order; functions of one name are
/// told apart by `file`. `cluster` is a cluster's name instead.
pub(crate) fn points(content: &Content, ready: &Ready, query: &Query) -> Result<Bytes, Refusal> {
    let (kind, name, costs) = match (query.get("location"), query.get("cluster")) {
        (Some(name), None) => {
            let (kind, costs) = of_place(ready, name, query.get("file"))?;
            (kind, name, costs)
        }
        (None, Some(name)) => ("cluster", name, of_cluster(ready, name)?),
        _ => return Err(Refusal::bad_request("one of the parameters `location` and `cluster` is needed")),
    };
    let points = json!({ "revision": content.revision, "kind": kind, "name": name, "costs": costs });
    Ok(points.to_string().into())
}

fn of_place(ready: &Ready, name: &str, file: Option<&str>) -> Result<(&'static str, Vec<u64>), Refusal> {
    let study = &ready.study;
    if file.is_none() {
        if let Some(id) = ready.location(name) {
            return Ok(("location", study.counts().row(id).to_vec()));
        }
        if let Some(costs) = of_line(study, name) {
            return Ok(("line", costs));
        }
    }
    let is_it = |row: &&trend_analyze::Row| row.name == name && file.is_none_or(|file| row.file == file);
    let mut functions = ready.findings.functions.iter().filter(is_it);
    match (functions.next(), functions.next()) {
        (Some(function), None) => Ok(("function", function.costs.clone())),
        (Some(_), Some(_)) => Err(Refusal::bad_request(format!(
            "several functions are called `{name}`: tell them apart by `file`"
        ))),
        _ => Err(Refusal::not_found(format!("there is no location, line or function `{name}`"))),
    }
}

fn of_cluster(ready: &Ready, name: &str) -> Result<Vec<u64>, Refusal> {
    let cluster = ready.findings.clusters.iter().find(|c| c.representative.name == name);
    cluster
        .map(|cluster| cluster.costs.clone())
        .ok_or_else(|| Refusal::not_found(format!("there is no cluster `{name}`")))
}

/// The costs of the blocks that begin on a line, or nothing where none does.
fn of_line(study: &Study, place: &str) -> Option<Vec<u64>> {
    let (file, line) = place.rsplit_once(':')?;
    begun_on_lines(study, file).remove(&line.parse().ok()?)
}

/// Per line of a file, the costs of the blocks that begin there.
fn begun_on_lines(study: &Study, file: &str) -> BTreeMap<u32, Vec<u64>> {
    let mut lines: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    let of_file = |id: &LocationId| *study.location(*id).file == *file;
    for id in study.blocks().filter(of_file) {
        let row = study.counts().row(id);
        let costs = lines.entry(study.location(id).line).or_insert_with(|| vec![0; row.len()]);
        row.add_to(costs, 1);
    }
    lines
}

/// The parameters of `lines`.
pub(crate) const LINES: [&str; 1] = ["file"];

/// `{"revision", "file", "lines": [{"line", "executions", "max_cost"}]}`: per line that a block has code of, how often it
/// ran at most, and the greatest cost of the blocks that begin on it, which is what `show --by line` says.
pub(crate) fn lines(content: &Content, ready: &Ready, query: &Query) -> Result<Bytes, Refusal> {
    let file = query.require("file")?;
    let executions = ready.study.executions_in_file(file);
    let begun = begun_on_lines(&ready.study, file);
    if begun.is_empty() {
        return Err(Refusal::not_found(format!("the study has no location in `{file}`")));
    }
    let most = |costs: Option<&Vec<u64>>| costs.and_then(|c| c.iter().copied().max()).unwrap_or(0);
    let numbers: std::collections::BTreeSet<u32> = executions.keys().chain(begun.keys()).copied().collect();
    let line = |line: &u32| -> Value {
        json!({ "line": line, "executions": most(executions.get(line)), "max_cost": most(begun.get(line)) })
    };
    let lines: Vec<Value> = numbers.iter().map(line).collect();
    Ok(json!({ "revision": content.revision, "file": file, "lines": lines }).to_string().into())
}
