//! The line for a shell that runs a workload as it was run, for those who want to see what it printed.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::shell::{quoted, resolved};
use crate::{Config, PlannedWorkload, Template};

/// What a generator writes is gone with the run, and is made anew here.
const GENERATED: &str = "/tmp/input";

/// The line, for the folder that we were called in. `input` is the input as the program was given it.
pub(super) fn line(config: &Config, workload: &PlannedWorkload, input: Option<&OsStr>) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    line_from(&here, config, workload, input)
}

fn line_from(here: &Path, config: &Config, workload: &PlannedWorkload, input: Option<&OsStr>) -> String {
    let filled = |templates: &[Template], input: Option<&OsStr>| -> Vec<OsString> {
        templates.iter().map(|t| t.fill(workload.fill(input))).collect()
    };
    let input = if config.workloads.generate.is_some() { Some(OsStr::new(GENERATED)) } else { input };
    let fill = |template: &Template| template.fill(workload.fill(input));
    let folder = &config.folder;
    let cwd = config.program.cwd.as_ref().map_or_else(|| folder.clone(), |cwd| folder.join(fill(cwd)));
    let mut parts = Vec::new();
    let mut now = here.to_owned();
    let mut go_to = |place: &Path, parts: &mut Vec<String>| {
        if now != place {
            parts.push(format!("cd {}", word(place)));
            place.clone_into(&mut now);
        }
    };
    if let Some(generator) = &config.workloads.generate {
        go_to(folder, &mut parts);
        parts.push(format!("{} >{GENERATED}", quoted(&filled(generator, None))));
    }
    go_to(&cwd, &mut parts);
    let mut words = filled(&config.program.command, input);
    if cwd != *folder {
        let program: PathBuf = resolved(&words[0], folder).components().collect();
        words[0] = program.into_os_string();
    }
    let variables = config.program.env.iter().map(|(name, value)| format!("{name}={} ", word(fill(value))));
    let mut run = variables.collect::<String>() + &quoted(&words);
    if let Some(stdin) = &config.program.stdin {
        let (given, path) = (PathBuf::from(fill(stdin)), folder.join(fill(stdin)));
        run.push_str(" <");
        run.push_str(&word(if cwd == *folder { given } else { path }));
    }
    parts.push(run);
    parts.join(" && ")
}

fn word(text: impl AsRef<OsStr>) -> String {
    quoted(&[text.as_ref().to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let config = Config::parse(text, Path::new("/study/trend-prof.toml")).unwrap();
        let plan = crate::plan(&config).unwrap();
        plan.workloads.iter().map(|w| line_from(Path::new("/study"), &config, w, None)).collect()
    }

    #[test]
    fn a_line_runs_the_program_where_and_as_it_was_run() {
        let sweep = "[workloads]\nparameters = { n = [5] }\n";
        let here = format!("[program]\ncommand = ['./p', 'a b', '{{n}}']\nstdin = 'in-{{n}}'\n{sweep}");
        assert_eq!(lines(&here), ["./p 'a b' 5 <in-5"]);
        let elsewhere = format!(
            "[program]\ncommand = ['./p', '{{n}}']\ncwd = 'sub'\nenv = {{ SIZE = '{{n}} k' }}\nstdin = 'in'\n{sweep}"
        );
        assert_eq!(lines(&elsewhere), ["cd /study/sub && SIZE='5 k' /study/p 5 </study/in"]);
    }

    #[test]
    fn an_input_that_is_gone_is_made_anew() {
        let text = "[program]\ncommand = ['./p', '{input}']\ncwd = 'sub'\n[workloads]\nparameters = { n = [5] }\n\
                    generate = ['./gen', '{n}']\n";
        assert_eq!(lines(text), ["./gen 5 >/tmp/input && cd /study/sub && /study/p /tmp/input"]);
    }
}
