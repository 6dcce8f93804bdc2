//! What is known of one program or library that has a coverage mapping, and how its functions match
//! those of profiles.

use std::collections::{HashMap, HashSet};

use super::LlvmError;
use super::coverage_map::{CoverageMap, MappedFunction};
use super::profile::RawProfile;

/// The counters of all profiles of one run, added up.
#[derive(Clone, Debug, Default)]
pub struct SummedProfile {
    /// By digest of the name and checksum.
    functions: HashMap<(u64, u64), Vec<u64>>,
    names: HashSet<u64>,
}

impl SummedProfile {
    /// Adds a profile's counters, saturating.
    ///
    /// # Errors
    /// One function has different numbers of counters: the profiles are not of one build.
    pub fn add(&mut self, profile: &RawProfile) -> Result<(), LlvmError> {
        for (record, counters) in profile.functions() {
            let sum =
                self.functions.entry((record.name, record.hash)).or_insert_with(|| vec![0; counters.len()]);
            if sum.len() != counters.len() {
                return Err(LlvmError::Malformed {
                    offset: 0,
                    within: "the profile",
                    what: format!("function {:#x} has another number of counters than before", record.name),
                });
            }
            sum.iter_mut().zip(counters).for_each(|(s, c)| *s = s.saturating_add(*c));
            self.names.insert(record.name);
        }
        Ok(())
    }

    /// The counters of a function of a program, `None` where no profile has them.
    ///
    /// # Errors
    /// [`LlvmError::OtherBuild`] when profiles have only counters of a function of that name that was
    /// compiled differently.
    pub fn of(&self, function: &MappedFunction) -> Result<Option<&[u64]>, LlvmError> {
        if let Some(counters) = self.functions.get(&(function.name_digest, function.hash)) {
            return Ok(Some(counters));
        }
        if !function.is_counted() || !self.names.contains(&function.name_digest) {
            return Ok(None);
        }
        let other =
            self.functions.keys().filter(|(name, _)| *name == function.name_digest).map(|(_, hash)| *hash);
        Err(LlvmError::OtherBuild {
            function: function.name.clone(),
            profile: other.min().unwrap_or_default(),
            program: function.hash,
        })
    }
}

impl CoverageMap {
    /// Whether a profile is this program's: by the build id where both have one, else by the functions.
    pub fn wrote(&self, profile: &RawProfile) -> bool {
        if let Some(id) = self.build_id().filter(|_| !profile.binary_ids().is_empty()) {
            return profile.binary_ids().iter().any(|other| other == id);
        }
        let known = self.name_digests();
        profile.functions().any(|(record, _)| known.contains(&record.name))
    }
}
