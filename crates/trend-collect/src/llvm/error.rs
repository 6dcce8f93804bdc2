//! What can go wrong with profiles and programs that have a coverage mapping.

/// Why a profile or a program could not be used. Each completes "failed to read PATH: …"; the caller
/// knows the path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LlvmError {
    /// The file is no raw profile.
    #[error("is not a raw LLVM profile (it begins with {found})")]
    NotProfile {
        /// The first bytes, printable.
        found: String,
    },
    /// The file is no program of a kind that is read.
    #[error("is not a program that can be read: {what}")]
    NotProgram {
        /// Why.
        what: String,
    },
    /// The program has no coverage mapping.
    #[error(
        "has no coverage mapping (it lacks {section}): compile with `-C instrument-coverage` (rustc) or \
         `-fprofile-instr-generate -fcoverage-mapping` (clang), and do not strip the program"
    )]
    NoMapping {
        /// The section that is not there.
        section: &'static str,
    },
    /// A compiler that is too old or too new wrote the file.
    #[error("has version {version} of the {format}, and this trend-prof reads {known}")]
    UnknownVersion {
        /// The format.
        format: &'static str,
        /// The file's version.
        version: u64,
        /// The versions that are read, and whose they are.
        known: &'static str,
    },
    /// The profile counts something else, or in another way.
    #[error(
        "is a profile {what}; build with `-C instrument-coverage` or `-fprofile-instr-generate -fcoverage-mapping`"
    )]
    OtherKind {
        /// What it is for.
        what: &'static str,
    },
    /// The file ends too early.
    #[error("is cut off at byte {offset}, within {within}: {missing} more bytes were expected")]
    Truncated {
        /// Where the part begins that is not all there.
        offset: usize,
        /// What that part is.
        within: &'static str,
        /// How much is lacking at least.
        missing: usize,
    },
    /// The bytes contradict the format.
    #[error("is damaged at byte {offset} of {within}: {what}")]
    Malformed {
        /// Where it was noticed, from the beginning of that part.
        offset: usize,
        /// The file or section.
        within: &'static str,
        /// What is wrong.
        what: String,
    },
    /// The profile counts a function that was compiled differently.
    #[error(
        "is of another build than the program: function `{function}` has the checksum {profile:#x}, and \
         {program:#x} in the program; build again and run again"
    )]
    OtherBuild {
        /// The function's linkage name.
        function: String,
        /// The checksum in the profile.
        profile: u64,
        /// The checksum in the program.
        program: u64,
    },
    /// The profile counts no function of the program.
    #[error("counts no function of the program")]
    OtherProgram,
}
