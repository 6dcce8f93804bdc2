//! `trend-prof try --worst`: searches for inputs whose cost grows faster than that of the user's own.
//!
//! The user's files run first. They give the fragments of the search, and the laws to compare with. [`hunt`] runs the
//! recipes, [`confirm`] checks each fault with a study of its own, and [`report`] prints what was found.

mod confirm;
mod hunt;
mod report;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use trend_analyze::{Findings, Options, Rows, analyze};
use trend_profile::{Kind, StudyFile};
use trend_run::{ExecuteOptions, Plan, Trials};
use trend_worst::{Fragments, Recipe, Search};

use self::confirm::{Bench, Confirmed, FaultPlace, Files};
use self::hunt::{Fault, Hunt, Hunted, Limit, Trouble};
use self::report::{CheckedFault, Reached, Report};
use super::begun::{begin, spread};
use super::setup::Setup;
use crate::cli;
use crate::commands::measuring::run::campaign::Campaign;
use crate::failure::Failure;
use crate::interruption::Interruption;
use crate::terminal::{self, Terminal, plural};
use crate::waiting::Waiting;

/// Folder for the recipes and studies of faults.
const FOLDER: &str = "worst";

/// Maximum number of bytes to read of each file.
const MOST_BYTES: u64 = 64 << 10;

/// Address space of a run, unless the configuration has a limit. A program that takes more on a small input is in an
/// endless loop.
const MEMORY_BYTES: u64 = 4 << 30;

/// Maximum number of inputs to keep that crash or hang the program.
const MOST_TROUBLES: usize = 8;

pub(super) fn worst(args: &cli::Try, mut setup: Setup, terminal: Terminal) -> Result<ExitCode, Failure> {
    if setup.config.workloads.files.is_empty() {
        return Err(Failure::new("`--worst` needs sample inputs")
            .hint("name some, as in `trend-prof try --worst --files 'corpus/*' -- ./parse {input}`"));
    }
    terminal.note(
        "the program runs thousands of times on invented inputs; do not use `--worst` with a program that \
         writes outside its folder, sends mail or controls a device",
    );
    let mut campaign = begin(args, &mut setup, terminal)?;
    spread(&mut campaign.plan.workloads);
    campaign.execute()?;
    campaign.report();
    let Campaign { plan, study, options, interruption, .. } = campaign;
    let path = study.path().to_owned();
    study.close()?;
    if interruption.is_requested() {
        return Ok(interruption.exit_code());
    }
    let search = Searching { args, options: &options, plan: &plan, interruption: &interruption, terminal };
    let report = search.report(&path)?;
    match args.format {
        cli::TryFormat::Table => terminal::table(&report.text())?,
        cli::TryFormat::Json => terminal::document(&report.json())?,
    }
    Ok(if interruption.is_requested() { interruption.exit_code() } else { ExitCode::SUCCESS })
}

/// Returns the findings of the user's own files. Returns `None` if no run succeeded.
fn corpus(path: &Path) -> Result<Option<Findings>, Failure> {
    if !path.exists() {
        return Ok(None);
    }
    let recorded = trend_analyze::to_analyze(StudyFile::read(path, None)?, &[], &[]);
    if recorded.workloads().is_empty() {
        return Ok(None);
    }
    let options = Options { rows: [Rows::Functions, Rows::Lines].into(), ..Options::default() };
    Ok(Some(analyze(&recorded, &options)?))
}

/// A search, and everything that it needs.
struct Searching<'a> {
    args: &'a cli::Try,
    options: &'a ExecuteOptions,
    plan: &'a Plan,
    interruption: &'a Interruption,
    terminal: Terminal,
}

impl Searching<'_> {
    fn report(&self, study: &Path) -> Result<Report, Failure> {
        let memory_bytes = self.plan.config.program.memory_bytes.or(Some(MEMORY_BYTES));
        let options = ExecuteOptions { memory_bytes, ..self.options.clone() };
        let trials = Trials::open(&self.plan.config, study, &options, self.interruption.flag())?;
        let fragments = Fragments::new(self.seeds(), &trials.read_only_data());
        let search = Search::new(fragments, self.args.seed);
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let jobs = self.options.jobs.map_or(cores, NonZeroUsize::get);
        let hunt = Hunt::new(&trials, jobs, search, self.interruption)?;
        let waiting = Waiting::new(self.terminal, "searching");
        let limit = Limit { time: self.args.budget, recipes: self.args.recipes };
        let on_fault = |fault: &Fault| {
            let place = place(&trials, fault.location);
            let (recipes, time) = fault.after;
            let text = format!("{} seems to grow too fast for {}", place.row(), fault.recipe);
            self.terminal.detail(&format!(
                "{:.1} s, {}: {text}",
                time.as_secs_f64(),
                plural(recipes, "recipe")
            ));
            waiting.step(text);
        };
        let hunted = hunt.run(limit, &on_fault)?;
        drop(waiting);
        let places: Vec<FaultPlace> =
            hunted.faults.iter().map(|fault| place(&trials, fault.location)).collect();
        let reached = reached(&trials, &hunted);
        // The studies of the faults have scratch folders of their own.
        drop(trials);
        // Only faults are compared with the files, whose analysis takes time.
        let corpus = if hunted.faults.is_empty() { None } else { corpus(study)? };
        let faults = self.confirmed(&hunted, places, corpus.as_ref())?;
        let troubles = kept(&hunted.troubles)?;
        let Hunted { tally, .. } = hunted;
        Ok(Report {
            program: self.plan.config.program.name.clone(),
            seed: self.args.seed,
            tally,
            reached,
            faults,
            troubles,
        })
    }

    /// Returns the beginnings of the user's files.
    fn seeds(&self) -> Vec<Vec<u8>> {
        let read = |path: &Path| {
            let mut bytes = Vec::new();
            fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes)).ok()?;
            Some(bytes)
        };
        self.plan.workloads.iter().filter_map(|workload| read(&workload.input_file()?)).collect()
    }

    /// Checks every fault with runs of its own, and saves its recipe.
    fn confirmed(
        &self,
        hunted: &Hunted,
        places: Vec<FaultPlace>,
        corpus: Option<&Findings>,
    ) -> Result<Vec<CheckedFault>, Failure> {
        let bench = Bench {
            config: &self.plan.config,
            options: self.options,
            exit_codes: &hunted.exit_codes,
            interruption: self.interruption,
            terminal: self.terminal,
        };
        let mut all = Vec::new();
        for (fault, place) in hunted.faults.iter().zip(places) {
            let files = Files::of_fault(&place, Path::new(FOLDER));
            save(&files.recipe, &fault.recipe, &format!("makes {} in {} slow", place.row(), place.function))?;
            let confirmed = if self.interruption.is_requested() {
                Confirmed::Not("the check was interrupted".to_owned())
            } else {
                bench.confirm(fault, &place, &files)?
            };
            if matches!(confirmed, Confirmed::Not(_)) && !self.interruption.is_requested() {
                for file in [&files.recipe, &files.study] {
                    // It may not have been written.
                    let _ = fs::remove_file(file);
                }
            }
            let own = corpus.map(|findings| confirm::growth_at(findings, &place));
            all.push(CheckedFault {
                recipe: fault.recipe.clone(),
                place,
                files,
                after: fault.after,
                confirmed,
                own,
            });
        }
        Ok(all)
    }
}

/// Writes a recipe's file.
fn save(path: &Path, recipe: &Recipe, comment: &str) -> Result<(), Failure> {
    fs::create_dir_all(FOLDER).map_err(|e| Failure::from_error(format!("failed to create {FOLDER}"), &e))?;
    terminal::file(path, &recipe.file(&[comment.to_owned()]))
}

/// Saves the first input of each kind that crashes or hangs the program, and returns their paths.
fn kept(troubles: &[Trouble]) -> Result<Vec<(Trouble, String)>, Failure> {
    let mut kinds = BTreeSet::new();
    let mut all = Vec::new();
    for trouble in troubles.iter().filter(|trouble| kinds.insert(trouble.signal)).take(MOST_TROUBLES) {
        let name = trouble.signal.map_or("hang".to_owned(), |signal| format!("crash-{signal}"));
        let stem = format!("{FOLDER}/{name}");
        save(Path::new(&format!("{stem}.grow")), &trouble.recipe, &format!("{name} at n = {}", trouble.n))?;
        terminal::binary(Path::new(&format!("{stem}.input")), &trouble.recipe.input(trouble.n))?;
        all.push((trouble.clone(), format!("{stem}.input")));
    }
    Ok(all)
}

fn place(trials: &Trials<'_>, location: usize) -> FaultPlace {
    trials.with_places(|functions, locations| {
        let location = &locations[location];
        let function = &functions[location.function.index()].symbol.name;
        FaultPlace { function: function.clone(), file: location.file.to_string(), line: location.line }
    })
}

/// Returns how much of the program the search reached.
fn reached(trials: &Trials<'_>, hunted: &Hunted) -> Reached {
    trials.with_places(|functions, locations| {
        let functions_of = |positions: &BTreeSet<usize>| -> BTreeSet<usize> {
            positions.iter().map(|position| locations[*position].function.index()).collect()
        };
        let steep = functions_of(&hunted.steep);
        let is_block = |position: &&usize| locations[**position].kind == Kind::Block;
        let linear = functions_of(&hunted.reached).into_iter().filter(|function| !steep.contains(function));
        Reached {
            blocks: hunted.reached.iter().filter(is_block).count(),
            all_blocks: locations.iter().filter(|location| location.kind == Kind::Block).count(),
            functions: functions_of(&hunted.reached).len(),
            all_functions: functions.len(),
            linear: linear.map(|function| functions[function].symbol.name.clone()).collect(),
        }
    })
}
