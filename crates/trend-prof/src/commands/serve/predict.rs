//! What everything will cost at a size that nobody asked for when the page was made.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hyper::body::Bytes;
use serde_json::{Value, json};
use trend_analyze::{Findings, Options, Prediction, Predictions};

use super::answer::Refusal;
use super::content::{Content, Ready};
use super::query::Query;

/// The parameters of `predict`.
pub(super) const PREDICT: [&str; 2] = ["feature", "at"];

/// Answers that are kept: somebody who moves a size to and fro comes back to the last few.
const KEPT: usize = 16;

/// Requests that may wait for their turn. More come only from somebody who does not wait for answers.
const QUEUE: usize = 6;

/// What an answer was for: revision, feature, and the bits of the size.
type Key = (String, String, u64);

/// Predicts one size at a time: that uses all processors as it is.
#[derive(Debug)]
pub(super) struct Predictor {
    options: Options,
    turn: Arc<tokio::sync::Mutex<()>>,
    waiting: Arc<AtomicUsize>,
    /// The newest first.
    kept: Arc<Mutex<VecDeque<(Key, Bytes)>>>,
}

impl Predictor {
    pub(super) fn new(options: Options) -> Self {
        Self { options, turn: Arc::default(), waiting: Arc::default(), kept: Arc::default() }
    }

    /// `{"revision", "feature", "at", "total", "clusters", "functions"}` with predictions in the order of the findings.
    pub(super) async fn predict(&self, content: Arc<Content>, query: &Query) -> Result<Bytes, Refusal> {
        let Some(ready) = content.ready() else {
            return Err(Refusal::not_now(content.lack().unwrap_or_default()));
        };
        let (feature, at) = size(ready, query)?;
        let key = (content.revision.clone(), feature.clone(), at.to_bits());
        if let Some(answer) = self.kept(&key) {
            return Ok(answer);
        }
        let _place = Place::take(&self.waiting)
            .ok_or_else(|| Refusal::not_now("several other sizes are being predicted: ask again"))?;
        let turn = Arc::clone(&self.turn).lock_owned().await;
        if let Some(answer) = self.kept(&key) {
            return Ok(answer);
        }
        let kept = Arc::clone(&self.kept);
        let options = self.options.clone();
        // The turn is kept until the work ends, also when the one who asked has gone; then the answer is there for
        // whoever asks again.
        let work = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let ready = content.ready().ok_or("there are no findings")?;
            let (study, findings) = (&ready.study, &ready.findings);
            let predicted = trend_analyze::predict(study, findings, &options, &feature, at);
            let rows = rows(findings, predicted.map_err(|e| e.to_string())?);
            let answer = json!({
                "revision": content.revision, "feature": feature, "at": at,
                "total": rows.0, "clusters": rows.1, "functions": rows.2,
            });
            let answer = Bytes::from(answer.to_string());
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.truncate(KEPT - 1);
            kept.push_front((key, answer.clone()));
            Ok::<Bytes, String>(answer)
        });
        let answer = work.await.map_err(|_| Refusal::internal("the prediction broke off"))?;
        answer.map_err(Refusal::internal)
    }

    fn kept(&self, key: &Key) -> Option<Bytes> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(k, _)| k == key).map(|(_, answer)| answer.clone())
    }
}

/// A place in the queue, given back when the request is done or given up.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(waiting: &Arc<AtomicUsize>) -> Option<Self> {
        let place = Self(Arc::clone(waiting));
        (waiting.fetch_add(1, Ordering::Relaxed) < QUEUE).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The feature and the size that are asked for.
fn size(ready: &Ready, query: &Query) -> Result<(String, f64), Refusal> {
    let (feature, text) = (query.require("feature")?, query.require("at")?);
    if ready.study.feature_named(feature).is_none() {
        return Err(Refusal::not_found(format!("there is no feature `{feature}`")));
    }
    let at = trend_run::parse_quantity(text).map_err(Refusal::bad_request)?;
    if at.is_finite() && at > 0.0 {
        return Ok((feature.to_owned(), at));
    }
    Err(Refusal::bad_request(format!("cannot predict at {feature} = {text}: sizes are positive numbers")))
}

/// The total's, the clusters' and the functions' predictions.
fn rows(findings: &Findings, predicted: Predictions) -> (Value, Vec<Value>, Vec<Value>) {
    let clusters = findings.clusters.iter().zip(predicted.clusters);
    let clusters = clusters.map(|(c, p)| named(prediction(p), &c.representative.name, None)).collect();
    let functions = findings.functions.iter().zip(predicted.functions);
    let functions = functions.map(|(f, p)| named(prediction(p), &f.name, Some(&f.file))).collect();
    (prediction(predicted.total), clusters, functions)
}

/// `{"cost", "ci", "from"}`; the three are `null` where nothing can be said.
fn prediction(prediction: Option<Prediction>) -> Value {
    match prediction {
        // Numbers beyond the range of `f64` have no JSON.
        Some(p) if p.cost.is_finite() => {
            let ci = p.ci.filter(|ci| ci.iter().all(|end| end.is_finite()));
            json!({ "cost": p.cost, "ci": ci, "from": p.from })
        }
        _ => json!({ "cost": null, "ci": null, "from": null }),
    }
}

fn named(mut prediction: Value, name: &str, file: Option<&str>) -> Value {
    prediction["name"] = name.into();
    if let Some(file) = file {
        prediction["file"] = file.into();
    }
    prediction
}
