//! Program of a trial, its build, and the parameter to vary.

use std::ffi::OsStr;
use std::path::Path;

use trend_profile::shell_word;
use trend_run::{CONFIG_FILE, Config, Language, Parameter, Seed, Template};

use crate::cli;
use crate::commands::measuring::grow;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// The program, its build and the parameter to vary.
pub(super) struct Setup {
    pub(super) config: Config,
    /// The command for a full rebuild, if the build would take a program without counters for up to date.
    pub(super) build_anew: Option<String>,
    /// The parameter whose values are chosen, if any.
    pub(super) scouted: Option<String>,
    /// True if the configuration is the folder's `trend-prof.toml`.
    pub(super) is_configured: bool,
}

impl Setup {
    /// Decides whether and how to build the program first.
    pub(super) fn choose_build(&mut self, args: &cli::Try) -> bool {
        let is_to_build = !args.no_build
            && self.config.language().is_none_or(Language::is_built)
            && self.config.program.build.is_some()
            && (self.is_configured
                || self.config.language().is_some()
                || trend_run::may_be_made(&self.config));
        if args.no_build {
            // Messages tell that the build was skipped.
        } else if !is_to_build {
            self.config.program.build = None;
        } else if let Some(anew) = &self.build_anew
            && trend_run::is_made_without_counters(&self.config)
        {
            // Make considers a program without counters up to date, so force a rebuild.
            self.config.program.build = Some(vec!["sh".into(), "-c".into(), anew.into()]);
        }
        is_to_build
    }

    /// Suggests the next commands.
    pub(super) fn offer(&self, args: &cli::Try, path: &Path, terminal: Terminal) {
        let words: Vec<String> =
            args.command.iter().map(|word| shell_word(&word.to_string_lossy())).collect();
        if !self.is_configured {
            let seed =
                args.grow.iter().map(|seed| format!(" --grow {}", shell_word(&seed.to_string_lossy())));
            let command = if words.is_empty() { String::new() } else { format!(" -- {}", words.join(" ")) };
            let files = if args.files.is_empty() { "" } else { ", and set `files` in it" };
            terminal.note(&format!(
                "to keep this, write {CONFIG_FILE} with `trend-prof init{}{command}`{files}",
                seed.collect::<String>()
            ));
        }
        terminal.note(&format!(
            "next: `trend-prof report {0}`, `trend-prof show {0} --by cluster`",
            shell_word(&path.to_string_lossy())
        ));
    }
}

pub(super) fn setup(args: &cli::Try, terminal: Terminal) -> Result<Setup, Failure> {
    let folder = Path::new(".");
    let file = folder.join(CONFIG_FILE);
    if args.command.is_empty() && file.exists() {
        terminal.note(&format!("using {CONFIG_FILE}"));
        let mut config = Config::read(&file)?;
        config.read_run()?;
        return Ok(Setup { config, build_anew: None, scouted: None, is_configured: true });
    }
    let seed = args.grow.as_deref().map(grow::seed);
    if let Some(seed) = seed
        && let Some(word) = args.command.iter().find(|word| is_same_file(word, seed.path))
    {
        let word = shell_word(&word.to_string_lossy());
        return Err(Failure::new(format!(
            "the command names the file {word}, so all runs would read the same input"
        ))
        .hint(format!("write `{{input}}` instead of {word}")));
    }
    let mut proposal = trend_run::propose(folder, &args.command, seed)?;
    let mut config = Config::parse(&proposal.text, &file)?;
    config.read_run()?;
    // The file may contain only expectations.
    if let Some(build) = Config::read(&file).ok().and_then(|written| written.program.build)
        && !args.command.is_empty()
    {
        config.program.build = Some(build);
        proposal.build_anew = None;
    }
    let build_anew = proposal.build_anew;
    if args.command.is_empty() {
        proposal.findings.iter().for_each(|finding| terminal.note(finding));
    }
    let given =
        args.parameters.iter().map(|p| trend_run::parse_parameter(p)).collect::<Result<Vec<_>, _>>()?;
    let workloads = &mut config.workloads;
    for Parameter { name, values } in given.clone() {
        let Some(swept) = workloads.parameters.iter_mut().find(|swept| swept.name == name) else {
            return Err(Failure::new(format!("--param {name}: the command contains no {{{name}}}"))
                .hint(format!("write `{{{name}}}` where the command takes the value")));
        };
        swept.values = values;
    }
    if !args.files.is_empty() {
        workloads.files.clone_from(&args.files);
    }
    if let Some(stdin) = &args.stdin {
        config.program.stdin = Some(Template::parse(stdin));
    }
    if let Some(seed) = seed {
        grown(&mut config, seed)?;
        if seed.parameter == grow::PERCENT {
            terminal.warn(&format!(
                "inputs larger than {} repeat it, so growth with the number of distinct items does not show; \
                 use real inputs with `--files`",
                seed.path.display()
            ));
        }
    }
    let takes_files = !config.workloads.files.is_empty();
    if takes_files && args.files.is_empty() && !proposal.to_do.is_empty() {
        let hint = "give a command: `trend-prof try -- ./program {n}`, `trend-prof try --files 'inputs/*' \
                    -- ./program {input}`, or use `--grow` with one input";
        return Err(Failure::new("no size to vary").hint(hint));
    }
    let is_given = |p: &&Parameter| given.iter().any(|g| g.name == p.name);
    let open: Vec<String> = config
        .workloads
        .parameters
        .iter()
        .filter(|p| !p.is_repetition() && !is_given(p))
        .map(|p| p.name.clone())
        .collect();
    match open.as_slice() {
        [] => Ok(Setup { config, build_anew, scouted: None, is_configured: false }),
        [one] => {
            let scouted = Some(one.clone());
            // Any number works here: steering replaces it.
            config
                .workloads
                .parameters
                .iter_mut()
                .filter(|p| p.name == *one)
                .for_each(|p| p.values = vec!["4".to_owned()]);
            Ok(Setup { config, build_anew, scouted, is_configured: false })
        }
        several => Err(Failure::new(format!("only one of {{{}}} can vary", several.join("}, {")))
            .hint(format!("set the others: `--param {}=10`", several[1]))),
    }
}

fn is_same_file(word: &OsStr, file: &Path) -> bool {
    std::fs::canonicalize(word)
        .ok()
        .is_some_and(|word| std::fs::canonicalize(file).is_ok_and(|file| word == file))
}

/// Lets this executable make the inputs from the seed, even if another is installed.
pub(super) fn grown(config: &mut Config, seed: Seed<'_>) -> Result<(), Failure> {
    let path = std::fs::canonicalize(seed.path)
        .map_err(|error| Failure::from_error(format!("failed to read {}", seed.path.display()), &error))?;
    let binary = std::env::current_exe()
        .map_err(|error| Failure::from_error("failed to find this executable", &error))?;
    let size = Template::parse(OsStr::new(&format!("{{{}}}", seed.parameter)));
    let literals = [binary.as_os_str(), "grow".as_ref(), path.as_os_str()].map(Template::literal);
    let workloads = &mut config.workloads;
    workloads.generate = Some(literals.into_iter().chain([size]).collect());
    workloads.files.clear();
    if workloads.parameters.iter().all(|parameter| parameter.name != seed.parameter) {
        workloads.parameters.insert(0, Parameter { name: seed.parameter.to_owned(), values: Vec::new() });
    }
    Ok(())
}
