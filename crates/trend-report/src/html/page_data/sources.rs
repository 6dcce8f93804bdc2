//! Source files on a page. Each is compressed by itself, so that a file is decompressed only when it is viewed.

use std::collections::HashMap;

use rayon::prelude::*;
use serde::Serialize;
use trend_profile::{SourceText, Study};

use super::packed::gzip_base64;

/// Maximum length of a text in bytes. Longer files are generated, and too long to read.
const LARGEST_BYTES: usize = 2 << 20;

/// Maximum bytes of all compressed files on a page; the most expensive files go first.
const MOST_BYTES: usize = 5 << 20;

/// Maximum bytes of text to compress. More might fit into the page, but compressing would take too long.
const MOST_TEXT_BYTES: usize = 128 << 20;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SourceFile<'a> {
    file: &'a str,
    lines: usize,
    /// Length of the uncompressed text.
    bytes: usize,
}

pub(super) struct Sources<'a> {
    /// Files, sorted by name.
    pub(super) files: Vec<SourceFile<'a>>,
    /// Gzipped texts as base64, in the order of `files`.
    pub(super) packed: Vec<String>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(study: &'a Study) -> Self {
        let costs = costs(study);
        let mut wanted: Vec<(&SourceText, u128)> =
            study.sources().iter().filter_map(|s| Some((s, *costs.get(s.file.as_str())?))).collect();
        wanted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.file.cmp(&b.0.file)));
        let mut texts = 0;
        let is_fitting = |source: &&SourceText| {
            let is_small = source.text.len() <= LARGEST_BYTES;
            texts += if is_small { source.text.len() } else { 0 };
            is_small && texts <= MOST_TEXT_BYTES
        };
        let fitting: Vec<&SourceText> =
            wanted.into_iter().map(|(source, _)| source).filter(is_fitting).collect();
        let mut carried: Vec<(&SourceText, String)> =
            fitting.into_par_iter().map(|s| (s, gzip_base64(s.text.as_bytes()))).collect();
        let mut bytes = 0;
        carried.retain(|(_, packed)| {
            let has_room = bytes + packed.len() <= MOST_BYTES;
            bytes += if has_room { packed.len() } else { 0 };
            has_room
        });
        carried.sort_by(|a, b| a.0.file.cmp(&b.0.file));
        let (carried, packed): (Vec<&SourceText>, Vec<String>) = carried.into_iter().unzip();
        let file = |s: &&'a SourceText| SourceFile {
            file: &s.file,
            lines: s.text.lines().count(),
            bytes: s.text.len(),
        };
        Self { files: carried.iter().map(file).collect(), packed }
    }
}

/// Returns the sum of the blocks' maximum costs for each file that has blocks.
fn costs(study: &Study) -> HashMap<&str, u128> {
    let mut costs: HashMap<&str, u128> = HashMap::new();
    if study.sources().is_empty() {
        return costs;
    }
    for id in study.blocks() {
        let most = study.counts().row(id).max();
        *costs.entry(&study.location(id).file).or_default() += u128::from(most);
    }
    costs
}
