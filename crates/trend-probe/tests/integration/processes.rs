//! Processes that start others, and processes on systems that lack what the probe needs.

use std::process::{Command, Output};

use crate::support::{Program, c, done};

const HEAD: &str = "#define _GNU_SOURCE\n#include <spawn.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
    extern char **environ; int a[1000]; __attribute__((noinline)) int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n";

fn program(rest: &str) -> Program {
    c(&format!("{HEAD}{rest}"))
}

/// Runs a program that gets the path of another one with the probe, which sums 300 numbers. Returns the number of
/// files, and the records of both.
#[track_caller]
fn with_other(rest: &str) -> (usize, Vec<(u64, u64)>) {
    let other = program("int main(void) { sum(300); return 7; }");
    let program = program(rest);
    let (mut command, records) = program.command(&[other.path().to_str().unwrap()]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    let costs = records.costs();
    assert!(costs.warnings.is_empty(), "{:?}", costs.warnings);
    assert_eq!(costs.costs_of("main").iter().map(|o| o.count).sum::<u64>(), records.files().len() as u64);
    (records.files().len(), costs.sizes("sum"))
}

#[test]
fn a_process_that_becomes_another_program_records_in_a_file_for_each() {
    let recorded =
        with_other("int main(int n, char **of) { sum(100); execl(of[1], of[1], (char *)0); return 1; }");
    assert_eq!(recorded, (2, vec![(100, 1), (300, 1)]));
}

#[test]
fn what_a_child_of_vfork_does_is_recorded_once() {
    // The child runs in the memory of its parent, which waits for it.
    let recorded = with_other(
        "int main(int n, char **of) { int status; sum(100); pid_t child = vfork();
            if (child == 0) { sum(200); execl(of[1], of[1], (char *)0); _exit(1); }
            waitpid(child, &status, 0); sum(100);
            if (vfork() == 0) { sum(50); _exit(0); } wait(0); sum(100); return WEXITSTATUS(status); }",
    );
    assert_eq!(recorded, (2, vec![(50, 1), (100, 3), (200, 1), (300, 1)]));
}

#[test]
fn what_is_spawned_records_for_itself() {
    let recorded = with_other(
        "int main(int n, char **of) { int status; pid_t child; char *words[] = {of[1], 0}; sum(100);
            if (posix_spawn(&child, of[1], 0, 0, words, environ)) return 1;
            waitpid(child, &status, 0); sum(100); return WEXITSTATUS(status); }",
    );
    assert_eq!(recorded, (2, vec![(100, 2), (300, 1)]));
}

/// Asserts that a program runs as usual if nothing can be recorded in `folder`.
fn runs_without_record(program: &Program, folder: &str) {
    let output = done(Command::new(program.path()).env("TREND_PROF_RECORD", folder));
    assert_eq!(output.stdout, b"done\n", "{} bytes", folder.len());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("nothing is recorded: no file can be made in the folder"), "{message}");
}

#[test]
fn a_folder_of_records_that_is_none_is_told() {
    let program = program("int main(void) { sum(100); puts(\"done\"); return 0; }");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    runs_without_record(&program, file.to_str().unwrap());
    assert_eq!(std::fs::read(&file).unwrap(), b"mine");
    // Paths that are longer than the runtime's buffer, and paths that are longer than the system accepts.
    let inside = |length: usize| {
        let path = format!("{}/", folder.path().display());
        let rest = "./".repeat(length);
        format!("{path}{rest}")[..length].to_owned()
    };
    for length in [4000, 4095, 5000, 100_000] {
        runs_without_record(&program, &inside(length));
    }
    // The longest path that it accepts.
    let (longest, records) = (inside(3999), || std::fs::read_dir(folder.path()).unwrap().count());
    let before = records();
    let output = done(Command::new(program.path()).env("TREND_PROF_RECORD", &longest));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(records(), before + 1);
}

/// Starts a program for which the kernel reserves at most four gigabytes, as on systems that promise no more memory
/// than they have.
const STRICT: &str = "#include <errno.h>\n#include <linux/filter.h>\n#include <linux/seccomp.h>\n#include <stddef.h>\n#include <sys/mman.h>\n\
    #include <sys/prctl.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n\
    #define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)\n\
    #define ARGUMENT(n) offsetof(struct seccomp_data, args[n])\n\
    int main(int n, char **command) {
        struct sock_filter filter[] = {
            LOAD(offsetof(struct seccomp_data, nr)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 5),
            LOAD(ARGUMENT(1) + 4), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0),
            LOAD(ARGUMENT(3)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_NORESERVE, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOMEM), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
        struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 3;
        execv(command[1], command + 1); return 4; }\n";

#[test]
fn a_system_that_reserves_no_more_than_it_has_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (source, strict) = (folder.path().join("strict.c"), folder.path().join("strict"));
    std::fs::write(&source, STRICT).unwrap();
    done(Command::new("gcc").arg("-o").arg(&strict).arg(&source));
    let program = program("int main(void) { sum(100); puts(\"done\"); return 0; }");
    let (command, records) = program.command(&[]);
    let environment = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let output = Command::new(&strict).arg(program.path()).envs(environment).output();
    let Output { status, stdout, stderr } = output.unwrap();
    let message = String::from_utf8_lossy(&stderr);
    assert_eq!((status.code(), &*stdout), (Some(70), &b""[..]), "{message}");
    assert!(
        message.contains("terabytes of address space") && message.contains("vm.overcommit_memory"),
        "{message}"
    );
    assert!(records.files().is_empty());
}
