//! Routes requests to the modules that answer them.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Body, Bytes};
use hyper::header;
use hyper::{Method, Request, StatusCode};
use serde_json::{Value, json};

use crate::answer::{self, Answer, Refusal};
use crate::content::{Content, State};
use crate::editor::{self, Editor};
use crate::gate::{Gate, Purpose};
use crate::live::{Live, Shown};
use crate::predict::{self, Predictor};
use crate::query::Query;
use crate::{content, points, source};

/// Time that a request for another revision waits: less than the timeouts of browsers and proxies.
const LONG_POLL: Duration = Duration::from_secs(25);

/// Time that the page waits for the first analysis, before another page says that it is running.
const PAGE_PATIENCE: Duration = Duration::from_millis(500);

/// Maximum length of a body, which contains a path and a number.
const LONGEST_BODY: usize = 16 << 10;

/// Time limit for a body to arrive.
const BODY_PATIENCE: Duration = Duration::from_secs(5);

/// State that all requests share.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) gate: Gate,
    pub(crate) live: Live,
    pub(crate) predictor: Predictor,
    pub(crate) source_root: source::SourceRoot,
    pub(crate) editor: Option<Editor>,
}

/// The paths of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Route {
    Page,
    Data,
    Revision,
    Source,
    Points,
    Predict,
    Open,
}

impl Route {
    /// Returns the route of a path. Paths are compared exactly: they have no subpaths and no alternative spellings.
    fn from_path(path: &str) -> Option<Self> {
        Some(match path {
            "/" => Self::Page,
            "/api/data" => Self::Data,
            "/api/revision" => Self::Revision,
            "/api/source" => Self::Source,
            "/api/points" => Self::Points,
            "/api/predict" => Self::Predict,
            "/api/open" => Self::Open,
            _ => return None,
        })
    }

    fn purpose(self) -> Purpose {
        match self {
            Self::Page => Purpose::Page,
            Self::Open => Purpose::Effect,
            _ => Purpose::Reading,
        }
    }

    /// Returns an error with the allowed methods if this method is not allowed.
    fn allows(self, method: &Method) -> Result<(), &'static str> {
        match self {
            Self::Open if method == Method::POST => Ok(()),
            Self::Open => Err("POST"),
            _ if method == Method::GET || method == Method::HEAD => Ok(()),
            _ => Err("GET, HEAD"),
        }
    }
}

/// Answers a request, or refuses it.
pub(crate) async fn answer<B>(site: Arc<Site>, request: Request<B>) -> Answer
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    respond(&site, request).await.unwrap_or_else(Answer::from)
}

async fn respond<B>(site: &Arc<Site>, request: Request<B>) -> Result<Answer, Refusal>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let route = Route::from_path(request.uri().path());
    let allowed = route.map_or(Ok(()), |route| route.allows(request.method()));
    // Foreign requests must not even learn which paths exist. A method that the path does not support has no effect, so
    // it counts as reading.
    let purpose =
        if allowed.is_ok() { route.map_or(Purpose::Page, Route::purpose) } else { Purpose::Reading };
    site.gate.check(&request, purpose)?;
    let route = route.ok_or_else(|| Refusal::not_found("no such page"))?;
    allowed.map_err(Refusal::method)?;
    let query = request.uri().query().unwrap_or_default();
    let live = &site.live;
    match route {
        Route::Page => page(live.analysed(PAGE_PATIENCE).await.content).await,
        Route::Data => {
            let data = |content: &Content, ready: &content::Ready| Ok(ready.data(&content.revision));
            with_findings(live, data).await.map(answer::json)
        }
        Route::Revision => {
            let query = Query::parse(query, &["since"])?;
            let shown = match query.get("since") {
                Some(since) => live.after(since, LONG_POLL).await,
                None => live.now(),
            };
            Ok(answer::value(&revision(&shown, site.editor.is_some())))
        }
        Route::Source => {
            let file = Query::parse(query, &["file"])?.require("file")?.to_owned();
            let root = site.source_root.clone();
            let text = with_findings(live, move |_, ready| source::text(&ready.study, &root, &file)).await?;
            Ok(answer::body("text/plain; charset=utf-8", text))
        }
        Route::Points => {
            let query = Query::parse(query, &points::POINTS)?;
            let answer = with_findings(live, move |content, ready| points::points(content, ready, &query));
            answer.await.map(answer::json)
        }
        Route::Predict => {
            let query = Query::parse(query, &predict::PREDICT)?;
            let content = live.analysed(LONG_POLL).await.content;
            site.predictor.predict(content, &query).await.map(answer::json)
        }
        Route::Open => {
            let body = json_body(request).await?;
            let site = Arc::clone(site);
            let opened = move |_: &Content, ready: &content::Ready| {
                editor::open(&ready.study, &site.source_root, site.editor.as_ref(), &body)
            };
            with_findings(live, opened).await.map(|opened| answer::value(&opened))
        }
    }
}

async fn page(content: Arc<Content>) -> Result<Answer, Refusal> {
    let page = move || answer::page(content.page(), &content.policy());
    aside(page).await
}

/// Returns `{"revision", "state", "message", "editor"}`.
fn revision(shown: &Shown, has_editor: bool) -> Value {
    let state = match shown.content.state {
        State::Waiting { is_under_way: true, .. } => "analysing",
        State::Waiting { .. } => "waiting",
        State::Ready(_) => "ready",
    };
    let message = shown.trouble.clone().or_else(|| shown.content.lack());
    json!({ "revision": shown.content.revision, "state": state, "message": message, "editor": has_editor })
}

/// Calls `ask` with the findings on a thread for long work, after waiting for the first analysis.
async fn with_findings<T: Send + 'static>(
    live: &Live,
    ask: impl FnOnce(&Content, &content::Ready) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let content = live.analysed(LONG_POLL).await.content;
    aside(move || match content.ready() {
        Some(ready) => ask(&content, ready),
        None => Err(Refusal::not_now(content.lack().unwrap_or_default())),
    })
    .await?
}

/// Runs long work on another thread, so that other requests are not delayed.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Refusal::internal("the server failed"))
}

/// Returns the body of a request that declares JSON. A form on a foreign page cannot declare that.
async fn json_body<B>(request: Request<B>) -> Result<Bytes, Refusal>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let content_type =
        request.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or("");
    let media_type = content_type.split(';').next().unwrap_or("").trim();
    if !media_type.eq_ignore_ascii_case("application/json") {
        let message = "the body must have the Content-Type application/json";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let body = Limited::new(request.into_body(), LONGEST_BODY).collect();
    match tokio::time::timeout(BODY_PATIENCE, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err(Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("the body is longer than {LONGEST_BODY} bytes"),
        )),
        Ok(Err(_)) => Err(Refusal::bad_request("the body ended early")),
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive")),
    }
}
