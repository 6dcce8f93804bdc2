//! Errors of reading profiles, and programs with a coverage mapping.

/// Reason why a profile or a program is unusable. Each message completes "failed to read PATH: …"; the caller knows the
/// path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LlvmError {
    /// The file is not a raw profile.
    #[error("is not a raw LLVM profile (it begins with {beginning})")]
    NotProfile {
        /// First bytes of the file, printable.
        beginning: String,
    },
    /// The file is not a program in a supported format.
    #[error("is not a readable program: {what}")]
    NotProgram {
        /// Cause of the error.
        what: String,
    },
    /// The program has no coverage mapping.
    #[error(
        "has no coverage mapping ({section} is missing); compile with `-C instrument-coverage` (rustc) or \
         `-fprofile-instr-generate -fcoverage-mapping` (clang), and do not strip the program"
    )]
    NoMapping {
        /// Name of the missing section.
        section: &'static str,
    },
    /// The compiler that wrote the file is too old or too new.
    #[error("has version {version} of the {format}, but this trend-prof reads {supported}")]
    UnknownVersion {
        /// Name of the format.
        format: &'static str,
        /// Version of the file.
        version: u64,
        /// Supported versions, and the compilers that write them.
        supported: &'static str,
    },
    /// The profile counts something else, or in another way.
    #[error(
        "is a profile {what}; build with `-C instrument-coverage` or `-fprofile-instr-generate -fcoverage-mapping`"
    )]
    OtherKind {
        /// Purpose of the profile.
        what: &'static str,
    },
    /// The file ends too early.
    #[error("is cut off at byte {offset}, within {within}: {missing} more bytes were expected")]
    Truncated {
        /// Offset of the incomplete part.
        offset: usize,
        /// Description of that part.
        within: &'static str,
        /// Minimum number of missing bytes.
        missing: usize,
    },
    /// The bytes contradict the format.
    #[error("is damaged at byte {offset} of {within}: {what}")]
    Malformed {
        /// Offset at which the damage was found, from the beginning of that part.
        offset: usize,
        /// Name of the file or section.
        within: &'static str,
        /// Description of the damage.
        what: String,
    },
    /// The profile counts a function that was compiled differently.
    #[error(
        "is from another build than the program: function `{function}` has the checksum {profile:#x}, but \
         {program:#x} in the program; rebuild and run again"
    )]
    OtherBuild {
        /// Linkage name of the function.
        function: String,
        /// Checksum in the profile.
        profile: u64,
        /// Checksum in the program.
        program: u64,
    },
    /// The profile counts no function of the program.
    #[error("counts no function of the program")]
    OtherProgram,
}
