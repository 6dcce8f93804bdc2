//! `trend-prof demo`: studies the paper's bubble sort, from its source to the report.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use trend_profile::{SeriesKind, StudyFile};
use trend_report::{SeriesFilter, TableOptions};
use trend_run::{
    BuildOutput, CONFIG_FILE, Config, CountSource, ExecuteOptions, Instrumentation, ProbeOptions,
};

use super::findings::report;
use super::measuring::build;
use super::measuring::run::campaign::{Campaign, execution};
use crate::cli;
use crate::failure::{EXIT_EXPECTATION, Failure};
use crate::interruption::Interruption;
use crate::terminal::{self, Terminal};

const FILES: [(&str, &str); 4] = [
    ("bubble_sort.c", include_str!("../../demo/bubble_sort.c")),
    ("main.c", include_str!("../../demo/main.c")),
    ("gen.c", include_str!("../../demo/gen.c")),
    (CONFIG_FILE, include_str!("../../demo/trend-prof.toml")),
];

/// The sizes that `--quick` leaves out, as the configuration spells them.
const SLOW_SIZES: &str = ", 15000, 30000, 60000";

const STUDY: &str = "bubble_sort.trend";

pub(super) fn demo(args: &cli::Demo, terminal: Terminal) -> Result<ExitCode, Failure> {
    unpack(&args.folder, args.quick)?;
    terminal.note(&format!("unpacked the paper's bubble sort into {}", args.folder.display()));
    let config = Config::read(&args.folder.join(CONFIG_FILE))?;
    let command = config.program.build.clone().unwrap_or_default();
    let probe = ProbeOptions { what: args.probe, ..ProbeOptions::default() };
    let instrument = Instrumentation { probe, ..Instrumentation::default() };
    let options = build::options(&config.folder, instrument, BuildOutput::Stderr)?;
    let built = build::instrumented(&command, &options, &Interruption::listen()?, terminal)?;
    if !built.status.success() {
        return Err(Failure::new(format!("the build failed ({})", built.status))
            .hint("the demo needs a C compiler as `cc`")
            .exit_code(EXIT_EXPECTATION));
    }
    let path = args.folder.join(STUDY);
    let options = ExecuteOptions { jobs: args.jobs, ..execution(CountSource::Gcov) };
    let mut campaign = Campaign::begin(&config, &path, options, false, terminal)?.run()?;
    let is_over = campaign.summary.cancelled == 0;
    if !is_over || !campaign.summary.failures.is_empty() {
        campaign.report();
        return Ok(campaign.exit_code(is_over));
    }
    campaign.time()?;
    campaign.finish()?;

    let study = StudyFile::read(&path, None)?;
    let analysis = cli::Analysis::default();
    let findings = crate::study::findings_for_page(&study, &analysis, &[])?;
    let options = |top| TableOptions { top: Some(top), ..terminal.table_options() };
    if args.probe.has_blocks() {
        let options = options(findings.clusters.len());
        terminal::table(&trend_report::table(&findings, Some(&study), &options)?)?;
    }
    if args.probe.has_routines() {
        let (kind, filter) = (SeriesKind::Routine, SeriesFilter::default());
        let options = options(findings.series.len());
        terminal::table(&trend_report::series_table(&findings, kind, filter, &options)?)?;
    }
    let page = report::default_page(&path);
    report::write(&page, &findings, &study, &path, None)?;
    terminal::table(&format!("\nstudy:  {}\nreport: {}\n", path.display(), page.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn unpack(folder: &Path, quick: bool) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::from_error(format!("failed to write {}", folder.display()), &e);
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Failure::new(format!("{} already exists and is not empty", folder.display()))
            .hint("name another folder: `trend-prof demo FOLDER`"));
    }
    fs::create_dir_all(folder).map_err(failed)?;
    for (name, text) in FILES {
        let text = if quick && name == CONFIG_FILE { text.replace(SLOW_SIZES, "") } else { text.to_owned() };
        fs::write(folder.join(name), text).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_configuration_stops_at_8000() {
        let (name, text) = FILES[3];
        let sizes = |text: &str| {
            let config = Config::parse(text, Path::new(name)).unwrap();
            config.workloads.parameters[0].values.last().cloned()
        };
        assert_eq!(sizes(text).as_deref(), Some("60000"));
        assert_eq!(sizes(&text.replace(SLOW_SIZES, "")).as_deref(), Some("8000"));
    }
}
