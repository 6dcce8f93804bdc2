//! Runs gcov on notes and data, and compares its output with ours.
//!
//! gcov prints a block under one line of each file: gcc's gcov under the highest, LLVM's under the last one noted. It
//! leaves out the entry, the exit, the block with the highest number, and blocks that only continue after a call. gcc's
//! gcov prints the number of the block (`-w`), LLVM's does not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use trend_collect::{Data, Doubt, FunctionNotes, Notes};

/// A C compiler and its gcov.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compiler {
    pub(crate) c: &'static str,
    pub(crate) cpp: &'static str,
    pub(crate) gcov: &'static [&'static str],
}

pub(crate) const GCC: Compiler = Compiler { c: "gcc", cpp: "g++", gcov: &["gcov"] };

/// Block number if printed, and count, by file and line.
type Printed = BTreeMap<(String, u32), Vec<(Option<u32>, u64)>>;

/// Numbers of compared items.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compared {
    pub(crate) functions: usize,
    pub(crate) blocks: usize,
    pub(crate) executed: usize,
    /// Functions left out, because reader and gcov only agree if the flow is consistent.
    pub(crate) doubtful: usize,
    /// Blocks of functions that begin on one line. gcov leaves them out if they end below the last line that has code
    /// of others.
    pub(crate) unprinted: usize,
}

/// Functions whose counters from clang may be wrong: a call in them does not return, or returns twice.
const LEFT_BY_CALLS: [&str; 5] = ["jump", "jumping", "leave", "deeper", "main"];

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.functions += other.functions;
        self.blocks += other.blocks;
        self.executed += other.executed;
        self.doubtful += other.doubtful;
        self.unprinted += other.unprinted;
    }
}

impl Compiler {
    pub(crate) fn is_gcc(&self) -> bool {
        self.c.starts_with("gcc")
    }

    /// Returns true if compiler and gcov are installed; gcc must be.
    pub(crate) fn is_there(&self) -> bool {
        let runs = |program: &str| Command::new(program).arg("--version").output().is_ok();
        if runs(self.c) && runs(self.gcov[0]) {
            return true;
        }
        assert_ne!(self.c, "gcc", "gcc and gcov are needed for these tests");
        eprintln!("skipped: {} or {} is not installed", self.c, self.gcov[0]);
        false
    }

    /// Compiles each source (`.cc`: C++) with `--coverage` into an object, and links them to `program`.
    pub(crate) fn build(&self, folder: &Path, sources: &[&str], flags: &[&str]) {
        let is_cpp = sources.iter().any(|s| Path::new(s).extension().is_none_or(|e| e != "c"));
        let compiler = if is_cpp { self.cpp } else { self.c };
        for source in sources {
            let object = Path::new(source).with_extension("o");
            let mut command = Command::new(compiler);
            command.args(["--coverage", "-w", "-c", source, "-o"]).arg(object).args(flags);
            run(command.current_dir(folder));
        }
        let objects = sources.iter().map(|s| Path::new(s).with_extension("o"));
        let mut link = Command::new(compiler);
        link.args(["--coverage", "-o", "program"]).args(objects).args(flags);
        run(link.current_dir(folder));
    }

    /// Returns gcov's blocks of one object, by source file and line.
    fn printed(&self, folder: &Path, data: &Path) -> Printed {
        let mut command = Command::new(self.gcov[0]);
        command.args(&self.gcov[1..]).args(["-a", "-b", "-c", "-t"]);
        if self.is_gcc() {
            command.arg("-w");
        }
        let text = run(command.arg("-o").arg(data.parent().unwrap()).arg(data).current_dir(folder));
        let mut printed = Printed::new();
        let mut file = String::new();
        for line in text.lines() {
            if let Some((_, source)) = line.split_once(":    0:Source:") {
                file = folded(source);
            }
            let Some((head, tail)) = line.split_once("-block") else { continue };
            let Some((count, number)) = head.split_once(':') else { continue };
            let (Ok(number), count) = (number.trim().parse(), count.trim()) else { continue };
            let count = if count.starts_with(['%', '$']) { Ok(0) } else { count.parse() };
            let Ok(count) = count else { continue };
            let block = tail.split_once("(BB ").map(|(_, id)| id.trim_end_matches(')').parse().unwrap());
            printed.entry((file.clone(), number)).or_default().push((block, count));
        }
        sorted(printed)
    }

    /// Compares every block of one object with gcov's output; `data` is the `.gcda` file.
    pub(crate) fn compare(&self, folder: &Path, data: &Path) -> Compared {
        let notes = Notes::parse(&std::fs::read(data.with_extension("gcno")).unwrap()).unwrap();
        let counters = Data::parse(&std::fs::read(data).unwrap()).unwrap();
        let solved = notes.solve(&counters).unwrap();
        let mut ours = Printed::new();
        let mut doubtful = Vec::new();
        let mut in_groups = BTreeSet::new();
        let mut compared = Compared::default();
        for (function, counts) in notes.functions().iter().zip(&solved) {
            let lines = self.lines_of_blocks(&notes, function);
            if counts.doubt().is_some() {
                compared.doubtful += 1;
                let is_known = match counts.doubt() {
                    Some(Doubt::Contradictory) => LEFT_BY_CALLS.contains(&function.name()),
                    _ => true,
                };
                assert!(!self.is_gcc() && is_known, "{} of {}: {counts:?}", function.name(), self.c);
                doubtful.extend(lines.into_iter().map(|(key, _)| key));
                continue;
            }
            compared.functions += 1;
            let begin = |f: &FunctionNotes| (f.file(), f.line());
            if notes.functions().iter().filter(|f| begin(f) == begin(function)).count() > 1 {
                in_groups.extend(lines.iter().map(|(key, _)| key.clone()));
            }
            for (key, block) in lines {
                let count = counts.blocks()[block as usize];
                compared.blocks += 1;
                compared.executed += usize::from(count > 0);
                ours.entry(key).or_default().push((self.is_gcc().then_some(block), count));
            }
        }
        let mut ours = sorted(ours);
        let mut theirs = self.printed(folder, data);
        for key in doubtful {
            ours.remove(&key);
            theirs.remove(&key);
        }
        for (key, blocks) in &theirs {
            let of_key = ours.get(key).unwrap_or_else(|| panic!("{key:?} {blocks:?}: only gcov has them"));
            // gcov prints a block again if its lines end with a file in which it has no line.
            let is_known = blocks.iter().all(|b| of_key.contains(b));
            let mut left = blocks.clone();
            let is_there = of_key.iter().all(|b| {
                let position = left.iter().position(|l| l == b);
                position.map(|i| left.remove(i)).is_some()
            });
            let repeats = left.len();
            assert!(is_known && is_there, "{key:?} {} {}: {of_key:?} {blocks:?}", data.display(), self.c);
            assert!(repeats == 0 || self.is_gcc(), "{key:?} {} {}: {blocks:?}", data.display(), self.c);
        }
        for (key, blocks) in ours.iter().filter(|(key, _)| !theirs.contains_key(key)) {
            assert!(in_groups.contains(key), "{} {}: {key:?} {blocks:?}", data.display(), self.c);
            compared.unprinted += blocks.len();
        }
        compared
    }

    /// Returns the blocks that gcov prints, with their files and lines.
    fn lines_of_blocks(&self, notes: &Notes, function: &FunctionNotes) -> Vec<((String, u32), u32)> {
        if self.is_gcc() && function.is_artificial() {
            return Vec::new();
        }
        let blocks = function.block_count();
        let is_left_out = |block: u32| {
            let by_gcc = block + 1 == blocks || is_after_call(function, block);
            block == 0 || if self.is_gcc() { by_gcc } else { block == function.exit_block() }
        };
        let mut placed = Vec::new();
        let mut lines = function.lines().to_vec();
        if !self.is_gcc() {
            lines.sort_by_key(|l| l.block);
        }
        for lines in lines.chunk_by(|a, b| (a.block, a.file) == (b.block, b.file)) {
            let highest = lines.iter().max_by_key(|l| l.line).unwrap();
            let last = if self.is_gcc() { highest } else { lines.last().unwrap() };
            // LLVM's gcov prints a block again each time it returns to its last line.
            let times = if self.is_gcc() { 1 } else { lines.iter().filter(|l| l.line == last.line).count() };
            if !is_left_out(last.block) {
                let key = (folded(&notes.files()[last.file as usize]), last.line);
                placed.extend(std::iter::repeat_n((key, last.block), times));
            }
        }
        placed
    }
}

fn sorted(mut printed: Printed) -> Printed {
    for blocks in printed.values_mut() {
        blocks.sort_unstable();
    }
    printed
}

/// Returns true if the block only exists because the call before it may not return.
fn is_after_call(function: &FunctionNotes, block: u32) -> bool {
    let mut into = function.arcs().iter().filter(|a| a.destination == block);
    let (Some(arc), None) = (into.next(), into.next()) else { return false };
    let from: Vec<_> = function.arcs().iter().filter(|a| a.source == arc.source).collect();
    let is_call = arc.source != 0 && from.iter().any(|a| a.is_fake());
    is_call && !arc.is_fake() && arc.is_fall_through() && from.iter().filter(|a| !a.is_fake()).count() == 1
}

/// Runs a command that must succeed, and returns its stdout.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{stderr}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the files with this extension below a folder, sorted.
pub(crate) fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn folded(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|p| !p.is_empty() && *p != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
