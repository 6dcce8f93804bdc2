//! Memory that a loop reads counts with its contents at the beginning of the loop.

use super::{c, program, run};

const SOURCE: &str = "#include <stdio.h>\n#include <stdlib.h>\n#define NI __attribute__((noinline))
struct stream { int avail; char *next; };
struct state { struct stream *stream; int out, len; unsigned crc, table[256]; };
NI int late(struct state *s, int n) {
    s->out = n;
    while (1) {
        if (s->stream->avail == 0) return 0;
        if (s->out == 0) break;
        s->stream->avail--; s->out--; s->crc = s->table[s->crc & 255] ^ s->out;
    }
    return 1; }
NI int again(struct state *s, int rounds) {
    int r = 0;
    while (1) {
        while (1) {
            if (s->stream->avail == 0) return 0;
            if (s->out == 0) break;
            s->stream->avail--; s->out--; *s->stream->next = s->out;
        }
        if (r == rounds) return 1;
        s->out = ++r;
    } }
NI void take(struct state *s) { s->len -= 2; s->crc++; }
NI void at_least_once(struct state *s, int n) { s->len = n; do { take(s); } while (s->len >= 2); }
NI int missing(struct state *s, int n) { int i; for (i = 0; i < n; i++) { if (!s) break; if (i >= s->len) break; s->crc++; } return i; }
NI void fill(int *n) { static int next = 40; *n = next; next -= 8; }
NI int local(void (*fill)(int *)) { int n, trips = 0; do { fill(&n); trips++; } while (n > 0); return trips; }
int main(void) {
    char byte; struct stream stream = { 1 << 20, &byte }; struct state *s = calloc(1, sizeof *s); s->stream = &stream; int sum = 0;
    for (int n = 0; n <= 6; n += 3) sum += late(s, n);
    sum += again(s, 4);
    for (int n = 2; n <= 10; n += 4) at_least_once(s, n);
    s->len = 5; sum += missing(s, 100); sum += missing(0, 100); sum += local(fill);
    printf(\"%d %u\\n\", sum, s->crc); return 0; }";

/// Returns the values of an input, and the total trips of the activations with each value.
#[track_caller]
fn by_input(loops: &super::Loops, function: &str, number: usize, name: &str) -> Vec<(i64, u64)> {
    let names = loops.names(function, number);
    let place = names.iter().position(|of| *of == name).unwrap_or_else(|| panic!("{name}: {names:?}"));
    let rows = loops.trips(function, number).into_iter();
    let mut rows: Vec<(i64, u64)> = rows.map(|(inputs, _, trips)| (inputs[place], trips)).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn memory_counts_as_it_is_where_the_loop_begins() {
    let loops = run(&c(SOURCE));
    assert_eq!(by_input(&loops, "late", 0, "s.out"), [(0, 0), (3, 3), (6, 6)]);
    assert_eq!(by_input(&loops, "again", 1, "s.out"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]);
    // The last trip is the one that ends at the condition.
    assert_eq!(by_input(&loops, "at_least_once", 0, "s.len"), [(2, 1), (6, 3), (10, 5)]);
}

#[test]
fn what_is_not_there_is_not_read_in_front_of_the_loop() {
    let loops = run(&c(SOURCE));
    assert_eq!(loops.total("missing", 0), (2, 5));
    // A variable that only the loop fills has no value before it, so the value of its first read counts.
    assert_eq!(by_input(&loops, "local", 0, "n"), [(40, 6)]);
}

#[test]
fn reads_in_front_of_a_loop_are_no_input_of_its_routine() {
    let source = "#define NI __attribute__((noinline))
        struct state { int len, other; };
        NI void set(struct state *s, int n) { s->len = n; }
        NI void run(struct state *s) { int n = 6; do { set(s, n--); } while (s->len >= 2); }
        int main(void) { struct state *s = __builtin_calloc(1, sizeof *s); run(s); return s->len; }";
    let sizes = |options: &[&str]| {
        let program = program("c", "routines", options, source);
        let (mut command, records) = program.command(&[]);
        command.status().unwrap();
        records.costs().sizes("run")
    };
    assert_eq!(sizes(&["--loops"]), sizes(&[]));
}
