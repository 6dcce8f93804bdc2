//! HTML page that shows all findings, and the page that waits for them.
//!
//! Begin at `page.rs`. `page_data/` writes the data of its app, and `ui/` beside this crate's `src/` is the app.

pub(crate) mod assets;
mod markup;
pub(crate) mod page;
pub(crate) mod page_data;
pub(crate) mod waiting;
