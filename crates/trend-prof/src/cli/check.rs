//! Arguments of `trend-prof check`.

use std::path::PathBuf;
use std::str::FromStr;

use std::time::Duration;

use clap::{Args, ValueEnum};
use trend_run::parse_duration;

use super::analysis::Analysis;

#[derive(Debug, Args)]
#[command(after_help = "\
Write expectations in trend-prof.toml:

    [[expect]]
    function = \"parse\"
    growth = \"<= n log n\"
    feature = \"bytes\"

or in the code: `// trend-prof: <= n log n in bytes`. `--save-baseline` stores the current growth of everything in a \
small file for version control, and `--against` compares later versions with it.

Exit codes:

    0   all expectations hold
    1   an expectation is broken
    2   none is broken, but one names something that is not in the study
    3   neither of these, but one is undecided

An expectation that cannot be read is an error, with exit code 2.")]
pub(crate) struct Check {
    /// Study [default: the only *.trend file in this folder]
    pub(crate) study: Option<PathBuf>,
    /// File that defines the expectations [default: trend-prof.toml in this folder, if it exists]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Fail if something grows faster than in this baseline of an earlier version, or costs over 10 % more in the
    /// baseline's most expensive run. Costs at the baseline's target also count, if they are certain enough
    #[arg(long, value_name = "BASELINE")]
    pub(crate) against: Option<PathBuf>,
    /// Write a baseline of this study
    #[arg(long, value_name = "FILE")]
    pub(crate) save_baseline: Option<PathBuf>,
    /// Output format. `github` writes annotations, which the workflow's log shows at the code
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: CheckFormat,
    /// Also write a file, such as `sarif=growth.sarif`; can be repeated
    #[arg(long, value_name = "FORMAT=FILE")]
    pub(crate) report: Vec<CheckReport>,
    /// Treat undecided expectations as if they held
    #[arg(long)]
    pub(crate) allow_undecided: bool,
    /// If an expectation is undecided, run the sizes that would decide it, cheapest first, as configured in
    /// trend-prof.toml, and check again
    #[arg(long)]
    pub(crate) until_decided: bool,
    /// Time limit of --until-decided
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

/// An output file and its format.
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
            let names = CheckFormat::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            let names: Vec<String> = names.map(|value| value.get_name().to_owned()).collect();
            format!("`{format}` is not one of {}", names.join(", "))
        })?;
        Ok(Self { format, file: file.into() })
    }
}
