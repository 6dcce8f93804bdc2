//! What everything will cost at a size that nobody asked for when the page was made.

use std::collections::BTreeMap;
use std::sync::Arc;

use hyper::body::Bytes;
use serde_json::{Value, json};
use tokio::sync::{Mutex, Semaphore};
use trend_analyze::{Findings, Options, Predicted, Predictions, Source};

use crate::answer::Refusal;
use crate::content::{Content, Ready};
use crate::query::Query;

/// The parameters of `predict`.
pub(crate) const PREDICT: [&str; 3] = ["feature", "at", "others"];

/// Requests that may wait for their turn. More come only from somebody who does not wait for answers.
const QUEUE: usize = 6;

/// Predicts one size at a time: that uses all processors as it is.
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

    /// `{"revision", "feature", "at", "point", "total", "clusters", "functions"}` with predictions in the order of the
    /// findings.
    pub(crate) async fn predict(&self, content: Arc<Content>, query: &Query) -> Result<Bytes, Refusal> {
        let Some(ready) = content.ready() else {
            return Err(Refusal::not_now(content.lack().unwrap_or_default()));
        };
        let sizes = sizes(ready, query)?;
        let _place = self
            .places
            .try_acquire()
            .map_err(|_| Refusal::not_now("several other sizes are being predicted: ask again"))?;
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let options = self.options.clone();
        // The turn is kept until the work ends, also when the one who asked has gone.
        let work = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let ready = content.ready().ok_or("there are no findings")?;
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
        let answer = work.await.map_err(|_| Refusal::internal("the prediction broke off"))?;
        answer.map_err(Refusal::internal)
    }
}

/// The features and the sizes that are asked for, at least one.
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
    let clusters = clusters.map(|(c, p)| named(prediction(&p), &c.representative.name, None)).collect();
    let functions = findings.functions.iter().zip(predicted.functions);
    let functions = functions.map(|(f, p)| named(prediction(&p), &f.name, Some(&f.file))).collect();
    (prediction(&predicted.total), clusters, functions)
}

/// `{"cost", "ci", "source"}` in the feature, and `outlook` of the same by the row's law; all `null` where nothing can be
/// said.
fn prediction(predicted: &Predicted) -> Value {
    let mut value = of(predicted.in_feature.as_ref().map(|p| (p.cost, p.ci, p.source)));
    value["outlook"] = match &predicted.outlook {
        Some(outlook) => of(Some((outlook.cost, outlook.ci, outlook.source))),
        None => Value::Null,
    };
    value
}

fn of(found: Option<(f64, Option<[f64; 2]>, Source)>) -> Value {
    match found {
        // Numbers beyond the range of `f64` have no JSON.
        Some((cost, ci, source)) if cost.is_finite() => {
            let ci = ci.filter(|ci| ci.iter().all(|end| end.is_finite()));
            json!({ "cost": cost, "ci": ci, "source": source })
        }
        _ => json!({ "cost": null, "ci": null, "source": null }),
    }
}

fn named(mut prediction: Value, name: &str, file: Option<&str>) -> Value {
    prediction["name"] = name.into();
    if let Some(file) = file {
        prediction["file"] = file.into();
    }
    prediction
}
