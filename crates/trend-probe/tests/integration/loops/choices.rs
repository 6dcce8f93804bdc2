//! Conditions that decide a value or an exit are inputs.

use trend_profile::{LoopInputValue, LoopObservation};

use super::{c, run};

#[test]
fn what_decides_between_values_or_of_an_exit_is_an_input() {
    let loops = run(&c("#include <stdio.h>\n#define NI __attribute__((noinline))
        volatile int seen; static int trips;
        NI int either(int a, int b, int x, int y) { int i = 0; while (1) { int n; if (a || b) { seen++; n = x; } else { seen--; n = y; } if (i >= n) break; i++; } return i; }
        NI int shared(int k) { int i = 0; while (1) { int n; switch (k) { case 1: case 3: seen++; n = 4; break; case 2: case 4: seen--; n = 9; break; default: n = 6; } if (i >= n) break; i++; } return i; }
        NI int crossed(int a, int b) { int i = 0; while (1) { int n;
            if (a) { if (b) { seen++; n = 3; } else { seen += 2; n = 7; } } else { if (b) { seen += 3; n = 7; } else { seen += 4; n = 3; } }
            if (i >= n) break; i++; } return i; }
        NI int nested(int a, int b, int c) { int i = 0; while (1) { int n = 2;
            if (a) { seen++; if (b) { seen++; n = 5; } else if (c) { seen--; n = 8; } } else seen--;
            if (i >= n) break; i++; } return i; }
        NI int guarded(int flag, int n, int m) { int i = 0; while (i < m) { if (flag) { seen++; if (i >= n) break; } i++; } return i; }
        NI int rare(int flag, int n) { int i = 0, c = 0; while (1) { c++; if ((c & flag) == flag) { if (i >= n) break; i++; } seen++; } return c; }
        NI int goes_on(int a, int b, int n) { int c = 0; while (1) { c++; seen++; if ((c & a) != b) continue; seen--; if (c >= n) return c; } }
        NI int only(int q, int n) { int i = 0; while (i < n) { if (q) seen++; i++; } return i; }
        int main(void) {
            for (int a = 0; a < 2; a++) for (int b = 0; b < 2; b++) {
                trips += either(a, b, 3, 5) + crossed(a, b) + guarded(a, 2, 4) + only(a, 6) + rare(a, 5) + goes_on(1, a, 6);
                for (int c = 0; c < 2; c++) trips += nested(a, b, c);
            }
            for (int k = 0; k < 6; k++) trips += shared(k);
            printf(\"%d\\n\", trips); return 0; }"));
    let expected: [(&str, &[&str]); 8] = [
        ("either", &["a", "b", "x", "y"]),
        ("shared", &["k"]),
        ("crossed", &["a", "b"]),
        ("nested", &["a", "b", "c"]),
        ("guarded", &["flag", "m", "n"]),
        ("rare", &["flag", "n"]),
        ("goes_on", &["a", "b", "n"]),
        ("only", &["n"]),
    ];
    for (function, names) in expected {
        let mut inputs = loops.names(function, 0);
        inputs.sort_unstable();
        assert_eq!(inputs, names, "{function}");
        let is_decided = |o: &LoopObservation| o.trips.least == o.trips.greatest;
        assert!(loops.get(function, 0).observations.iter().all(is_decided), "{function}");
    }
}

#[test]
fn what_a_loop_writes_to_its_own_end_is_an_input() {
    let loops = run(&c("#include <stdio.h>\n#define NI __attribute__((noinline))
        struct pair { int a, b; }; struct state { int n, k; struct pair *pairs; }; volatile int seen;
        NI int moves(int *end, const unsigned char *t, int s, int j) { int c = 0; while (j > end[s]) { end[t[j]]++; j--; c++; } return c; }
        NI int drains(struct state *s) { int c = 0; while (s->n > 0) { s->n--; seen++; c++; } return c; }
        NI int some(struct state *s, const char *t) { int c = 0; while (c < s->n) { if (t[c]) s->n--; seen++; c++; } return c; }
        NI int others(struct state *s, int x) { int i; for (i = 0; i < s->pairs[x].b; i++) { s->pairs[i & 1].a = i; s->k = i; } return i; }
        NI int set(struct state *s, int z) { int c = 0; while (c < s->n) { c++; if (c > z) { __builtin_memset(s, 0, sizeof *s); seen++; } } return c; }
        int main(void) {
            int end[3] = {2, 0, 0}; const unsigned char t[] = {1, 1, 0, 2, 1, 1, 1, 0, 1};
            struct pair two[2] = {{0, 7}, {0, 5}}; struct state s = {5, 0, two}, r = {4, 0, two}, q = {9, 0, two};
            printf(\"%d %d %d %d %d\\n\", moves(end, t, 0, 8), drains(&s), some(&r, \"a\"), others(&s, 1), set(&q, 3)); return 0; }"));
    let changing = |function: &str| -> Vec<&str> {
        let inputs = &loops.get(function, 0).inputs;
        let changes = inputs.iter().filter(|input| input.value == LoopInputValue::Changing);
        changes.map(|input| &*input.name).collect()
    };
    assert!(loops.names("moves", 0).contains(&"end[s]"), "{:?}", loops.names("moves", 0));
    assert!(changing("moves").contains(&"t[j]"), "{:?}", changing("moves"));
    assert_eq!(changing("some"), ["t[c]"]);
    assert_eq!(loops.names("drains", 0), ["s.n"]);
    assert!(loops.names("set", 0).contains(&"z"), "{:?}", loops.names("set", 0));
    assert_eq!(loops.names("others", 0), ["s.pairs[x].b"]);
}
