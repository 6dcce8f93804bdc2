//! Loops that are left in other ways than by their conditions, and loops in several threads.

use super::{Loops, c, cpp, run};
use crate::ends::{FILL_DISK, run_on_small_disk};
use crate::support::done;

const HEAD: &str = "#include <pthread.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>\n#define NI __attribute__((noinline))
    int a[1000]; NI long sum(int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i] ^ i; return s; }\n";

#[test]
fn threads_add_up() {
    let loops = run(&c(&format!(
        "{HEAD}static void *work(void *n) {{ long s = 0; for (int i = 0; i < 100; i++) s += sum((int)(long)n); return (void *)s; }}
        int main(void) {{ pthread_t t[4]; for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)(i % 2 * 10 + 10));
            for (int i = 0; i < 4; i++) pthread_join(t[i], 0); return 0; }}"
    )));
    assert_eq!(loops.trips("sum", 0), [(vec![10], 200, 2000), (vec![20], 200, 4000)]);
    assert_eq!((loops.total("work", 0), loops.warnings.len()), ((4, 400), 0));
}

#[test]
fn a_jump_out_of_a_loop_is_told() {
    let loops = run(&c(&format!(
        "{HEAD}jmp_buf here; NI void may(int i) {{ if (i == 7) longjmp(here, 1); }}
        NI void jumps(int n) {{ for (int i = 0; i < n; i++) {{ may(i); sum(i); }} }}
        int main(void) {{ for (volatile int k = 0; k < 3; k++) if (!setjmp(here)) jumps(20); jumps(5); return 0; }}"
    )));
    // Loops that were not left are not counted, which the warning says. Inner loops that were left are recorded.
    assert_eq!(loops.trips("jumps", 0), [(vec![5], 1, 5)]);
    assert_eq!(loops.total("sum", 0), (3 * 7 + 5, 3 * 21 + 10));
    assert!(loops.warnings[0].starts_with("loops_unfinished: 3 activations"), "{:?}", loops.warnings);
}

#[test]
fn exceptions_leave_loops() {
    let loops = run(&cpp("#include <stdexcept>\n#include <cstdio>\n#include <cstdlib>\n#define NI __attribute__((noinline))
        NI int may(int i) { if (i == 4) throw std::runtime_error(\"x\"); return i; }
        NI int guarded(int n) { int s = 0; for (int i = 0; i < n; i++) { try { s += may(i); } catch (const std::exception &) { s += 100; } } return s; }
        NI int thrown(int n) { int s = 0; for (int i = 0; i < n; i++) s += may(i); return s; }
        struct Guard { int *p; ~Guard() { ++*p; } };
        NI int cleaned(int n, int *p) { Guard g{p}; int s = 0; for (int i = 0; i < n; i++) s += may(i); return s; }
        NI void again(int n) { try { may(4); } catch (const std::exception &) { for (volatile int i = 0; i < n; i++) {} throw; } exit(1); }
        int main() { int s = guarded(10), k = 0; try { again(6); } catch (const std::exception &) { s += 3; } try { s += thrown(3); s += thrown(9); } catch (const std::exception &) { s += 1; }
            try { s += cleaned(9, &k); } catch (const std::exception &) { s += 2; } printf(\"%d %d\\n\", s, k); }"));
    assert_eq!(loops.total("guarded(int)", 0), (1, 10));
    // A handler's own loop belongs to the program, even if it does not return.
    assert_eq!(loops.total("again(int)", 0), (1, 6));
    // If there is nothing to clean up, an exception passes by, which the warning says.
    assert_eq!(loops.total("thrown(int)", 0), (1, 3));
    assert_eq!(loops.total("cleaned(int, int*)", 0), (1, 4));
    assert!(loops.warnings[0].starts_with("loops_unfinished: 1 activations"), "{:?}", loops.warnings);
}

#[test]
fn whatever_ends_a_process_its_loops_are_there() {
    let program = c(&format!(
        "{HEAD}NI void until(int how) {{ for (int i = 0;; i++) {{ sum(i); if (i == 5) switch (how) {{
            case 0: exit(0); case 1: _exit(0); case 2: abort(); case 3: raise(SIGKILL); case 4: *(volatile int *)8 = 0; case 5: for (;;) sum(3); }} }} }}
        int main(int n, char **how) {{ if (n > 1) until(atoi(how[1])); return 0; }}"
    ));
    for how in 0..5 {
        let (mut command, records) = program.command(&[&how.to_string()]);
        command.output().unwrap();
        let loops = Loops::from_records(&records);
        assert_eq!(loops.total("sum", 0), (6, 15), "{how}");
    }
    // The loop runs until a signal comes.
    let (mut command, records) = program.command(&["5"]);
    let mut child = command.spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    done(std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]));
    assert!(!child.wait().unwrap().success());
    let loops = Loops::from_records(&records);
    let three = &loops.get("sum", 0).observations[3];
    assert!(three.inputs[0] == 3 && three.activations > 1000);
    // The signal can come between the two sums.
    assert!(three.trips.sum.abs_diff(3 * three.activations) <= 3, "{three:?}");
    let endless = loops.function("until").loops.iter().filter(|one| one.is_uncounted);
    assert_eq!(endless.count(), 1);
}

#[test]
fn loops_without_an_end_wait_for_a_signal() {
    let loops = run(&c(&format!(
        "{HEAD}static volatile int times; static void handler(int s) {{ times++; sum(4); alarm(times < 3); }}
        NI void waits(void) {{ while (times < 2) ; }}
        int main(void) {{ signal(SIGALRM, handler); alarm(1); waits(); return 0; }}"
    )));
    assert_eq!(loops.total("sum", 0).0, 2);
    let waits = loops.get("waits", 0);
    assert_eq!((waits.total.activations, &*waits.inputs[0].name), (1, "times"));
    assert!(waits.total.trips > 1000);
}

#[test]
fn forked_processes_record_what_they_do_themselves() {
    let loops = run(&c(&format!(
        "{HEAD}int main(void) {{ sum(50); for (volatile int i = 0; i < 2; i++) if (fork() == 0) {{ sum(30); exit(0); }} else wait(0); sum(50); return 0; }}"
    )));
    assert_eq!(loops.trips("sum", 0), [(vec![30], 2, 60), (vec![50], 2, 100)]);
}

#[test]
fn forked_processes_record_while_their_parent_goes_on() {
    let program = c(&format!(
        "{HEAD}NI long many(int n) {{ long s = 0; for (int i = 0; i < n; i++) s += a[i % 100]; return s; }}
        int main(void) {{
            for (int k = 0; k < 500; k++) {{
                pid_t child = fork();
                if (child == 0) {{ sum(30); _exit(0); }}
                for (int i = 0; i < 20; i++) many(20 * k + i);
                wait(0); }}
            return 0; }}"
    ));
    let loops = run(&program);
    assert_eq!(loops.trips("sum", 0), [(vec![30], 500, 15_000)]);
    assert_eq!(loops.total("many", 0), (10_000, (0..10_000).sum()));
}

#[test]
fn recursion_has_its_own_loops_in_each_call() {
    let loops = run(&c(&format!(
        "{HEAD}NI long tree(int n) {{ long s = 0; for (int i = 0; i < n; i++) s += tree(i) + 1; return s; }}
        int main(void) {{ printf(\"%ld\\n\", tree(10)); return 0; }}"
    )));
    // tree(n) is called 2^(10 - n - 1) times for n < 10.
    let expected: Vec<_> = (0..=10_i64)
        .map(|n| {
            let calls = if n == 10 { 1 } else { 1_u64 << (10 - n - 1) };
            (vec![n], calls, calls * n as u64)
        })
        .collect();
    assert_eq!(loops.trips("tree", 0), expected);
}

#[test]
fn programs_run_on_where_the_disk_is_full() {
    let program = c(&format!(
        "{HEAD}{FILL_DISK}#define ONE(name) NI long name(int n) {{ long s = 0; for (int i = 0; i < n; i++) s += a[i] ^ i; return s; }}
        #define TEN(name) ONE(name##0) ONE(name##1) ONE(name##2) ONE(name##3) ONE(name##4) ONE(name##5) ONE(name##6) ONE(name##7) ONE(name##8) ONE(name##9)
        TEN(b) TEN(c)
        #define ALL(name) {{ name##0, name##1, name##2, name##3, name##4, name##5, name##6, name##7, name##8, name##9 }}
        long (*all[2][10])(int) = {{ ALL(b), ALL(c) }};
        NI int words(const char *p, int n) {{ int c = 0; for (int i = 0; i < n; i++) while (*p++) c++; return c; }}
        int main(void) {{ char text[300]; memset(text, 'x', 300); for (int i = 9; i < 300; i += 10) text[i] = 0;
            long s = sum(1000); fill(); for (int n = 0; n < 1000; n++) s += sum(n);
            for (int k = 0; k < 20; k++) for (int n = 0; n < 1000; n++) s += all[k / 10][k % 10](n);
            printf(\"%d %d\\n\", words(text, 30), s != 0); return 0; }}"
    ));
    let Some((output, records)) = run_on_small_disk(&program, "2m") else { return };
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"270 1\n"[..]), "{output:?}");
    let loops = Loops::from_records(&records);
    assert!(loops.warnings.iter().any(|w| w.starts_with("record_cut_off")), "{:?}", loops.warnings);
    assert_eq!(loops.total("words", 1), (0, 0));
    // Activations whose inputs have no place are in the totals.
    assert_eq!(loops.total("sum", 0), (1 + 1000, 1000 + 999 * 1000 / 2));
}

#[test]
fn programs_run_where_nothing_can_be_recorded() {
    let program = c(&format!("{HEAD}int main(void) {{ return sum(1000) == 0; }}"));
    let (mut command, records) = program.command(&[]);
    done(command.env_remove("TREND_PROF_RECORD"));
    assert!(records.files().is_empty());
    // A limited address space is enough.
    let (_, records) = program.command(&[]);
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -v 200000; exec \"$0\""]).arg(program.path());
    done(limited.env("TREND_PROF_RECORD", records.path()));
    assert_eq!(Loops::from_records(&records).trips("sum", 0), [(vec![1000], 1, 1000)]);
}

#[test]
fn functions_with_too_deep_nests_are_left_out_and_named() {
    let nest = |name: &str, depth: usize| {
        format!("NI int {name}(int n) {{ {}use(n); return n; }}\n", "while (again(n))\n".repeat(depth))
    };
    let loops = run(&c(&[
        "#define NI __attribute__((noinline))\nint left = 0; NI void use(int i) { left += i; }\n",
        "NI int again(int n) { static int calls; return ++calls % 3 == 0 && n > 0; }\n",
        &nest("deep", 300),
        &nest("deeper", 65),
        &nest("fine", 5),
        "int main(void) { for (int i = 0; i < 7; i++) left += deep(2) + deeper(2) + fine(2); return left > 99; }",
    ]
    .concat()));
    let has = |name: &str| loops.functions.iter().any(|f| f.symbol.name == name && !f.loops.is_empty());
    assert_eq!(["deep", "deeper", "fine", "main"].map(has), [false, false, true, true]);
    assert_eq!(loops.total("fine", 0).0, 7);
    let [warning] = &loops.warnings[..] else { panic!("{:?}", loops.warnings) };
    assert!(warning.starts_with("too_many_loops: the loops of deep ("), "{warning}");
    assert!(warning.contains("/program.c:4: 300 loops, 300 deep) and deeper are missing"), "{warning}");
}

#[test]
fn activations_that_are_recorded_together_are_all_there_whatever_ends_the_loop_around_them() {
    let loops = run(&cpp("#include <csetjmp>\n#include <cstdio>\n#define NI __attribute__((noinline))
        static int data[64][64]; static jmp_buf here; volatile int seen;
        NI long thrown(int n, int m, int bad) { long s = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) s += data[i][j]; if (i == bad) throw 2; } return s; }
        NI long jumped(int n, int m, int bad) { long s = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) s += data[i][j]; if (i == bad) longjmp(here, 1); } return s; }
        NI long unlike(int n, int m) { long s = 0; for (int i = 0; i < n; i++) { int j = 0; while (1) { if (data[i][j] & 1) { s++; if (j >= m) break; } j++; } } return s; }
        NI long left(int n, int m) { long s = 0; int i = 0; while (i < n) { int k = data[0][i] % 7; seen += k; if (s > m) break; s += k; i++; } return s; }
        int main() {
            long s = 0;
            for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) data[i][j] = i + j;
            for (volatile int b = 0; b < 10; b = b + 1) {
                try { s += thrown(40, 8, b); } catch (int) {}
                if (!setjmp(here)) s += jumped(40, 8, b);
            }
            printf(\"%ld %ld %ld\\n\", s, unlike(10, 4), left(40, 20)); return 0; }"));
    for function in ["thrown(int, int, int)", "jumped(int, int, int)"] {
        assert_eq!([0, 1].map(|number| loops.total(function, number)), [(10, 45), (55, 440)], "{function}");
    }
    // 5 trips if i is even, and else 4.
    assert_eq!(loops.total("unlike(int, int)", 1), (10, 45));
    let extremes: Vec<_> = loops
        .get("unlike(int, int)", 1)
        .observations
        .iter()
        .map(|o| (o.trips.least, o.trips.greatest))
        .collect();
    assert_eq!(extremes, [(4, 5)]);
    // 0 + 1 + … + 6 exceeds 20.
    assert_eq!(loops.total("left(int, int)", 0), (1, 7));
}
