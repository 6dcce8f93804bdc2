//! Converts a function's regions to locations.
//!
//! A location is the code of one line that one counter counts. rustc has a region for every expression, but the three
//! expressions of `v.swap(i, j)` are one piece of straight code. Regions of one line with different counters are
//! different locations, such as the two arms of `if a { b } else { c }`.
//!
//! A location's lines are the ones on which its region is the innermost.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use trend_profile::{Kind, Location};

use super::counter::Term;
use super::coverage_map::MappedFunction;
use super::regions::{Region, RegionKind};

/// Limits for the number of lines of a function: a constant, and lines per byte of its mapping. A region of a few bytes
/// can claim four thousand million lines.
const FREE_LINES: usize = 4096;
const LINES_PER_BYTE: usize = 8;

/// A function's locations, the entry first, and the region that counts each.
pub(crate) struct FunctionLocations {
    pub(crate) locations: Vec<Location>,
    /// Indices of regions, `[locations]`.
    pub(crate) regions: Vec<u32>,
}

/// Computes the locations. `files` holds the study's names for the map's files.
pub(crate) fn shape(function: &MappedFunction, files: &[String]) -> FunctionLocations {
    let mut shape = FunctionLocations { locations: Vec::new(), regions: Vec::new() };
    let Some(first) = function.regions.first() else { return shape };
    let name = |region: &Region| {
        let file = function.files.get(region.file as usize).and_then(|f| files.get(*f as usize));
        file.map_or_else(Arc::default, |file| Arc::from(file.as_str()))
    };
    shape.locations.push(Location::on_line(Kind::Entry, name(first), first.start.0));
    shape.regions.push(0);
    let mut places: HashMap<(u32, u32, Term), usize> = HashMap::new();
    let mut of_line: HashMap<(u32, u32), usize> = HashMap::new();
    let mut place_of_region: Vec<Option<usize>> = vec![None; function.regions.len()];
    for (index, region) in function.regions.iter().enumerate() {
        if region.kind != RegionKind::Code {
            continue;
        }
        let line = region.start.0;
        let place = *places.entry((region.file, line, region.term)).or_insert_with(|| {
            let location = Location::on_line(Kind::Block, name(region), line);
            shape.locations.push(Location { block: index as u32 + 1, ..location });
            shape.regions.push(index as u32);
            *of_line.entry((region.file, line)).or_default() += 1;
            shape.locations.len() - 1
        });
        place_of_region[index] = Some(place);
    }
    // If a line has several locations, the column distinguishes them.
    for (location, &region) in shape.locations.iter_mut().zip(&shape.regions).skip(1) {
        let region = &function.regions[region as usize];
        if of_line.get(&(region.file, region.start.0)).is_some_and(|n| *n > 1) {
            location.label = format!("{}:{}:{}", location.file, region.start.0, region.start.1).into();
        }
    }
    add_lines(function, &place_of_region, &mut shape.locations);
    shape
}

/// Assigns each line to the location that begins on it, or else to the innermost region around its beginning.
fn add_lines(function: &MappedFunction, places: &[Option<usize>], locations: &mut [Location]) {
    let mut left = FREE_LINES + LINES_PER_BYTE * function.bytes;
    let mut lines: Vec<Vec<u32>> = vec![Vec::new(); locations.len()];
    let mut by_file: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, region) in function.regions.iter().enumerate() {
        if places[index].is_some() {
            by_file.entry(region.file).or_default().push(index);
        }
    }
    for mut regions in by_file.into_values() {
        let range = |i: &usize| (function.regions[*i].start, function.regions[*i].end);
        regions.sort_by_key(|i| (range(i).0, std::cmp::Reverse(range(i).1), *i));
        // Regions around the current position, innermost last, and the first line that is not assigned yet.
        let mut around: Vec<usize> = Vec::new();
        let mut done = 0_u32;
        let give = |from: u32, to: u32, index: usize, left: &mut usize, lines: &mut [Vec<u32>]| {
            let Some(place) = places[index] else { return };
            let number = (to.saturating_sub(from) as usize).min(*left);
            *left -= number;
            lines[place].extend((from..to).take(number));
        };
        for &index in &regions {
            let (start, _) = range(&index);
            while let Some(&inner) = around.last().filter(|i| range(i).1 <= start) {
                let end = range(&inner).1.0.saturating_add(1);
                give(done, end, inner, &mut left, &mut lines);
                done = done.max(end);
                around.pop();
            }
            if let Some(&inner) = around.last() {
                give(done, start.0, inner, &mut left, &mut lines);
            }
            done = done.max(start.0.saturating_add(1));
            if let Some(place) = places[index] {
                lines[place].push(start.0);
            }
            around.push(index);
        }
        while let Some(inner) = around.pop() {
            let end = range(&inner).1.0.saturating_add(1);
            give(done, end, inner, &mut left, &mut lines);
            done = done.max(end);
        }
    }
    for (location, mut lines) in locations.iter_mut().zip(lines).filter(|(l, _)| l.kind == Kind::Block) {
        lines.sort_unstable();
        lines.dedup();
        lines.retain(|line| *line > 0);
        location.lines = lines.into();
    }
}
