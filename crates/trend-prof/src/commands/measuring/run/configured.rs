//! Configuration of the runs: from its file, or from the command line.

use std::path::Path;

use trend_run::{CONFIG_FILE, CommandLine, Config, ConfigError};

use super::program;
use crate::cli;
use crate::failure::Failure;

/// Reads the configuration of a file, with the probe that its program was built with.
pub(crate) fn configured(path: &Path) -> Result<Config, Failure> {
    let mut config = Config::read(path)?;
    config.read_run()?;
    let built = trend_run::probe_of(&program::of_earlier_build(&config, true));
    config.program.probe = built.unwrap_or(config.program.probe);
    Ok(config)
}

pub(super) fn configuration(args: &cli::Run) -> Result<Config, Failure> {
    let mut config = written(args)?;
    config.read_run()?;
    // A program on the command line may come from any build, so look up its probe.
    let built = || {
        if args.command.is_empty() {
            None
        } else {
            trend_run::probe_of(&program::of_earlier_build(&config, true))
        }
    };
    config.program.probe = args.probe.or_else(built).unwrap_or(config.program.probe);
    config.shard = args.shard;
    Ok(config)
}

/// Returns the configuration from the file or the command line.
fn written(args: &cli::Run) -> Result<Config, Failure> {
    if args.command.is_empty() {
        let path = args.config.clone().unwrap_or_else(|| CONFIG_FILE.into());
        return Ok(Config::read(&path)?);
    }
    let parameters =
        args.parameters.iter().map(|p| trend_run::parse_parameter(p)).collect::<Result<_, _>>()?;
    let line = CommandLine {
        command: args.command.clone(),
        parameters,
        files: args.files.clone(),
        stdin: args.stdin.clone().map(Into::into),
    };
    let mut config = Config::from_command_line(Path::new("."), line)?;
    config.program.exit_codes = Some(args.exit_codes.clone()).filter(|codes| !codes.is_empty());
    Ok(config)
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::from_error("failed to read the configuration", &error).maybe_hint(error.hint())
    }
}
