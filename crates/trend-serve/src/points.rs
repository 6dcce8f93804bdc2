//! Returns the exact costs of one item in every workload. The page itself has them only for some rows.

use hyper::body::Bytes;
use serde_json::json;
use trend_profile::{LocationId, Study};

use crate::answer::Refusal;
use crate::content::{Content, Ready};
use crate::query::Query;

/// Parameters that `points` accepts.
pub(crate) const POINTS: [&str; 3] = ["location", "cluster", "file"];

/// Returns `{"revision", "kind", "name", "costs"}`, with costs in the order of the page's workloads.
///
/// `location` is a location's name, `file:line`, or a function's name, tried in this order. `file` distinguishes
/// functions with the same name. `cluster` is a cluster's name, used instead of `location`.
pub(crate) fn points(content: &Content, ready: &Ready, query: &Query) -> Result<Bytes, Refusal> {
    let (kind, name, costs) = match (query.get("location"), query.get("cluster")) {
        (Some(name), None) => {
            let (kind, costs) = of_place(ready, name, query.get("file"))?;
            (kind, name, costs)
        }
        (None, Some(name)) => ("cluster", name, of_cluster(ready, name)?),
        _ => return Err(Refusal::bad_request("give `location` or `cluster`")),
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
            "several functions are called `{name}`; choose one with `file`"
        ))),
        _ => Err(Refusal::not_found(format!("no location, line or function `{name}`"))),
    }
}

fn of_cluster(ready: &Ready, name: &str) -> Result<Vec<u64>, Refusal> {
    let cluster = ready.findings.clusters.iter().find(|c| c.representative.name == name);
    cluster
        .map(|cluster| cluster.costs.clone())
        .ok_or_else(|| Refusal::not_found(format!("no cluster `{name}`")))
}

/// Returns the costs of the blocks that begin on a line, or `None` if there are none.
fn of_line(study: &Study, place: &str) -> Option<Vec<u64>> {
    let (file, line) = place.rsplit_once(':')?;
    let line: u32 = line.parse().ok()?;
    let begins_there = |id: &LocationId| {
        let location = study.location(*id);
        location.line == line && *location.file == *file
    };
    let mut blocks = study.blocks().filter(begins_there).map(|id| study.counts().row(id));
    let mut costs = blocks.next()?.to_vec();
    blocks.for_each(|row| row.add_to(&mut costs, 1));
    Some(costs)
}
