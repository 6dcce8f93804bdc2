//! Writes synthetic studies, to see how the tools handle them:
//!
//!     cargo run --release -p trend-profile --example made_study -- large OUT.trend
//!
//! - `large`: 30,000 locations in 300 source files, 1,000 workloads, about 1,500 clusters.
//! - `hostile`: names that look like HTML, terminal escapes or paths, that are very long, or that are not Unicode.
//! - `loops`: two nested loops; the trip count of the inner one depends on the data.
//! - `routines`: input-sensitive profiles of routines in their contexts: linear, quadratic, amortised (a growing
//!   table), scattered.
//! - `routines N S`: N routines with S input sizes each, in one run.
//! - `features F W`: F features over W workloads; three features explain the costs of 1,000 locations.
//! - `locations L W`: L locations over W workloads, in one cluster per 22 locations.
//! - `functions F W`: like `locations`, but with one function per location.
//! - `clusters L W`: L locations over W workloads, nearly each a separate cluster, in a small file.
//! - `nests N DEPTH`: one function with N loops in nests of DEPTH loops; each level counts to its own number.
//! - `calls F FANOUT`: F functions with a loop each, which call FANOUT others.
//! - `texts N BYTES`: N functions, files and sources whose names and texts have BYTES bytes each.

#[path = "made_study/loops.rs"]
mod loops;
#[path = "made_study/routines.rs"]
mod routines;
#[path = "made_study/scale.rs"]
mod scale;

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use trend_profile::{
    Definition, Function, FunctionId, Kind, Location, NewStudy, Observation, Outcome, Run, Series,
    SourceText, StudyFile, Symbol, Usage, Variable, Workload,
};

const USAGE: &str = "usage: made_study large|hostile|loops|routines OUT.trend, \
                     or made_study routines|features|locations|functions|clusters|nests|calls|texts NUMBER NUMBER OUT.trend";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [what, path] => make(what, None, Path::new(path)),
        [what, first, second, path] => make(what, Some((first.parse()?, second.parse()?)), Path::new(path)),
        _ => Err(USAGE.into()),
    }
}

/// Writes a study of this kind. `numbers` are the kind's parameters, if it has any.
pub(crate) fn make(what: &str, numbers: Option<(usize, usize)>, path: &Path) -> Result<(), Box<dyn Error>> {
    match (what, numbers) {
        ("large", None) => large(path),
        ("hostile", None) => hostile(path),
        ("loops", None) => loops::few(path),
        ("routines", None) => routines::few(path),
        ("routines", Some((count, sizes))) => routines::many(path, count, sizes),
        ("features", Some((features, workloads))) => scale::features(path, features, workloads),
        ("locations", Some((locations, workloads))) => scale::locations(path, locations, workloads),
        ("functions", Some((functions, workloads))) => scale::functions(path, functions, workloads),
        ("clusters", Some((locations, workloads))) => scale::clusters(path, locations, workloads),
        ("nests", Some((count, depth))) => loops::nests(path, count, depth),
        ("calls", Some((functions, fanout))) => loops::calls(path, functions, fanout),
        ("texts", Some((count, bytes))) => scale::texts(path, count, bytes),
        _ => Err(USAGE.into()),
    }
}

/// A linear congruential generator, which yields the same numbers on every machine.
struct Numbers(u64);

impl Numbers {
    /// Returns a number that is uniform in 0..1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number that is uniform on a log scale.
    fn log_uniform(&mut self, lo: f64, hi: f64) -> f64 {
        lo * (hi / lo).powf(self.uniform())
    }
}

fn function(name: &str, file: &str, line: u32) -> Function {
    Function::plain(name, file, line)
}

fn location(function: usize, block: u32, file: &str, line: u32) -> Location {
    Location {
        function: FunctionId(function as u32),
        kind: Kind::Block,
        block,
        file: file.into(),
        line,
        lines: [line].into(),
        label: "".into(),
    }
}

fn workload(name: String, command: String) -> Workload {
    let usage = Some(Usage::default());
    Workload {
        fingerprint: name.clone(),
        name,
        command,
        input: None,
        repetitions: 1,
        usage,
        ..Workload::imported("")
    }
}

fn run(seconds: f64) -> Run {
    let time = Duration::from_secs_f64(seconds);
    let usage = Usage { wall: time, user: time, system: Duration::ZERO, peak_rss_bytes: 1 << 24 };
    Run { repetition: 0, outcome: Outcome::Finished, usage, stderr_tail: String::new() }
}

/// Writes the large study. Two thirds of the locations follow one of 1,500 products of powers of three features. Each
/// product has its own scatter, which keeps the clusters apart.
fn large(path: &Path) -> Result<(), Box<dyn Error>> {
    const FILES: usize = 300;
    const LOCATIONS_OF_FILE: usize = 100;
    const WORKLOADS: usize = 1000;
    const SHAPES: usize = 1501;
    let mut numbers = Numbers(7);
    let mut file = StudyFile::create(path, &NewStudy::new("large", ""))?;
    let features = ["bytes", "lines", "depth"].map(|name| (name.to_owned(), Definition::Given));
    file.declare_features(&features)?;
    let (mut functions, mut locations, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    for f in 0..FILES {
        let name = format!("src/part{}/module{f}.c", f % 12);
        let mut text = format!("/* Module {f}. */\n#include \"part.h\"\n");
        for l in 0..LOCATIONS_OF_FILE {
            if l % 10 == 0 {
                functions.push(function(&format!("module{f}_step{}", l / 10), &name, 3 + 3 * l as u32));
            }
            locations.push(location(functions.len() - 1, 2 + l as u32, &name, 4 + 3 * l as u32));
            let _ = write!(
                text,
                "static int step_{l}(struct state *s, const char *text) {{\n    \
                 for (int i = 0; i < s->count[{}]; i++) s->sum += text[i] * {}; // {} of {f}\n}}\n",
                (l * 7 + f) % 64,
                f * l % 977,
                ["scan", "merge", "emit", "hash"][l % 4]
            );
        }
        sources.push(SourceText { file: name, text });
    }
    file.add_sources(&sources)?;
    file.intern(&functions, &locations)?;
    let shapes: Vec<[f64; 4]> = (0..SHAPES)
        .map(|_| {
            let scale = numbers.log_uniform(0.1, 1000.0);
            [scale, 2.0 * numbers.uniform(), 0.8 * numbers.uniform(), 0.25 + 0.35 * numbers.uniform()]
        })
        .collect();
    for w in 0..WORKLOADS {
        let bytes = numbers.log_uniform(1e3, 1e6).round();
        let lines = (bytes / numbers.log_uniform(10.0, 60.0)).ceil();
        let depth = numbers.log_uniform(2.0, 60.0).round();
        let of_shape: Vec<f64> = shapes
            .iter()
            .map(|&[scale, b, d, scatter]| {
                scale * bytes.powf(b) * depth.powf(d) * numbers.log_uniform(1.0 - scatter, 1.0 + scatter)
            })
            .collect();
        let counts: Vec<u64> =
            (0..locations.len())
                .map(|l| {
                    if l % 3 == 2 {
                        l as u64 % 50
                    } else {
                        (of_shape[l % SHAPES] * (1 + l % 7) as f64) as u64
                    }
                })
                .collect();
        let name = format!("corpus/{w:04}.in");
        let described = workload(name.clone(), format!("./large {name}"));
        let values = [("bytes", bytes), ("lines", lines), ("depth", depth)];
        let values = values.map(|(name, value)| (name.to_owned(), Some(value)));
        file.record(&described, &run(bytes * 1e-6), Some(&counts), &values)?;
    }
    Ok(())
}

/// Returns the names used for files, functions, features and workloads of the hostile study.
fn hostile_names() -> Vec<String> {
    let mut names: Vec<String> = [
        "</script><img src=x onerror=document.title='owned'>",
        "</template></style><script>document.title='owned'</script>",
        "\"quoted\" 'and' `ticked` & <b>bold</b>",
        "\u{202e}txt.exe\u{202c} turned",
        "\u{1b}[31mred\u{1b}[0m\u{7}",
        "line\nbreak\ttab",
        "../../../../etc/passwd",
        "lossy \u{fffd}\u{fffd} bytes",
        "=cmd|' /C calc'!A0",
        "javascript:alert(1)",
        "a?b=c&d#e%2F%zz/\\",
        "z\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}",
        "__proto__",
        "constructor",
    ]
    .map(str::to_owned)
    .to_vec();
    names.push("x".repeat(10_000));
    names
}

/// Returns a series of a routine and a program with this name. At each size, three calls cost one, two and three times
/// the size.
fn routine_named(name: &str) -> Series {
    let observation = |size: u64| Observation {
        count: 3,
        min: size,
        max: 3 * size,
        sum: 6 * size,
        sum_of_squares: (14 * size * size) as f64,
        ..Observation::at(size)
    };
    Series::of_routine(Symbol::plain(name), name, Variable::Rms, (1..=20).map(observation).collect())
}

fn hostile(path: &Path) -> Result<(), Box<dyn Error>> {
    let names = hostile_names();
    let new = NewStudy::new(&names[0], &names[6]);
    let mut file = StudyFile::create(path, &new)?;
    let feature = format!("{}{}", names[0], names[2]);
    file.declare_features(&[(feature.clone(), Definition::Given), (names[12].clone(), Definition::Given)])?;
    let functions: Vec<Function> = names.iter().map(|name| function(name, name, 1)).collect();
    let locations: Vec<Location> =
        names.iter().enumerate().map(|(i, name)| location(i, 2, name, 1 + i as u32)).collect();
    let text = names.join("\n") + "\n";
    let routines: Vec<Series> = names.iter().map(|name| routine_named(name)).collect();
    let sources = names.iter().map(|name| SourceText { file: name.clone(), text: text.clone() });
    file.add_sources(&sources.collect::<Vec<_>>())?;
    file.intern(&functions, &locations)?;
    for (i, name) in names.iter().enumerate() {
        let n = 10.0 * 1.7_f64.powi(i as i32);
        let counts: Vec<u64> =
            (0..names.len()).map(|l| n.powf(0.5 + l as f64 * 0.1).round() as u64 + 20 * l as u64).collect();
        let values = [(feature.clone(), Some(n.round())), (names[12].clone(), Some((i % 5 + 1) as f64))];
        file.record(&workload(name.clone(), format!("./a {name}")), &run(0.1), Some(&counts), &values)?;
        file.set_series(name, &routines)?;
    }
    let failed = Run { outcome: Outcome::NotStarted { reason: names[1].clone() }, ..run(0.0) };
    file.record(&workload(format!("failed {}", names[0]), String::new()), &failed, None, &[])?;
    Ok(())
}
