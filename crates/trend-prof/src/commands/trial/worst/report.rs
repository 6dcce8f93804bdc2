//! Prints the results of a search.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use trend_profile::shell_path;
use trend_worst::Recipe;

use super::confirm::{CheckedLaw, Confirmed, FaultPlace, Files};
use super::hunt::{Tally, Trouble};
use crate::terminal::plural;

/// Name and version of the JSON format.
const SCHEMA: &str = "trend-prof/worst/1";

/// A fault after its check.
#[derive(Debug)]
pub(super) struct CheckedFault {
    pub(super) recipe: Recipe,
    pub(super) place: FaultPlace,
    pub(super) files: Files,
    pub(super) after: (usize, Duration),
    pub(super) confirmed: Confirmed,
    /// Growth of the place on the user's own files. `None` if none of them ran.
    pub(super) own: Option<String>,
}

/// The part of the program that the search executed.
#[derive(Debug, Serialize)]
pub(super) struct Reached {
    pub(super) blocks: usize,
    pub(super) all_blocks: usize,
    pub(super) functions: usize,
    pub(super) all_functions: usize,
    /// Functions in which no place grew faster than the input.
    pub(super) linear: Vec<String>,
}

/// All results of a search.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) program: String,
    pub(super) seed: u64,
    pub(super) tally: Tally,
    pub(super) reached: Reached,
    pub(super) faults: Vec<CheckedFault>,
    /// Inputs that crash or hang the program, and their files.
    pub(super) troubles: Vec<(Trouble, String)>,
}

impl Report {
    fn laws(&self) -> impl Iterator<Item = (&CheckedFault, &CheckedLaw)> {
        self.faults.iter().filter_map(|fault| match &fault.confirmed {
            Confirmed::Law(law) => Some((fault, &**law)),
            Confirmed::Not(_) => None,
        })
    }

    /// Returns the report as text.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        let Tally { recipes, runs, elapsed, .. } = self.tally;
        let number = self.laws().count();
        let grow = match number {
            0 => "No place grows faster than n log n with any input that was tried".to_owned(),
            1 => "1 place grows faster than n log n with some input".to_owned(),
            more => format!("{more} places grow faster than n log n with some input"),
        };
        let done = format!("{} in {runs} runs, {:.0} s", plural(recipes, "recipe"), elapsed.as_secs_f64());
        let _ = writeln!(out, "{grow} ({done}, seed {}).", self.seed);
        for (fault, law) in self.laws() {
            let _ = write!(out, "\n{}", law_text(fault, law));
        }
        for fault in &self.faults {
            if let Confirmed::Not(why) = &fault.confirmed {
                let FaultPlace { function, .. } = &fault.place;
                let place = fault.place.row();
                let _ = writeln!(out, "\nNot confirmed: {} for {place} in {function}: {why}.", fault.recipe);
            }
        }
        for (trouble, file) in &self.troubles {
            let what = trouble.signal.map_or_else(
                || "The program takes longer than 2 s".to_owned(),
                |signal| format!("The program was killed by signal {signal}"),
            );
            let _ = writeln!(out, "\n{what}: {} with n = {}; saved as {file}.", trouble.recipe, trouble.n);
        }
        let Reached { blocks, all_blocks, functions, all_functions, linear } = &self.reached;
        let _ = writeln!(
            out,
            "\nThe search executed {blocks} of {all_blocks} blocks in {functions} of {all_functions} functions; \
             {} never grew faster than the input. Worse inputs may exist.",
            plural(linear.len(), "function")
        );
        out
    }

    /// Returns the report as JSON.
    pub(super) fn json(&self) -> String {
        let Tally { recipes, runs, processor, elapsed } = self.tally;
        let faults = self.laws().map(|(fault, law)| PublishedFault {
            recipe: fault.recipe.to_string(),
            function: &fault.place.function,
            file: &fault.place.file,
            line: fault.place.line,
            growth: &law.growth,
            law: &law.formula,
            own_growth: fault.own.as_deref(),
            largest_bytes: law.largest,
            count: law.count,
            predicted: law.predicted,
            seconds_at_target: law.seconds(),
            target_bytes: law.target(),
            found_after_recipes: fault.after.0,
            found_after_seconds: fault.after.1.as_secs_f64(),
            recipe_file: &fault.files.recipe,
            study: &fault.files.study,
        });
        let unconfirmed = self.faults.iter().filter_map(|fault| match &fault.confirmed {
            Confirmed::Not(reason) => {
                let FaultPlace { function, file, line } = &fault.place;
                let recipe = fault.recipe.to_string();
                Some(PublishedDoubt { recipe, function, file, line: *line, reason })
            }
            Confirmed::Law(_) => None,
        });
        let troubles = self.troubles.iter().map(|(trouble, file)| PublishedTrouble {
            recipe: trouble.recipe.to_string(),
            n: trouble.n,
            signal: trouble.signal,
            file,
        });
        let published = Published {
            schema: SCHEMA,
            program: &self.program,
            seed: self.seed,
            recipes,
            runs,
            seconds: elapsed.as_secs_f64(),
            program_seconds: processor.as_secs_f64(),
            faults: faults.collect(),
            unconfirmed: unconfirmed.collect(),
            troubles: troubles.collect(),
            reached: &self.reached,
        };
        serde_json::to_string_pretty(&published).map(|text| text + "\n").unwrap_or_default()
    }
}

fn law_text(fault: &CheckedFault, law: &CheckedLaw) -> String {
    let CheckedFault { recipe, place, own, files, .. } = fault;
    let own = own.as_ref().map(|own| format!(" ({own} on your files)")).unwrap_or_default();
    let mut out = format!("{recipe}\n");
    let _ = writeln!(
        out,
        "    makes {} in {} grow as {}{own}: {}",
        place.row(),
        place.function,
        law.growth,
        law.formula
    );
    if let Some(cost) = trend_report::answer(&law.findings).into_iter().next() {
        let _ = writeln!(out, "    {cost}");
    }
    let _ = writeln!(out, "    Confirmed with {:.0} bytes: {} executions.", law.largest, law.count);
    let (recipe, study) = (shell_path(&files.recipe), shell_path(&files.study));
    let _ = writeln!(out, "    Saved as {recipe}; its runs are in {study}");
    out
}

#[derive(Serialize)]
struct Published<'a> {
    schema: &'static str,
    program: &'a str,
    seed: u64,
    recipes: usize,
    runs: usize,
    /// Wall time of the search.
    seconds: f64,
    /// CPU time of the runs.
    program_seconds: f64,
    faults: Vec<PublishedFault<'a>>,
    /// Claims that the check at larger sizes did not bear out.
    unconfirmed: Vec<PublishedDoubt<'a>>,
    /// Inputs that crash or hang the program.
    troubles: Vec<PublishedTrouble<'a>>,
    reached: &'a Reached,
}

#[derive(Serialize)]
struct PublishedFault<'a> {
    recipe: String,
    function: &'a str,
    file: &'a str,
    line: u32,
    growth: &'a str,
    law: &'a str,
    /// Growth on the user's own files.
    own_growth: Option<&'a str>,
    /// Size of the run that checked the law.
    largest_bytes: f64,
    count: u64,
    /// Interval that smaller runs predicted for the count.
    predicted: [f64; 2],
    target_bytes: Option<f64>,
    seconds_at_target: Option<[f64; 3]>,
    found_after_recipes: usize,
    found_after_seconds: f64,
    recipe_file: &'a Path,
    study: &'a Path,
}

#[derive(Serialize)]
struct PublishedDoubt<'a> {
    recipe: String,
    function: &'a str,
    file: &'a str,
    line: u32,
    reason: &'a str,
}

#[derive(Serialize)]
struct PublishedTrouble<'a> {
    recipe: String,
    n: u64,
    signal: Option<i32>,
    file: &'a str,
}
