//! Variables that a loop itself changes: the first value is an input only if every trip moves it by the same amount.

use trend_profile::LoopInputValue;

use super::{Loops, c, run};

/// Returns the names of the inputs with a value, and of the inputs that change from trip to trip.
#[track_caller]
fn inputs<'a>(loops: &'a Loops, function: &str) -> (Vec<&'a str>, Vec<&'a str>) {
    let all = &loops.get(function, 0).inputs;
    let of = |changes: bool| {
        let of = all.iter().filter(|one| (one.value == LoopInputValue::Changing) == changes);
        of.map(|one| &*one.name).collect()
    };
    (of(false), of(true))
}

#[test]
fn a_counter_that_is_moved_by_what_changes_has_no_value() {
    let loops = run(&c("#include <stdio.h>
        #define NI __attribute__((noinline))
        struct range { int lo, hi, step; };
        NI int pads(int col, int end, int tab) { int n = 0, by = tab - col % tab; while (col + by <= end) { n++; col += by; by = tab; } return n; }
        NI int closing(int lo, int hi) { int n = 0; while (lo < hi) { n++; lo *= 2; hi /= 2; } return n; }
        NI int held(struct range *r) { int n = 0; while (r->lo < r->hi) { n++; r->lo *= 2; r->hi /= 2; } return n; }
        NI int growing(int n) { int s = 0, by = 1, k = 0; while (s < n) { s += by; by += 2; k++; } return k; }
        NI int stored(struct range *r) { int n = 0; while (r->lo < r->hi) { n++; r->lo += r->step; r->step++; } return n; }
        NI int around(int from, int end, int size) { int n = 0; for (int i = from; i != end; i = (i + 1) % size) n++; return n; }
        NI int steps(int lo, int hi, int by) { int n = 0; for (int i = lo; i < hi; i += by) n++; return n; }
        NI int meet(int lo, int hi) { int n = 0; while (lo < hi) { n++; lo++; hi--; } return n; }
        NI int doubles(int size, int n) { int k = 0; while (size < n) { size *= 2; k++; } return k; }
        NI int halves(int n, int m) { int k = 0; for (int i = n, j = 0; i > m; i /= 2, j++) k += j; return k; }
        NI int parts(int left, int size) { int k = 0; while (left > 0) { int part = left < size ? left : size; left -= part; k++; } return k; }
        NI int field(struct range *r) { int n = 0; while (r->lo < r->hi) { n++; r->lo += r->step; } return n; }
        int main(void) {
            int s = 0;
            for (int i = 1; i < 20; i++) {
                struct range a = {i, 50, 2}, b = {i, 50, 2}, c = {i, 50, 2};
                s += pads(i, 3 * i, 8) + closing(i, 100) + held(&a) + growing(i) + stored(&b) + around(i, 3, 20) + steps(i, 40, 3);
                s += meet(i, 40) + doubles(i, 100) + halves(100, i) + parts(100, i) + field(&c);
            }
            printf(\"%d\\n\", s); return 0; }"));
    assert_eq!(inputs(&loops, "pads").1, ["col"]);
    assert_eq!(inputs(&loops, "closing"), (vec![], vec!["lo", "hi"]));
    assert_eq!(inputs(&loops, "held"), (vec![], vec!["r.lo", "r.hi"]));
    assert_eq!(inputs(&loops, "growing"), (vec!["n"], vec!["s"]));
    assert_eq!(inputs(&loops, "stored").1, ["r.lo"]);
    assert_eq!(inputs(&loops, "around").1, ["i"]);
    // Amounts that stay the same, or are only smaller in the last trip, are regular.
    assert_eq!(inputs(&loops, "steps"), (vec!["lo", "by", "hi"], vec![]));
    assert_eq!(inputs(&loops, "meet").1, [""; 0]);
    assert_eq!(inputs(&loops, "doubles"), (vec!["size", "n"], vec![]));
    assert_eq!(inputs(&loops, "halves"), (vec!["n", "m"], vec![]));
    assert_eq!(inputs(&loops, "parts"), (vec!["left", "size"], vec![]));
    assert_eq!(inputs(&loops, "field").1, [""; 0]);
}

#[test]
fn of_euclids_algorithm_both_first_values_decide_and_each_has_its_own_name() {
    let loops = run(&c("#include <stdio.h>
        #define NI __attribute__((noinline))
        NI int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
        NI int less(int a, int b) { while (b) { int t = a - a / b * b; a = b; b = t; } return a; }
        int main(void) {
            int s = 0;
            for (int i = 1; i < 50; i++) s += gcd(7 * i, 91) + less(7 * i, 91);
            printf(\"%d\\n\", s); return 0; }"));
    let (mut values, changing) = inputs(&loops, "gcd");
    values.sort_unstable();
    assert_eq!((values, changing), (vec!["a", "b"], vec![]));
    assert_eq!(inputs(&loops, "less"), (vec!["a"], vec!["b"]));
}

#[test]
fn steps_that_grow_and_steps_of_loops_inside_are_not_the_same_in_every_trip() {
    let loops = run(&c("#include <stdio.h>
        #define NI __attribute__((noinline))
        struct list { int n, most; };
        NI void push(struct list *l) { l->n++; }
        NI int warm(int n) { int c = 0, i = 0, step = 1; while (i < n) { i += step < 8 ? step : 8; step++; c++; } return c; }
        NI int inner(struct list *l) { int c = 0; while (l->n < l->most) { int j = l->n < 100; do l->n++; while (j-- > 0); c++; } return c; }
        NI int called(struct list *l) { int c = 0; while (l->n < l->most) { int j = l->n < 100; do push(l); while (j-- > 0); c++; } return c; }
        NI int local(int n) { int c = 0, i = 0; while (i < n) { int j = i < 100; do i++; while (j-- > 0); c++; } return c; }
        int main(void) {
            int s = 0;
            for (int n = 1; n < 200; n += 9) {
                struct list a = {0, n}, b = {0, n};
                s += warm(n) + inner(&a) + called(&b) + local(n);
            }
            printf(\"%d\\n\", s); return 0; }"));
    assert_eq!(inputs(&loops, "warm").1, ["i"]);
    assert_eq!(inputs(&loops, "inner").1, ["l.n"]);
    assert_eq!(inputs(&loops, "called").1, ["l.n"]);
    assert_eq!(inputs(&loops, "local").1, ["i"]);
}

#[test]
fn pointers_that_go_on_by_several_elements_are_as_many_elements_apart() {
    let loops = run(&c("#include <stdio.h>
        #define NI __attribute__((noinline))
        NI int thirds(const int *a, const int *e) { int s = 0; for (; a < e; a += 3) s += *a; return s; }
        NI int bytes(const char *a, const char *e) { int s = 0; for (; a != e; a += 2) s += *a; return s; }
        int main(void) {
            static int a[60]; static char b[60];
            printf(\"%d\\n\", thirds(a, a + 58) + bytes(b, b + 40)); return 0; }"));
    for (function, apart, trips) in [("thirds", 58, 20), ("bytes", 40, 20)] {
        let one = loops.get(function, 0);
        assert_eq!(inputs(&loops, function), (vec!["e - a"], vec![]));
        assert_eq!((one.observations[0].inputs[0], one.total.trips), (apart, trips), "{function}");
    }
}

#[test]
fn what_a_call_in_the_loop_writes_has_no_value() {
    let loops = run(&c("#include <stdio.h>
        #define NI __attribute__((noinline))
        struct list { int n, most, other, *items; }; struct owner { struct list *list; };
        static int deep, calm;
        NI void push(struct list *l, int x) { l->items[l->n % 4] = x; if (x) l->n++; }
        NI void pop(struct list *l) { l->n -= 2; l->other++; } NI int drain(struct list *l) { int k = 0; while (l->n > 0) { pop(l); k++; } return k; }
        NI void twice(struct list *l) { push(l, 1); for (volatile int i = 0; i < 2; i++) {} }
        NI void dive(void) { if (calm != 99) deep--; } NI void note(struct list *l) { l->other++; }
        NI int fill(struct list *l) { int k = 0; while (l->n < l->most) { twice(l); k++; } return k; }
        NI int owned(struct owner *o) { int k = 0; while (o->list->n < 30) { push(o->list, ++k); } return k; }
        NI int global(void) { int k = 0; while (deep > 0) { dive(); k++; } return k; }
        NI int quiet(struct list *l) { int k = 0; for (int i = 0; i < l->most; i++) { note(l); k += l->other; } return k; }
        NI int still(void) { int k = 0; for (int i = 0; i < calm; i++) { dive(); k++; } return k; }
        int main(void) {
            int s = 0, room[4];
            for (int i = 1; i < 12; i++) {
                struct list a = {0, i, 0, room}, b = {i, 9, 0, room}; struct owner o = {&b};
                deep = i; calm = i + 1;
                s += fill(&a) + drain(&a) + owned(&o) + quiet(&a) + global() + still();
            }
            printf(\"%d\\n\", s); return 0; }"));
    assert_eq!(inputs(&loops, "fill"), (vec!["l.most"], vec!["l.n"]));
    assert_eq!(inputs(&loops, "owned").1, ["o.list.n"]);
    assert_eq!(inputs(&loops, "global"), (vec![], vec!["deep"]));
    assert_eq!(inputs(&loops, "drain"), (vec!["l.n"], vec![]), "each call takes 2");
    assert_eq!(inputs(&loops, "quiet"), (vec!["l.most"], vec![]), "another field is written");
    assert_eq!(inputs(&loops, "still"), (vec!["calm"], vec![]), "another global is written");
}
