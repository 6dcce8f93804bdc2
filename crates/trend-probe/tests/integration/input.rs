//! DRMS: input from the kernel, from streams and from other threads while a routine runs.

use std::fmt::Write as _;
use std::fs;

use trend_profile::{Observation, Variable};

use crate::support::{Build, Costs};

const HEAD: &str = "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdio.h>\n\
    #include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <sys/random.h>\n#include <sys/socket.h>\n\
    #include <sys/stat.h>\n#include <sys/uio.h>\n#include <unistd.h>\n#define NEVER __attribute__((noinline))\n\
    _Alignas(16) char buffer[4096]; int file; volatile int result;\n\
    NEVER int sum(const char *p, long n) { const int *a = (const int *)p; int s = 0; for (long i = 0; i < n / 4; i++) s += a[i]; return s; }\n";
/// Size in bytes of the file that programs read.
const FILE: usize = 40_000;
/// Exit code of a program that needs a feature that this machine lacks.
const NOT_THERE: i32 = 77;

fn run(rest: &str) -> Costs {
    run_with(rest, "drms")
}

/// Runs a program. Its `main` first opens a file of [`FILE`] bytes as `file`.
fn run_with(rest: &str, metric: &str) -> Costs {
    run_linked(rest, metric, &[]).unwrap()
}

/// Runs a program that is linked with more options. Returns `None` if it ends with [`NOT_THERE`].
fn run_linked(rest: &str, metric: &str, link: &[&str]) -> Option<Costs> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input");
    let line = "a line of sixteen characters is longer than that".get(..15).unwrap();
    fs::write(&path, format!("{line}\n").repeat(FILE / 16)).unwrap();
    let probe = ["--metric", metric];
    let source = format!(
        "{HEAD}{rest}\nint main(int n, char **of) {{ file = open(of[1], O_RDONLY); result = file; work(of[1]); return 0; }}"
    );
    let program = Build { probe: &probe, link, ..Build::default() }.program(&source);
    let (mut command, records) = program.command(&[path.to_str().unwrap()]);
    let output = command.output().unwrap();
    if output.status.code() == Some(NOT_THERE) {
        return None;
    }
    assert!(output.status.success(), "{output:?}");
    Some(records.costs())
}

/// Returns the only observation of `routine` by DRMS, and its RMS.
#[track_caller]
fn only(costs: &Costs, routine: &str) -> (Observation, u64) {
    match (&costs.by(routine, Variable::Drms)[..], &costs.by(routine, Variable::Rms)[..]) {
        ([drms], [rms]) => (*drms, rms.size()),
        other => panic!("{routine}: {other:?}"),
    }
}

/// Returns the size, the parts of it from the kernel and from threads, and the RMS.
#[track_caller]
fn sizes(costs: &Costs, routine: &str) -> [u64; 4] {
    let (drms, rms) = only(costs, routine);
    [drms.size(), drms.parts.from_kernel.unwrap(), drms.parts.from_threads.unwrap(), rms]
}

#[test]
fn a_buffer_that_is_read_into_again_is_input_again() {
    let costs = run("NEVER int whole(void) { int s = 0; for (long n; (n = read(file, buffer, 4096)) > 0;) s += sum(buffer, n); return s; }
        NEVER void work(char *path) { result = whole(); }");
    // 10,000 cells and the number of the file. RMS only counts the buffer.
    assert_eq!(sizes(&costs, "whole"), [10_001, 10_000, 0, 1025]);
    let parts = costs.by("sum", Variable::Drms);
    // 9 full buffers and 3,136 bytes.
    let measured: Vec<_> = parts.iter().map(|o| (o.size(), o.count, o.parts.from_kernel)).collect();
    assert_eq!(measured, [(784, 1, Some(784)), (1024, 9, Some(9 * 1024))]);
}

#[test]
fn structures_that_are_copied_have_their_cells_each() {
    // Structures have 5 to 8 pairs of cells. If others are watched, the kernel writes one cell of each pair, each time
    // in another structure.
    let of = |pairs: u64| {
        format!(
            "typedef struct {{ long a[{pairs}]; }} s{pairs}; s{pairs} from{pairs}[100], to{pairs}[100];
            NEVER void copy{pairs}(void) {{ for (int i = 0; i < 100; i++) to{pairs}[i] = from{pairs}[i * 7 % 100]; }}
            NEVER void copies{pairs}(void) {{
                copy{pairs}();
                for (int i = 0; i < {pairs}; i++) pread(file, (char *)&from{pairs}[i].a[i] + i % 2 * 4, 4, 0);
                copy{pairs}();
            }}\n"
        )
    };
    let all = 5..=8;
    let functions = all.clone().map(of).collect::<Vec<_>>().concat();
    let calls = all.clone().map(|pairs| format!("copies{pairs}();")).collect::<Vec<_>>().concat();
    let source = format!("{functions}NEVER void work(char *path) {{ {calls} }}");
    let costs = run(&source);
    for pairs in all.clone() {
        let cells = 200 * pairs;
        // Plus the number of the file.
        let measured = sizes(&costs, &format!("copies{pairs}"));
        assert_eq!(measured, [cells + 1 + pairs, pairs, 0, cells + 1], "{pairs}");
        let copies = costs.by(&format!("copy{pairs}"), Variable::Drms);
        let total = copies.iter().fold((0, 0), |sum, o| (sum.0 + o.count, sum.1 + o.count * o.size()));
        assert_eq!(total, (2, 2 * cells), "{pairs}");
    }
    let costs = run_with(&source, "rms");
    for pairs in all {
        assert_eq!(costs.sizes(&format!("copies{pairs}")), [(200 * pairs + 1, 1)]);
        assert_eq!(costs.sizes(&format!("copy{pairs}")), [(200 * pairs, 2)]);
    }
}

#[test]
fn what_is_not_read_again_is_no_input() {
    let costs = run("NEVER void whole(void) { for (int i = 0; i < 5; i++) pread(file, buffer, 400, i); result = sum(buffer, 400); result = sum(buffer, 400); }
        NEVER void work(char *path) { whole(); }");
    assert_eq!(sizes(&costs, "whole"), [101, 100, 0, 101]);
    let sums = costs.by("sum", Variable::Drms);
    // The second call of `sum` reads cells that the thread has already read.
    assert_eq!(
        (sums.len(), sums[0].size(), sums[0].count, sums[0].parts.from_kernel),
        (1, 100, 2, Some(100))
    );
}

#[test]
fn every_call_of_the_kernels_that_gives_data_is_known() {
    // Each routine reads 100 cells that it has written itself, after the kernel has written some of them.
    let body = |name: &str, call: &str| {
        format!(
            "NEVER void {name}(char *path) {{ memset(buffer, 0, 400); {call}; result = sum(buffer, 400); }}\n"
        )
    };
    let parts = "struct iovec parts[2] = {{buffer, 40}, {buffer + 80, 4000}}";
    let message = format!("{parts}; struct msghdr message = {{.msg_iov = parts, .msg_iovlen = 2}}");
    let calls = [
        ("by_read", "lseek(file, 0, SEEK_SET); read(file, buffer, 100)".to_owned(), 25),
        ("by_pread", "pread(file, buffer, 100, 8)".to_owned(), 25),
        ("by_end", "pread(file, buffer, 100, 39960)".to_owned(), 10),
        ("by_failure", "read(-1, buffer, 100)".to_owned(), 0),
        ("by_readv", format!("{parts}; lseek(file, 39900, SEEK_SET); readv(file, parts, 2)"), 25),
        ("by_preadv", format!("{parts}; preadv(file, parts, 2, 39920)"), 20),
        ("by_preadv2", format!("{parts}; preadv2(file, parts, 2, 39920, 0)"), 20),
        ("by_recv", "send(ends[0], digits, 60, 0); recv(ends[1], buffer, 400, 0)".to_owned(), 15),
        (
            "by_recvfrom",
            "send(ends[0], digits, 60, 0); recvfrom(ends[1], buffer, 400, 0, 0, 0)".to_owned(),
            15,
        ),
        ("by_recvmsg", format!("{message}; send(ends[0], digits, 60, 0); recvmsg(ends[1], &message, 0)"), 15),
        (
            "by_recvmmsg",
            format!(
                "{message}; struct iovec other = {{buffer + 200, 100}};
                struct mmsghdr all[2] = {{{{message}}, {{{{.msg_iov = &other, .msg_iovlen = 1}}}}}};
                send(ends[0], digits, 60, 0); send(ends[0], digits, 20, 0); recvmmsg(ends[1], all, 2, 0, 0)"
            ),
            20,
        ),
        ("by_getrandom", "getrandom(buffer, 64, 0)".to_owned(), 16),
        ("by_getentropy", "getentropy(buffer, 64)".to_owned(), 16),
        ("by_fstat", "fstat(file, (struct stat *)buffer)".to_owned(), 36),
        ("by_stat", "stat(path, (struct stat *)buffer)".to_owned(), 36),
        ("by_lstat", "lstat(path, (struct stat *)buffer)".to_owned(), 36),
        ("by_stat_of_none", "stat(none, (struct stat *)buffer)".to_owned(), 0),
        ("by_fstatat", "fstatat(AT_FDCWD, path, (struct stat *)buffer, 0)".to_owned(), 36),
        ("by_statx", "statx(AT_FDCWD, path, 0, STATX_ALL, (struct statx *)buffer)".to_owned(), 64),
        ("by_statfs", "statfs(path, (struct statfs *)buffer)".to_owned(), 30),
        ("by_fstatfs", "fstatfs(file, (struct statfs *)buffer)".to_owned(), 30),
        ("by_readlink", "readlink(\"/dev/fd\", buffer, 400)".to_owned(), 4),
        ("by_getdents64", "lseek(folder, 0, SEEK_SET); getdents64(folder, buffer, 400)".to_owned(), 20),
        ("by_clock", "clock_gettime(CLOCK_MONOTONIC, (struct timespec *)buffer)".to_owned(), 4),
        ("by_gettimeofday", "gettimeofday((struct timeval *)buffer, 0)".to_owned(), 4),
        ("by_raw_read", "lseek(file, 0, SEEK_SET); syscall(SYS_read, file, buffer, 100)".to_owned(), 25),
        ("by_raw_pread", "syscall(SYS_pread64, file, buffer, 100, 8L)".to_owned(), 25),
        (
            "by_raw_getdents64",
            "lseek(folder, 0, SEEK_SET); syscall(SYS_getdents64, folder, buffer, 400)".to_owned(),
            20,
        ),
        ("by_raw_getrandom", "syscall(SYS_getrandom, buffer, 64, 0)".to_owned(), 16),
        (
            "by_raw_recvfrom",
            "send(ends[0], digits, 60, 0); syscall(SYS_recvfrom, ends[1], buffer, 400L, 0, 0L, 0L)"
                .to_owned(),
            15,
        ),
        (
            "by_readdir",
            "memset(entry, 0, 24); rewinddir(entries); entry = readdir(entries); memcpy(buffer, entry, 24)"
                .to_owned(),
            6,
        ),
    ];
    let mut source = String::from(
        "#include <dirent.h>\n#include <sys/syscall.h>\n#include <sys/time.h>\n#include <sys/vfs.h>\n#include <time.h>\n\
         int ends[2]; char digits[64], of_folder[4096], none[4096]; int folder; DIR *entries; struct dirent *entry;\n",
    );
    for (name, call, _) in &calls {
        source.push_str(&body(name, call));
    }
    source.push_str("NEVER void work(char *path) { socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);\n\
         strcpy(none, path); strcpy(none + strlen(none), \".none\");\n\
         strcpy(of_folder, path); *strrchr(of_folder, '/') = 0; folder = open(of_folder, O_RDONLY | O_DIRECTORY);\n\
         entries = opendir(of_folder); entry = readdir(entries);\n");
    for (name, ..) in &calls {
        writeln!(source, "{name}(path);").unwrap();
    }
    source.push('}');
    let costs = run(&source);
    assert!(costs.not_probed.keys().all(|name| name == "socketpair"), "{:?}", costs.not_probed);
    for (name, _, kernel) in calls {
        let [drms, from_kernel, from_threads, rms] = sizes(&costs, name);
        assert_eq!([drms - rms, from_kernel, from_threads], [kernel, kernel, 0], "{name}");
    }
}

#[test]
fn what_is_read_through_io_uring_is_input_of_the_kernels() {
    let source = format!(
        "#include <liburing.h>
        struct io_uring ring; struct iovec parts[2] = {{{{buffer, 40}}, {{buffer + 80, 400}}}};
        NEVER int complete(int n) {{ struct io_uring_cqe *done; int sum = 0; io_uring_submit(&ring);
            for (int i = 0; i < n; i++) {{ io_uring_wait_cqe(&ring, &done); sum += done->res; io_uring_cqe_seen(&ring, done); }} return sum; }}
        NEVER void by_read(int n) {{ memset(buffer, 0, 4096);
            for (int i = 0; i < n; i++) io_uring_prep_read(io_uring_get_sqe(&ring), file, buffer + 400 * i, 100, 0);
            if (complete(n) != 100 * n) abort(); result = sum(buffer, 4096); }}
        NEVER void by_readv(void) {{ memset(buffer, 0, 4096);
            io_uring_prep_readv(io_uring_get_sqe(&ring), file, parts, 2, 0);
            if (complete(1) != 440) abort(); result = sum(buffer, 480); }}
        NEVER void work(char *path) {{ if (io_uring_queue_init(8, &ring, 0)) _exit({NOT_THERE});
            for (int i = 0; i < 5; i++) by_read(8); by_readv(); }}"
    );
    // If the kernel has no io_uring, or a container forbids it, this cannot be tested.
    let Some(costs) = run_linked(&source, "drms", &["-luring"]) else {
        eprintln!("not tested: input through io_uring: this system allows none");
        return;
    };
    let from_kernel = |routine| {
        let calls = costs.by(routine, Variable::Drms);
        calls.iter().map(|o| o.parts.from_kernel.unwrap()).sum::<u64>()
    };
    assert_eq!(from_kernel("by_read"), 5 * 8 * 25);
    assert_eq!(from_kernel("by_readv"), 110);
}

#[test]
fn bytes_of_streams_are_input_of_the_kernels() {
    let source = "FILE *stream; char line[100];
        NEVER void by_fread(void) { while (fread(buffer, 1, 4096, stream) == 4096); }
        NEVER void by_getc(void) { int c; while ((c = getc(stream)) != EOF) result = c; }
        NEVER void by_fgets(void) { while (fgets(line, sizeof line, stream)); }
        NEVER void by_getline(void) { char *text = 0; size_t room = 0; while (getline(&text, &room, stream) > 0); }
        NEVER void work(char *path) { stream = fopen(path, \"r\");
            by_fread(); rewind(stream); by_getc(); rewind(stream); by_fgets(); rewind(stream); by_getline(); }";
    let costs = run(source);
    for routine in ["by_fread", "by_getc", "by_fgets", "by_getline"] {
        let [drms, from_kernel, from_threads, rms] = sizes(&costs, routine);
        // At the end of the stream, there is one more call of getc.
        assert!((10_000..=10_001).contains(&from_kernel), "{routine}: {from_kernel}");
        assert_eq!([drms - rms, from_threads], [from_kernel, 0], "{routine}");
        assert!(rms < 10, "{routine}: {rms}");
    }
    // RMS is the same with and without others being watched.
    let fixed = run_with(source, "rms");
    for routine in ["by_fread", "by_getc", "by_fgets", "by_getline"] {
        assert_eq!(fixed.only(routine).size(), costs.only(routine).size(), "{routine}");
    }
}

#[test]
fn a_mapped_file_is_input_of_the_kernels_and_other_mappings_are_none() {
    let costs = run("NEVER void of_file(void) { char *p = mmap(0, 40000, PROT_READ, MAP_PRIVATE, file, 0); result = sum(p, 40000); munmap(p, 40000); }
        NEVER void of_memory(void) { char *p = mmap(0, 40000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); result = sum(p, 40000); }
        NEVER void work(char *path) { of_file(); of_memory(); of_file(); }");
    let (of_file, rms) = only(&costs, "of_file");
    assert_eq!((of_file.size(), of_file.count, rms), (10_001, 2, 10_001));
    assert_eq!(of_file.parts.from_kernel, Some(2 * 10_000));
    assert_eq!(sizes(&costs, "of_memory"), [0, 0, 0, 0]);
}

const HANDED_OVER: &str = "sem_t full, empty; int cell, other;
    NEVER void produced(int i) { for (int once = 0; once < 1; once++) { cell = i; other = i; } }
    static void *produce(void *n) { for (long i = 0; i < (long)n; i++) { sem_wait(&empty); produced(i); sem_post(&full); } return 0; }
    NEVER int consume(long n) { int s = 0; for (long i = 0; i < n; i++) { sem_wait(&full); s += cell; sem_post(&empty); } return s; }
    NEVER void work(char *path) { sem_init(&full, 0, 0); sem_init(&empty, 0, 1); pthread_t t;
        pthread_create(&t, 0, produce, (void *)200L); result = consume(200); pthread_join(t, 0); }";

#[test]
fn a_cell_that_another_thread_hands_over_is_input_each_time() {
    let costs = run(HANDED_OVER);
    assert_eq!(sizes(&costs, "consume"), [200, 0, 200, 1]);
    // Cells that a thread only writes are not input of its routines.
    assert_eq!(sizes(&costs, "produced"), [0, 0, 0, 0]);
    let fixed = run_with(HANDED_OVER, "rms");
    assert_eq!(fixed.sizes("consume"), [(1, 1)]);
}

#[test]
fn a_cell_that_is_added_to_is_handed_over_as_well() {
    for add in ["cell = i", "cell += i", "__atomic_fetch_add(&cell, i, __ATOMIC_RELAXED)"] {
        let costs = run(&HANDED_OVER.replace("cell = i;", &format!("{add};")));
        assert_eq!(sizes(&costs, "consume"), [200, 0, 200, 1], "{add}");
    }
}

#[test]
fn what_another_thread_writes_and_nobody_reads_again_is_no_input() {
    let costs = run("int cells[1000];
        static void *write_all(void *n) { for (int i = 0; i < 1000; i++) cells[i] = i; return 0; }
        NEVER void whole(void) { pthread_t t; result = sum((char *)cells, 4000);
            pthread_create(&t, 0, write_all, 0); pthread_join(t, 0); result = sum((char *)cells, 80); }
        NEVER void work(char *path) { whole(); }");
    let [drms, from_kernel, from_threads, rms] = sizes(&costs, "whole");
    // `pthread_join` needs the number of the thread, which is in the routine's own memory.
    assert_eq!([drms - rms, from_kernel, from_threads], [20, 0, 20]);
    assert!((1000..=1002).contains(&rms), "{rms}");
}

/// Returns a program with this many concurrent threads. In turn, each one reads and writes 64 cells, three times.
fn passing_on(threads: usize) -> String {
    format!("enum {{ THREADS = {threads} }};\n{PASSING_ON}")
}

const PASSING_ON: &str = "int cells[64]; sem_t turns[THREADS + 1];
        NEVER int pass(long n) { int s = 0; for (int i = 0; i < 64; i++) { s += cells[i]; cells[i] = n + i; } return s; }
        static void *thread(void *number) { long n = (long)number;
            for (int round = 0; round < 3; round++) { sem_wait(&turns[n]); pass(n); sem_post(&turns[(n + 1) % THREADS]); } return 0; }
        NEVER void work(char *path) { pthread_t t[THREADS];
            for (int i = 0; i < THREADS; i++) sem_init(&turns[i], 0, 0);
            for (long i = 0; i < THREADS; i++) pthread_create(&t[i], 0, thread, (void *)i);
            sem_post(&turns[0]);
            for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0); }";

#[test]
fn a_hundred_threads_read_what_each_has_left_to_the_next() {
    let costs = run(&passing_on(100));
    let passes = costs.by("pass", Variable::Drms);
    let measured: Vec<_> = passes.iter().map(|o| (o.size(), o.count, o.parts.from_threads)).collect();
    // The first thread finds cells that have never been written.
    assert_eq!(measured, [(64, 300, Some(299 * 64))]);
    assert!(costs.warnings.is_empty(), "{:?}", costs.warnings);
}

#[test]
fn threads_beyond_those_that_can_be_watched_run_as_well_and_are_told() {
    for metric in ["rms", "drms"] {
        let costs = run_with(&passing_on(600), metric);
        assert!(costs.warnings.contains(&"unwatched_threads".to_owned()), "{:?}", costs.warnings);
        let passes: u64 = costs.costs_of("pass").iter().map(|o| o.count).sum();
        assert!((3 * 64..3 * 600).contains(&passes) && passes.is_multiple_of(3), "{passes}");
    }
}
