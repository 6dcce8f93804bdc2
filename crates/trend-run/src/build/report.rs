//! Sums up the compiler calls of a build.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use trend_profile::{Warning, WarningKind};

use super::configured::Configured;
use super::earlier::Earlier;
use crate::program::mark::Mark;
use crate::shim;
use crate::shim::log::Call;

/// Clause for messages if the search for files was cut.
const MORE_FILES: &str = "; there are too many files to check them all";

/// Maximum number of programs that a message names.
const MOST_NAMES: usize = 3;

/// A compiler that the build used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// Path of the actual compiler.
    pub path: PathBuf,
    /// First line of the output of `--version`; empty if there is no output.
    pub version: String,
    /// Number of its calls that were instrumented.
    pub calls: usize,
}

/// The counters of a Go program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoCounters {
    /// The modules whose packages are counted.
    pub modules: Vec<String>,
    /// True if the counters are exact for goroutines that run at the same time.
    pub is_atomic: bool,
    /// The source that may start such goroutines, if one does.
    pub reason: Option<PathBuf>,
}

/// The result of a build.
#[derive(Clone, Debug)]
pub struct BuildReport {
    /// The command's exit status.
    pub status: ExitStatus,
    /// Number of sources that were compiled with instrumentation, or should have been.
    pub compilations: usize,
    /// Number of calls that linked with instrumentation.
    pub links: usize,
    /// Absolute paths of the programs and libraries that were linked.
    pub linked: Vec<PathBuf>,
    /// Programs and libraries whose atomic counters were made plain, because the programs cannot start threads.
    pub plain: Vec<PathBuf>,
    /// Programs and libraries whose counters stay atomic, because they may be part of a program that starts threads.
    pub locked: Vec<PathBuf>,
    /// Number of calls that were left alone, by reason.
    pub passed_through: Vec<(String, usize)>,
    /// The compilers of instrumented calls, sorted by path.
    pub compilers: Vec<Compiler>,
    /// Doubts about the build, with advice.
    pub warnings: Vec<Warning>,
    /// The command's output if it was kept, and empty otherwise.
    pub output: String,
    /// The counters of a Go program, which its compiler adds.
    pub go: Option<GoCounters>,
}

impl BuildReport {
    /// Creates the report of a build without calls of our compilers.
    pub(super) fn of_status(status: ExitStatus, output: String) -> Self {
        Self { warnings: Vec::new(), output, ..report(status, &[], None) }
    }
}

/// Sums up the build's calls. `probe` is the mark of the probe that the build should insert.
pub(super) fn report(status: ExitStatus, calls: &[Call], probe: Option<&Mark>) -> BuildReport {
    let (mut compilations, mut links) = (0, 0);
    let mut compilers: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let mut passed: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut clashes, mut linked, mut uncounted) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut not_probed, mut otherwise) = (BTreeSet::new(), Vec::new());
    let mut without = BTreeSet::new();
    for call in calls {
        match call {
            Call::Instrumented { compiler, work } => {
                compilations += work.compilations;
                links += usize::from(work.links);
                *compilers.entry(PathBuf::from(compiler)).or_default() += 1;
                clashes.extend(&work.clashes);
            }
            Call::Linked { program } => drop(linked.insert(PathBuf::from(program))),
            Call::EndsUncounted { reason } => drop(uncounted.insert(reason.as_str())),
            Call::NotProbed { source, reason } => {
                compilations = compilations.saturating_sub(1);
                not_probed.insert((source.as_str(), reason.as_str()));
            }
            Call::BuiltOtherwise { object, probe } => {
                otherwise.push((PathBuf::from(object), probe.clone()));
            }
            Call::Uncounted { object } => drop(without.insert(PathBuf::from(object))),
            Call::PassedThrough { reason } => *passed.entry(reason).or_default() += 1,
        }
    }
    let compiler_calls =
        calls.iter().filter(|c| matches!(c, Call::Instrumented { .. } | Call::PassedThrough { .. })).count();
    let mut warnings: Vec<Warning> = clashes.into_iter().map(|name| clash(name)).collect();
    warnings.extend(uncounted.into_iter().map(ends_uncounted));
    warnings.extend(not_probed.into_iter().map(|(source, reason)| {
        Warning::new(
            WarningKind::SourceNotProbed,
            format!("{source} is not probed, so its reads are missing: {reason}"),
        )
    }));
    if !without.is_empty() {
        let without: Vec<PathBuf> = without.into_iter().collect();
        warnings.push(uncounted_objects(&without));
    }
    if !otherwise.is_empty() {
        warnings.push(built_otherwise(&otherwise, probe));
    } else if compilations == 0 && status.success() {
        warnings.push(if is_configuration(calls) {
            only_configured()
        } else {
            nothing_instrumented(compiler_calls, &passed)
        });
    }
    BuildReport {
        status,
        compilations,
        links,
        linked: linked.into_iter().collect(),
        plain: Vec::new(),
        locked: Vec::new(),
        passed_through: passed.into_iter().map(|(reason, n)| (reason.to_owned(), n)).collect(),
        compilers: compilers
            .into_iter()
            .map(|(path, calls)| Compiler { version: version(&path), path, calls })
            .collect(),
        warnings,
        output: String::new(),
        go: None,
    }
}

/// Returns the warning `main.o and 2 more were built with …, and this build is with …`. If there are several other
/// ways, it names the first one.
fn built_otherwise(objects: &[(PathBuf, Option<Mark>)], probe: Option<&Mark>) -> Warning {
    let (first, how) = &objects[0];
    let mut same: Vec<&PathBuf> = objects.iter().filter(|(_, of)| of == how).map(|(path, _)| path).collect();
    same.dedup();
    let named = match same.len() {
        1 => format!("`{}` was", first.display()),
        n => format!("`{}` and {} more were", first.display(), n - 1),
    };
    let message = format!(
        "{named} built {}, but this build is {}. One program cannot mix them; rebuild all of it (`make \
         clean`)",
        with(how.as_ref()),
        with(probe)
    );
    Warning::new(WarningKind::BuiltOtherwise, message)
}

/// Returns the warning about objects that no compiler of this build made, for example because `make` took them for up
/// to date.
fn uncounted_objects(objects: &[PathBuf]) -> Warning {
    let message = format!(
        "{} no counters because this build did not compile their code, so nothing in them is counted; \
         rebuild all of it (`make clean`)",
        have(objects)
    );
    Warning::new(WarningKind::UncountedObjects, message)
}

/// Describes the probe of a build.
fn with(probe: Option<&Mark>) -> String {
    probe.map_or_else(|| "without the probe".to_owned(), |mark| format!("with {mark}"))
}

fn clash(name: &str) -> Warning {
    let message = format!(
        "the counts of one of two sources named `{name}` are lost: compiled in one compiler call, they \
         share one notes file; compile them in separate calls, each with its own `-c … -o`"
    );
    Warning::new(WarningKind::SharedNotes, message)
}

fn ends_uncounted(reason: &str) -> Warning {
    let message = format!(
        "counters are written only at `exit` or a return from main, not at `_exit`, `abort` or a signal: \
         {reason}"
    );
    Warning::new(WarningKind::EndsUncounted, message)
}

/// Returns true if the calls belong to a configuration step, which compiles tests and queries compilers.
fn is_configuration(calls: &[Call]) -> bool {
    let is_probe =
        |call: &Call| matches!(call, Call::PassedThrough { reason } if reason.as_str() == shim::PROBE);
    let is_question = |call: &Call| matches!(call, Call::PassedThrough { reason } if shim::QUESTIONS.contains(&reason.as_str()));
    calls.iter().any(is_probe) && calls.iter().all(|call| is_probe(call) || is_question(call))
}

/// Returns the warning after a successful configuration step. The existing programs tell if the build after it had
/// nothing to do.
fn only_configured() -> Warning {
    let message = "nothing was instrumented: only tests of the build system were compiled; also build \
                   under `trend-prof build`";
    Warning::new(WarningKind::OnlyConfigured, message)
}

fn nothing_instrumented(calls: usize, passed: &BTreeMap<&str, usize>) -> Warning {
    let why = if calls == 0 {
        "no compiler was called. If everything was up to date, clean first (`make clean`). If the build \
         uses an absolute path to its compiler, override it (`make CC=\"$CC\"` within `trend-prof \
         build`). Known compilers are cc, gcc, g++, c++, clang and clang++, also with a version or target \
         in the name, and rustc when called by cargo"
            .to_owned()
    } else if passed.contains_key(shim::rustc::HOST) {
        // Only in a project's own folder is cargo given a target.
        "cargo was called in another folder than `trend-prof`, which can instrument it only in the folder \
         with `Cargo.toml`. Run `trend-prof` there; if there is a `trend-prof.toml`, put it there with \
         `build = \"cargo build --release\"`"
            .to_owned()
    } else {
        let reasons: Vec<String> = passed.iter().map(|(reason, n)| format!("{n}× {reason}")).collect();
        format!(
            "none of {calls} compiler calls instrumented a source{}{}; if objects were up to date, clean \
             first (`make clean`)",
            if reasons.is_empty() { "" } else { ": " },
            reasons.join(", ")
        )
    };
    Warning::new(WarningKind::NothingInstrumented, format!("nothing was instrumented: {why}"))
}

/// Returns the warning that an earlier `trend-prof build` compiled everything.
pub(super) fn up_to_date(earlier: &Earlier, probe: Option<&Mark>) -> Warning {
    let more = if earlier.is_cut { MORE_FILES } else { "" };
    let what = if probe.is_some() { "the probe" } else { "counters" };
    let message = format!(
        "nothing was compiled: everything was up to date, and {} {what} of an earlier build{more}; to \
         change the counters, clean first (`make clean`)",
        have(&earlier.as_wanted)
    );
    Warning::new(WarningKind::InstrumentedBefore, message)
}

/// Adds the programs that were found to the warning. If there are some, an earlier build did more than configure.
pub(super) fn with_programs(warning: &Warning, earlier: &Earlier, probe: Option<&Mark>) -> Warning {
    if let Some((program, how)) = earlier.otherwise.first() {
        let message = format!(
            "nothing was instrumented: everything was up to date, but `{}` was built {} and this build is \
             {}; clean first (`make clean`)",
            program.display(),
            with(how.as_ref()),
            with(probe)
        );
        return Warning::new(WarningKind::NothingInstrumented, message);
    }
    let what = if probe.is_some() { "the probe" } else { "counters" };
    let without = have(&earlier.without);
    let programs_found = match (earlier.as_wanted.as_slice(), earlier.without.as_slice()) {
        (_, []) => return warning.clone(),
        ([], _) => format!("{without} no {}", if probe.is_some() { "probe" } else { "counters" }),
        (as_wanted, _) => format!("{} {what} of an earlier build, and {without} none", have(as_wanted)),
    };
    let why = if warning.kind == WarningKind::OnlyConfigured {
        "nothing was instrumented: only tests of the build system were compiled; if objects were up to \
         date, clean first (`make clean`)"
    } else {
        &warning.message
    };
    Warning::new(WarningKind::NothingInstrumented, format!("{why}; {programs_found}"))
}

/// Formats `a, b, c and 2 more have`.
fn have(programs: &[PathBuf]) -> String {
    let names: Vec<String> = programs.iter().take(MOST_NAMES).map(|p| format!("`{}`", p.display())).collect();
    match programs.len().saturating_sub(MOST_NAMES) {
        0 => format!("{} {}", names.join(", "), if names.len() == 1 { "has" } else { "have" }),
        more => format!("{} and {more} more have", names.join(", ")),
    }
}

pub(super) fn configured_before(configured: &Configured) -> Warning {
    let message = format!(
        "nothing was instrumented: {} has the compiler {} from an earlier configuration; configure within \
         the build, in another folder: `trend-prof build -- sh -c \"cmake -S . -B build-trend && cmake \
         --build build-trend\"`",
        configured.cache.display(),
        configured.compiler
    );
    Warning::new(WarningKind::NothingInstrumented, message)
}

fn version(compiler: &Path) -> String {
    let output = Command::new(compiler).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;
    use crate::shim::arguments::Work;

    fn instrumented(compilations: usize, clashes: &[&str]) -> Call {
        let clashes = clashes.iter().map(|c| (*c).to_owned()).collect();
        Call::Instrumented {
            compiler: "/no/such/gcc".to_owned(),
            work: Work { compilations, links: true, clashes },
        }
    }

    #[test]
    fn calls_add_up() {
        let passed = Call::PassedThrough { reason: "it has no inputs".to_owned() };
        let calls = [instrumented(1, &[]), instrumented(2, &["x"]), passed.clone(), passed];
        let report = report(ExitStatus::from_raw(0), &calls, None);
        assert_eq!((report.compilations, report.links), (3, 2));
        assert_eq!(report.passed_through, [("it has no inputs".to_owned(), 2)]);
        assert_eq!(report.compilers[0].calls, 2);
        let kinds: Vec<&str> = report.warnings.iter().map(|w| w.kind.as_str()).collect();
        assert_eq!(kinds, ["shared_notes"]);
    }

    #[test]
    fn that_not_all_programs_were_looked_at_is_told() {
        let mut earlier = Earlier { as_wanted: vec!["a".into()], is_cut: true, ..Earlier::default() };
        let warning = up_to_date(&earlier, None);
        assert_eq!(warning.kind, WarningKind::InstrumentedBefore);
        assert!(warning.message.contains("`a` has counters of an earlier build"), "{}", warning.message);
        assert!(warning.message.contains(MORE_FILES), "{}", warning.message);
        earlier.is_cut = false;
        assert!(!up_to_date(&earlier, None).message.contains(MORE_FILES));
    }

    #[test]
    fn a_build_that_instrumented_nothing_says_why() {
        let nothing = report(ExitStatus::from_raw(0), &[], None);
        assert!(nothing.warnings[0].message.contains("make clean"));
        let host = Call::PassedThrough { reason: shim::rustc::HOST.to_owned() };
        let elsewhere = report(ExitStatus::from_raw(0), &[host], None);
        assert!(elsewhere.warnings[0].message.contains("the folder with `Cargo.toml`"));
        let probe = Call::PassedThrough { reason: shim::PROBE.to_owned() };
        let question = Call::PassedThrough { reason: shim::QUESTIONS[0].to_owned() };
        let kind = |calls: &[Call]| report(ExitStatus::from_raw(0), calls, None).warnings.remove(0).kind;
        assert_eq!(kind(&[question.clone(), probe.clone()]), WarningKind::OnlyConfigured);
        let linked = instrumented(0, &[]);
        let by_hand = Call::PassedThrough { reason: "it only assembles".to_owned() };
        for calls in [vec![question], vec![probe.clone(), linked], vec![probe, by_hand]] {
            assert_eq!(kind(&calls), WarningKind::NothingInstrumented, "{calls:?}");
        }
        let failed = report(ExitStatus::from_raw(256), &[], None);
        assert!(failed.warnings.is_empty());
    }
}
