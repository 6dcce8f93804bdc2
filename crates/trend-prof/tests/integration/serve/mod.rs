//! `trend-prof serve`, tested over raw TCP. This allows requests that no browser would send.

mod client;
mod files;
mod hostile;
mod live;
mod page;
