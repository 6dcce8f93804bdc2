//! Compares counts of generated JavaScript and Go programs with counters that the programs have themselves.
//!
//! Each program has a counter wherever executions can begin to differ, and prints all of them. The place with the
//! counter's position must have the same count. `GENERATED=200` runs more programs.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use trend_collect::import::go_coverage::{self, Module};
use trend_collect::import::{Budget, Imported, Input, Limits, Root, v8_coverage};

#[derive(Clone, Copy, PartialEq)]
enum Language {
    JavaScript,
    Go,
}

/// Writes one program.
struct Writer {
    language: Language,
    random: ChaCha8Rng,
    text: String,
    line: u32,
    /// Position of each counter.
    counters: Vec<(u32, u32)>,
    functions: u32,
    in_loop: bool,
}

const FUNCTIONS: u32 = 5;

impl Writer {
    fn below(&mut self, most: u32) -> u32 {
        self.random.next_u32() % most
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
        self.line += text.matches('\n').count() as u32;
    }

    /// Writes a counter, and remembers its position.
    fn count(&mut self) {
        let column = self.text.len() - self.text.rfind('\n').map_or(0, |at| at + 1);
        self.counters.push((self.line, column as u32 + 1));
        let number = self.counters.len() - 1;
        self.put(&format!("c[{number}]++"));
    }

    fn is_js(&self) -> bool {
        self.language == Language::JavaScript
    }

    fn end(&mut self) {
        let end = if self.is_js() { ";\n" } else { "\n" };
        self.put(end);
    }

    fn counted(&mut self) {
        self.count();
        self.end();
    }

    fn block(&mut self, depth: u32) {
        self.put(" {\n");
        self.counted();
        for _ in 0..=self.below(2) {
            self.statement(depth);
        }
        self.put("}");
    }

    fn condition(&mut self) -> String {
        let test = format!("r({}) {} 0", 2 + self.below(3), if self.is_js() { "===" } else { "==" });
        if self.is_js() { format!("({test})") } else { test }
    }

    /// Writes a statement, and a counter after it.
    fn statement(&mut self, depth: u32) {
        let kinds = if self.is_js() { 17 } else { 7 };
        match if depth == 0 { 0 } else { self.below(kinds) } {
            1 => self.loops(depth),
            2 | 3 => {
                let test = self.condition();
                self.put(&format!("if {test}"));
                self.block(depth - 1);
                if self.below(2) == 0 {
                    self.put(" else");
                    self.block(depth - 1);
                }
                self.put("\n");
            }
            4 => self.switch(depth),
            5 if self.in_loop => {
                let jump = ["break", "continue"][self.below(2) as usize];
                self.guarded(jump);
            }
            6 => self.guarded("return"),
            7 => {
                self.put("x = r(2)\n? (");
                self.count();
                self.put(", 1)\n: (");
                self.count();
                self.put(", r(2) ? (");
                self.count();
                self.put(", 2) : 3);\n");
            }
            8 => {
                self.put("r(2) && (");
                self.count();
                self.put(", r(2)) || (");
                self.count();
                self.put(", r(2)) || void\n");
                self.count();
                self.put(";\n");
            }
            9 => {
                let was = std::mem::replace(&mut self.in_loop, false);
                self.put("try");
                self.block(depth - 1);
                self.put(" catch (e)");
                self.block(depth - 1);
                if self.below(2) == 0 {
                    self.put(" finally {\n");
                    self.counted();
                    self.put("}");
                }
                self.put("\n");
                self.in_loop = was;
            }
            10 => {
                let was = std::mem::replace(&mut self.in_loop, false);
                self.put("[1, 2, 3].forEach((y) =>");
                self.block(depth - 1);
                self.put(");\n");
                self.in_loop = was;
            }
            11 => {
                self.put("if (r(2)) ");
                self.count();
                self.put("; else ");
                self.count();
                self.put(";\n");
            }
            12 => {
                self.put("x = `a${r(2) ? (");
                self.count();
                self.put(", '}') : \"{\"}b` + /[/}{]/.source;\n");
            }
            13 => {
                self.put("for (const y of [1, 2]) ");
                self.count();
                self.put(";\nx = [1, 2].map((y) => (");
                self.count();
                self.put(", y));\n");
            }
            14 => {
                self.put("new (class A { f = (");
                self.count();
                self.put(", 1);\nm() {\n");
                self.counted();
                self.put("}\n})().m();\n");
            }
            15 => {
                self.put("for (const y of (function* () { // {\n");
                self.counted();
                self.put("yield 1;\n");
                self.counted();
                self.put("})())");
                let was = std::mem::replace(&mut self.in_loop, true);
                self.block(depth - 1);
                self.in_loop = was;
                self.put("\n");
            }
            16 => {
                self.put("x = r(2) && function () {\n");
                self.counted();
                self.put("};\nif (x) x();\n");
            }
            _ => self.call(),
        }
        self.counted();
    }

    fn guarded(&mut self, jump: &str) {
        let test = if self.is_js() { "(r(4) === 0)" } else { "r(4) == 0" };
        self.put(&format!("if {test} {{\n"));
        self.counted();
        self.put(jump);
        self.end();
        self.put("}\n");
    }

    fn call(&mut self) {
        if self.functions + 1 < FUNCTIONS {
            let function = self.functions + 1 + self.below(FUNCTIONS - self.functions - 1);
            self.put(&format!("f{function}()"));
        } else {
            self.put("r(2)");
        }
        self.end();
    }

    fn loops(&mut self, depth: u32) {
        let was = std::mem::replace(&mut self.in_loop, true);
        let most = 2 + self.below(3);
        // V8 miscounts what follows `for (let …; …)` with a function in its body and a jump out of it.
        let (begin, end) = if self.is_js() { ("(var", ")") } else { ("", "") };
        let set = if self.is_js() { "=" } else { ":=" };
        if self.is_js() && self.below(3) == 0 {
            self.put("do");
            self.block(depth - 1);
            self.put(" while (r(3));\n");
        } else if self.below(3) == 0 {
            let test = self.condition();
            self.put(if self.is_js() { "while " } else { "for " });
            self.put(&test);
            self.block(depth - 1);
            self.put("\n");
        } else {
            let i = if self.is_js() { format!("i{}", self.line) } else { "i".to_owned() };
            self.put(&format!("for {begin} {i} {set} 0; {i} < r({most}); {i}++{end}"));
            self.block(depth - 1);
            self.put("\n");
        }
        self.in_loop = was;
    }

    fn switch(&mut self, depth: u32) {
        let was = std::mem::replace(&mut self.in_loop, false);
        self.put(if self.is_js() { "switch (r(3)) {\n" } else { "switch r(3) {\n" });
        for case in 0..2 {
            self.put(&format!("case {case}:\n"));
            self.counted();
            self.statement(depth - 1);
            if self.is_js() && self.below(2) == 0 {
                self.put("break;\n");
            }
        }
        self.put("default:\n");
        self.counted();
        self.put("}\n");
        self.in_loop = was;
    }

    fn program(mut self) -> Self {
        let (head, open) = match self.language {
            Language::JavaScript => {
                ("const c = [];\nlet s = 7, x;\nconst r = (n) => (s = (s * 16807) % 2147483647) % n;\n", "()")
            }
            Language::Go => (
                "package main\n\nimport \"fmt\"\n\nvar c [9999]int\nvar s = 7\n\nfunc r(n int) int {\ns = s * 16807 % 2147483647\nreturn s % n\n}\n",
                "()",
            ),
        };
        self.put(head);
        for function in 0..FUNCTIONS {
            self.functions = function;
            self.put(&format!("{} f{function}{open}", if self.is_js() { "function" } else { "func" }));
            self.block(3);
            self.put("\n");
        }
        let count = self.counters.len();
        let tail = match self.language {
            Language::JavaScript => format!(
                "for (let i = 0; i < {count}; i++) c[i] = 0;\nfor (let i = 0; i < 30; i++) f0();\nconsole.log(c.join(' '));\n"
            ),
            Language::Go => format!(
                "func main() {{\nfor i := 0; i < 30; i++ {{\nf0()\n}}\nfor _, n := range c[:{count}] {{\nfmt.Print(n, \" \")\n}}\n}}\n"
            ),
        };
        self.put(&tail);
        self
    }
}

fn program(language: Language, seed: u64) -> Writer {
    let random = ChaCha8Rng::seed_from_u64(seed);
    let (text, counters) = (String::new(), Vec::new());
    Writer { language, random, text, line: 1, counters, functions: 0, in_loop: false }.program()
}

/// Returns the differences between a program's own counters and the counts that were read.
fn differences(writer: &Writer, own: &str, read: &Imported) -> String {
    let own: Vec<u64> = own.split_whitespace().map(|n| n.parse().unwrap()).collect();
    assert_eq!(own.len(), writer.counters.len());
    let (mut by_place, mut by_line) = (HashMap::new(), HashMap::new());
    let counts: HashMap<u32, u64> = read.runs[0].counts.iter().copied().collect();
    for (location, index) in read.locations.iter().zip(0..) {
        if location.kind == trend_profile::Kind::Entry {
            continue;
        }
        let count = counts.get(&index).copied().unwrap_or(0);
        if let Some((_, place)) = location.label.split_once(':') {
            by_place.insert(place.to_owned(), count);
        }
        for line in location.lines.iter() {
            by_line.entry(*line).or_insert_with(Vec::new).push(count);
        }
    }
    let mut differences = String::new();
    for (&(line, column), own) in writer.counters.iter().zip(own) {
        let counts = by_place.get(&format!("{line}:{column}")).map(|count| vec![*count]);
        let counts = counts.or_else(|| by_line.get(&line).cloned()).unwrap_or_else(|| vec![0]);
        // Code that never ran is in no place of JavaScript, so its line can belong to a neighbour.
        if !counts.contains(&own) && own > 0 {
            let before =
                writer.text.lines().skip((line as usize).saturating_sub(25)).take(25.min(line as usize));
            let before: Vec<&str> = before.collect();
            writeln!(differences, "{line}:{column}: {own}, read {counts:?}:\n{}", before.join("\n")).unwrap();
        }
    }
    differences
}

/// Returns the number of programs to run; `few` by default.
fn programs(few: u64) -> u64 {
    std::env::var("GENERATED").map_or(few, |number| number.parse().unwrap())
}

fn is_there(program: &str) -> bool {
    let is_installed = Command::new(program).arg("version").output().is_ok();
    if !is_installed {
        eprintln!("skipped: `{program}` is not on PATH");
    }
    is_installed
}

fn input(file: &Path) -> Input<'static> {
    let file = std::fs::File::open(file).unwrap();
    Input::new(file, &Rc::new(Budget::new(Limits::for_files(1 << 20)))).unwrap()
}

fn files(folder: &Path, prefix: &str) -> Vec<std::path::PathBuf> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    names.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(prefix)).collect()
}

#[test]
fn counts_of_generated_javascript_are_those_of_its_own_counters() {
    if !is_there("node") {
        return;
    }
    let mut wrong = String::new();
    for seed in 0..programs(12) {
        let writer = program(Language::JavaScript, seed);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.js"), &writer.text).unwrap();
        let counted = folder.path().join("counted");
        let ran =
            Command::new("node").arg("a.js").current_dir(&folder).env("NODE_V8_COVERAGE", &counted).output();
        let ran = ran.unwrap();
        assert!(ran.status.success(), "{seed}: {}\n{}", String::from_utf8_lossy(&ran.stderr), writer.text);
        let root = Root::new(&folder.path().canonicalize().unwrap().to_string_lossy());
        let file = files(&counted, "coverage-").remove(0);
        let text = |_: &str| Some(writer.text.clone());
        let read = v8_coverage::read(input(&file), &root, v8_coverage::Scripts::Own, &text).unwrap();
        let wrong_counts = differences(&writer, &String::from_utf8_lossy(&ran.stdout), &read);
        if !wrong_counts.is_empty() {
            writeln!(wrong, "seed {seed}:\n{wrong_counts}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn counts_of_generated_go_are_those_of_its_own_counters() {
    if !is_there("go") {
        return;
    }
    let mut wrong = String::new();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("go.mod"), "module example.com/m\n\ngo 1.21\n").unwrap();
    for seed in 0..programs(3) {
        let writer = program(Language::Go, seed);
        std::fs::write(folder.path().join("a.go"), &writer.text).unwrap();
        let go =
            |arguments: &[&str]| Command::new("go").args(arguments).current_dir(&folder).output().unwrap();
        let built = go(&["build", "-cover", "-covermode=count", "-o", "a", "."]);
        assert!(
            built.status.success(),
            "{seed}: {}\n{}",
            String::from_utf8_lossy(&built.stderr),
            writer.text
        );
        let counted = folder.path().join(format!("counted{seed}"));
        std::fs::create_dir(&counted).unwrap();
        let ran = Command::new(folder.path().join("a")).env("GOCOVERDIR", &counted).output().unwrap();
        assert!(ran.status.success());
        let meta = std::fs::read(files(&counted, go_coverage::META).remove(0)).unwrap();
        let path = folder.path().to_string_lossy().into_owned();
        let modules = [Module { path: "example.com/m".to_owned(), folder: path.clone() }];
        let counters = input(&files(&counted, go_coverage::COUNTERS).remove(0));
        let read = go_coverage::read(counters, &meta, &Root::new(&path), &modules, &|_| None).unwrap();
        let wrong_counts = differences(&writer, &String::from_utf8_lossy(&ran.stdout), &read);
        if !wrong_counts.is_empty() {
            writeln!(wrong, "seed {seed}:\n{wrong_counts}").unwrap();
        }
        let textual = go(&["tool", "covdata", "textfmt", "-i", &counted.to_string_lossy(), "-o", "text"]);
        assert!(textual.status.success(), "{}", String::from_utf8_lossy(&textual.stderr));
        assert_eq!(sums(&read), textual_sums(&folder.path().join("text")), "{seed}");
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the counts of all blocks by their first line, sorted.
fn sums(read: &Imported) -> Vec<(u32, u64)> {
    let blocks = read.runs[0].counts.iter().map(|&(index, count)| (&read.locations[index as usize], count));
    let blocks = blocks.filter(|(location, _)| location.kind == trend_profile::Kind::Block);
    let mut sums: Vec<_> = blocks.map(|(location, count)| (location.line, count)).collect();
    sums.sort_unstable();
    sums
}

/// Returns the same of a text that Go wrote.
fn textual_sums(file: &Path) -> Vec<(u32, u64)> {
    let text = std::fs::read_to_string(file).unwrap();
    let block = |line: &str| {
        let (place, count) = line.rsplit_once(' ')?;
        let line = place.split_once(".go:")?.1.split('.').next()?;
        Some((line.parse().unwrap(), count.parse().unwrap()))
    };
    let mut sums: Vec<_> = text.lines().filter_map(block).collect();
    sums.sort_unstable();
    sums
}
