//! The error about something that the user wrote.

/// The reason why a configuration cannot be used. Completes "failed to read the configuration: …".
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct ConfigError {
    what: String,
    help: String,
}

impl ConfigError {
    /// Creates an error. `what` says what is wrong and where, `help` says what to do and may be empty.
    pub(crate) fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into() }
    }

    /// Returns the error that a placeholder is unknown. `place` is `FILE:LINE: key`, or an argument of the command
    /// line.
    pub(crate) fn unknown_placeholder(place: &str, name: &str, placeholders: &[String]) -> Self {
        let help = if placeholders.is_empty() {
            "set `workloads.files`, `workloads.generate` or `workloads.parameters` to use placeholders; \
             write {{ and }} for braces"
                .to_owned()
        } else {
            let placeholders: Vec<String> = placeholders.iter().map(|k| format!("{{{k}}}")).collect();
            format!("known here: {}; write {{{{ and }}}} for braces", placeholders.join(", "))
        };
        Self::new(format!("{place}: unknown placeholder `{{{name}}}`"), help)
    }

    /// Returns advice, as a sentence that names the flag, file or key.
    pub fn hint(&self) -> Option<&str> {
        Some(self.help.as_str()).filter(|help| !help.is_empty())
    }
}
