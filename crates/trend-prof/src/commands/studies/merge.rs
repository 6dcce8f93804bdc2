//! `trend-prof merge`: puts the runs of several studies into one.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use trend_profile::{Access, Merged, NewStudy, StudyError, StudyFile, shell_path};
use trend_run::{CONFIG_FILE, Config};

use crate::cli;
use crate::failure::Failure;
use crate::terminal::{Terminal, plural};

/// Maximum number of missing workloads that are named.
const MOST_NAMED: usize = 5;

pub(crate) fn merge(args: &cli::Merge, terminal: Terminal) -> Result<ExitCode, Failure> {
    let mut target: Option<StudyFile> = None;
    let mut all = Merged::default();
    for path in &args.studies {
        let part = StudyFile::open(path, Access::Read)?;
        let study = match &mut target {
            Some(study) => study,
            none => none.insert(created(&args.output, &part, args.force)?),
        };
        let Merged { added, known, repeated } = study.merge(&part).map_err(not_alike)?;
        (all.added, all.known, all.repeated) =
            (all.added + added, all.known + known, all.repeated + repeated);
    }
    let Some(mut study) = target else { return Err(Failure::new("no study to merge")) };
    study.publish()?;
    let what = format!("{} in {}", plural(all.added, "run"), args.output.display());
    terminal.note(&if all.known > 0 { format!("{what}; {} were there already", all.known) } else { what });
    if all.repeated > 0 {
        let them = plural(all.repeated, "run");
        terminal.warn(&format!("{them} left out: another run of the same workload and repetition is there"));
    }
    report_missing(&study, &args.output, terminal)?;
    study.close()?;
    Ok(ExitCode::SUCCESS)
}

fn created(output: &Path, first: &StudyFile, force: bool) -> Result<StudyFile, Failure> {
    let new = NewStudy::new(first.program(), first.root());
    StudyFile::draft(output, &new, force).map_err(|error| match error {
        StudyError::Exists { path } => Failure::new(format!("{} already exists", path.display()))
            .hint("replace it with `--force`, or choose another file"),
        error => error.into(),
    })
}

fn not_alike(error: StudyError) -> Failure {
    let is_unlike = matches!(error, StudyError::Unlike { .. });
    let failure = Failure::from(error);
    if is_unlike { failure.hint("merge studies that the same build and configuration made") } else { failure }
}

/// Names the workloads of the configuration in this folder, if there is one, that have no successful run.
fn report_missing(study: &StudyFile, path: &Path, terminal: Terminal) -> Result<(), Failure> {
    if !Path::new(CONFIG_FILE).exists() {
        return Ok(());
    }
    let config = Config::read(Path::new(CONFIG_FILE))?;
    if config.program.name != study.program() {
        return Ok(());
    }
    let states = study.run_states();
    let finished: BTreeSet<&str> =
        states.iter().filter(|run| run.outcome.is_finished()).map(|run| run.workload.as_str()).collect();
    let plan = trend_run::plan(&config)?;
    let names = plan.workloads.iter().map(|planned| planned.workload.name.as_str());
    let missing: Vec<&str> = names.filter(|name| !finished.contains(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let named =
        missing.iter().take(MOST_NAMED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let more = match missing.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let are = if missing.len() == 1 { "1 workload is" } else { &format!("{} workloads are", missing.len()) };
    terminal.warn(&format!("{are} missing: {named}{more}"));
    terminal.hint(&format!("run them with `trend-prof run --study {}`", shell_path(path)));
    Ok(())
}
