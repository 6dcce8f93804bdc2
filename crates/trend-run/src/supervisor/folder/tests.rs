//! Tests of who owns the scratch folder, and of its removal.

use std::os::unix::fs::symlink;

use super::*;

fn root() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let (study, folder) = (root.path().join("s.trend"), root.path().join("s.trend.run"));
    (root, study, folder)
}

fn open(study: &Path) -> Result<LockedFolder, RunError> {
    LockedFolder::open_within(study, PATIENCE)
}

fn is_refused(study: &Path) -> bool {
    matches!(open(study), Err(RunError::NotScratch { .. }))
}

#[test]
fn a_second_run_of_one_study_is_refused_and_leftovers_are_cleared() {
    let (root, study, path) = root();
    // The state after a tool was killed with all its supervisors.
    fs::create_dir_all(path.join("0123/counters")).unwrap();
    fs::write(path.join(LOCK), MARK).unwrap();
    let folder = open(&study).unwrap();
    assert!(!path.join("0123").exists());
    let second = LockedFolder::open_within(&study, Duration::from_millis(50));
    assert!(matches!(second, Err(RunError::UnderWay { .. })));
    assert!(open(&root.path().join("t.trend")).is_ok());
    drop(folder);
    assert!(!path.exists());
    assert!(open(&study).is_ok());
}

#[test]
fn a_lock_that_is_let_go_is_waited_for() {
    let (_root, study, _) = root();
    let first = open(&study).unwrap();
    thread::scope(|scope| {
        let second = scope.spawn(|| open(&study).map(drop));
        thread::sleep(Duration::from_millis(100));
        drop(first);
        second.join().unwrap().unwrap();
    });
}

#[test]
fn somebody_elses_folder_is_refused_and_not_touched() {
    for lock in [None, Some(""), Some("mine\n"), Some("trend-prof: not yet\n")] {
        let (_root, study, path) = root();
        fs::create_dir(&path).unwrap();
        fs::write(path.join("thesis"), "x").unwrap();
        if let Some(lock) = lock {
            fs::write(path.join(LOCK), lock).unwrap();
        }
        assert!(is_refused(&study), "{lock:?}");
        assert_eq!(fs::read(path.join("thesis")).unwrap(), b"x");
        assert_eq!(fs::read_to_string(path.join(LOCK)).ok().as_deref(), lock);
    }
}

#[test]
fn links_and_files_in_its_place_are_refused_and_not_followed() {
    let (root, study, path) = root();
    let theirs = root.path().join("theirs");
    fs::create_dir(&theirs).unwrap();
    symlink(&theirs, &path).unwrap();
    assert!(is_refused(&study));
    assert_eq!(fs::read_dir(&theirs).unwrap().count(), 0);
    // A link is refused even if its target has our mark.
    fs::write(theirs.join(LOCK), MARK).unwrap();
    fs::write(theirs.join("thesis"), "x").unwrap();
    assert!(is_refused(&study));
    fs::remove_file(&path).unwrap();
    fs::write(&path, "x").unwrap();
    assert!(is_refused(&study));
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    symlink(theirs.join(LOCK), path.join(LOCK)).unwrap();
    assert!(is_refused(&study));
    assert_eq!(fs::read_dir(&theirs).unwrap().count(), 2);
}

#[test]
fn an_empty_folder_is_taken() {
    let (_root, study, path) = root();
    fs::create_dir(&path).unwrap();
    assert!(open(&study).is_ok());
    // The state after a tool was killed before it wrote its mark.
    fs::create_dir(&path).unwrap();
    fs::write(path.join(LOCK), "").unwrap();
    assert!(open(&study).is_ok());
    assert!(!path.exists());
}

#[test]
fn a_link_that_takes_the_folders_place_leads_nothing_elsewhere() {
    let (root, study, path) = root();
    let folder = open(&study).unwrap();
    let handle = below(folder.handle(), OsStr::new("w"));
    fs::create_dir(&handle).unwrap();
    fs::write(path.join("w/input"), "x").unwrap();
    let theirs = root.path().join("theirs");
    fs::create_dir_all(theirs.join("w")).unwrap();
    fs::write(theirs.join("w/thesis"), "x").unwrap();
    let aside = root.path().join("aside");
    fs::rename(&path, &aside).unwrap();
    symlink(&theirs, &path).unwrap();
    fs::remove_dir_all(&handle).unwrap();
    drop(folder);
    assert!(theirs.join("w/thesis").exists());
    assert!(path.is_symlink());
    assert_eq!(fs::read_dir(&aside).unwrap().count(), 0);
}

#[test]
fn links_in_it_are_removed_and_not_followed() {
    let (root, study, path) = root();
    let theirs = root.path().join("theirs");
    fs::create_dir(&theirs).unwrap();
    fs::write(theirs.join("thesis"), "x").unwrap();
    let folder = open(&study).unwrap();
    symlink(&theirs, path.join("link")).unwrap();
    fs::create_dir(path.join("deeper")).unwrap();
    symlink(&theirs, path.join("deeper/link")).unwrap();
    drop(folder);
    assert!(!path.exists() && theirs.join("thesis").exists());
}

#[test]
fn the_last_of_those_that_share_the_lock_removes_the_folder() {
    let (_root, study, path) = root();
    let folder = open(&study).unwrap();
    let handle = folder.handle().try_clone_to_owned().unwrap();
    let inherited = folder.lock().try_clone_to_owned().unwrap();
    remove_if_last(handle.as_fd(), &path);
    assert!(path.exists(), "the tool has it");
    // As if the tool were killed: it no longer runs and holds no lock.
    std::mem::forget(folder);
    flock(&inherited, FlockOperation::Unlock).unwrap();
    remove_if_last(handle.as_fd(), &path);
    assert!(!path.exists());
}

#[test]
fn names_that_would_be_too_long_are_shortened_each_in_its_own_way() {
    let root = tempfile::tempdir().unwrap();
    let studies = ["a", "b"].map(|end| root.path().join(format!("{}{end}.trend", "n".repeat(248))));
    let folders = studies.each_ref().map(|study| open(study).unwrap());
    assert_ne!(folders[0].path(), folders[1].path());
    assert_eq!(path_of(&studies[0]), folders[0].path());
    assert_eq!(folders[0].path().file_name().unwrap().len(), LONGEST_NAME);
    assert_eq!(path_of(Path::new("/x/s.trend")), Path::new("/x/s.trend.run"));
}
