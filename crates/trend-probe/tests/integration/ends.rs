//! Records of programs with unusual control flow: jumps, exceptions, threads, processes and their ends.

use std::mem::offset_of;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};

use trend_runtime::record::Header;

use crate::support::{Build, Program, Records, c, done};

const HEAD: &str = "#define _GNU_SOURCE\n#include <pthread.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n\
    #include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <sys/wait.h>\n#include <ucontext.h>\n#include <unistd.h>\n\
    int a[1000];\n__attribute__((noinline)) int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n";

fn program(rest: &str) -> Program {
    c(&format!("{HEAD}{rest}"))
}

#[test]
fn a_jump_ends_what_it_leaves() {
    let costs = program(
        "jmp_buf here;
        __attribute__((noinline)) void deep(int n) { if (n == 0) { sum(100); longjmp(here, 1); } deep(n - 1); sum(n); }
        __attribute__((noinline)) int tried(int n) { volatile int times = 0; if (setjmp(here) == 0) deep(n); else times++; return times + sum(200); }
        int main(void) { for (int i = 0; i < 10; i++) tried(50); return 0; }",
    )
    .run(&[]);
    assert_eq!(costs.sizes("sum"), [(100, 10), (200, 10)]);
    assert_eq!(costs.sizes("deep"), [(100, 510)]);
    assert_eq!(costs.sizes("tried"), [(200, 10)]);
    let own = |routine: &str| costs.costs_of(routine).iter().map(|o| o.parts.own.unwrap()).sum::<u64>();
    let main = costs.only("main");
    assert_eq!(main.sum, ["main", "tried", "deep", "sum"].map(own).iter().sum::<u64>());
}

#[test]
fn an_exception_ends_what_it_leaves() {
    let source = "#include <stdexcept>
        int a[1000];
        __attribute__((noinline)) int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
        struct Guard { int n; ~Guard() { sum(n); } };
        __attribute__((noinline)) void deep(int n) { Guard guard{300}; if (n == 0) throw std::runtime_error(\"deep\"); deep(n - 1); sum(7); }
        __attribute__((noinline)) int tried(int n) { try { deep(n); } catch (const std::exception &) { return sum(200); } return 0; }
        int main() { for (int i = 0; i < 10; i++) tried(5); return 0; }";
    let costs = Build { is_cpp: true, ..Build::default() }.program(source).run(&[]);
    assert_eq!(costs.sizes("sum(int)"), [(200, 10), (300, 60)]);
    assert_eq!(costs.costs_of("deep(int)").iter().map(|o| o.count).sum::<u64>(), 60);
    assert_eq!(costs.only("tried(int)").count, 10);
    assert_eq!(costs.only("main").count, 1);
}

#[test]
fn an_exception_that_code_without_the_probe_catches_ends_what_it_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let library = "#include <functional>
        #include <thread>
        template <typename Call> static int tried(Call call, int times) {
            int caught = 0;
            for (int i = 0; i < times; i++) try { call(i); } catch (int) { caught++; }
            return caught;
        }
        int here(void (*call)(int), int times) { return tried(call, times); }
        int elsewhere(const std::function<void(int)> &call, int times) {
            int caught = 0;
            std::thread([&] { caught = tried(call, times); }).join();
            return caught;
        }";
    std::fs::write(file("library.cpp"), library).unwrap();
    done(Command::new("g++").args(["-O1", "-c", &file("library.cpp"), "-o", &file("library.o")]));
    let source = "#include <functional>
        int a[1000];
        int here(void (*call)(int), int times);
        int elsewhere(const std::function<void(int)> &call, int times);
        __attribute__((noinline)) int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
        // A routine that calls nothing else that could end it.
        __attribute__((noinline)) void fails(int n) { if (sum(100) == 0) throw n; }
        // A routine that catches something else.
        __attribute__((noinline)) void retries(int n) { try { fails(n); } catch (const char *) { sum(300); } sum(200); }
        // A part of whatever runs.
        static int cells[4];
        static void part(int n) { if (cells[0] + cells[1] == 0) throw n; }
        int main() {
            if (here(fails, 5) + elsewhere(fails, 7) != 12) return 1;
            if (here(retries, 5) + elsewhere(retries, 7) != 12) return 2;
            return here(part, 3) + elsewhere(part, 9) != 12;
        }";
    let build = Build { is_cpp: true, link: &[&file("library.o")], ..Build::default() };
    let costs = build.program(source).run(&[]);
    let cost = |name: &str| {
        let all = costs.costs_of(name);
        (all.iter().map(|o| o.count).sum::<u64>(), all.iter().map(|o| o.sum).sum::<u64>())
    };
    assert_eq!(costs.sizes("sum(int)"), [(100, 24)]);
    // Each call is observed by itself, and none as a callee of another one.
    let (calls, fails) = cost("fails(int)");
    let each = costs.costs_of("fails(int)")[0].min;
    assert_eq!((calls, fails), (24, 24 * each));
    let (calls, retries) = cost("retries(int)");
    assert_eq!((calls, retries % 12), (12, 0));
    assert!(retries < 12 * 2 * each, "{retries} {each}");
    // The function that a thread begins with is a separate routine, each time.
    let invokers: Vec<&str> = costs.routines().filter(|name| name.contains("_M_invoke")).collect();
    let calls: u64 = invokers.iter().flat_map(|name| costs.costs_of(name)).map(|o| o.count).sum();
    assert_eq!(calls, 7 + 7 + 9, "{invokers:?}");
    assert_eq!(costs.only("main").count, 1);
}

#[test]
fn threads_record_each_their_own() {
    let costs = program(
        "static void *work(void *n) { for (int i = 0; i < 100; i++) sum((int)(long)n); return 0; }
        int main(void) { pthread_t t[100];
            for (int round = 0; round < 3; round++) {
                for (long i = 0; i < 100; i++) pthread_create(&t[i], 0, work, (void *)(i % 4 * 100 + 100));
                for (int i = 0; i < 100; i++) pthread_join(t[i], 0); }
            return 0; }",
    )
    .run(&[]);
    assert_eq!(costs.sizes("sum"), [(100, 7500), (200, 7500), (300, 7500), (400, 7500)]);
    assert_eq!(costs.costs_of("work").iter().map(|o| o.count).sum::<u64>(), 300);
}

#[test]
fn forked_processes_record_what_they_do_themselves() {
    let program = program(
        "__attribute__((noinline)) void forks(void) { sum(100); if (fork() == 0) { sum(300); exit(0); } wait(0); sum(100); }
        int main(void) { sum(50); forks(); forks(); return 0; }",
    );
    let (mut command, records) = program.command(&[]);
    done(&mut command);
    assert_eq!(records.files().len(), 3);
    let costs = records.costs();
    assert_eq!(costs.sizes("sum"), [(50, 1), (100, 4), (300, 2)]);
    // Activations that were running when the children were forked belong to the parent.
    assert_eq!(costs.only("forks").count, 2);
    assert_eq!(costs.only("main").count, 1);
}

#[test]
fn whatever_ends_a_process_its_calls_are_there() {
    let program = program(
        "int main(int n, char **how) { for (int i = 0; i < 10; i++) sum(100);
            switch (atoi(how[1])) {
                case 0: exit(0); case 1: _exit(0); case 2: quick_exit(0); case 3: abort(); case 4: raise(SIGKILL); case 5: *(volatile int *)8 = 0;
                case 6: raise(SIGTERM); case 7: execl(\"/bin/true\", \"true\", (char *)0); }
            return 0; }",
    );
    for how in 0..8 {
        let (mut command, records) = program.command(&[&how.to_string()]);
        let status = command.output().unwrap().status;
        assert_eq!(status.success(), how < 3 || how == 7, "{how}: {status} {:?}", status.signal());
        let costs = records.costs();
        assert_eq!(costs.sizes("sum"), [(100, 10)], "{how}");
        let (sum, main) = (costs.only("sum"), costs.only("main"));
        // The array, and from the arguments a pointer and a digit with its terminator.
        assert!((102..=104).contains(&main.size()), "{how}: {main:?}");
        assert_eq!((main.count, main.parts.own.unwrap() + sum.sum), (1, main.sum), "{how}");
    }
}

#[test]
fn calls_are_nested_as_deeply_as_the_stack_allows() {
    let costs = program(
        "__attribute__((noinline)) int down(int n) { return n == 0 ? sum(1000) : down(n - 1) + 1; }
        static void *deep(void *n) { down((long)n); return 0; }
        int main(void) { pthread_attr_t attr; pthread_attr_init(&attr); pthread_attr_setstacksize(&attr, 1L << 30);
            pthread_t t; pthread_create(&t, &attr, deep, (void *)1000000L); pthread_join(t, 0); return 0; }",
    )
    .run(&[]);
    assert_eq!(costs.sizes("down"), [(1000, 1_000_001)]);
}

#[test]
fn signals_and_other_stacks_are_calls_as_others() {
    let costs = program(
        "static void handler(int s) { sum(10); }
        int main(void) { stack_t other = {malloc(65536), 0, 65536}; sigaltstack(&other, 0);
            struct sigaction action = {0}; action.sa_handler = handler; action.sa_flags = SA_ONSTACK; sigaction(SIGUSR1, &action, 0);
            for (int i = 0; i < 20; i++) { sum(30); raise(SIGUSR1); } return 0; }",
    )
    .run(&[]);
    assert_eq!(costs.sizes("sum"), [(10, 20), (30, 20)]);
    assert_eq!(costs.only("handler").count, 20);
}

#[test]
fn signals_come_while_memory_is_allocated_and_routines_are_entered() {
    let program = program(
        "#include <sys/time.h>\nstatic volatile int times; int b[10];
        __attribute__((noinline)) int handled(void) { int s = 0; for (int i = 0; i < 10; i++) s += b[i]; return s; }
        static void handler(int s) { handled(); times++; }
        __attribute__((noinline)) int *made(int n) { int *p = malloc(4000); for (int i = 0; i < n; i++) p[i] = i; return p; }
        int main(void) { signal(SIGALRM, handler); struct itimerval often = {{0, 50}, {0, 50}}; setitimer(ITIMER_REAL, &often, 0);
            long calls = 0; for (; times < 1000; calls++) { int *p = made(1000); free(p); sum(30); }
            often = (struct itimerval){0}; setitimer(ITIMER_REAL, &often, 0);
            printf(\"%ld %d\\n\", calls, times); return 0; }",
    );
    let (mut command, records) = program.command(&[]);
    let output = String::from_utf8(done(&mut command).stdout).unwrap();
    let [calls, times] = [0, 1].map(|n| output.split_whitespace().nth(n).unwrap().parse::<u64>().unwrap());
    let costs = records.costs();
    let count = |routine: &str| costs.costs_of(routine).iter().map(|o| o.count).sum::<u64>();
    assert_eq!(["handler", "handled", "made", "sum"].map(count), [times, times, calls, calls]);
    assert_eq!(costs.sizes("handled"), [(10, times)]);
    // A handler counts as a call by the interrupted routine. Its 10 numbers and its counter are input of its caller
    // once.
    for (routine, own) in [("made", 0), ("sum", 30)] {
        let sizes = costs.sizes(routine);
        assert!(sizes.iter().all(|(size, _)| [own, own + 11].contains(size)), "{routine}: {sizes:?}");
    }
}

#[test]
fn libraries_are_loaded_and_unloaded() {
    let build = Build { link: &["-ldl"], ..Build::default() };
    let program = build.program(&format!(
        "{HEAD}#include <dlfcn.h>
        __attribute__((noinline)) int loaded(const char *path, int n) {{
            void *library = dlopen(path, RTLD_NOW); if (!library) {{ puts(dlerror()); exit(2); }}
            int (*twice)(int) = (int (*)(int))dlsym(library, \"twice\"); int s = twice(n) + twice(n); dlclose(library);
            return s + (dlopen(path, RTLD_NOW | RTLD_NOLOAD) != 0); }}
        int main(int n, char **path) {{ for (int i = 1; i <= 5; i++) {{ sum(100); if (loaded(path[1], 10 * i)) return 1; }} return 0; }}"
    ));
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(
        file("library.c"),
        "int b[1000]; __attribute__((noinline)) static int inner(int n) { int s = 0; for (int i = 0; i < n; i++) s += b[i]; return s; }
        int twice(int n) { return inner(n) + inner(n) + (int)(getenv(\"HOME\") == (char *)1); }"
            .replacen("int", "#include <stdlib.h>\nint", 1),
    )
    .unwrap();
    let compiler = ["-fPIC"];
    Build { compiler: &compiler, ..Build::default() }.object(&file("library.c"), &file("library.o"));
    let library = file("library.so");
    done(std::process::Command::new("gcc").arg("-shared").arg("-o").arg(&library).arg(file("library.o")));
    let costs = program.run(&[library.to_str().unwrap()]);
    let count = |routine: &str| costs.costs_of(routine).iter().map(|o| o.count).sum::<u64>();
    assert_eq!(["loaded", "twice", "inner", "sum"].map(count), [5, 10, 20, 5]);
    let inner: Vec<_> = costs.sizes("inner");
    assert_eq!(inner, [(10, 4), (20, 4), (30, 4), (40, 4), (50, 4)]);
}

#[test]
fn coroutines_run_on_and_are_told() {
    let program = program(
        "static ucontext_t whole, part; static volatile int turns;
        static void coroutine(void) { for (int i = 0; i < 10; i++) { sum(100); turns++; swapcontext(&part, &whole); } }
        __attribute__((noinline)) void resumed(void) { sum(50); swapcontext(&whole, &part); }
        int main(void) { getcontext(&part); part.uc_stack.ss_sp = malloc(1 << 16); part.uc_stack.ss_size = 1 << 16; part.uc_link = &whole;
            makecontext(&part, coroutine, 0); for (int i = 0; i < 10; i++) resumed(); return turns != 10; }",
    );
    let costs = program.run(&[]);
    assert!(costs.warnings.contains(&"interleaved_calls".to_owned()), "{:?}", costs.warnings);
    assert_eq!(costs.costs_of("sum").iter().map(|o| o.count).sum::<u64>(), 20);
}

#[test]
fn functions_that_are_not_probed_are_counted() {
    let costs = program(
        "#include <math.h>\n#include <zlib.h>\nextern char **environ;
        int main(void) { for (int i = 0; i < 3; i++) posix_madvise(0, 0, 0); return 0; }"
            .replace("#include <zlib.h>\n", "")
            .as_str(),
    )
    .run(&[]);
    assert_eq!(costs.not_probed.get("posix_madvise"), Some(&3), "{:?}", costs.not_probed);
}

#[test]
fn programs_run_where_nothing_can_be_recorded() {
    let program = program("int main(void) { return sum(1000) != 0; }");
    let (mut command, records) = program.command(&[]);
    let output = done(command.env_remove("TREND_PROF_RECORD"));
    assert!(output.stderr.is_empty() && records.files().is_empty());
    let (mut command, _records) = program.command(&[]);
    let output = done(command.env("TREND_PROF_RECORD", program.folder().join("none")));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing is recorded"));
    // Without address space, the program ends with a message.
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -v 1000000; exec \"$0\""]).arg(program.path());
    let output = limited.output().unwrap();
    assert_eq!(output.status.code(), Some(70));
    assert!(String::from_utf8_lossy(&output.stderr).contains("ulimit -v"));
}

/// Mounts a file system of a number of kilobytes for the record. Only the program sees it.
const SMALL_DISK: &str = "mount -t tmpfs -o size=\"$1\" none \"$2\" && { TREND_PROF_RECORD=\"$2\" \"$0\"; code=$?; cp \"$2\"/*.trend-record \"$3\"; exit $code; }";

/// Runs a program that records on a disk of this size. Returns `None` if the user may not mount.
#[expect(clippy::print_stderr, reason = "what is not tested is said")]
pub(crate) fn run_on_small_disk(program: &Program, size: &str) -> Option<(Output, Records)> {
    let folder = tempfile::tempdir().unwrap();
    let (_, records) = program.command(&[]);
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", SMALL_DISK]).arg(program.path()).arg(size);
    let output = command.arg(folder.path()).arg(records.path()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("unshare") || errors.contains("mount:") {
        eprintln!("not tested: no small disk can be mounted: {errors}");
        return None;
    }
    Some((output, records))
}

/// Returns the number of activations that could not be recorded.
fn lost(records: &Records) -> u64 {
    let bytes = std::fs::read(&records.files()[0]).unwrap();
    let at = offset_of!(Header, lost);
    u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// Fills the disk that holds the record.
pub(crate) const FILL_DISK: &str = "static void fill(void) { char path[4096]; snprintf(path, sizeof path, \"%s/fill\", getenv(\"TREND_PROF_RECORD\"));
        FILE *f = fopen(path, \"w\"); setbuf(f, 0); static char block[512]; while (fwrite(block, 512, 1, f) == 1) ; fclose(f); }\n";

const DOWN: &str =
    "__attribute__((noinline)) int down(int n) { return n == 0 ? sum(1000) : down(n - 1) + 1; }\n";

#[test]
fn a_full_disk_cuts_the_record_off_and_not_the_program() {
    let program = program(
        "int many[200000]; __attribute__((noinline)) long all(int n) { long s = 0; for (int i = 0; i < n; i++) s += many[i]; return s; }
        int main(void) { sum(100); for (int n = 0; n < 20000; n += 2) all(n); sum(200); puts(\"done\"); return 0; }",
    );
    let Some((output, records)) = run_on_small_disk(&program, "64k") else { return };
    assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing is recorded: the disk is full"));
    assert_eq!(std::fs::read(&records.files()[0]).unwrap(), b"");
    let Some((output, records)) = run_on_small_disk(&program, "600k") else { return };
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"done\n"[..]));
    let costs = records.costs();
    assert!(costs.warnings.contains(&"record_cut_off".to_owned()), "{:?}", costs.warnings);
    assert_eq!(costs.sizes("sum")[0], (100, 1));
    let recorded = costs.costs_of("all").len();
    assert!((500..10_000).contains(&recorded), "{recorded}");
    assert!(lost(&records) > 0);
}

#[test]
fn calls_are_nested_deeply_on_a_full_disk() {
    let program = program(&format!(
        "{FILL_DISK}{DOWN}int main(void) {{ down(10); fill(); down(20000); puts(\"done\"); return 0; }}"
    ));
    let Some((output, records)) = run_on_small_disk(&program, "2m") else { return };
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"done\n"[..]), "{output:?}");
    let costs = records.costs();
    // The table already existed.
    assert_eq!(costs.sizes("down"), [(1000, 20_001 + 11)]);
    assert_eq!((&*costs.warnings, lost(&records)), (&["record_cut_off".to_owned()][..], 0));
}

#[test]
fn a_process_that_is_killed_on_a_full_disk_leaves_what_the_disk_had_room_for() {
    let source = format!("{FILL_DISK}{}", DOWN.replace("sum(1000)", "raise(SIGKILL)"));
    let program = program(&format!("{source}int main(void) {{ sum(300); fill(); down(20000); return 0; }}"));
    let Some((output, records)) = run_on_small_disk(&program, "2m") else { return };
    assert_eq!(output.status.code(), Some(137), "{output:?}");
    let costs = records.costs();
    assert_eq!((costs.sizes("sum"), costs.only("main").count), (vec![(300, 1)], 1));
    let running = costs.costs_of("down").iter().map(|o| o.count).sum::<u64>();
    assert!((100..20_000).contains(&running), "{running}");
}

#[test]
fn a_thread_begins_on_a_full_disk() {
    let program = program(&format!(
        "{FILL_DISK}{DOWN}static pthread_barrier_t all; static void *late(void *n) {{ pthread_barrier_wait(&all); sum(200); down(2000); return 0; }}
        int main(void) {{ sum(100); fill(); pthread_t t[20]; pthread_barrier_init(&all, 0, 20); for (int i = 0; i < 20; i++) pthread_create(&t[i], 0, late, 0);
            for (int i = 0; i < 20; i++) pthread_join(t[i], 0); sum(300); puts(\"done\"); return 0; }}"
    ));
    let Some((output, records)) = run_on_small_disk(&program, "2m") else { return };
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"done\n"[..]), "{output:?}");
    let costs = records.costs();
    assert_eq!(costs.warnings, ["record_cut_off"]);
    assert!(
        [(100, 1), (300, 1)].iter().all(|one| costs.sizes("sum").contains(one)),
        "{:?}",
        costs.sizes("sum")
    );
    // Calls without a table all count as lost: in each thread, 2001 calls of `down`, one of `late`, and two of `sum`.
    let recorded: u64 = ["down", "late", "sum"].iter().flat_map(|r| costs.costs_of(r)).map(|o| o.count).sum();
    assert_eq!(recorded - 2 + lost(&records), 20 * (2001 + 3));
}

/// Denies the program more memory for data, so that frames run out.
const NO_MEMORY: &str = "#include <sys/resource.h>\nstatic void limit(void) { struct rlimit no = {1, 1}; setrlimit(RLIMIT_DATA, &no); }\n";

#[test]
fn calls_go_on_without_memory_for_their_frames() {
    let source = format!(
        "{NO_MEMORY}{FILL_DISK}{DOWN}static void *late(void *n) {{ sum(200); return 0; }}
        int main(int n, char **file) {{ sum(100); down(10); if (n == 1) fill(); limit();
            for (int i = 0; i < 3; i++) {{ down(5000); sum(300); }} write(1, \"done\\n\", 5); return 0; }}"
    );
    let program = program(&source);
    // If nothing is recorded, all memory is the program's own.
    let (mut command, _records) = program.command(&["nothing"]);
    let output = done(command.env_remove("TREND_PROF_RECORD"));
    assert_eq!(&*output.stdout, b"done\n");
    let Some((output, records)) = run_on_small_disk(&program, "2m") else { return };
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"done\n"[..]), "{output:?}");
    let costs = records.costs();
    assert_eq!(costs.warnings, ["record_cut_off", "calls_too_deep"]);
    // A call above the last frame takes the place of its caller.
    let count = |routine| costs.costs_of(routine).iter().map(|o| o.count).sum::<u64>();
    assert_eq!((costs.sizes("sum")[0], count("sum"), count("main")), ((100, 1), 1 + 1 + 6, 1));
    assert!(lost(&records) > 3 * 1000, "{}", lost(&records));
    assert_eq!(count("down") + lost(&records), 11 + 3 * 5001);
    // Costs of calls stay right: depths are counted correctly, and outermost calls are distinguished.
    let outermost: u64 = costs.costs_of("down").iter().map(|o| o.parts.outermost.unwrap()).sum();
    assert!(outermost <= costs.only("main").sum);
}

#[test]
fn more_threads_than_can_be_watched_run_all_the_same() {
    let source = format!(
        "{HEAD}__attribute__((noinline)) int down(int n) {{ return n == 0 ? sum(1000) : down(n - 1) + 1; }}
        static pthread_barrier_t all;
        __attribute__((noinline)) int jumps(int n, jmp_buf *to) {{ if (n == 0) longjmp(*to, 1); return jumps(n - 1, to) + 1; }}
        static void *work(void *n) {{ pthread_barrier_wait(&all); jmp_buf to; down(3000); if (!setjmp(to)) jumps(2000, &to);
            for (int i = 0; i < 10; i++) down(i); return 0; }}
        int main(void) {{ pthread_attr_t attr; pthread_attr_init(&attr); pthread_attr_setstacksize(&attr, 1 << 20); pthread_t t[300];
            for (int round = 0; round < 2; round++) {{ pthread_barrier_init(&all, 0, 300);
                for (int i = 0; i < 300; i++) if (pthread_create(&t[i], &attr, work, 0)) return 2;
                for (int i = 0; i < 300; i++) pthread_join(t[i], 0); }}
            puts(\"done\"); return 0; }}"
    );
    for options in [&["--metric", "rms"][..], &["--metric", "drms"], &["--metric", "rms", "--contexts"]] {
        let costs = Build { probe: options, ..Build::default() }.program(&source).run(&[]);
        assert_eq!(costs.warnings, ["unwatched_threads"], "{options:?}");
        let count = |routine| costs.costs_of(routine).iter().map(|o| o.count).sum::<u64>();
        let watched = count("work");
        assert!((60..600).contains(&watched), "{options:?}: {watched}");
        assert_eq!(
            ["down", "jumps", "sum"].map(count),
            [watched * (3001 + 55), watched * 2001, watched * 11]
        );
        assert_eq!(costs.sizes("sum"), [(1000, watched * 11)], "{options:?}");
    }
}

#[test]
fn threads_that_are_not_watched_reserve_no_address_space() {
    // Threads beyond the limit come and go in every round.
    let source = format!(
        "{HEAD}static pthread_barrier_t all;
        static void *work(void *n) {{ sum(10); pthread_barrier_wait(&all); return 0; }}
        static long size(void) {{ long pages; FILE *f = fopen(\"/proc/self/statm\", \"r\"); if (fscanf(f, \"%ld\", &pages) != 1) abort();
            fclose(f); return pages; }}
        int main(void) {{ pthread_attr_t attr; pthread_attr_init(&attr); pthread_attr_setstacksize(&attr, 1 << 20); pthread_t t[300];
            long first = 0;
            for (int round = 0; round < 8; round++) {{ pthread_barrier_init(&all, 0, 300);
                for (int i = 0; i < 300; i++) if (pthread_create(&t[i], &attr, work, 0)) return 2;
                for (int i = 0; i < 300; i++) pthread_join(t[i], 0);
                if (round == 0) first = size(); }}
            return size() - first > 1 << 20; }}"
    );
    for options in [&["--metric", "rms"][..], &["--metric", "drms"]] {
        let costs = Build { probe: options, ..Build::default() }.program(&source).run(&[]);
        assert_eq!(costs.warnings, ["unwatched_threads"], "{options:?}");
    }
}

#[test]
fn each_part_of_a_coroutine_is_a_call() {
    let source = "#include <coroutine>
        struct Generator { struct promise_type { int value;
            Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
            std::suspend_always initial_suspend() noexcept { return {}; } std::suspend_always final_suspend() noexcept { return {}; }
            std::suspend_always yield_value(int v) { value = v; return {}; } void return_void() {} void unhandled_exception() {} };
            std::coroutine_handle<promise_type> handle; };
        int a[1000];
        Generator parts(int times, int n) { for (int part = 0; part < times; part++) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; co_yield s; } }
        __attribute__((noinline)) int sum(Generator g) { int s = 0; while (g.handle.resume(), !g.handle.done()) s += g.handle.promise().value;
            g.handle.destroy(); return s; }
        int main(int c, char **) { return sum(parts(9 + c, 100)) + sum(parts(4 + c, 200)); }";
    let costs =
        Build { is_cpp: true, compiler: &["-std=c++20"], ..Build::default() }.program(source).run(&[]);
    assert_eq!(costs.warnings, [""; 0]);
    let parts = costs.costs_of("parts(int, int)");
    // For each generator: its beginning, its end and its destruction; and each part. A part reads its own part of the
    // array and four cells of the generator.
    assert_eq!(costs.sizes("parts(int, int)"), [(0, 2), (3, 4), (104, 10), (204, 5)]);
    // A trip has two blocks, and no part has the cost of earlier ones.
    let own = |of: usize| parts[of].parts.own.unwrap();
    assert_eq!([own(2), own(3)], [207 + 9 * 209, 407 + 4 * 409]);
    assert_eq!([parts[2].max, parts[3].max], [209, 409]);
    let all = ["parts(int, int)", "sum(Generator)", "main"].map(|routine| costs.costs_of(routine));
    let all: u64 = all.iter().flatten().map(|o| o.parts.own.unwrap()).sum();
    assert_eq!(costs.only("main").sum, all);
}

#[test]
fn memory_of_several_containers_is_told_where_it_is_given() {
    let source = "#include <vector>
        __attribute__((noinline)) long both(int n) {
            std::vector<int> a(n, 1), b(n, 2); long s = 0;
            for (int i = 0; i < n; i++) s += a[i] * b[i];
            return s; }
        int main() { long s = 0; for (int i = 0; i < 10; i++) s += both(i % 2 * 300); return s != 3000; }";
    let costs = Build { is_cpp: true, ..Build::default() }.program(source).run(&[]);
    // Memory that a call allocates and fills is not its input.
    let sizes = costs.sizes("both(int)");
    assert_eq!(sizes.iter().map(|(_, calls)| calls).sum::<u64>(), 10);
    assert!(sizes.iter().all(|(size, _)| *size < 10), "{sizes:?}");
}

#[test]
fn memory_of_an_allocator_of_the_programs_own_is_given_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let (pool, object) = (folder.path().join("pool.cpp"), folder.path().join("pool.o"));
    // Unlike blocks of malloc, these have no length before them.
    let text = "#include <cstddef>\n#include <new>\nstatic double memory[4096]; static std::size_t used;
        void *operator new(std::size_t n) { void *at = memory + used; used += (n + 7) / 8; return at; }
        void operator delete(void *) noexcept {} void operator delete(void *, std::size_t) noexcept {}";
    std::fs::write(&pool, text).unwrap();
    done(Command::new("g++").arg("-c").arg(&pool).arg("-o").arg(&object));
    let source = "struct Node { double value[4]; Node *next; };
        __attribute__((noinline)) double sum(Node *n) { double s = 0; for (; n; n = n->next) s += n->value[3]; return s; }
        __attribute__((noinline)) Node *list(int n) { Node *first = nullptr;
            for (int i = 0; i < n; i++) { Node *node = new Node; for (double &v : node->value) v = 1; node->value[1] = 1e300 * i; node->next = first; first = node; }
            return first; }
        int main() { return sum(list(50)) != 50; }";
    let link = [object.to_str().unwrap()];
    let costs = Build { is_cpp: true, link: &link, ..Build::default() }.program(source).run(&[]);
    assert_eq!(costs.sizes("sum(Node*)"), [(200, 1)]);
    assert_eq!(costs.sizes("list(int)"), [(0, 1)]);
}

/// An allocator may ask for addresses where the program has nothing. These have no shadow.
#[test]
fn memory_that_is_asked_for_far_from_all_other_has_a_shadow() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let maps = |name: &str, terabytes: u32| {
        format!(
            "int *{name}(void) {{ return mmap((void *)({terabytes}ul << 40), 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }}\n"
        )
    };
    for (name, terabytes, options) in [("object", 10, "-c"), ("library", 100, "-shared")] {
        let source = format!("#include <sys/mman.h>\n{}", maps(name, terabytes));
        std::fs::write(file(&format!("{name}.c")), source).unwrap();
        done(Command::new("gcc").args([options, "-fPIC", "-o", &file(name), &file(&format!("{name}.c"))]));
    }
    let runs_in = format!("-Wl,-rpath,{}", folder.path().display());
    let program = format!(
        "#include <errno.h>\n#include <sys/mman.h>\n{}int *object(void), *library(void);
        __attribute__((noinline)) long total(const int *a, int n) {{ long s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }}
        __attribute__((noinline)) void fill(int *a, int n) {{ for (int i = 0; i < n; i++) a[i] = i; }}
        int main(void) {{
            for (int i = 0; i < 3; i++) {{
                int *a = i == 0 ? own() : i == 1 ? object() : library();
                if (a == MAP_FAILED) return 1;
                fill(a, 1000 * (i + 1)); if (total(a, 1000 * (i + 1)) == 0) return 2;
            }}
            return mmap(0, 0, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED || errno != EINVAL;
        }}",
        maps("own", 2)
    );
    let link = [file("object"), file("library"), runs_in];
    let link = link.each_ref().map(String::as_str);
    let costs = Build { link: &link, ..Build::default() }.program(&program).run(&[]);
    assert_eq!(costs.sizes("total"), [(1000, 1), (2000, 1), (3000, 1)]);
    assert_eq!(costs.sizes("fill"), [(0, 3)]);
}

#[test]
fn memory_that_would_have_no_shadow_is_not_mapped() {
    let source = "#include <errno.h>
        #include <stdio.h>
        #include <sys/mman.h>
        #ifndef MAP_FIXED_NOREPLACE
        #define MAP_FIXED_NOREPLACE 0x100000
        #endif
        static char *map(unsigned long at, unsigned long length, int more) {
            return mmap((void *)at, length, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | more, -1, 0); }
        __attribute__((noinline)) int ask(unsigned long at, unsigned long length, int more, int error) {
            errno = 0;
            char *found = map(at, length, more);
            for (int i = 0; found != MAP_FAILED && i < 1000; i++) found[i] = 1;
            return (found == MAP_FAILED) == (error != 0) && errno == error; }
        int main(int n, char **words) {
            unsigned long far = 10ul << 40, page = 1 << 12, large = 130ul << 30;
            char *near = map(0, page, 0);
            if (near == MAP_FAILED || munmap(near, page)) return 1;
            if (!ask((unsigned long)near, page, MAP_FIXED_NOREPLACE, 0)) return 2;
            if (!ask((unsigned long)near, page, MAP_FIXED_NOREPLACE, EEXIST)) return 3;
            if (!ask((unsigned long)near, page, MAP_FIXED, 0)) return 4;
            if (!ask(far, page, MAP_FIXED_NOREPLACE, EEXIST)) return 5;
            if (!ask(1ul << 50, page, MAP_FIXED, ENOMEM)) return 6;
            for (int i = 0; i < 3; i++) if (!ask(0, large, 0, ENOMEM)) return 7;
            if (!ask(0, 1ul << 30, 0, 0)) return 8;
            puts(\"asked\"); fflush(stdout);
            if (n > 1) ask(far, page, MAP_FIXED, 0);
            return 0; }";
    let program = c(source);
    let (mut command, records) = program.command(&[]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr).matches("a mapping failed (ENOMEM)").count(), 1);
    assert_eq!(records.costs().costs_of("ask").iter().map(|o| o.count).sum::<u64>(), 9);
    let (mut command, _records) = program.command(&["fixed"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(70), "{output:?}");
    assert_eq!(output.stdout, b"asked\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("(MAP_FIXED)"), "{output:?}");
}

#[test]
fn versions_of_a_function_are_chosen_before_anything_is_recorded() {
    let costs = c("int a[1000];
        __attribute__((target_clones(\"avx2\", \"default\"))) int total(int n) {
            int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
        int main(void) { for (int i = 0; i < 5; i++) total(300); return 0; }")
    .run(&[]);
    assert_eq!(costs.only("main").count, 1);
    let versions =
        ["total.avx2", "total.avx2.0", "total.default", "total.default.1"].map(|name| costs.sizes(name));
    assert_eq!(versions.concat(), [(300, 5)]);
}
