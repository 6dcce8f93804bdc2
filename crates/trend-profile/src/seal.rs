//! Which studies were made here, by this user.
//!
//! A study names the folder that its sources lie in. One that somebody else made could name any folder of this machine, and
//! `serve` would open files of it in the user's editor. So a study that is made here is sealed: with a code over its identity and its
//! folder that only who has this user's key can make. The key is made when it is first needed, and never leaves its file.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::{NewStudy, Study, StudyId};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// Bytes of a key: as many as SHA-256 takes at once.
const LENGTH: usize = 64;

impl NewStudy {
    /// Adds the seal of this user; none where no key can be kept.
    #[must_use]
    pub fn sealed(self) -> Self {
        let seal = key_file()
            .and_then(|path| key(&path).ok())
            .map(|key| code(&key, self.id, &self.root).finalize().into_bytes().to_vec());
        Self { seal: seal.unwrap_or_default(), ..self }
    }
}

impl Study {
    /// Whether this user made the study with the root that it has.
    pub fn is_ours(&self) -> bool {
        let Some(key) = key_file().and_then(|path| read(&path).ok()) else { return false };
        code(&key, self.id(), self.root()).verify_slice(self.seal()).is_ok()
    }
}

fn code(key: &[u8; LENGTH], id: StudyId, root: &str) -> Hmac<Sha256> {
    let mut code = Hmac::<Sha256>::new(key.into());
    code.update(b"trend-prof root\0");
    code.update(&id.0);
    code.update(root.as_bytes());
    code
}

/// Where the key is: in the user's state, which is no configuration to be shared and no cache to be cleared.
fn key_file() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")))?;
    Some(state.join("trend-prof/key"))
}

/// The key, which is made where there is none.
fn key(path: &Path) -> io::Result<[u8; LENGTH]> {
    if let Ok(key) = read(path) {
        return Ok(key);
    }
    let folder = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)?;
    let mut key = [0; LENGTH];
    getrandom::fill(&mut key)?;
    // Complete under another name first, which only this user can read; who is first wins, and both use that one.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&key)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(e) if e.error.kind() != io::ErrorKind::AlreadyExists => Err(e.error),
        _ => read(path),
    }
}

fn read(path: &Path) -> io::Result<[u8; LENGTH]> {
    let mut key = [0; LENGTH];
    let mut file = File::open(path)?;
    file.read_exact(&mut key)?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_of_one_key_one_study_and_one_root() {
        let made = |key: u8, id: u8, root: &str| {
            code(&[key; LENGTH], StudyId([id; 16]), root).finalize().into_bytes().to_vec()
        };
        let seal = made(1, 2, "/src");
        for other in [made(9, 2, "/src"), made(1, 9, "/src"), made(1, 2, "/etc")] {
            assert_ne!(other, seal);
            assert!(code(&[1; LENGTH], StudyId([2; 16]), "/src").verify_slice(&other).is_err());
        }
        assert!(code(&[1; LENGTH], StudyId([2; 16]), "/src").verify_slice(&seal).is_ok());
        assert!(code(&[1; LENGTH], StudyId([2; 16]), "/src").verify_slice(&[]).is_err());
    }

    #[test]
    fn the_key_is_made_once_and_only_its_user_reads_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/key");
        let first = key(&path).unwrap();
        assert_eq!(key(&path).unwrap(), first);
        assert_ne!(first, [0; LENGTH]);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
