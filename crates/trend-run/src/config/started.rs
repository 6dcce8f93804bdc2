//! The program that a command such as `cargo run` starts in the end.

use std::ffi::OsString;
use std::path::Path;

use super::program::ProgramConfig;
use super::settings::Config;
use crate::program::language::Language;
use crate::project::cargo_run::CargoRun;
use crate::project::go_run::GoRun;
use crate::words::error::ConfigError;
use crate::words::placeholder::Template;

impl Config {
    /// Replaces a `cargo run` or `go run` command by the program that it starts. Also sets the build command if none is
    /// configured.
    ///
    /// # Errors
    /// Fails if it is unclear which program the command would start.
    pub fn read_run(&mut self) -> Result<(), ConfigError> {
        let words: Vec<String> = self.program.command.iter().map(Template::text).collect();
        if let Some(run) = GoRun::read(&self.folder, &words) {
            self.read_go_run(run?);
            return Ok(());
        }
        let Some(run) = CargoRun::read(&self.folder, &words).transpose()? else { return Ok(()) };
        let is_named_so = self.program.name == ProgramConfig::name_of(Path::new(&words[0]));
        if is_named_so {
            self.program.name.clone_from(&run.command[0]);
        }
        self.program.build.get_or_insert_with(|| run.build.iter().map(OsString::from).collect());
        self.program.command = run.command.iter().map(|word| Template::parse(word.as_ref())).collect();
        Ok(())
    }

    fn read_go_run(&mut self, run: GoRun) {
        let program = &mut self.program;
        program.name = run.name;
        program.language = Some(Language::Go);
        program.build.get_or_insert(run.build);
        program.timed.get_or_insert(run.plain);
        program.command = run.command.iter().map(|word| Template::parse(word)).collect();
    }
}
