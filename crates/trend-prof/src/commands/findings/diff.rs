//! `trend-prof diff`: compares the growth of two versions of a program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use trend_analyze::{
    Advise, CompareError, Comparison, Findings, Options, OutOfReach, Outcome, Version, analyze,
    common_feature, common_target, compare, out_of_reach,
};
use trend_profile::{Study, StudyFile, open_readable, shell_path};
use trend_run::{CONFIG_FILE, Config, CountSource, ExecuteOptions, RevisionError, Revisions, Summary};

use crate::cli::{self, DiffFormat};
use crate::commands::measuring::run::campaign::{Campaign, execution};
use crate::failure::{EXIT_EXPECTATION, EXIT_UNDECIDED, Failure};
use crate::interruption::Interruption;
use crate::terminal::Terminal;
use crate::{study, terminal};

pub(crate) fn diff(args: &cli::Diff, terminal: Terminal) -> Result<ExitCode, Failure> {
    if let Some(range) = &args.rev {
        return of_revisions(args, range, terminal);
    }
    let [before, after] = args.studies.as_slice() else {
        return Err(Failure::new("`diff` needs two studies"));
    };
    let names = [before, after].map(|path| path.to_string_lossy().into_owned());
    of_studies(args, [before, after], [&names[0], &names[1]], terminal)
}

fn of_studies(
    args: &cli::Diff,
    paths: [&PathBuf; 2],
    names: [&str; 2],
    terminal: Terminal,
) -> Result<ExitCode, Failure> {
    let mut at = study::sizes(&args.at)?;
    let read = |path: &Path| study::selected(Some(path), &args.analysis, terminal).map(|(_, study)| study);
    let (before, after) = (read(paths[0])?, read(paths[1])?);
    let feature = args.feature.as_deref().or(at.first().map(|(name, _)| name.as_str()));
    let feature = shared_feature(&before, &after, feature, terminal)?;
    if at.is_empty() {
        at.extend(common_target(&before, &after, &feature).map(|size| (feature.clone(), size)));
    }
    let waiting = study::analysing(&after, terminal);
    let mut versions = Versions::analysed(before, after, &feature, &study::options(&args.analysis, &at)?)?;
    let comparison = versions.compared_at(0)?;
    drop(waiting);
    let options = trend_report::TableOptions { top: args.top, ..terminal.table_options() };
    match args.format {
        DiffFormat::Text => {
            terminal::table(&trend_report::diff_table(&comparison, names, &options))?;
        }
        DiffFormat::Markdown => {
            terminal::document(&trend_report::diff_markdown(&comparison, names, &options))?;
        }
        DiffFormat::Json => terminal::document(&trend_report::diff_json(&comparison))?,
    }
    std::mem::forget(versions);
    Ok(ExitCode::from(match comparison.outcome {
        _ if !args.exit_code => 0,
        Outcome::Regressed => EXIT_EXPECTATION,
        Outcome::CannotTell => EXIT_UNDECIDED,
        Outcome::Holds | Outcome::Improved => 0,
    }))
}

/// Returns the feature in which the two versions are compared. Warns if the studies are of different programs.
pub(crate) fn shared_feature(
    before: &Study,
    after: &Study,
    feature: Option<&str>,
    terminal: Terminal,
) -> Result<String, Failure> {
    if before.program() != after.program() {
        terminal.warn(&format!(
            "the studies are for different programs: {} and {}",
            before.program(),
            after.program()
        ));
    }
    common_feature(before, after, feature).map_err(|error| incomparable(&error))
}

/// Two versions and their findings at the same points.
pub(crate) struct Versions {
    studies: [Study; 2],
    pub(crate) findings: [Findings; 2],
    feature: String,
    options: Options,
    out_of_reach: Vec<OutOfReach>,
}

impl Versions {
    /// Analyses both versions at the requested sizes. A size at which a run would take more than a day is replaced by
    /// the largest one that takes less.
    pub(crate) fn analysed(
        before: Study,
        after: Study,
        feature: &str,
        options: &Options,
    ) -> Result<Self, Failure> {
        let wanted = vec![feature.to_owned()];
        let full_features = wanted.clone();
        let mut options = Options { advise: Advise::Nothing, full_features, ..options.clone() };
        let studies = [before, after].map(|study| trend_analyze::to_analyze(study, &wanted, &options.at));
        let mut findings = [analyze(&studies[0], &options)?, analyze(&studies[1], &options)?];
        let requested = 0..findings[1].points.iter().filter(|point| point.asked).count();
        let out_of_reach: Vec<OutOfReach> =
            requested.filter_map(|point| out_of_reach(&findings[0], &findings[1], feature, point)).collect();
        if !out_of_reach.is_empty() {
            options.at = within_reach(&options.at, feature, &out_of_reach);
            findings = [analyze(&studies[0], &options)?, analyze(&studies[1], &options)?];
        }
        Ok(Self { studies, findings, feature: feature.to_owned(), options, out_of_reach })
    }

    /// Returns the number of different sizes of the feature.
    pub(crate) fn targets(&self) -> usize {
        self.options.at.iter().filter(|(name, _)| *name == self.feature).count()
    }

    /// Returns the comparison at the point with this index.
    pub(crate) fn compared_at(&mut self, point: usize) -> Result<Comparison, Failure> {
        let swap = |findings: &mut Findings| findings.swap_with_first_point(point);
        self.findings.iter_mut().for_each(swap);
        let version = |i: usize| Version { study: &self.studies[i], findings: &self.findings[i] };
        let comparison = compare(version(0), version(1), &self.feature, &self.options);
        let at = self.findings[1].points.first().and_then(|point| point.value_named(&self.feature));
        self.findings.iter_mut().for_each(swap);
        let out_of_reach = self.out_of_reach.iter().find(|out| Some(out.largest) == at).copied();
        let comparison = comparison.map_err(|error| incomparable(&error))?;
        Ok(Comparison { out_of_reach, ..comparison })
    }
}

/// Replaces each requested size that takes more than a day by the largest size that does not.
fn within_reach(at: &[(String, f64)], feature: &str, out_of_reach: &[OutOfReach]) -> Vec<(String, f64)> {
    let mut reached: Vec<(String, f64)> = Vec::new();
    for (name, size) in at {
        let out = out_of_reach.iter().find(|out| name == feature && out.asked == *size);
        let place = (name.clone(), out.map_or(*size, |out| out.largest));
        if name != feature || !reached.contains(&place) {
            reached.push(place);
        }
    }
    reached
}

fn incomparable(error: &CompareError) -> Failure {
    Failure::from_error("failed to compare the studies", error).hint(
        "run both with the same trend-prof.toml, so that they have the same features and kind of counts",
    )
}

/// Builds and runs both revisions in separate folders, and compares their studies.
fn of_revisions(args: &cli::Diff, range: &str, terminal: Terminal) -> Result<ExitCode, Failure> {
    let (before, after) =
        range.split_once("..").filter(|(before, _)| !before.is_empty()).ok_or_else(|| {
            Failure::new(format!("--rev {range} is not a range of revisions"))
                .hint("write BEFORE..AFTER, for example main..HEAD")
        })?;
    let after = after.trim_start_matches('.');
    let revisions = [before, if after.is_empty() { "HEAD" } else { after }];
    let config = open_readable(CONFIG_FILE.as_ref()).and_then(std::io::read_to_string).map_err(|error| {
        Failure::from_error(format!("failed to read {CONFIG_FILE}"), &error)
            .hint("write one for the program in this folder with `trend-prof init`")
    })?;
    // From here on a signal ends the build or the run, and the checkouts are removed.
    let interruption = Interruption::listen()?;
    let refused = |error: RevisionError| {
        let failure = Failure::from_error("failed to check out", &error);
        match error {
            RevisionError::Refused { .. } => failure.hint("choose revisions that `git log` shows"),
            RevisionError::NoRepository { .. } | RevisionError::NoFolder(_) => failure,
        }
    };
    let checkouts = Revisions::new(Path::new("."), revisions).map_err(refused)?;
    if checkouts.commit(0) == checkouts.commit(1) {
        return Err(Failure::new(format!("both revisions are the commit {}", checkouts.commit(0)))
            .hint("name two commits, as in `--rev main..HEAD`"));
    }
    let io = |error: std::io::Error| Failure::from_error("failed to make a folder for the revisions", &error);
    // Temporary files of a killed compiler are removed with the checkouts.
    let temporary = checkouts.path().join("temporary");
    std::fs::create_dir(&temporary).map_err(io)?;
    let options = ExecuteOptions { temporary: Some(temporary), ..execution(CountSource::Gcov) };
    let kept = args.keep.clone().unwrap_or_else(|| checkouts.path().join("studies"));
    std::fs::create_dir_all(&kept).map_err(io)?;
    let (mut studies, mut campaigns) = (Vec::new(), Vec::new());
    for (i, revision) in revisions.iter().enumerate() {
        let folder = checkouts.check_out(i).map_err(refused)?;
        let commit = checkouts.commit(i);
        let short = &commit[..commit.len().min(10)];
        terminal.note(&format!("{revision} ({short})"));
        let path = kept.join(format!("{short}.{}", study::SUFFIX));
        let campaign = measure(&config, &folder, revision, &path, options.clone(), terminal)?;
        if interruption.is_requested() {
            return Ok(interruption.exit_code());
        }
        studies.push(path);
        if args.no_time { campaign.finish()? } else { campaigns.push(campaign) }
    }
    Campaign::time_in_turns(&mut campaigns, interruption.flag())?;
    if interruption.is_requested() {
        return Ok(interruption.exit_code());
    }
    campaigns.into_iter().try_for_each(Campaign::finish)?;
    if args.keep.is_some() {
        terminal.note(&format!("kept: {}, {}", shell_path(&studies[0]), shell_path(&studies[1])));
    }
    of_studies(args, [&studies[0], &studies[1]], revisions, terminal)
}

/// Builds a revision and runs the workloads of this folder's configuration.
fn measure(
    config: &str,
    folder: &Path,
    revision: &str,
    study: &Path,
    options: ExecuteOptions,
    terminal: Terminal,
) -> Result<Campaign, Failure> {
    let mut config = Config::parse(config, &folder.join(CONFIG_FILE))?;
    // Take the inputs from the user's folder: the revisions may have others, or none.
    let here = std::env::current_dir()
        .map_err(|error| Failure::from_error("failed to find the folder of the inputs", &error))?;
    for pattern in &mut config.workloads.files {
        *pattern = here.join(&*pattern).to_string_lossy().into_owned();
    }
    let campaign = Campaign::begin(&config, study, options, true, terminal)
        .and_then(Campaign::run)
        .map_err(|failure| failure.about(&format!("revision {revision}")))?;
    let Summary { finished, skipped, cancelled, .. } = campaign.summary;
    if finished + skipped == 0 && cancelled == 0 {
        campaign.report();
        return Err(
            Failure::new(format!("revision {revision}: no run succeeded")).exit_code(EXIT_EXPECTATION)
        );
    }
    if StudyFile::read(study, None).is_err() && cancelled == 0 {
        return Err(
            Failure::new(format!("revision {revision}: nothing was recorded")).exit_code(EXIT_EXPECTATION)
        );
    }
    Ok(campaign)
}
