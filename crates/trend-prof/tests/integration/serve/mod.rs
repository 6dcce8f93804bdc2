//! `trend-prof serve`, asked over raw TCP: what a browser would not send is sent here as well.

mod client;
mod files;
mod hostile;
mod live;
mod page;
