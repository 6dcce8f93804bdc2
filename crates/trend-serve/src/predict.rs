//! Predicts all costs at a size that was not requested when the page was made.

use std::collections::BTreeMap;
use std::sync::Arc;

use hyper::body::Bytes;
use serde_json::{Value, json};
use tokio::sync::{Mutex, Semaphore};
use trend_analyze::{Findings, Options, Outlook, Predictions};

use crate::answer::Refusal;
use crate::content::{Content, Ready};
use crate::query::Query;

/// Parameters that `predict` accepts.
pub(crate) const PREDICT: [&str; 3] = ["feature", "at", "others"];

/// Maximum number of waiting requests. Only a client that does not wait for answers sends more.
const QUEUE: usize = 6;

/// Predicts one size at a time, because one prediction already uses all processors.
#[derive(Debug)]
pub(crate) struct Predictor {
    options: Options,
    turn: Arc<Mutex<()>>,
    places: Semaphore,
}

impl Predictor {
    pub(crate) fn new(options: Options) -> Self {
        Self { options, turn: Arc::default(), places: Semaphore::new(QUEUE) }
    }

    /// Returns `{"revision", "feature", "at", "point", "total", "clusters", "functions"}`, with predictions in the
    /// order of the findings.
    pub(crate) async fn predict(&self, content: Arc<Content>, query: &Query) -> Result<Bytes, Refusal> {
        let Some(ready) = content.ready() else {
            return Err(Refusal::not_now(content.lack().unwrap_or_default()));
        };
        let sizes = sizes(ready, query)?;
        let _place = self
            .places
            .try_acquire()
            .map_err(|_| Refusal::not_now("too many predictions at once; ask again"))?;
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let options = self.options.clone();
        // The turn is held until the work ends, even if the client has disconnected.
        let work = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let ready = content.ready().ok_or("no findings")?;
            let (study, findings) = (&ready.study, &ready.findings);
            let predicted = trend_analyze::predict(study, findings, &options, &sizes);
            let predicted = predicted.map_err(|e| e.to_string())?;
            let (point, rows) = (predicted.point.clone(), rows(findings, predicted));
            let (feature, at) = &sizes[0];
            let answer = json!({
                "revision": content.revision, "feature": feature, "at": at, "point": point,
                "total": rows.0, "clusters": rows.1, "functions": rows.2,
            });
            Ok::<Bytes, String>(answer.to_string().into())
        });
        let answer = work.await.map_err(|_| Refusal::internal("the prediction failed"))?;
        answer.map_err(Refusal::internal)
    }
}

/// Returns the requested features and sizes, at least one.
fn sizes(ready: &Ready, query: &Query) -> Result<Vec<(String, f64)>, Refusal> {
    let mut sizes = vec![size(ready, query.require("feature")?, query.require("at")?)?];
    if let Some(others) = query.get("others") {
        let others: BTreeMap<String, String> = serde_json::from_str(others)
            .map_err(|_| Refusal::bad_request("`others` is an object such as {\"y\": \"640\"}"))?;
        for (name, at) in &others {
            if *name != sizes[0].0 {
                sizes.push(size(ready, name, at)?);
            }
        }
    }
    Ok(sizes)
}

fn size(ready: &Ready, feature: &str, text: &str) -> Result<(String, f64), Refusal> {
    if ready.study.feature_named(feature).is_none() {
        return Err(Refusal::not_found(format!("no feature named `{feature}`")));
    }
    let at = trend_run::parse_quantity(text).map_err(Refusal::bad_request)?;
    if at.is_finite() && at > 0.0 {
        return Ok((feature.to_owned(), at));
    }
    Err(Refusal::bad_request(format!("cannot predict at {feature} = {text}: sizes are positive numbers")))
}

/// Returns the predictions of the program, the clusters and the functions.
fn rows(findings: &Findings, predicted: Predictions) -> (Value, Vec<Value>, Vec<Value>) {
    let clusters = findings.clusters.iter().zip(predicted.clusters);
    let clusters =
        clusters.map(|(c, p)| json!({ "name": c.representative.name, "outlook": shown_outlook(p) }));
    let functions = findings.functions.iter().zip(predicted.functions);
    let functions = functions
        .map(|(f, p)| json!({ "name": f.name, "file": f.file, "outlook": shown_outlook(p) }))
        .collect();
    (json!({ "outlook": shown_outlook(predicted.total) }), clusters.collect(), functions)
}

/// Removes numbers that JSON cannot express: those beyond the range of `f64`.
fn shown_outlook(outlook: Option<Outlook>) -> Option<Outlook> {
    let outlook = outlook.filter(|outlook| outlook.cost.is_finite())?;
    Some(Outlook { ci: outlook.ci.filter(|ci| ci.iter().all(|end| end.is_finite())), ..outlook })
}
