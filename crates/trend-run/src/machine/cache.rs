//! The user's folder for files that can be made again.

use std::path::PathBuf;

/// Returns the folder of this tool in the user's cache, or `None` if no variable names it.
pub(crate) fn user_cache() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let cache = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")))?;
    Some(cache.join("trend-prof"))
}
