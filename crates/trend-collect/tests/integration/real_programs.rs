//! Compares every block count of four real programs with gcov: bzip2, SQLite, brotli and, in C++, Clipper. Their
//! sources come with crates, which `cargo vendor` downloads into `target/tmp` once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Instant;

use trend_collect::{Data, Program};

use crate::oracle::{Compared, Compiler, GCC, files_below, run};

const SOURCES: &str = r#"
[package]
name = "sources"
version = "0.0.0"
edition = "2024"

[lib]
path = "lib.rs"

[dependencies]
brotlic-sys = "=0.2.2"
bzip2-sys = "=0.1.13"
clipper-sys = "=0.8.0"
libsqlite3-sys = "=0.39.1"

[workspace]
"#;
const CLANG: Compiler = Compiler { c: "clang-19", cpp: "clang++-19", gcov: &["llvm-cov-19", "gcov"] };

/// Returns the folder with the crates' sources.
fn sources() -> &'static Path {
    static SOURCES_FOLDER: OnceLock<PathBuf> = OnceLock::new();
    SOURCES_FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real-programs");
        let vendored = folder.join("vendored");
        fs::create_dir_all(&folder).unwrap();
        // Each test may be a separate process, and all of them start at once.
        let lock = fs::File::create(folder.join("lock")).unwrap();
        lock.lock().unwrap();
        if fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|t| t == SOURCES) && vendored.is_dir() {
            return vendored;
        }
        fs::write(folder.join("lib.rs"), "").unwrap();
        run(Command::new(env!("CARGO")).args(["vendor", "vendored.new"]).current_dir({
            fs::write(folder.join("Cargo.toml"), SOURCES).unwrap();
            &folder
        }));
        let _ = fs::remove_dir_all(&vendored);
        fs::rename(folder.join("vendored.new"), &vendored).unwrap();
        vendored
    })
}

/// Returns a new folder with a copy of a crate's folder and of a driver.
fn copied(name: &str, sources_folder: &str, driver: Option<&str>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let from = sources().join(sources_folder);
    for extension in ["c", "h", "cpp", "hpp"] {
        for path in files_below(&from, extension) {
            let to = folder.join(path.strip_prefix(&from).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(path, to).unwrap();
        }
    }
    if let Some(driver) = driver {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drivers").join(driver);
        fs::copy(from, folder.join(driver)).unwrap();
    }
    folder
}

fn compare_all(compiler: &Compiler, folder: &Path, name: &str) -> Compared {
    let mut compared = Compared::default();
    for data in files_below(folder, "gcda") {
        compared += compiler.compare(folder, &data);
    }
    eprintln!("{name} ({}): {compared:?}", compiler.c);
    assert!(compared.unprinted * 20 < compared.blocks);
    compared
}

fn bzip2(compiler: &Compiler) {
    if !compiler.is_there() {
        return;
    }
    let folder = copied(&format!("bzip2-{}", compiler.c), "bzip2-sys/bzip2-1.0.8", None);
    let sources =
        ["blocksort", "bzip2", "bzlib", "compress", "crctable", "decompress", "huffman", "randtable"];
    let sources = sources.map(|s| format!("{s}.c"));
    compiler.build(&folder, &sources.each_ref().map(String::as_str), &["-O2"]);
    run(Command::new("./program").args(["-k", "-9", "bzip2.c", "blocksort.c"]).current_dir(&folder));
    run(Command::new("./program").args(["-t", "bzip2.c.bz2"]).current_dir(&folder));
    let compared = compare_all(compiler, &folder, "bzip2 -O2");
    assert!(compared.blocks > 1000 && compared.executed > 500, "{compared:?}");
}

fn clipper(compiler: &Compiler) {
    if !compiler.is_there() {
        return;
    }
    let name = format!("clipper-{}", compiler.c);
    let folder = copied(&name, "clipper-sys/clipper", Some("polygons.cpp"));
    compiler.build(&folder, &["clipper.cpp", "polygons.cpp"], &["-O2"]);
    run(Command::new("./program").current_dir(&folder));
    let compared = compare_all(compiler, &folder, "clipper -O2");
    assert!(compared.blocks > 1500 && compared.executed > 500, "{compared:?}");
}

#[test]
fn every_block_of_bzip2_agrees() {
    bzip2(&GCC);
    bzip2(&CLANG);
}

#[test]
fn every_block_of_clipper_agrees() {
    clipper(&GCC);
    clipper(&CLANG);
}

#[test]
fn every_block_of_brotli_agrees() {
    let folder = copied("brotli", "brotlic-sys/brotli/c", Some("pack.c"));
    let sources = files_below(&folder, "c");
    let sources: Vec<&str> = sources
        .iter()
        .map(|p| p.strip_prefix(&folder).unwrap().to_str().unwrap())
        .filter(|s| s.starts_with("common") || s.starts_with("enc") || s.starts_with("dec") || *s == "pack.c")
        .collect();
    GCC.build(&folder, &sources, &["-O1", "-Iinclude", "-lm", "-fprofile-update=atomic"]);
    run(Command::new("./program").current_dir(&folder));
    let compared = compare_all(&GCC, &folder, "brotli -O1");
    assert!(compared.blocks > 3000 && compared.executed > 2000, "{compared:?}");
}

#[test]
fn every_block_of_sqlite_agrees() {
    let folder = copied("sqlite", "libsqlite3-sys/sqlite3", Some("database.c"));
    let flags = ["-O0", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"];
    GCC.build(&folder, &["sqlite3.c", "database.c"], &flags);
    run(Command::new("./program").current_dir(&folder));
    let compared = compare_all(&GCC, &folder, "SQLite -O0");
    assert!(compared.blocks > 30_000 && compared.executed > 8_000, "{compared:?}");

    let notes = fs::read(folder.join("sqlite3.gcno")).unwrap();
    let data = fs::read(folder.join("sqlite3.gcda")).unwrap();
    let mut program = Program::new(folder.to_str().unwrap());
    let start = Instant::now();
    let object = program.add_notes("sqlite3.gcno", &notes).unwrap();
    let decoded = start.elapsed();
    let mut counts = vec![0; program.locations().len()];
    let start = Instant::now();
    program.add_data(object, &Data::parse(&data).unwrap(), &mut counts).unwrap();
    let added = start.elapsed();
    let (functions, locations) = (program.functions().len(), program.locations().len());
    eprintln!("SQLite: {functions} functions, {locations} locations; notes {decoded:?}, counts {added:?}");
}
