//! `export study --redact`: a copy that can be mailed.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use crate::bench::Bench;

/// Number of secrets of each kind.
const EACH: usize = 10;

fn secret(kind: &str, i: usize) -> String {
    format!("zq{kind}{i}secret")
}

fn secrets() -> Vec<String> {
    let kinds = ["name", "argument", "environment", "stderr", "path"];
    kinds.iter().flat_map(|kind| (0..EACH).map(|i| secret(kind, i))).collect()
}

/// Returns the bytes of a file, followed by all that is compressed in it.
fn unpacked(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let mut all = bytes.clone();
    for at in 0..bytes.len() {
        if bytes[at..].starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            let mut decoder = zstd::Decoder::new(&bytes[at..]).unwrap().single_frame();
            let _ = decoder.read_to_end(&mut all);
        }
    }
    all
}

fn occurrences(bytes: &[u8], word: &str) -> usize {
    bytes.windows(word.len()).filter(|window| *window == word.as_bytes()).count()
}

fn secrets_in(path: &Path) -> Vec<String> {
    let all = unpacked(path);
    secrets().into_iter().filter(|secret| occurrences(&all, secret) > 0).collect()
}

/// A program that fails for n = 3, and then shows its environment.
fn program(header: &Path) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include \"{}\"\nextern char **environ;\n\
         /* {} {} */\nint main(int argc, char **argv) {{\n    long n = atol(argv[1]), sum = 0;\n    \
         for (long i = 0; i < n; i++)\n        sum += twice(i);\n    printf(\"{}=%ld\\n\", n);\n    \
         if (n == 300) {{\n        for (char **e = environ; *e; e++) fprintf(stderr, \"%s\\n\", *e);\n        \
         for (int i = 0; i < {EACH}; i++) fprintf(stderr, \"zqstderr%dsecret\\n\", i);\n        return 3;\n    }}\n    \
         return sum < 0;\n}}\n",
        header.display(),
        secret("path", 5),
        secret("name", 5),
        secret("path", 6)
    )
}

#[test]
fn of_fifty_secrets_a_redacted_study_has_none() {
    let bench = Bench::new();
    let folder =
        bench.path(secret("path", 0)).join(secret("path", 1)).join(format!("p-{}", secret("name", 0)));
    let header = bench.path(secret("path", 2)).join(format!("{}.h", secret("path", 3)));
    let built = bench.path(secret("path", 4)).join("program");
    for path in [&header, &built, &folder.join("lib").join(secret("name", 1)).join("main.c")] {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
    }
    fs::write(&header, "static inline long twice(long i) {\n    return 2 * i;\n}\n").unwrap();
    let source = format!("lib/{}/main.c", secret("name", 1));
    fs::write(folder.join(&source), program(&header)).unwrap();
    let arguments: Vec<String> =
        (0..EACH).map(|i| format!("'--password={}'", secret("argument", i))).collect();
    let variables: Vec<String> =
        (0..EACH).map(|i| format!("A{i} = '{}'", secret("environment", i))).collect();
    let modes: Vec<String> = (6..EACH).map(|i| format!("'{}'", secret("name", i))).collect();
    let config = format!(
        "[program]\ncommand = ['{}', '{{n}}', '{{mode}}', {}]\nenv = {{ {} }}\n[workloads]\n\
         parameters = {{ n = [100, 200, 300], mode = [{}] }}\n[features]\nn = {{ parameter = 'n' }}\n\
         size = {{ stdout = '{}=(\\d+)' }}\nother = {{ command = ['sh', '-c', 'echo 5 # {}'] }}\n",
        built.display(),
        arguments.join(", "),
        variables.join(", "),
        modes.join(", "),
        secret("path", 6),
        secret("path", 7),
    );
    fs::write(folder.join("trend-prof.toml"), config).unwrap();
    let input = folder.join(format!("{}.trend", secret("path", 8)));
    let call = |words: &[&str]| {
        let mut command = bench.command(words);
        command.current_dir(&folder).env("USER", secret("name", 0)).env("LOGNAME", secret("name", 1));
        command.env("HOME", bench.path(secret("name", 2))).env(secret("name", 3), secret("name", 4));
        command.env("OTHER", secret("path", 9));
        crate::bench::Ran::from(command.output().unwrap())
    };
    let study = input.file_name().unwrap().to_str().unwrap();
    call(&["-q", "build", "--", "cc", "-g", "-o", built.to_str().unwrap(), &source]).succeeds();
    call(&["run", "--no-time", "--study", study]).fails(&["8 runs recorded", "4 failed"]);
    let planted = secrets_in(&input);
    assert!(planted.len() > 30, "{planted:?}");

    call(&["export", "study", study]).refuses(&["only as a redacted copy"]);
    call(&["export", "csv", study, "--redact"]).refuses(&["--redact makes a copy of a study"]);
    call(&["export", "study", "--redact", study, "-o", study]).refuses(&["is the study itself"]);
    call(&["export", "study", "--redact", study, "-o", "mail.trend"]).succeeds();
    let left = secrets_in(&folder.join("mail.trend"));
    assert_eq!(left, [""; 0]);
    let place = bench.folder().file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(occurrences(&unpacked(&folder.join("mail.trend")), &place), 0);
    // It has the same counts and features, by the same symbols and relative paths.
    let numbers = |study: &str| {
        let table = call(&["export", "csv", study]).succeeds().stdout;
        let rows = table.lines().skip(1).map(|row| row.split(',').skip(1).map(str::to_owned).collect());
        let mut rows: Vec<Vec<String>> = rows.collect();
        rows.sort();
        rows
    };
    assert_eq!(numbers(study), numbers("mail.trend"));
    assert_eq!(numbers(study).len(), 8);
    let shown = call(&["show", "mail.trend", "--by", "function"]).succeeds();
    assert!(shown.stdout.contains("main") && shown.stdout.contains("lib/…/main.c"), "{}", shown.stdout);
}

#[test]
fn a_study_has_no_absolute_path_and_the_command_once() {
    let bench = Bench::with_loop();
    let run = ["run", "--no-time", "--param", "n=100,200,400", "--study", "s.trend"];
    let words = ["--", "./program", "{n}", "--password=hunter2hunter2"];
    bench.run(run.iter().chain(&words)).succeeds();
    let all = unpacked(&bench.path("s.trend"));
    assert_eq!(occurrences(&all, "hunter2hunter2"), 1);
    assert_eq!(occurrences(&all, &bench.folder().file_name().unwrap().to_string_lossy()), 0);
    // Relative names still match: no run is repeated, and another build is noticed.
    bench.run(run.iter().chain(&words)).succeeds().says(&["3 recorded before"]);
    bench.run(["-q", "build", "--", "cc", "-DX=1", "-o", "program", "main.c"]).succeeds();
    bench.replace("main.c", "sum += i;", "sum += i ^ 1;");
    bench.run(["-q", "build", "--", "cc", "-o", "program", "main.c"]).succeeds();
    bench.run(run.iter().chain(&words)).ends_with(2).says(&["main", "compiled again"]);
}

#[test]
fn without_sources_a_study_has_none_of_their_texts() {
    let bench = Bench::with_sizes("[100, 200, 400]");
    let texts = |options: &[&str]| {
        bench.run(["run", "--no-time", "--fresh"].iter().chain(options)).succeeds();
        occurrences(&unpacked(&bench.path("program.trend")), "long n = argc > 1")
    };
    assert_eq!((texts(&[]), texts(&["--no-sources"])), (1, 0));
}
