//! Arguments of `trend-prof check`.

use std::path::PathBuf;
use std::str::FromStr;

use std::time::Duration;

use clap::{Args, ValueEnum};
use trend_run::parse_duration;

use super::Analysis;

#[derive(Debug, Args)]
#[command(after_help = "\
What is expected stands in trend-prof.toml:

    [[expect]]
    function = \"parse\"
    growth = \"<= n log n\"
    feature = \"bytes\"

or beside the code: `// trend-prof: <= n log n in bytes`. `--save-baseline` keeps how everything grows now in a small file for
version control, and `--against` holds later versions to it.

Exit codes: 0 all hold; 1 one is broken; 2 one names what the study does not have, or cannot be read; 3 none is broken and one is
undecided.")]
pub(crate) struct Check {
    /// The study [default: the one *.trend file of this folder]
    pub(crate) study: Option<PathBuf>,
    /// Where expectations stand [default: trend-prof.toml in this folder, if it is there]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Hold the program to an earlier version: nothing grows faster, or costs a tenth more at ten times the size, than this
    /// baseline says
    #[arg(long, value_name = "BASELINE")]
    pub(crate) against: Option<PathBuf>,
    /// Write such a baseline of this study
    #[arg(long, value_name = "FILE")]
    pub(crate) save_baseline: Option<PathBuf>,
    /// How to write it. `github` are annotations, which a workflow's log shows at the code
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: CheckFormat,
    /// Write a file as well, such as `sarif=growth.sarif`; may be given several times
    #[arg(long, value_name = "FORMAT=FILE")]
    pub(crate) report: Vec<CheckReport>,
    /// Exit with 0 where an expectation is undecided
    #[arg(long)]
    pub(crate) allow_undecided: bool,
    /// Where an expectation is undecided, run the sizes that would decide it, the cheapest first, as trend-prof.toml says,
    /// and judge again
    #[arg(long)]
    pub(crate) until_decided: bool,
    /// The time that --until-decided may take
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_duration, requires = "until_decided")]
    pub(crate) budget: Duration,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    Text,
    Json,
    Markdown,
    Junit,
    Sarif,
    Github,
}

/// A file in a format.
#[derive(Clone, Debug)]
pub(crate) struct CheckReport {
    pub(crate) format: CheckFormat,
    pub(crate) file: PathBuf,
}

impl FromStr for CheckReport {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, file) =
            text.split_once('=').ok_or("names no file; write for example `sarif=growth.sarif`")?;
        let format = CheckFormat::from_str(format, false).map_err(|_| {
            let known = CheckFormat::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            let known: Vec<String> = known.map(|value| value.get_name().to_owned()).collect();
            format!("`{format}` is not one of {}", known.join(", "))
        })?;
        Ok(Self { format, file: file.into() })
    }
}
