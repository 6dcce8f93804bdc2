//! Two versions of the runtime in one process: a program loads a library that was built earlier.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use trend_collect::import::ImportError;
use trend_collect::import::probe::ProbeRecord;
use trend_runtime::record::VERSION;

use crate::support::{Build, done, unsealed};

/// Prefix of the runtime's symbols, and the prefix of another version.
const OWN: &str = "trend_probe_4_";
const OTHER: &str = "trend_probe_9_";

/// Copies the sources of the runtime as those of another version.
fn copy_as_other(source: &Path, copy: &Path) {
    fs::create_dir(copy).unwrap();
    for entry in fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        let copy = copy.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_as_other(&path, &copy);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap().replace(OWN, OTHER);
        let text = text.replace(&format!("VERSION: u32 = {VERSION};"), "VERSION: u32 = 9;");
        fs::write(copy, text).unwrap();
    }
}

/// Builds the runtime as another version, with other symbols and another version of the record's layout.
fn other_runtime(folder: &Path) -> PathBuf {
    let copy = folder.join("runtime");
    copy_as_other(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../trend-runtime/src"), &copy);
    let library = folder.join("other_runtime.a");
    let mut compile = Command::new("rustc");
    compile.args(["--crate-name=trend_runtime", "--crate-type=staticlib", "--edition=2024", "-O"]);
    compile.args(["-Cpanic=abort", "-Crelocation-model=pic", "-Ccodegen-units=1", "-Clto=fat"]);
    compile.arg("--cfg=trend_staticlib");
    done(compile.arg(copy.join("lib.rs")).arg("-o").arg(&library));
    library
}

/// Builds a library with a function `twice`, whose hooks call the other version.
fn library(folder: &Path, metric: &[&str]) -> PathBuf {
    let (source, object) = (folder.join("library.c"), folder.join("library.o"));
    let text = "int b[1000];\n__attribute__((noinline)) static int inner(int n) { int s = 0; for (int i = 0; i < n; i++) s += b[i]; return s; }\n\
        int twice(int n) { int s = 0; for (int i = 0; i < 2; i++) s += inner(n); return s; }\n";
    fs::write(&source, text).unwrap();
    Build { compiler: &["-fPIC"], probe: metric, ..Build::default() }.object(&source, &object);
    // Both names have the same length.
    let mut bytes = fs::read(&object).unwrap();
    while let Some(at) = bytes.windows(OWN.len()).position(|part| part == OWN.as_bytes()) {
        bytes[at..at + OTHER.len()].copy_from_slice(OTHER.as_bytes());
    }
    fs::write(&object, bytes).unwrap();
    let library = folder.join("library.so");
    let mut link = Command::new("gcc");
    link.arg("-shared").arg("-o").arg(&library).arg(&object).arg(other_runtime(folder));
    done(link.arg("-Wl,--export-dynamic-symbol=trend_probe_*"));
    library
}

const SOURCE: &str = "#include <dlfcn.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
    int a[1000]; int (*twice)(int); static pthread_barrier_t all, called, closed;
    __attribute__((noinline)) int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
    static void *work(void *n) { for (int i = 0; i < 10; i++) { sum(200); twice(300); } pthread_barrier_wait(&all); return 0; }
    static void *late(void *n) { twice(500); pthread_barrier_wait(&called); pthread_barrier_wait(&closed); sum(500); return 0; }
    int main(int n, char **path) { sum(100); void *library = dlopen(path[1], RTLD_NOW); if (!library) { puts(dlerror()); return 2; }
        twice = (int (*)(int))dlsym(library, \"twice\");
        // All of them live at once, so that each needs its own shadows in both runtimes.
        pthread_barrier_init(&all, 0, 20); pthread_barrier_init(&called, 0, 2); pthread_barrier_init(&closed, 0, 2);
        pthread_t t[20]; for (int i = 0; i < 20; i++) pthread_create(&t[i], 0, work, 0);
        for (int i = 0; i < 20; i++) pthread_join(t[i], 0);
        if (fork() == 0) { sum(400); twice(400); exit(0); } int status; wait(&status);
        pthread_create(&t[0], 0, late, 0); pthread_barrier_wait(&called);
        dlclose(library); if (dlopen(path[1], RTLD_NOW | RTLD_NOLOAD)) return 3;
        pthread_barrier_wait(&closed); pthread_join(t[0], 0); sum(100); return status; }";

#[test]
fn the_names_of_symbols_have_the_version_of_the_layout() {
    assert_eq!(OWN, format!("trend_probe_{VERSION}_"));
}

#[test]
fn a_library_of_another_version_records_for_itself_and_disturbs_nobody() {
    for metric in ["rms", "drms"] {
        let folder = tempfile::tempdir().unwrap();
        let probe = ["--metric", metric];
        let library = library(folder.path(), &probe);
        let program = Build { probe: &probe, link: &["-ldl"], ..Build::default() }.program(SOURCE);
        let (mut command, records) = program.command(&[library.to_str().unwrap()]);
        done(&mut command);
        let mut of_library = 0;
        for file in records.files() {
            let mut bytes = fs::read(&file).unwrap();
            if let Err(error @ ImportError::OtherVersion { .. }) = ProbeRecord::read(&bytes) {
                assert!(error.to_string().contains("it has version 9"));
                // The other version has the same layout here.
                bytes = unsealed(bytes);
                bytes[8..12].copy_from_slice(&VERSION.to_ne_bytes());
                fs::write(file, bytes).unwrap();
                of_library += 1;
            }
        }
        assert_eq!((records.files().len(), of_library), (4, 2), "{metric}: of two processes each");
        let costs = records.costs();
        assert!(costs.warnings.is_empty(), "{metric}: {:?}", costs.warnings);
        assert_eq!(costs.sizes("sum"), [(100, 2), (200, 200), (400, 1), (500, 1)], "{metric}");
        assert_eq!(costs.sizes("inner"), [(300, 400), (400, 2), (500, 2)], "{metric}");
        assert_eq!(costs.sizes("twice"), [(300, 200), (400, 1), (500, 1)], "{metric}");
    }
}
