use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use trend_profile::WarningKind;

use trend_run::{BuildOptions, BuildReport, Instrumentation, Update, build};

use crate::bench::{Bench, LOOP, LOOP_LINE, shim_binary, sweep};

fn built(folder: &Path, command: &[&str]) -> BuildReport {
    let command: Vec<OsString> = command.iter().map(OsString::from).collect();
    let options = BuildOptions {
        folder: folder.to_owned(),
        shim_binary: shim_binary(),
        cache: Some(folder.join("cache")),
        ..BuildOptions::default()
    };
    build(&command, &options, &AtomicBool::new(false)).unwrap()
}

fn bench() -> Bench {
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    bench.write("loop.c", LOOP);
    bench
}

#[test]
fn a_built_program_counts() {
    let bench = bench();
    let report = built(bench.folder.path(), &["cc -c loop.c -o loop.o && gcc loop.o -o loop"]);
    assert!(report.status.success());
    assert_eq!((report.compilations, report.links), (1, 1), "{report:?}");
    assert!(report.warnings.is_empty());
    assert!(report.compilers.iter().any(|c| c.version.contains("gcc") || c.version.contains("cc")));
    bench.run(&sweep("[70]", ""));
    assert_eq!(bench.loaded().executions_of_line(LOOP_LINE).unwrap(), [70]);
}

#[test]
fn a_program_whose_notes_are_gone_is_told_of_at_the_build_and_what_is_proposed_helps() {
    let bench = bench();
    let gone = bench.folder.path().join("gone");
    let line =
        "mkdir gone && cp loop.c gone && (cd gone && cc -c loop.c) && cc gone/loop.o -o loop && mv gone kept";
    let report = built(bench.folder.path(), &[line]);
    let [warning] = report.warnings.as_slice() else { panic!("{report:?}") };
    assert_eq!(warning.kind, WarningKind::LostNotes);
    assert!(
        warning.message.contains(&format!("{}/loop.gcno are missing", gone.display())),
        "{}",
        warning.message
    );
    assert!(warning.message.contains("so runs of loop will fail"), "{}", warning.message);
    std::os::unix::fs::symlink(bench.path("kept"), gone).unwrap();
    bench.run(&sweep("[70]", ""));
    assert_eq!(bench.loaded().executions_of_line(LOOP_LINE).unwrap(), [70]);
}

#[test]
fn objects_that_are_renamed_and_programs_that_are_moved_keep_their_notes() {
    let bench = bench();
    let line = "cc -c loop.c -o tmp.o && mv tmp.o loop.o && mkdir out && cc loop.o -o out/a && mv out/a loop";
    let report = built(bench.folder.path(), &[line]);
    assert!(report.warnings.is_empty(), "{report:?}");
    bench.run(&sweep("[70]", ""));
    assert_eq!(bench.loaded().executions_of_line(LOOP_LINE).unwrap(), [70]);
}

#[test]
fn cc_and_cxx_are_shims_and_calls_without_code_pass_through() {
    let bench = bench();
    let line = "$CC --version >/dev/null && $CC -E loop.c >/dev/null && $CC -c loop.c && case $CXX in */cache/shims/*) ;; *) exit 9;; esac";
    let report = built(bench.folder.path(), &[line]);
    assert!(report.status.success());
    assert_eq!(report.compilations, 1);
    let passed: usize = report.passed_through.iter().map(|(_, n)| n).sum();
    assert_eq!(passed, 2, "{report:?}");
    assert!(bench.path("loop.gcno").exists());
}

#[test]
fn a_shim_that_is_called_outside_of_a_build_adds_nothing() {
    let bench = bench();
    built(bench.folder.path(), &["cc --version >/dev/null"]);
    let shims =
        fs::read_dir(bench.path("cache/shims")).unwrap().next().expect("those of one executable").unwrap();
    let cc = shims.path().join("cc");
    let status =
        std::process::Command::new(cc).args(["-c", "loop.c"]).current_dir(bench.folder.path()).status();
    assert!(status.unwrap().success());
    assert!(bench.path("loop.o").exists() && !bench.path("loop.gcno").exists());
}

#[test]
fn a_wrapper_that_looks_for_the_next_compiler_does_not_come_back() {
    use std::os::unix::fs::PermissionsExt;
    let bench = bench();
    fs::create_dir(bench.path("wrap")).unwrap();
    // A wrapper like ccache: called as gcc, it calls the next gcc on PATH.
    let wrapper = "#!/bin/sh\necho wrapped >>\"$(dirname \"$0\")/calls\"\nfor d in $(echo $PATH | tr : ' '); do\n\
                   if [ -x $d/gcc ] && [ $d/gcc != \"$0\" ]; then exec $d/gcc \"$@\"; fi\ndone\n";
    bench.write("wrap/gcc", wrapper);
    fs::set_permissions(bench.path("wrap/gcc"), fs::Permissions::from_mode(0o755)).unwrap();
    let wrapped = bench.path("wrap").display().to_string();
    // In the first line the wrapper calls the shim, in the second the shim calls the wrapper.
    for line in [
        format!("PATH={wrapped}:$PATH gcc -c loop.c"),
        format!("PATH=${{PATH%%:*}}:{wrapped}:$PATH gcc -c loop.c"),
    ] {
        let report = built(bench.folder.path(), &[&line]);
        assert!(report.status.success(), "{line}");
        assert_eq!(report.compilations, 1, "{line}");
    }
}

#[test]
fn two_sources_of_one_name_and_a_build_of_nothing_are_noticed() {
    let bench = bench();
    fs::create_dir(bench.path("a")).unwrap();
    bench.write("a/x.c", "int f(void) { return 1; }");
    bench.write("x.c", "int f(void); int main(void) { return f() - 1; }");
    let report = built(bench.folder.path(), &["gcc", "a/x.c", "x.c", "-o", "prog"]);
    assert_eq!(report.warnings[0].kind, WarningKind::SharedNotes);
    let again = built(bench.folder.path(), &["true"]);
    assert_eq!(again.warnings[0].kind, WarningKind::InstrumentedBefore);
    fs::remove_file(bench.path("prog")).unwrap();
    let nothing = built(bench.folder.path(), &["true"]);
    assert_eq!(nothing.warnings[0].kind, WarningKind::NothingInstrumented);
}

#[test]
fn a_program_that_cannot_start_threads_has_plain_counters() {
    let bench = bench();
    bench.write("threads.c", "#include <pthread.h>\nvoid *none(void *p) { return p; }\nint main(void) { pthread_t t; return pthread_create(&t, 0, none, 0) || pthread_join(t, 0); }\n");
    for (source, compiler) in
        [("loop.c", "gcc -O2"), ("loop.c", "gcc -O0 -no-pie"), ("threads.c", "gcc -pthread")]
    {
        let report = built(bench.folder.path(), &[&format!("{compiler} -o program {source}")]);
        let listing =
            std::process::Command::new("objdump").arg("-d").arg(bench.path("program")).output().unwrap();
        let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
        let updates = || listing.lines().filter(|l| l.contains("__gcov0.main"));
        let locked = updates().filter(|l| l.contains("lock ")).count();
        assert!(updates().count() > 0);
        if source == "loop.c" {
            assert_eq!((locked, report.plain.len(), report.locked.len()), (0, 1, 0), "{listing}");
        } else {
            assert_eq!(
                (locked, report.plain.len(), report.locked.len()),
                (updates().count(), 0, 1),
                "{listing}"
            );
        }
    }
}

#[test]
fn a_library_has_plain_counters_where_none_of_its_programs_can_start_threads() {
    let bench = bench();
    bench.write("own.c", "int own(int n) { int s = 0; while (n--) s += n & 1; return s; }\n");
    bench.write("one.c", "int own(int);\nint main(void) { return own(3) - 1; }\n");
    bench.write("many.c", "#include <pthread.h>\nint own(int);\nvoid *work(void *p) { own(9); return p; }\nint main(void) { pthread_t t; return pthread_create(&t, 0, work, 0) || pthread_join(t, 0); }\n");
    let locked = |file: &str| {
        let output = std::process::Command::new("objdump").arg("-d").arg(bench.path(file)).output().unwrap();
        let listing = String::from_utf8_lossy(&output.stdout).into_owned();
        let updates: Vec<&str> = listing.lines().filter(|l| l.contains("__gcov0.")).collect();
        assert!(!updates.is_empty(), "{listing}");
        let locked = updates.iter().filter(|l| l.contains("lock ")).count();
        assert!(locked == 0 || locked == updates.len(), "{updates:#?}");
        locked > 0
    };
    let link =
        |program: &str| format!("gcc -O2 -pthread -o {program} {program}.c -L. -lown -Wl,-rpath,'$ORIGIN'");
    let library = built(bench.folder.path(), &["gcc -O2 -shared -fPIC -o libown.so own.c"]);
    assert_eq!((library.plain.len(), library.locked.len()), (0, 1), "who loads it is not known");
    assert!(locked("libown.so"));
    let one = built(bench.folder.path(), &[&link("one")]);
    assert_eq!((one.plain.len(), one.locked.len()), (2, 0), "{one:?}");
    assert!(!locked("libown.so") && !locked("one"));
    // Another program in the folder starts threads.
    let many = built(bench.folder.path(), &[&link("many")]);
    assert_eq!((many.plain.len(), many.locked.len()), (1, 2), "{many:?}");
    assert!(locked("libown.so") && locked("many") && !locked("one"));
    fs::remove_file(bench.path("many")).unwrap();
    built(bench.folder.path(), &[&link("one")]);
    assert!(!locked("libown.so"));
    // A program that loads code may load this library, and other code that starts threads.
    bench.write(
        "loads.c",
        "#include <dlfcn.h>\nint main(int n, char **a) { return n > 1 && dlopen(a[1], RTLD_NOW); }\n",
    );
    built(bench.folder.path(), &["gcc -o loads loads.c -ldl"]);
    assert!(locked("libown.so") && locked("loads") && !locked("one"));
}

#[test]
fn single_updates_can_be_chosen_and_nothing_is_left_in_temporary_folders() {
    let bench = bench();
    let options = BuildOptions {
        cache: Some(bench.path("cache")),
        instrument: Instrumentation { update: Update::Single, ..Default::default() },
        folder: bench.folder.path().to_owned(),
        shim_binary: shim_binary(),
        ..BuildOptions::default()
    };
    let report = build(&["gcc -v -c loop.c 2>said".into()], &options, &AtomicBool::new(false)).unwrap();
    assert!(report.status.success());
    assert!(fs::read_to_string(bench.path("said")).unwrap().contains("-fprofile-update=single"));
}
