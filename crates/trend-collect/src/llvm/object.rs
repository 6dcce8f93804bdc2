//! Matches the functions of programs with a coverage mapping to those of profiles.

use std::collections::{HashMap, HashSet};

use super::LlvmError;
use super::coverage_map::{CoverageMap, MappedFunction};
use super::profile::RawProfile;

/// The counters of all profiles of one run, added up.
#[derive(Clone, Debug, Default)]
pub struct SummedProfile {
    /// Counters by digest of the name and checksum.
    functions: HashMap<(u64, u64), Vec<u64>>,
    names: HashSet<u64>,
}

impl SummedProfile {
    /// Adds a profile's counters, saturating.
    ///
    /// # Errors
    /// Fails if a function has different numbers of counters: the profiles are from different builds.
    pub fn add(&mut self, profile: &RawProfile) -> Result<(), LlvmError> {
        for (record, counters) in profile.functions() {
            let sum = self
                .functions
                .entry((record.name_digest, record.hash))
                .or_insert_with(|| vec![0; counters.len()]);
            if sum.len() != counters.len() {
                return Err(LlvmError::Malformed {
                    offset: 0,
                    within: "the profile",
                    what: format!(
                        "function {:#x} has a different number of counters than before",
                        record.name_digest
                    ),
                });
            }
            sum.iter_mut().zip(counters).for_each(|(s, c)| *s = s.saturating_add(*c));
            self.names.insert(record.name_digest);
        }
        Ok(())
    }

    /// Returns the counters of a program's function; `None` if no profile has them.
    ///
    /// # Errors
    /// [`LlvmError::OtherBuild`] if profiles only have counters of a function with that name that was compiled
    /// differently.
    pub fn of_function(&self, function: &MappedFunction) -> Result<Option<&[u64]>, LlvmError> {
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
    /// Returns true if the profile belongs to this program. Compares build ids if both have one, and functions
    /// otherwise.
    pub fn wrote(&self, profile: &RawProfile) -> bool {
        if let Some(id) = self.build_id().filter(|_| !profile.binary_ids().is_empty()) {
            return profile.binary_ids().iter().any(|other| other == id);
        }
        let digests = self.name_digests();
        profile.functions().any(|(record, _)| digests.contains(&record.name_digest))
    }
}
