//! Converts a function's notes to locations.

use trend_profile::{Kind, Location};

use super::FunctionNotes;
use crate::fnv::Fnv;

/// Returns a function's locations; the caller sets their function.
pub(crate) fn locations(notes: &FunctionNotes, files: &[String]) -> Vec<Location> {
    if notes.block_count() == 0 {
        return Vec::new();
    }
    let file = |index: u32| files[index as usize].as_str();
    let mut locations = vec![Location::on_line(Kind::Entry, file(notes.file()), notes.line())];
    let mut lines = notes.lines().to_vec();
    lines.sort_by_key(|l| l.block);
    for lines in lines.chunk_by(|a, b| a.block == b.block) {
        let block = lines[0].block;
        if block == 0 || block == notes.exit_block() {
            continue;
        }
        let first = lines.iter().find(|l| !file(l.file).starts_with('<')).unwrap_or(&lines[0]);
        let mut all: Vec<u32> = lines.iter().filter(|l| l.file == first.file).map(|l| l.line).collect();
        all.sort_unstable();
        all.dedup();
        let location = Location::on_line(Kind::Block, file(first.file), first.line);
        locations.push(Location { block, lines: all.into(), ..location });
    }
    locations
}

/// Hashes control flow and lines with FNV-1a, which is equal on every machine.
pub(crate) fn signature(notes: &FunctionNotes, files: &[String]) -> u64 {
    let mut hash = Fnv::new();
    hash.words([notes.block_count()]);
    for arc in notes.arcs() {
        hash.words([arc.source, arc.destination, arc.flags()]);
    }
    let mut file = None;
    for line in notes.lines() {
        if file.replace(line.file) != Some(line.file) {
            hash.bytes(files[line.file as usize].as_bytes());
        }
        hash.words([line.block, line.line]);
    }
    hash.finish()
}
