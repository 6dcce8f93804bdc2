//! Assigns a run's samples, and thereby its time, to the study's functions and to libraries.
//!
//! A sample belongs to the innermost function at its address that the study counts. If there is none, it belongs to a
//! library: a shared library, a crate, or the rest of the program.
//!
//! The supervisor's `sampler` takes the samples, and `trend-collect` reads them and maps addresses to code.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use trend_collect::import::callgrind::Frame;
use trend_collect::{CodeObject, OwnCode, Samples, Sources};
use trend_profile::{Function, Part, Sampled, SampledPlace, Usage};

/// Maximum size of an object to read, in bytes. Its debug information takes several times as much memory.
const LONGEST_OBJECT: u64 = 4 << 30;

/// Maximum number of places to keep. The places with the fewest samples become one without a line.
const MOST_PLACES: usize = 10_000;

/// Paths of the standard library's sources in Rust, as compiled and as installed.
const RUST: [&str; 2] = ["/rustc/", "/lib/rustlib/src/rust/"];

/// Paths below which cargo keeps the sources of crates, and the number of folders between them and a crate's own
/// folder.
const CRATES: [(&str, usize); 2] = [("/registry/src/", 1), ("/git/checkouts/", 0)];

/// Finds the function or library that an address belongs to. Reads each object once.
pub(crate) struct Owners<'a> {
    own: OwnCode<'a>,
    functions: &'a [Function],
    /// Pairs of a running copy and the file that it was copied from.
    originals: &'a [(PathBuf, PathBuf)],
    objects: HashMap<Arc<str>, Option<CodeObject>>,
}

impl<'a> Owners<'a> {
    /// `originals` are the files from which the running programs and libraries were copied.
    pub(crate) fn new(
        own: OwnCode<'a>,
        functions: &'a [Function],
        originals: &'a [(PathBuf, PathBuf)],
    ) -> Self {
        Self { own, functions, originals, objects: HashMap::new() }
    }

    /// Returns the places of samples that were taken at intervals of `period`. `usage` is what that run used.
    pub(crate) fn sampled(&mut self, samples: &Samples, usage: Usage, period: Duration) -> Sampled {
        let mut counts: BTreeMap<(Part, u32), u64> = BTreeMap::new();
        for (object, offsets) in &samples.objects {
            let code = self.objects.entry(Arc::clone(object)).or_insert_with(|| read(Path::new(&**object)));
            let mut frames = |offset| code.as_mut().map(|code| code.frames(offset)).unwrap_or_default();
            let sampled: Vec<(Arc<[Frame]>, u64)> =
                offsets.iter().map(|(offset, count)| (frames(*offset), *count)).collect();
            let sources = self.own.sources(sampled.iter().flat_map(|(frames, _)| &**frames));
            for (frames, count) in sampled {
                *counts.entry(self.owner(object, &frames, sources)).or_default() += count;
            }
        }
        if samples.elsewhere > 0 {
            counts.insert((Part::Library("unknown".to_owned()), 0), samples.elsewhere);
        }
        let mut places: Vec<((Part, u32), u64)> = counts.into_iter().collect();
        places.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let rest: u64 = places.iter().skip(MOST_PLACES).map(|(_, samples)| *samples).sum();
        places.truncate(MOST_PLACES);
        if rest > 0 {
            places.push(((Part::Library("unknown".to_owned()), 0), rest));
        }
        let place = |((part, line), samples)| SampledPlace { part, line, samples };
        Sampled { usage, period, lost: samples.lost, places: places.into_iter().map(place).collect() }
    }

    fn owner(&self, object: &str, frames: &[Frame], sources: Sources) -> (Part, u32) {
        for frame in frames {
            if let Some(id) = self.own.function(frame, sources) {
                let Function { symbol, file, .. } = &self.functions[id.index()];
                return (Part::Function { name: symbol.name.clone(), file: file.clone() }, frame.line);
            }
        }
        let of_crate = frames.last().and_then(|frame| crate_of(&frame.file));
        (Part::Library(of_crate.unwrap_or_else(|| self.name(object))), 0)
    }

    /// Returns the usual name of an object.
    fn name(&self, object: &str) -> String {
        let original = self.originals.iter().find(|(copy, _)| copy == Path::new(object));
        let path = original.map_or(Path::new(object), |(_, original)| original);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        match name.as_deref() {
            // Code that is not in a file.
            Some("anon") | None => "code made at run time".to_owned(),
            Some(name) => name.to_owned(),
        }
    }
}

/// Returns the crate of a source file: Rust's standard library, or a crate that cargo fetched.
fn crate_of(file: &str) -> Option<String> {
    if file.starts_with(RUST[0]) || file.contains(RUST[1]) {
        return Some("Rust's standard library".to_owned());
    }
    let folder = |(mark, between): &(&str, usize)| {
        let (_, rest) = file.split_once(mark)?;
        rest.split('/').nth(*between).map(str::to_owned)
    };
    CRATES.iter().find_map(folder)
}

fn read(object: &Path) -> Option<CodeObject> {
    let metadata = fs::metadata(object).ok()?;
    if !object.is_absolute() || !metadata.is_file() || metadata.len() > LONGEST_OBJECT {
        return None;
    }
    CodeObject::parse(&fs::read(object).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the owners of addresses for a study without functions.
    fn owners(originals: &[(PathBuf, PathBuf)]) -> Owners<'_> {
        Owners::new(OwnCode::new("/p", &[], &[]), &[], originals)
    }

    #[test]
    fn code_without_counts_is_named_after_its_crate_or_object() {
        let registry = "/root/.cargo/registry/src/index-1949cf8c6b5b557f";
        assert_eq!(crate_of(&format!("{registry}/regex-1.10.0/src/lib.rs")).as_deref(), Some("regex-1.10.0"));
        assert_eq!(crate_of("/u/.cargo/git/checkouts/x-1a/2b/src/lib.rs").as_deref(), Some("x-1a"));
        assert_eq!(crate_of("/rustc/59/library/core/src/a.rs").as_deref(), Some("Rust's standard library"));
        assert_eq!(crate_of("/p/src/main.rs"), None);
        let originals = [(PathBuf::from("/scratch/uncounted/0"), PathBuf::from("/p/bzip2"))];
        let mut owners = owners(&originals);
        let mut samples = Samples { elsewhere: 2, ..Samples::default() };
        for (object, count) in
            [("/scratch/uncounted/0", 5), ("/lib/libc.so.6", 4), ("//anon", 3), ("[vdso]", 1)]
        {
            samples.objects.insert(object.into(), [(64, count)].into());
        }
        let sampled = owners.sampled(&samples, Usage::default(), Duration::from_millis(1));
        let names = sampled.places.iter().map(|place| match &place.part {
            Part::Library(name) => (name.as_str(), place.samples),
            Part::Function { .. } => panic!("{place:?}"),
        });
        let expected =
            [("bzip2", 5), ("libc.so.6", 4), ("code made at run time", 3), ("unknown", 2), ("[vdso]", 1)];
        assert_eq!(names.collect::<Vec<_>>(), expected);
        assert_eq!(sampled.samples(), 15);
    }

    #[test]
    fn places_beyond_what_a_person_looks_at_become_one() {
        let mut owners = owners(&[]);
        let mut samples = Samples::default();
        for i in 0..MOST_PLACES as u64 + 5 {
            samples.objects.insert(format!("/nowhere/{i}").into(), [(0, 2)].into());
        }
        let sampled = owners.sampled(&samples, Usage::default(), Duration::from_millis(1));
        assert_eq!(
            (sampled.places.len(), sampled.samples()),
            (MOST_PLACES + 1, 2 * (MOST_PLACES as u64 + 5))
        );
    }
}
