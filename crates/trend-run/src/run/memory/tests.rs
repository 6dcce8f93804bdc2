//! Tests with programs whose memory is known in closed form.

mod languages;

use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;

use super::*;
use crate::run::supervise::stop::Stop;

/// Creates a watch. The example `shim`, which cargo builds before tests, is its supervisor.
fn watch(
    scratch: &RunFolder,
    started: Option<&Path>,
    binaries: &Binaries,
    root: &str,
) -> Result<MemoryWatch, RunError> {
    let (cancel, shim) = (AtomicBool::new(false), shim());
    let stop = Stop { caller: &cancel, recorder: AtomicBool::new(false) };
    MemoryWatch::new(scratch, &Runner::new(&shim, scratch, &stop), started, binaries, root)
}

fn shim() -> PathBuf {
    std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("examples/shim")
}

fn scratch(folder: &Path) -> RunFolder {
    RunFolder::open(&folder.join("s.trend"), &shim()).unwrap()
}

/// A compiled program in its own folder.
struct Program {
    folder: tempfile::TempDir,
    source: String,
    path: PathBuf,
    scratch: RunFolder,
}

/// The amounts of a line: allocations, requested bytes, maximum, bytes at the peak, and bytes left.
type Numbers = [u64; 5];

impl Program {
    fn new(language: &str, options: &[&str], source: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(format!("program.{language}"));
        fs::write(&file, source).unwrap();
        let path = folder.path().join("program");
        let compiler = match language {
            "c" => "gcc",
            "cc" => "g++",
            _ => "rustc",
        };
        let mut command = Command::new(compiler);
        command.args(options).arg("-g").arg(&file).arg("-o").arg(&path);
        if language == "c" {
            // Keeps the compiler from removing unused allocations.
            command.args(["-pthread", "-fno-builtin"]);
        }
        let status = command.current_dir(folder.path()).status().unwrap();
        assert!(status.success());
        let scratch = scratch(folder.path());
        Self { folder, source: source.to_owned(), path, scratch }
    }

    fn watch(&self) -> MemoryWatch {
        let root = self.folder.path().to_string_lossy();
        watch(&self.scratch, Some(&self.path), &Binaries::default(), &root).unwrap()
    }

    fn counters(&self) -> PathBuf {
        self.folder.path().join("counters")
    }

    /// Runs a shell line with the watch on. `$0` is the program.
    fn run_shell(&self, watch: &MemoryWatch, line: &str) -> Output {
        let mut job = Job::default();
        let _ = fs::remove_dir_all(self.counters());
        fs::create_dir(self.counters()).unwrap();
        watch.watch(&mut job, &self.counters());
        let mut command = Command::new("sh");
        command.args(["-c", line]).arg(&self.path).process_group(0);
        command.envs(job.variables.iter().map(|(name, value)| (name, value.as_ref().unwrap())));
        command.output().unwrap()
    }

    /// Returns the amounts of the lines that have a mark `/* NAME */`, by name, and the warnings.
    fn lines(&self, watch: &MemoryWatch) -> (BTreeMap<String, Numbers>, Vec<Warning>) {
        let watched = watch.read(&self.counters(), 0);
        let mut lines: BTreeMap<String, Numbers> = BTreeMap::new();
        for one in &watched.series {
            let line = one.place.line as usize;
            let text = line.checked_sub(1).and_then(|i| self.source.lines().nth(i)).unwrap_or_default();
            let mark = text.split_once("/* ").and_then(|(_, rest)| rest.split_once(" */"));
            let name = match (mark, &*one.place.object) {
                (Some((mark, _)), _) => mark.to_owned(),
                (None, "") => "other".to_owned(),
                (None, file) => format!("{file}:{line}"),
            };
            let measure = MemoryMeasure::counted_in(&one.unit).unwrap();
            lines.entry(name).or_default()[measure as usize] += one.observations[0].sum;
        }
        (lines, watched.warnings)
    }

    /// Runs the program with these arguments, and returns the amounts of its lines.
    fn measured(&self, arguments: &str) -> BTreeMap<String, Numbers> {
        let watch = self.watch();
        let plain = Command::new("sh").args(["-c", &format!("\"$0\" {arguments}")]).arg(&self.path).output();
        let output = self.run_shell(&watch, &format!("exec \"$0\" {arguments}"));
        assert_eq!(output, plain.unwrap(), "it does as it would alone");
        let (lines, warnings) = self.lines(&watch);
        assert_eq!(warnings, []);
        lines
    }
}

const C: &str = r#"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
struct node { struct node *next; long pair[2]; };
static void *need(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
static struct node *list(int n) {
    struct node *first = NULL;
    for (int i = 0; i < n; i++) {
        struct node *one = need(sizeof *one); /* list */
        one->next = first;
        first = one;
    }
    return first;
}
static int *vector(int n) {
    int *all = NULL, room = 0;
    for (int i = 0; i < n; i++) {
        if (i == room) {
            room = room ? 2 * room : 1;
            all = realloc(all, room * sizeof *all); /* vector */
        }
        all[i] = i;
    }
    return all;
}
static void *freeing(void *first) {
    for (struct node *one = first, *next; one; one = next) { next = one->next; free(one); }
    return NULL;
}
static void freed(void *one) { free(one); }
static void *asking(void *n) {
    for (long i = 0; i < (long)n; i++) {
        char *one = malloc(32); /* threads */
        one[0] = 1;
        free(one);
    }
    return NULL;
}
int main(int count, char **words) {
    const char *how = words[1];
    int n = count > 2 ? atoi(words[2]) : 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (!strcmp(how, "list"))
        printf("%d\n", list(n) != NULL);
    if (!strcmp(how, "freed"))
        freeing(list(n));
    if (!strcmp(how, "vector"))
        printf("%d\n", vector(n)[n - 1]);
    if (!strcmp(how, "shapes")) {
        void *aligned;
        printf("%d\n", posix_memalign(&aligned, 64, 100)); /* aligned */
        char *zeros = calloc(10, 7); /* zeros */
        char *page = aligned_alloc(4096, 8192); /* page */
        char *copy = strdup("twelve bytes"); /* copy */
        free(realloc(page, 0)); /* emptied */
        errno = 7;
        free(zeros);
        printf("%d %s\n", errno, copy);
        void *no = realloc(copy, (size_t)1 << 62); /* refused */
        printf("%d\n", no == NULL);
    }
    if (!strcmp(how, "other thread")) {
        pthread_t thread;
        pthread_create(&thread, NULL, freeing, list(n));
        pthread_join(thread, NULL);
    }
    if (!strcmp(how, "threads")) {
        pthread_t threads[4];
        for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, asking, (void *)(long)n);
        for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    }
    if (!strcmp(how, "fork")) {
        struct node *all = list(n);
        if (fork() == 0) {
            freeing(all);
            char *own = malloc(50); /* child */
            own[0] = 1;
            _exit(0);
        }
        wait(NULL);
    }
    if (!strcmp(how, "peak")) {
        char *large = malloc(100000); /* large */
        large[0] = 1;
        free(large);
        char *small = malloc(90000); /* small */
        small[0] = 1;
    }
    if (!strcmp(how, "sizes")) {
        char *fits = malloc(65534); /* fits */
        char *large = malloc(65535); /* large */
        printf("%d\n", realloc(large, (size_t)1 << 62) == NULL); /* refused */
        char *vast = calloc(3, (size_t)2 << 30); /* vast */
        free(fits);
        free(large);
        /* Where the large one was, small ones are noted. */
        for (int i = 0; i < 4000; i++) freed(malloc(24)); /* small */
        free(vast);
    }
    if (!strcmp(how, "killed")) { list(n); raise(SIGKILL); }
    if (!strcmp(how, "crashed")) { list(n); *(volatile int *)0 = 1; }
    if (!strcmp(how, "_exit")) { list(n); _exit(3); }
    return 0;
}
"#;

fn c() -> Program {
    Program::new("c", &["-O1"], C)
}

#[test]
fn lists_and_doubling_vectors_ask_for_what_they_are() {
    for optimised in ["-O0", "-O2"] {
        let program = Program::new("c", &[optimised], C);
        let lines = program.measured("list 1000");
        assert_eq!(lines["list"], [1000, 24_000, 24_000, 24_000, 24_000], "{optimised} {lines:?}");
        assert_eq!(program.measured("freed 1000")["list"], [1000, 24_000, 24_000, 24_000, 0]);
        // The vector doubles: 4 + 8 + … + 4096 bytes.
        assert_eq!(program.measured("vector 1024")["vector"], [11, 8188, 4096, 4096, 4096]);
    }
}

#[test]
fn every_way_to_ask_is_seen_and_what_is_refused_is_not() {
    let lines = c().measured("shapes");
    assert_eq!(lines["aligned"], [1, 100, 100, 100, 100]);
    assert_eq!(lines["zeros"], [1, 70, 70, 70, 0]);
    assert_eq!(lines["page"], [1, 8192, 8192, 8192, 0]);
    assert_eq!(lines["copy"], [1, 13, 13, 13, 13]);
    assert!(!lines.contains_key("refused") && !lines.contains_key("emptied"), "{lines:?}");
}

#[test]
fn sizes_of_any_length_are_taken_back_when_they_are_freed() {
    let lines = c().measured("sizes");
    assert_eq!(lines["fits"], [1, 65_534, 65_534, 65_534, 0]);
    assert_eq!(lines["large"], [1, 65_535, 65_535, 65_535, 0]);
    assert_eq!(lines["vast"], [1, 6 << 30, 6 << 30, 6 << 30, 0]);
    assert_eq!(lines["small"], [4000, 96_000, 24, 0, 0]);
    assert!(!lines.contains_key("refused"), "{lines:?}");
}

#[test]
fn what_is_held_at_the_peak_is_not_the_most_of_each_line() {
    let lines = c().measured("peak");
    assert_eq!(lines["large"], [1, 100_000, 100_000, 100_000, 0]);
    assert_eq!(lines["small"], [1, 90_000, 90_000, 0, 90_000]);
}

#[test]
fn threads_may_free_what_others_asked_for() {
    let program = c();
    assert_eq!(program.measured("'other thread' 1000")["list"], [1000, 24_000, 24_000, 24_000, 0]);
    let [allocations, requested, most, _, left] = program.measured("threads 50000")["threads"];
    assert_eq!((allocations, requested, left), (200_000, 6_400_000, 0));
    assert!((32..=128).contains(&most), "{most}");
}

#[test]
fn a_child_begins_with_nothing_of_its_own() {
    let lines = c().measured("fork 1000");
    assert_eq!(lines["list"], [1000, 24_000, 24_000, 24_000, 24_000]);
    // The parent's peak is higher than the child's.
    assert_eq!(lines["child"], [1, 50, 50, 0, 50]);
}

#[test]
fn ten_thousand_children_of_a_server_with_threads_are_whole_and_small() {
    const SERVER: &str = r"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int is_over;
static void *busy(void *none) { while (!is_over) { free(malloc(100)); usleep(100); } return none; }
int main(void) {
    char *held = malloc(1000000); /* held */
    pthread_t thread;
    pthread_create(&thread, 0, busy, 0);
    for (int i = 0; i < 10000; i++) {
        pid_t child = fork();
        if (child == 0) {
            char *kept = malloc(50); /* child */
            char *freed = calloc(2, 30); /* freed */
            free(freed);
            if (i % 2) exit(!kept);
            _exit(!kept);
        }
        int status;
        if (waitpid(child, &status, 0) != child || status) return 1;
    }
    is_over = 1;
    pthread_join(thread, 0);
    return !held;
}
";
    let program = Program::new("c", &["-O1"], SERVER);
    let watch = program.watch();
    assert!(program.run_shell(&watch, "exec \"$0\"").status.success());
    let (lines, warnings) = program.lines(&watch);
    assert_eq!(warnings, []);
    assert_eq!(lines["child"], [10_000, 500_000, 50, 0, 500_000]);
    assert_eq!(lines["freed"], [10_000, 600_000, 60, 0, 0]);
    assert_eq!(lines["held"], [1, 1_000_000, 1_000_000, 1_000_000, 1_000_000]);
    let files = fs::read_dir(program.counters()).unwrap().map(|file| file.unwrap().metadata().unwrap());
    let small = files.filter(|metadata| metadata.len() <= 4096 && metadata.blocks() <= 8).count();
    assert_eq!(small, 10_000);
}

#[test]
fn records_are_there_however_a_program_ends() {
    let program = c();
    let watch = program.watch();
    for (how, signal, code) in
        [("killed", Some(9), None), ("crashed", Some(11), None), ("_exit", None, Some(3))]
    {
        let output = program.run_shell(&watch, &format!("exec \"$0\" {how} 1000"));
        assert_eq!((output.status.signal(), output.status.code()), (signal, code));
        let (lines, warnings) = program.lines(&watch);
        assert_eq!(lines["list"], [1000, 24_000, 24_000, 24_000, 24_000], "{how}");
        assert_eq!(warnings, []);
    }
}

#[test]
fn several_processes_add_up_and_the_largest_says_what_was_held_at_the_peak() {
    let program = c();
    let watch = program.watch();
    program.run_shell(&watch, "\"$0\" list 100; \"$0\" freed 1000; \"$0\" list 10");
    let (lines, _) = program.lines(&watch);
    assert_eq!(lines["list"], [1110, 26_640, 24_000, 24_000, 2640]);
}

#[test]
fn a_full_disk_is_told_and_the_program_runs_on() {
    let program = c();
    let watch = program.watch();
    // `ulimit` limits files to 16 KiB, like a disk without more room.
    let output = program.run_shell(&watch, "trap '' XFSZ; ulimit -f 32; exec \"$0\" list 1000");
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"1\n"[..]));
    let (lines, warnings) = program.lines(&watch);
    assert!(lines.is_empty(), "{lines:?}");
    assert!(warnings[0].message.contains("disk full"), "{warnings:?}");
    // The program also runs if the folder no longer exists.
    let output = program.run_shell(&watch, "rm -r \"$TREND_PROF_MEMORY\"; exec \"$0\" list 1000");
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"1\n"[..]));
}

#[test]
fn what_cannot_be_watched_is_told() {
    let program = Program::new("c", &["-O1", "-static"], C);
    let watch = program.watch();
    program.run_shell(&watch, "exec \"$0\" list 10");
    let (lines, warnings) = program.lines(&watch);
    assert!(lines.is_empty() && warnings[0].message.contains("statically"), "{warnings:?}");
    // The program's own allocator replaces ours.
    let own = "#include <stddef.h>\n\
        static char bytes[1 << 20]; static size_t used;\n\
        void *malloc(size_t n) { used += n + 15 & -16; return bytes + used; }\n\
        void free(void *p) {}\n\
        int main(void) { return malloc(10) == 0; }\n";
    let program = Program::new("c", &["-O1"], own);
    let watch = program.watch();
    program.run_shell(&watch, "exec \"$0\"");
    let (_, warnings) = program.lines(&watch);
    assert!(warnings[0].message.contains("its own allocator"), "{warnings:?}");
    // The run takes much more memory than was recorded.
    let program = c();
    let watch = program.watch();
    program.run_shell(&watch, "exec \"$0\" list 10");
    let messages = watch.read(&program.counters(), 500 << 20).warnings;
    assert!(messages[0].message.contains("of the 524 MB of a run"), "{messages:?}");
}

#[test]
fn a_library_that_is_loaded_later_counts_where_it_has_counters() {
    let program = Program::new(
        "c",
        &["-O1", "-ldl"],
        "#include <dlfcn.h>\n#include <stdlib.h>\n\
         int main(void) {\n\
           for (int i = 0; i < 3; i++) {\n\
             void *library = dlopen(getenv(\"LIBRARY\"), RTLD_NOW);\n\
             void (*ask)(void) = (void (*)(void))dlsym(library, \"ask\");\n\
             ask();\n\
             dlclose(library);\n\
           }\n\
           return 0;\n\
         }\n",
    );
    let source = program.folder.path().join("plugin.c");
    fs::write(&source, "#include <stdlib.h>\nchar *kept;\nvoid ask(void) {\n  kept = malloc(64);\n}\n")
        .unwrap();
    let library = program.folder.path().join("plugin.so");
    let gcc = Command::new("gcc")
        .args(["-g", "-O1", "-shared", "-fPIC", "--coverage", "-o"])
        .args([&library, &source])
        .current_dir(program.folder.path())
        .status();
    assert!(gcc.unwrap().success());
    let binaries = Binaries::new(Some(program.path.clone()), program.folder.path());
    let root = program.folder.path().to_string_lossy();
    let watch = watch(&program.scratch, Some(&program.path), &binaries, &root).unwrap();
    program.run_shell(&watch, &format!("export LIBRARY={}; exec \"$0\"", library.display()));
    let watched = watch.read(&program.counters(), 0);
    let requested: Vec<(u32, u64)> = watched
        .series
        .iter()
        .filter(|one| one.place.object == "plugin.c" && one.unit == MemoryMeasure::Asked.unit())
        .map(|one| (one.place.line, one.observations[0].sum))
        .collect();
    // Memory that gcov allocates to write the counters belongs to no line.
    assert_eq!(requested, [(4, 192)]);
}

#[test]
fn a_compiler_or_a_program_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = scratch(folder.path());
    let none = watch(&scratch, None, &Binaries::default(), "/").unwrap_err().to_string();
    assert!(none.contains("found no program whose lines can be looked up"), "{none}");
}

#[test]
fn a_program_without_symbols_is_an_error_that_says_so() {
    let program =
        Program::new("c", &["-O1", "-s"], "#include <stdlib.h>\nint main(void) { return malloc(1) == 0; }\n");
    let binaries = Binaries::new(Some(program.path.clone()), program.folder.path());
    let watch = watch(&program.scratch, Some(&program.path), &binaries, "/");
    let stripped = watch.unwrap_err().to_string();
    assert!(stripped.ends_with("it has no symbols; link it without `-s`"), "{stripped}");
}
