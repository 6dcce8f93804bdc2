//! File and function names that a terminal, a page or a table could misinterpret.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::bench::Bench;

/// Asserts that the text contains no untrusted control characters.
#[track_caller]
fn is_harmless(text: &str) {
    let is_hostile =
        |c: char| (c.is_control() && c != '\n' && c != '\t') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(is_hostile), "{text:?}");
}

const NAMES: [&[u8]; 12] = [
    b"with space",
    b"new\nline",
    b"invalid \xff\xfe UTF-8",
    b"<script>alert(1)<_script>",
    b"\x1b[31mred\x1b[2J",
    b"\x07bell",
    b"quotes \" and '",
    b"-dash",
    b"{n}",
    b"comma, semicolon; $HOME `true`",
    b"&amp;",
    "right \u{202e} to left".as_bytes(),
];

/// A program that counts the bytes of its input.
const READER: &str = "#include <stdio.h>\nint main(int c, char **v) {\n    FILE *f = fopen(v[1], \"rb\");\n    \
                      if (!f) return 1;\n    long n = 0;\n    while (getc(f) != EOF)\n        n++;\n    return 0;\n}\n";

#[test]
fn inputs_of_every_name_are_run_and_shown_harmlessly() {
    let bench = Bench::new();
    bench.write("main.c", READER);
    bench.run(["-q", "build", "--", "cc", "-o", "program", "main.c"]).succeeds();
    for (k, name) in NAMES.iter().enumerate() {
        bench.write(std::path::Path::new("in").join(OsStr::from_bytes(name)), vec![b'x'; 100 << k]);
    }
    let ran = bench.run(["-vv", "run", "--files", "in/*", "--", "./program", "{input}"]).succeeds();
    is_harmless(&ran.stderr);
    let counts = bench.run(["show", "--by", "line", "--top", "3"]).succeeds();
    is_harmless(&counts.stdout);
    assert_eq!(bench.findings(&[])["workloads"]["count"], 12);

    bench.run(["report", "-o", "page.html"]).succeeds();
    let page = bench.read("page.html");
    assert!(!page.contains("<script>alert"));
    is_harmless(&page);
}

#[test]
fn failures_of_every_name_are_told_harmlessly() {
    let bench = Bench::new();
    for name in NAMES {
        bench.write(std::path::Path::new("in").join(OsStr::from_bytes(name)), "x");
    }
    let ran = bench.run([
        "run",
        "--files",
        "in/*",
        "--",
        "/bin/sh",
        "-c",
        "printf '\\033[31m%s' \"$0\" >&2; exit 1",
        "{input}",
    ]);
    is_harmless(&ran.fails(&["12 failed"]).stderr);
}

#[test]
fn sources_of_every_name_are_shown_harmlessly() {
    let bench = Bench::new();
    let source =
        "int f(int n) {\n    int s = 0;\n    for (int i = 0; i < n; i++) s += i;\n    return s;\n}\n";
    bench.write("a <b>/\"<script>alert(1)</script>\x1b[31m.c".replace("</", "<_"), source);
    bench.write(
        "main.c",
        "#include <stdlib.h>\nint f(int);\nint main(int c, char **v) { return f(atoi(v[1])) == 7; }\n",
    );
    bench.run(["-q", "build", "--", "sh", "-c", "cc -o program main.c a*/*.c"]).succeeds();
    bench.run(["run", "--param", "n=100..10000x12", "--", "./program", "{n}"]).succeeds();

    for arguments in [&["show"][..], &["show", "--by", "line"], &["show", "1"], &["predict", "n=1e6"]] {
        is_harmless(&bench.run(arguments).succeeds().stdout);
    }
    bench.run(["report", "-o", "page.html"]).succeeds();
    let page = bench.read("page.html");
    assert!(!page.contains("<script>alert") && !page.contains("a <b>/"), "not escaped");
    assert!(page.contains("Content-Security-Policy"));
    is_harmless(&page);
}
