//! Trips, activations and costs of loops of all kinds.

use trend_profile::{LoopExits, LoopInputKind, LoopInputValue};

use super::{c, cpp, program, run};

/// Functions that are called with several sizes. The tests know the trips of their loops.
const KINDS: &str = "#include <stdio.h>\n#include <string.h>\n#define NI __attribute__((noinline))
NI long triangle(int n) { long s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += i ^ j; return s; }
NI void product(double *a, double *b, double *c, int n, int m, int p) {
    for (int i = 0; i < n; i++) for (int j = 0; j < p; j++) { double s = 0; for (int k = 0; k < m; k++) s += a[i * m + k] * b[k * p + j]; c[i * p + j] = s; } }
NI int find(int *a, int n, int x) { for (int i = 0; i < n; i++) if (a[i] == x) return i; return -1; }
NI int bits(unsigned n) { int c = 0; do { c += n & 1; n >>= 1; } while (n); return c; }
NI void clear(char *p, unsigned long n) { for (unsigned long i = 0; i < n; i++) p[i] = 0; }
NI int eight(int *a, int n) { int s = 0; for (int i = 0; i < 8; i++) s += a[i] * n; return s; }
NI int same(int *a, int *b, int n) { int i = 0; while (i < n && a[i] == b[i]) i++; return i; }
NI int down(int n) { int s = 0; while (n-- > 0) s += n ^ 5; return s; }
NI int skips(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i % 3 == 1) continue; if (i == 50) break; s += i; } return s; }
NI long collatz(long n) { long c = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; c++; } return c; }
NI int steps(int lo, int hi, int by) { int s = 0; for (int i = lo; i < hi; i += by) s ^= i; return s; }
NI int rows(int n, int m) { int s = 0; for (int i = 0; i < n; i++) { if (i % 2) for (int j = 0; j < m; j++) s += i * j ^ s; } return s; }
int main(void) {
    long s = 0; int a[100] = {0}, b[100] = {0}; a[50] = 7; b[60] = 1; char t[64]; double x[100] = {1}, y[100] = {2}, z[100] = {0};
    for (int n = 0; n <= 30; n += 10) s += triangle(n);
    product(x, y, z, 3, 4, 5); product(x, y, z, 0, 4, 5); product(x, y, z, 2, 0, 6); s += z[0] + z[14];
    s += find(a, 100, 7) + find(a, 100, 9) + find(a, 0, 1) + bits(1000) + bits(0) + eight(a, 3);
    clear(t, 64); clear(t, 0); clear(t + 1, 9);
    s += same(a, b, 100) + same(a, b, 10) + same(a, b, 0) + down(12) + down(0) + down(-3) + skips(10) + skips(90) + collatz(27);
    s += steps(0, 10, 3) + steps(-5, 5, 1) + steps(5, 0, 1) + rows(5, 7);
    printf(\"%ld %d\\n\", s, t[3]); return 0; }";

#[test]
fn trips_and_activations_are_those_of_the_source() {
    let loops = run(&c(KINDS));
    assert_eq!(
        loops.trips("triangle", 0),
        [(vec![0], 1, 0), (vec![10], 1, 10), (vec![20], 1, 20), (vec![30], 1, 30)]
    );
    // i runs from 0 to 9, 19 and 29, with i trips each.
    let times = |i: i64| {
        if i < 10 {
            3
        } else if i < 20 {
            2
        } else {
            1
        }
    };
    let inner: Vec<_> = (0..30).map(|i| (vec![i], times(i), times(i) * i as u64)).collect();
    assert_eq!(loops.trips("triangle", 1), inner);
    assert_eq!(loops.trips("product", 0), [(vec![0], 1, 0), (vec![2], 1, 2), (vec![3], 1, 3)]);
    assert_eq!(loops.trips("product", 1), [(vec![5], 3, 15), (vec![6], 2, 12)]);
    assert_eq!(loops.trips("product", 2), [(vec![0], 12, 0), (vec![4], 15, 60)]);
    assert_eq!(loops.total("find", 0), (3, 50 + 100));
    assert_eq!(loops.total("bits", 0), (2, 10 + 1));
    assert_eq!(loops.trips("clear", 0), [(vec![0], 1, 0), (vec![9], 1, 9), (vec![64], 1, 64)]);
    assert_eq!(loops.get("eight", 0).constant_trips, Some(8));
    assert_eq!(loops.total("same", 0), (3, 50 + 10));
    // The last activation ends at the condition itself, before a trip is complete.
    assert_eq!(loops.total("down", 0), (3, 12));
    assert_eq!(loops.total("skips", 0), (2, 10 + 50));
    assert_eq!(loops.total("collatz", 0), (1, 111));
    assert_eq!(loops.trips("steps", 0).iter().map(|(_, _, trips)| *trips).collect::<Vec<_>>(), [10, 4, 0]);
    assert_eq!(loops.trips("rows", 1), [(vec![7], 2, 14)]);
    assert_eq!(loops.warnings, [""; 0]);
}

#[test]
fn extremes_have_their_inputs_and_outer_loops_the_trips_of_inner_ones() {
    let loops = run(&c(KINDS));
    let outer = loops.get("triangle", 0);
    let inner: Vec<_> = outer.observations.iter().map(|o| (o.inputs[0], o.inner_trips.clone())).collect();
    assert_eq!(inner, [(0, vec![0]), (10, vec![45]), (20, vec![190]), (30, vec![435])]);
    assert_eq!((outer.total.greatest.trips, outer.total.greatest.inputs[0]), (30, 30));
    let product = loops.get("product", 0);
    let inner: Vec<_> = product.observations.iter().map(|o| o.inner_trips.clone()).collect();
    assert_eq!(inner, [vec![0, 0], vec![12, 0], vec![15, 60]]);
    assert_eq!(
        (loops.get("same", 0).exits, loops.get("triangle", 0).exits),
        (LoopExits::Several, LoopExits::Single)
    );
    let is_conditional = |function, number| loops.get(function, number).is_conditional;
    assert_eq!((is_conditional("rows", 0), is_conditional("rows", 1)), (false, true));
}

#[test]
fn costs_are_blocks_before_optimization() {
    let loops = run(&c(KINDS));
    let cost = |function, number| {
        let all = &loops.get(function, number).observations;
        all.iter().map(|o| (o.inputs[0], o.cost.sum / o.activations)).collect::<Vec<_>>()
    };
    // The condition is executed once more than the body, which counts and branches back in one block.
    assert_eq!(cost("clear", 0), [(0, 1), (9, 19), (64, 129)]);
    // The innermost loop has the same form.
    assert_eq!(cost("product", 2), [(0, 1), (4, 9)]);
    // n + 1 conditions, n bodies that count, and for every inner loop its condition and its trips.
    let expected = |n: i64| (n, (n + 1 + n + n + n * (n - 1)) as u64);
    assert_eq!(cost("triangle", 0), [expected(0), expected(10), expected(20), expected(30)]);
}

#[test]
fn counters_of_outer_loops_are_known_as_inputs() {
    let loops = run(&c(KINDS));
    let input = &loops.get("triangle", 1).inputs[0];
    assert_eq!((&*input.name, input.counter_of), ("i", Some(0)));
    let input = &loops.get("triangle", 0).inputs[0];
    assert_eq!((&*input.name, input.kind, input.counter_of), ("n", LoopInputKind::Parameter, None));
}

#[test]
fn arguments_that_are_computed_are_told_as_arithmetic() {
    let loops = run(&c("#include <stdio.h>
        #define NI __attribute__((noinline))
        NI int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        NI void halves(int n, int k) { if (n > 1) { halves(n / 2, k * 3); halves(n - n / 2, n >> 3); } }
        NI void middle(int lo, int hi) { if (lo < hi) { middle(lo, (lo + hi) / 2); middle((lo + hi) / 2 + 1, hi); } }
        int main(void) { halves(20, 1); middle(0, 9); for (int i = 0; i < 9; i++) printf(\"%d\\n\", fib(i)); return 0; }"));
    let arguments = |function: &str| {
        let calls =
            loops.function(function).calls.iter().filter(|call| call.callee.as_deref() == Some(function));
        calls.flat_map(|call| call.arguments.iter().flatten().cloned()).collect::<Vec<_>>()
    };
    assert_eq!(arguments("fib"), ["n - 1", "n - 2"]);
    assert_eq!(arguments("halves"), ["n / 2", "k * 3", "n - (n / 2)", "n / 8"]);
    assert_eq!(arguments("middle"), ["lo", "(lo + hi) / 2", "((lo + hi) / 2) + 1", "hi"]);
}

#[test]
fn calls_are_told_in_the_words_of_the_caller() {
    let loops = run(&c(KINDS));
    let main = loops.function("main");
    let of = |callee: &str| {
        main.calls.iter().filter(|c| c.callee.as_deref() == Some(callee)).cloned().collect::<Vec<_>>()
    };
    let triangle = of("triangle");
    assert_eq!((triangle.len(), triangle[0].within, triangle[0].is_conditional), (1, Some(0), false));
    assert_eq!(triangle[0].arguments, [Some("n".to_owned())]);
    let arguments: Vec<_> =
        of("steps").into_iter().map(|c| c.arguments.into_iter().flatten().collect::<Vec<_>>()).collect();
    assert_eq!(arguments, [["0", "10", "3"], ["-5", "5", "1"], ["5", "0", "1"]]);
    assert_eq!(loops.function("product").parameters, ["a", "b", "c", "n", "m", "p"]);
}

#[test]
fn the_probe_of_routines_changes_nothing() {
    let both = run(&program("c", "routines", &["--loops"], KINDS));
    let alone = run(&c(KINDS));
    for function in
        ["triangle", "product", "find", "bits", "clear", "same", "down", "skips", "collatz", "rows"]
    {
        for number in 0..alone.function(function).loops.len() {
            assert_eq!(both.trips(function, number), alone.trips(function, number), "{function} {number}");
            assert_eq!(both.names(function, number), alone.names(function, number), "{function} {number}");
        }
    }
}

#[test]
fn a_loop_ends_at_what_every_trip_brings_its_counter_nearer_to() {
    let loops = run(&c("#include <stdio.h>
        #define NI __attribute__((noinline))
        NI int words(const char *s, int size) { int n = 0, i = 0; while (i < size) { while (i < size && s[i] != ' ') i++; n++; i++; } return n; }
        NI int search(const int *a, int n, int x) { int lo = 0, hi = n; while (lo < hi) { int m = lo + (hi - lo) / 2; if (a[m] < x) lo = m + 1; else hi = m; } return lo; }
        NI int utf8(const char *s, int size) { int n = 0; for (int i = 0; i < size; ) { i += (s[i] & 0x80) ? 2 : 1; n++; } return n; }
        NI int back(const int *a, int from, int x) { int i = from; while (i >= 0 && a[i] > x) i--; return i; }
        NI int stays(const char *s, int size) { int n = 0, i = 0; while (i < size) { if (s[n] == 'x') i++; n++; } return n; }
        NI int some(const char *s, int size) { int i = 0; for (;;) { if (s[i] == 'x' && i >= size) break; i++; } return i; }
        NI int until(const char *p, const char *end) { int n = 0; for (; p != end && *p != 'x'; p++) n++; return n; }
        NI int maybe(const char *p, const char *end) { int n = 0; for (;; p++) { if (*p == 'x' && p >= end) break; n++; } return n; }
        NI int queue(int *q, int head, int tail) { while (head < tail) { int x = q[head++]; if (x > 1) q[tail++] = x / 2; } return head; }
        NI int away(const int *a, int i, int lo) { while (i >= lo && a[i]) i++; return i; }
        NI int over(const char *a, int i, int end) { while (i != end && a[i]) i += (a[i] & 1) ? 1 : 2; return i; }
        NI int times(const char *a, int n) { int i = 0; while (i < n * 8 && a[i]) i++; return i; }
        NI int either(const char *a, int n, int flag) { int i = 0; while (i < (flag > 77 ? n : 1000) && a[i]) i++; return i; }
        NI int narrow(const char *a, int n) { unsigned char i = 0; while (i < n && a[i]) i++; return i; }
        NI int below(const char *a, int n, int m) { int i = n, k = 0; while (i > -m && a[k]) { i--; k++; } return i; }
        int main(void) { int a[] = {1, 4, 6, 7, 9, 0}; int q[64] = {5, 7}; const char *t = \"aaxaax\"; printf(\"%d %d %d %d %d %d %d\\n\", queue(q, 0, 2), away(a, 2, 1), over(t, 0, 4), times(t, 3), either(t, 4, 80), narrow(t, 5), below(t, 4, 3)); printf(\"%d %d %d %d %d %d %d %d\\n\", until(t, t + 6), maybe(t, t + 4), words(\"an old  tree\", 12), search(a, 5, 6), utf8(\"abc\", 3), back(a, 4, 5), stays(\"xxyx\", 3), some(\"aaxaax\", 4)); return 0; }"));
    let limits = |function: &str, number: usize| -> Vec<String> {
        let inputs = loops.get(function, number).inputs.iter();
        inputs.filter(|input| input.is_limit).map(|input| input.name.clone()).collect()
    };
    assert_eq!([limits("words", 0), limits("words", 1)], [["size"], ["size"]]);
    assert_eq!((limits("utf8", 0), limits("back", 0)), (vec!["size".to_owned()], vec!["from".to_owned()]));
    assert_eq!(limits("until", 0), ["end - p"]);
    for (function, why) in [
        ("search", "both ends move, by what data say"),
        ("stays", "a trip may leave the counter where it is"),
        ("some", "not every trip compares it"),
        ("maybe", "nor the pointers"),
        ("queue", "the end moves"),
        ("away", "the counter goes away from it"),
        ("over", "it can be stepped over"),
        ("times", "the loop ends at eight times that"),
        ("either", "it may be the other one"),
        ("narrow", "the counter may wrap around before"),
        ("below", "there are more trips by what is below 0"),
    ] {
        assert!(limits(function, 0).is_empty(), "{function}: {why}");
    }
}

#[test]
fn bounds_are_what_their_types_say() {
    let loops = run(&c("#include <stdio.h>\n#define NI __attribute__((noinline))
        NI int wide(unsigned n) { int s = 0; for (unsigned i = 4294967290u; i < n; i++) s += i ^ 1; return s; }
        NI int narrow(unsigned char n) { int s = 0; for (int i = 0; i < n; i++) s += i ^ 1; return s; }
        NI int negative(int lo, int hi) { int s = 0; for (int i = lo; i <= hi; i++) s += i ^ 1; return s; }
        NI int wraps(unsigned char from) { int s = 0; for (unsigned char i = from; i != 5; i++) s += i ^ 1; return s; }
        NI int bytes(int k) { int s = 0; for (unsigned char i = 0; i < 200; i++) s += i * k ^ s; return s; }
        NI int words(int k) { int s = 0; for (unsigned short i = 0; i < 40000; i++) s += i * k ^ s; return s; }
        NI int small(int k) { int s = 0; for (signed char i = -100; i < 100; i++) s += i * k ^ s; return s; }
        NI double real(double end) { double s = 0; for (double x = 0; x < end; x += 0.5) s += x; return s; }
        static volatile int bound = 6; NI int fixed(void) { int s = 0; for (int i = 0; i < bound; i++) s += i ^ 1; return s; }
        static _Atomic int shared = 4; NI int atomic(void) { int s = 0; for (int i = 0; i < shared; i++) s += i ^ 1; return s; }
        int main(void) { printf(\"%d %d %d %d %d %d %d %g %d %d\\n\", bytes(3), words(3), small(3), wide(4294967295u), narrow(200), negative(-3, 3), wraps(250), real(3), fixed(), atomic()); return 0; }"));
    assert_eq!(loops.trips("wide", 0), [(vec![4_294_967_295], 1, 5)]);
    assert_eq!(loops.trips("narrow", 0), [(vec![200], 1, 200)]);
    assert_eq!(loops.trips("negative", 0), [(vec![-3, 3], 1, 7)]);
    // From 250 over 255 and 0 to 5.
    assert_eq!(loops.trips("wraps", 0), [(vec![250], 1, 11)]);
    // A narrow counter is compared in a wider type.
    let totals = ["bytes", "words", "small"].map(|function| loops.total(function, 0));
    assert_eq!(totals, [(1, 200), (1, 40_000), (1, 200)]);
    let real = loops.get("real", 0);
    assert_eq!(real.inputs[0].value, LoopInputValue::Floating);
    assert_eq!(loops.trips("real", 0), [(vec![3_f64.to_bits() as i64], 1, 6)]);
    assert_eq!((loops.names("fixed", 0), loops.trips("fixed", 0)), (vec!["bound"], vec![(vec![6], 1, 6)]));
    assert_eq!((loops.names("atomic", 0), loops.trips("atomic", 0)), (vec!["shared"], vec![(vec![4], 1, 4)]));
}

#[test]
fn a_loop_that_is_continued_early_is_one_loop() {
    // LLVM treats each as two loops, since one latch leaves a variable unchanged.
    let source = "#include <stdio.h>\n#define NI __attribute__((noinline))
NI int part(int *a, int lo, int hi, int med) {
    int less = lo, t;
    while (1) {
        if (lo > hi) break;
        if (a[lo] == med) { t = a[lo]; a[lo] = a[less]; a[less] = t; less++; lo++; continue; }
        if (a[lo] > med) break;
        lo++;
    }
    return less; }
NI int evens(const int *a, int n) { int c = 0; for (int i = 0; i < n; i++) { if (a[i] & 1) continue; c = c * 3 + a[i]; } return c; }
NI int kinds(const char *t) { int c = 0; while (*t) { switch (*t++) { case 'a': c += 2; continue; case 'b': c *= 3; continue; default: break; } c ^= 1; } return c; }
NI int nest(int *a, int n) { int s = 0; do { while (a[s] > 3) { a[s] -= 2; n--; } s++; } while (s < n); return n; }
NI int endless(int *a, int n) { int s = 0; for (;;) { while (a[s] > 3) { a[s]--; } if (++s >= n) return s; } }
int main(void) {
    int a[] = {5, 1, 5, 2, 7, 4, 5, 9}, b[] = {9, 4, 2, 7}, c[] = {5, 4};
    printf(\"%d %d %d\\n\", part(a, 0, 7, 5), evens(a, 8), kinds(\"abcab\"));
    printf(\"%d %d\\n\", nest(b, 4), endless(c, 2)); return 0; }";
    let loops = run(&c(source));
    for (function, activations, trips) in [("part", 1, 4), ("evens", 1, 8), ("kinds", 1, 5)] {
        assert_eq!(loops.function(function).loops.len(), 1, "{function}");
        assert_eq!(loops.total(function, 0), (activations, trips), "{function}");
    }
    // A loop that begins with another loop is not one loop.
    assert_eq!(loops.function("nest").loops.len(), 2);
    assert_eq!(loops.function("endless").loops.len(), 2);
    assert_eq!(loops.total("endless", 1), (2, 2 + 1));
}

#[test]
fn a_loop_is_one_whatever_continue_destroys_on_its_way() {
    // clang states no loop for a latch on whose path a variable is destroyed.
    let source = "#include <cstdio>\n#include <string>\n#define NI __attribute__((noinline))
NI void take(const std::string &t) { asm volatile(\"\" :: \"r\"(&t) : \"memory\"); }
NI long odd(const int *a, int n) { long s = 0; int i = 0; while (i < n) { int v = a[i++]; if (v & 1) { std::string t(3, 'x'); take(t); continue; } s = s * 3 + v; } return s; }
NI int thrown(int n) { if (n % 3 == 0) throw n; return n; }
NI long caught(int n) { long s = 0; int i = 0; while (i < n) { try { s = s * 5 + thrown(i++); } catch (...) { continue; } } return s; }
int main() { int a[] = {1, 4, 3, 6, 5, 7, 8}; std::printf(\"%ld %ld\\n\", odd(a, 7), caught(10)); }";
    let loops = run(&cpp(source));
    for (function, trips) in [("odd", 7), ("caught", 10)] {
        let all = loops.functions.iter().find(|f| f.symbol.name.contains(function)).unwrap();
        let [one] = &all.loops[..] else { panic!("{function}: {:?}", all.loops) };
        assert_eq!((one.total.activations, one.total.trips), (1, trips), "{function}");
    }
}

#[test]
fn a_loop_in_a_constant_one_in_another_one_is_counted() {
    let source = "#include <stdio.h>\n__attribute__((noinline)) int thrice(int n) {
        int s = 0; for (int i = 0; i < n; i++) for (int q = 0; q < 3; q++) for (int j = 0; j < i; j++) { asm volatile(\"\"); s += q; } return s; }
        int main(void) { printf(\"%d\\n\", thrice(7)); return 0; }";
    let loops = run(&c(source));
    assert_eq!(loops.total("thrice", 2), (21, 3 * 21));
    let expected: Vec<_> = (0..7).map(|i| (vec![i], 3, 3 * i as u64)).collect();
    assert_eq!(loops.trips("thrice", 2), expected);
}

/// The loop around the cases can be entered at each of them.
#[test]
fn a_cycle_with_several_entries_is_around_its_loops_and_is_not_counted() {
    let source = "#include <stdio.h>\n__attribute__((noinline)) int step(int n) { int s = 0; for (int i = 0; i < n; i++) s ^= i; return s; }
__attribute__((noinline)) int machine(int state, int n) {
    int s = 0, k = 0;
    switch (state) {
        for (;;) {
            case 0: if (k++ > n) return s;
                for (int i = 0; i < n; i++) s ^= i;
            case 1: s += step(k);
        }
    }
    return s;
}
int main(void) { int s = 0; for (int n = 0; n < 9; n++) s += machine(n % 2, n); printf(\"%d\\n\", s); return 0; }";
    let loops = run(&c(source));
    let [cycle, inner] = [0, 1].map(|index| loops.get("machine", index));
    assert!(cycle.is_uncounted && cycle.inputs.is_empty() && cycle.parent.is_none());
    assert!(!inner.is_uncounted && inner.parent == Some(0) && inner.is_conditional);
    for o in &inner.observations {
        let n = o.inputs[0].cast_unsigned();
        assert_eq!((o.trips.least, o.trips.greatest, o.activations), (n, n, n + 1));
    }
    let function = loops.function("machine");
    assert_eq!(function.calls.iter().map(|call| call.within).collect::<Vec<_>>(), [Some(0)]);
    assert!(!loops.get("step", 0).is_uncounted && !loops.get("main", 0).is_uncounted);
}

#[test]
fn the_callee_of_a_call_through_a_pointer_is_open_and_assembly_is_no_call() {
    let source = "#include <stdlib.h>\n#include <stdio.h>\nstatic int one(int n) { return n + 1; }
__attribute__((noinline)) int all(int (**f)(int), int n) { int s = 0; for (int i = 0; i < n; i++) { s += f[i](n); __asm__ volatile(\"\" : \"+r\"(s)); } return s; }
int main(int c, char **v) { int (*f[3])(int) = {one, c > 9 ? abs : one, one}; printf(\"%d\\n\", all(f, 3)); return 0; }";
    let loops = run(&c(source));
    let callees: Vec<_> =
        loops.function("all").calls.iter().map(|call| (&call.callee, call.within)).collect();
    assert_eq!(callees, [(&None, Some(0))]);
}
