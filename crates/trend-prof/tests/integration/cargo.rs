//! Parts of cargo projects: workspaces, build scripts, procedural macros, libraries, threads, processes.

use std::path::Path;
use std::process::Command;

use crate::bench::{Bench, Ran, Table, function};

/// Returns the source of a function with a loop, whose body on line 3 runs `n` times.
fn spin(name: &str) -> String {
    format!("#[inline(never)]\npub fn {name}(n: u64) -> u64 {{\n    (0..n).fold(0, |sum, i| sum ^ i)\n}}\n")
}

fn package(name: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n{rest}")
}

/// Creates a package that is its own workspace.
fn single(main: &str, rest: &str) -> Bench {
    let bench = Bench::new();
    bench.write("Cargo.toml", package("single", &format!("{rest}\n[workspace]\n")));
    bench.write("src/main.rs", format!("{}\n{main}", spin("work")));
    bench
}

const ARGUMENT: &str = "std::env::args().nth(1).unwrap().parse::<u64>().unwrap()";

/// Writes the configuration that `init` proposes, but with sizes instead of files.
fn configure(bench: &Bench, more: &str) {
    bench.run(["init", "--force"]).succeeds();
    bench.replace("trend-prof.toml", "files = \"inputs/*\"", "parameters = { n = [100, 1000, 10000] }");
    bench.replace("trend-prof.toml", "\"{input}\"]\n", "\"{n}\"]\n");
    bench.replace("trend-prof.toml", "[program]\n", &format!("[program]\n{more}\n"));
    bench.replace("trend-prof.toml", "bytes = \"size\"", "n = { parameter = \"n\" }");
}

/// Returns sizes and executions of the loop's body in a function by [`spin`].
#[track_caller]
fn body(table: &Table, file: &str, function: &str) -> Vec<(u64, u64)> {
    table.pairs("n", &format!("{file}:3:{function}::{{closure#0}}"))
}

#[test]
fn who_names_cargos_usual_build_runs_the_one_that_counts() {
    let bench = single(&format!("fn main() {{\n    println!(\"{{}}\", work({ARGUMENT}));\n}}\n"), "");
    bench.configure(
        "[program]\nbuild = \"cargo build --release\"\ncommand = [\"./target/release/single\", \"{n}\"]\n\
         [workloads]\nparameters = { n = [100, 1000] }\n",
    );
    let fragments = ["`./target/release/single` is target/trend-prof/", "/release/single", "2 runs recorded"];
    bench.run(["run"]).succeeds().says(&fragments);
}

/// Creates a workspace with a build script, a procedural macro, and a vendored crate from outside the workspace.
fn workspace() -> Bench {
    let bench = Bench::new();
    let members = "[workspace]\nmembers = [\"app\", \"lib\", \"macros\"]\nresolver = \"2\"\n";
    bench.write("Cargo.toml", members);
    let vendored =
        "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"vendor\"\n";
    bench.write(".cargo/config.toml", vendored);
    bench.write("vendor/far/Cargo.toml", package("far", ""));
    bench.write("vendor/far/.cargo-checksum.json", "{\"files\": {}}");
    bench.write("vendor/far/src/lib.rs", spin("far_work"));
    let dependencies =
        "[dependencies]\nnear = { path = \"../lib\" }\nmacros = { path = \"../macros\" }\nfar = \"*\"\n";
    bench.write("app/Cargo.toml", package("app", dependencies));
    bench.write(
        "app/build.rs",
        format!(
            "{}\nfn main() {{ println!(\"cargo:rustc-env=FACTOR={{}}\", script_work(10).max(3)); }}\n",
            spin("script_work")
        ),
    );
    bench.write("app/src/main.rs", format!(
        "fn main() {{\n    let n = {ARGUMENT};\n    let factor: u64 = env!(\"FACTOR\").parse().unwrap();\n    \
         println!(\"{{}}\", near::near_work(n) + far::far_work(macros::doubled!(n)) + factor);\n}}\n"
    ));
    bench.write("app/src/bin/other.rs", "fn main() {}\n");
    bench.write("lib/Cargo.toml", package("near", ""));
    bench.write("lib/src/lib.rs", spin("near_work"));
    bench.write("macros/Cargo.toml", package("macros", "[lib]\nproc-macro = true\n"));
    bench.write("macros/src/lib.rs", format!(
        "{}\n#[proc_macro]\npub fn doubled(n: proc_macro::TokenStream) -> proc_macro::TokenStream {{\n    \
         macro_work(5);\n    format!(\"(2 * {{n}})\").parse().unwrap()\n}}\n",
        spin("macro_work").replace("pub fn", "fn")
    ));
    bench
}

fn function_names(bench: &Bench) -> Vec<String> {
    let findings = bench.findings(&[]);
    let names = findings["functions"].as_array().unwrap().iter();
    names.map(|f| f["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_workspace_counts_all_of_the_program_and_nothing_of_the_host() {
    let bench = workspace();
    let initial = bench.run(["init"]).succeeds();
    initial.says(&["release/app`", "release/other`"]);
    assert!(
        bench.read("trend-prof.toml").contains("\n# Other programs of this build:\n#           \"target/")
    );
    configure(&bench, "");
    bench.run(["run"]).succeeds().says(&["3 runs recorded", "starts no threads"]);
    let counts = bench.counts(&[]);
    assert_eq!(
        body(&counts, "lib/src/lib.rs", "near::near_work"),
        [(100, 100), (1000, 1000), (10_000, 10_000)]
    );
    assert_eq!(
        body(&counts, "vendor/far/src/lib.rs", "far::far_work"),
        [(100, 200), (1000, 2000), (10_000, 20_000)]
    );
    let names = function_names(&bench);
    assert!(names.iter().any(|n| n.starts_with("near::near_work")), "{names:?}");
    assert!(!names.iter().any(|n| n.contains("script_work") || n.contains("macro_work")), "{names:?}");
}

#[test]
fn own_crates_alone_count_where_that_is_chosen_and_another_choice_builds_anew() {
    let bench = workspace();
    configure(&bench, "crates = \"own\"");
    bench.run(["run"]).succeeds();
    let names = function_names(&bench);
    assert!(names.iter().any(|n| n.starts_with("near::near_work")), "{names:?}");
    assert!(!names.iter().any(|n| n.contains("far_work")), "{names:?}");

    let again = bench.run(["run"]).succeeds();
    assert!(!again.stderr.contains("building"), "{}", again.stderr);
    bench.replace("trend-prof.toml", "crates = \"own\"", "crates = \"all\"");
    let chosen = ["building: the chosen crates or counters changed", "every workload runs again"];
    bench.run(["run"]).succeeds().says(&chosen);
    let names = function_names(&bench);
    assert!(names.iter().any(|n| n.contains("far_work")), "{names:?}");

    bench.replace("trend-prof.toml", "crates = \"all\"", "crates = \"mine\"");
    bench.run(["run"]).refuses(&["trend-prof.toml:4", "`mine`", "expected `all` or `own`"]);
}

#[test]
fn a_member_is_studied_from_its_own_folder() {
    let bench = workspace();
    let within = |arguments: &[&str]| {
        Ran::from(bench.command(arguments).current_dir(bench.path("app")).output().unwrap())
    };
    within(&["init"]).succeeds();
    let text = bench.read("app/trend-prof.toml");
    assert!(text.contains("release/app\", \"{input}\"]"), "{text}");
    within(&["build", "--", "cargo", "build", "--release"]).succeeds();
    let program = text.lines().find_map(|l| l.strip_prefix("command = [\"")?.split('"').next()).unwrap();
    within(&["run", "--param", "n=10,2000", "--", program, "{n}"]).succeeds();
    let counts = bench.counts(&["app/app.trend"]);
    let file = bench.path("lib/src/lib.rs");
    assert_eq!(body(&counts, file.to_str().unwrap(), "near::near_work"), [(10, 10), (2000, 2000)]);
}

#[test]
fn a_build_that_goes_to_another_folder_is_told_where_to_be_called() {
    let bench = workspace();
    let above = bench.path("above");
    std::fs::create_dir(&above).unwrap();
    for entry in ["app", "lib", "macros", "vendor", ".cargo", "Cargo.toml"] {
        std::fs::rename(bench.path(entry), above.join(entry)).unwrap();
    }
    let line = "cd above && cargo build --release";
    let words = ["nothing was instrumented", "in the folder with `Cargo.toml`"];
    bench.run(["build", "--", line]).fails(&words);
    bench.configure(&format!(
        "[program]\nbuild = \"{line}\"\ncommand = [\"true\", \"{{n}}\"]\n[workloads]\nparameters = {{ n = [10] }}\n"
    ));
    bench
        .run(["run", "--counts", "callgrind"])
        .says(&["`cd above && cargo build --release` is skipped"])
        .hints(&["beside Cargo.toml"]);
    let set =
        bench.command(["build", "--", "X=1 cargo build --release"]).current_dir(&above).output().unwrap();
    Ran::from(set).succeeds().says(&["instrumented"]);
}

#[test]
fn a_line_that_begins_with_cargo_and_instruments_nothing_fails() {
    let bench = single("fn main() {}\n", "");
    let sub = bench.path("sub");
    std::fs::create_dir(&sub).unwrap();
    for entry in ["src", "Cargo.toml"] {
        std::fs::rename(bench.path(entry), sub.join(entry)).unwrap();
    }
    let line = "X=1 cargo build --release --manifest-path sub/Cargo.toml";
    bench.run(["build", "--", line]).fails(&["nothing was instrumented", "in the folder with `Cargo.toml`"]);
    bench.run(["build", "--", line]).fails(&["nothing was instrumented"]);
    let (tool, makefile) = ("int main(void) { return 0; }\n", "tool: tool.c\n\tcc -o $@ tool.c\n");
    for folder in ["", "sub/"] {
        bench.write(format!("{folder}tool.c"), tool);
        bench.write(format!("{folder}Makefile"), makefile);
        bench.shell(&format!("make -C ./{folder} >log"));
        let line = ["build", "--", "cargo --version; make"];
        let ran = Ran::from(bench.command(line).current_dir(bench.path(folder)).output().unwrap());
        ran.fails(&["nothing was instrumented", "tool` has no counters"]);
    }
}

#[test]
fn no_count_is_lost_to_threads() {
    let threads = "std::thread::scope(|s| for _ in 0..4 { s.spawn(|| std::hint::black_box(work(n))); })";
    for (main, counters) in
        [(threads, "atomic counters"), ("(0..4).for_each(|_| drop(work(n)))", "single-thread counters")]
    {
        let bench = single(&format!("fn main() {{\n    let n = {ARGUMENT};\n    {main};\n}}\n"), "");
        configure(&bench, "");
        bench.run(["run"]).succeeds().says(&[counters]);
        let expected = [(100, 400), (1000, 4000), (10_000, 40_000)];
        assert_eq!(body(&bench.counts(&[]), "src/main.rs", "single::work"), expected, "{main}");
    }
}

#[test]
fn a_library_that_a_program_opens_counts_as_well() {
    let bench = Bench::new();
    bench.write("Cargo.toml", "[workspace]\nmembers = [\"app\", \"plugin\"]\nresolver = \"2\"\n");
    bench.write("plugin/Cargo.toml", package("plugin", "[lib]\ncrate-type = [\"cdylib\"]\n"));
    let exported = "#[no_mangle]\npub extern \"C\" fn plugged(n: u64) -> u64 {\n    work(n)\n}\n";
    bench.write("plugin/src/lib.rs", format!("{}\n{exported}", spin("work")));
    bench.write("app/Cargo.toml", package("app", ""));
    bench.write(
        "app/src/main.rs",
        format!(
            r#"use std::ffi::{{c_char, c_int, c_void, CString}};
extern "C" {{
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}}
fn main() {{
    let library = std::env::current_exe().unwrap().with_file_name("libplugin.so");
    let library = CString::new(library.to_str().unwrap()).unwrap();
    unsafe {{
        let symbol = dlsym(dlopen(library.as_ptr(), 2), c"plugged".as_ptr());
        let plugged: extern "C" fn(u64) -> u64 = std::mem::transmute(symbol);
        println!("{{}}", plugged({ARGUMENT}));
    }}
}}
"#
        ),
    );
    configure(&bench, "");
    bench.run(["run"]).succeeds();
    let counts = bench.counts(&[]);
    assert_eq!(
        body(&counts, "plugin/src/lib.rs", "plugin::work"),
        [(100, 100), (1000, 1000), (10_000, 10_000)]
    );
    assert_eq!(counts.line("app/src/main.rs:8:app::main"), [1, 1, 1]);
}

#[test]
fn processes_that_a_program_starts_count_with_it() {
    let main = format!(
        "fn main() {{\n    let n = {ARGUMENT};\n    if std::env::args().len() == 3 {{\n        println!(\"{{}}\", work(n));\n    \
         }} else {{\n        let itself = std::env::current_exe().unwrap();\n        for _ in 0..3 {{\n            \
         let mut child = std::process::Command::new(&itself);\n            \
         assert!(child.arg(n.to_string()).arg(\"child\").status().unwrap().success());\n        }}\n    }}\n}}\n"
    );
    let bench = single(&main, "");
    configure(&bench, "");
    bench.run(["run"]).succeeds();
    let counts = bench.counts(&[]);
    assert_eq!(body(&counts, "src/main.rs", "single::work"), [(100, 300), (1000, 3000), (10_000, 30_000)]);
}

#[test]
fn cargo_has_a_subcommand() {
    let bench = single(&format!("fn main() {{ println!(\"{{}}\", work({ARGUMENT})); }}\n"), "");
    let subcommand = Path::new(env!("CARGO_BIN_EXE_cargo-trend-prof"));
    let mut path = subcommand.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new("cargo");
        command.arg("trend-prof").args(arguments).current_dir(bench.folder()).env("PATH", &path);
        Ran::from(command.env_remove("CARGO_TARGET_DIR").output().unwrap())
    };
    cargo(&["init"]).succeeds();
    bench.replace("trend-prof.toml", "files = \"inputs/*\"", "parameters = { n = [100, 1000] }");
    bench.replace("trend-prof.toml", "\"{input}\"", "\"{n}\"");
    bench.replace("trend-prof.toml", "bytes = \"size\"", "n = { parameter = \"n\" }");
    cargo(&["run"]).succeeds().says(&["2 runs recorded"]);
    let findings = cargo(&["show", "--format", "json"]).succeeds().json();
    function(&findings, "single::work::{closure#0}");
}

#[test]
fn the_default_program_of_a_package_comes_first() {
    let bench = single("fn main() { work(1); }\n", "");
    bench.replace("Cargo.toml", "[workspace]", "default-run = \"second\"\n[workspace]");
    bench.write("src/bin/second.rs", "fn main() {}\n");
    bench.run(["init"]).succeeds();
    let text = bench.read("trend-prof.toml");
    assert!(text.contains("release/second\", \"{input}\"]"), "{text}");
    assert!(text.contains("release/single\"\n"), "{text}");
}
