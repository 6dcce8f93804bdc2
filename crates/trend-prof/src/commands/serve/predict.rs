//! What everything will cost at a size that nobody asked for when the page was made: another analysis with that size.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hyper::body::Bytes;
use serde_json::{Value, json};
use trend_analyze::{Findings, Model, Options, analyze};

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

/// Predicts one size at a time: an analysis uses all processors as it is.
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
        // Nobody draws the curves of these analyses.
        let options = Options { reach: Options::default().reach, ..options };
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
        let mut options = self.options.clone();
        options.at.push((feature.clone(), at));
        // The turn is kept until the analysis ends, also when the one who asked has gone; then the answer is there for
        // whoever asks again.
        let analysis = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let ready = content.ready().ok_or("there are no findings")?;
            let findings = analyze(&ready.study, &options).map_err(|e| e.to_string())?;
            let answer = Bytes::from(predictions(&content.revision, &findings, &feature, at).to_string());
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.truncate(KEPT - 1);
            kept.push_front((key, answer.clone()));
            Ok::<Bytes, String>(answer)
        });
        let answer = analysis.await.map_err(|_| Refusal::internal("the analysis broke off"))?;
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

fn predictions(revision: &str, findings: &Findings, feature: &str, at: f64) -> Value {
    let of = |models: &[Model]| prediction(models, feature, at);
    let clusters = findings.clusters.iter().map(|c| named(of(&c.models), &c.representative.name, None));
    let functions = findings.functions.iter().map(|f| named(of(&f.models), &f.name, Some(&f.file)));
    json!({
        "revision": revision,
        "feature": feature,
        "at": at,
        "total": of(&findings.total.models),
        "clusters": clusters.collect::<Vec<_>>(),
        "functions": functions.collect::<Vec<_>>(),
    })
}

/// `{"cost", "ci", "from"}`; the three are `null` where nothing can be said.
fn prediction(models: &[Model], feature: &str, at: f64) -> Value {
    let model = models.iter().find(|m| m.feature == feature);
    match model.and_then(|m| m.prediction_at(at)) {
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
