//! Inputs of loops are named as in the program.

use trend_profile::ProgramLoop;

use super::{Loops, c, cpp, run};

#[test]
fn c_is_told_in_its_words() {
    let loops = run(&c("#include <stdio.h>\n#include <string.h>\n#define NI __attribute__((noinline))
        struct matrix { int rows, cols; double *d; }; struct node { struct node *next; int v; }; struct outer { int k; struct matrix *m; };
        int limit = 5;
        NI double total(struct matrix *m) { double s = 0; for (int i = 0; i < m->rows; i++) for (int j = 0; j < m->cols; j++) s += m->d[i * m->cols + j]; return s; }
        NI int deep(struct outer *o) { int s = 0; for (int i = 0; i < o->m->rows; i++) { s += i ^ 3; o->k++; } return s; }
        NI int list(struct node *head) { int s = 0; for (struct node *p = head; p; p = p->next) s += p->v; return s; }
        NI int upper(char *s) { int c = 0; for (unsigned i = 0; i < strlen(s); i++) { if (s[i] >= 'a') { s[i] -= 32; c++; } } return c; }
        NI long range(int *a, int *end) { long s = 0; for (int *p = a; p < end; p++) s += *p; return s; }
        NI int text(const char *s) { int c = 0; while (*s++) c++; return c; }
        NI int global(void) { int s = 0; for (int i = 0; i < limit; i++) s += i ^ 3; return s; }
        NI int local(int n) { int half = n / 2, s = 0; for (int i = 0; i < half; i++) s += i ^ 3; return s; }
        NI int target(int *p) { int s = 0; for (int i = 0; i < *p; i++) s += i ^ 3; return s; }
        NI int computed(int n, int m) { int s = 0; for (int i = 0; i < n * m - 1; i++) s += i ^ 3; return s; }
        NI int size(int x) { return x * 2; }
        NI int result(int x) { int s = 0; for (int i = 0, e = size(x); i < e; i++) s += i ^ 3; return s; }
        NI int chosen(int x) { int n; if (x > 3) n = 10; else n = 20; int s = 0; for (int i = 0; i < n; i++) s += i ^ 3; return s; }
        NI int flag(int n) { int done = 0, i = 0; while (!done) { i++; if (i * i > n) done = 1; } return i; }
        struct line { unsigned kind : 16; unsigned data : 16; unsigned begin, end; };
        NI int bits(struct line *l) { int s = 0; for (unsigned i = 0; i < l->begin; i++) s += i ^ 3; return s; }
        NI int steps(int *a, int lo, int h, int hi) { int i = lo + h, s = 0; while (1) { if (i > hi) break; int j = i; while (a[j - h] > 3) { s += a[j - h]; j = j - h; if (j <= (lo + h - 1)) break; } i++; } return s; }
        NI int spaces(struct line *lines, int k, const char *t) { int i = 0; while (i < (int)lines[k].end && t[i] == 32) i++; return i; }
        NI int second(struct line *line) { int s = 0; for (unsigned i = 0; i < line[1].end; i++) s += i ^ 3; return s; }
        struct table { int used; int counts[8]; struct line lines[3]; int grid[2][3]; };
        NI int fourth(struct table *t) { int s = 0; for (int i = 0; i < t->counts[3]; i++) s += i ^ 3; return s; }
        NI int any(struct table *t, int k) { int s = 0; for (int i = 0; i < t->counts[k]; i++) s += i ^ 3; return s; }
        NI int in_lines(struct table *t) { int s = 0; for (unsigned i = 0; i < t->lines[1].end; i++) s += i ^ 3; return s; }
        NI int any_line(struct table *t, int k) { int s = 0; for (unsigned i = 0; i < t->lines[k].end; i++) s += i ^ 3; return s; }
        NI int in_grid(struct table *t) { int s = 0; for (int i = 0; i < t->grid[1][2]; i++) s += i ^ 3; return s; }
        int main(void) { struct table of_all = {1, {1, 2, 3, 4}, {{1, 2, 3, 4}, {1, 2, 3, 5}}, {{1, 2, 3}, {4, 5, 6}}};
            printf(\"%d %d %d %d %d\\n\", fourth(&of_all), any(&of_all, 2), in_lines(&of_all), any_line(&of_all, 1), in_grid(&of_all));
            struct line two[2] = {{1, 2, 5, 9}, {1, 2, 5, 6}}; printf(\"%d\\n\", second(two)); struct line l = {1, 2, 5, 9}; int w[6] = {4, 9, 3, 9, 9, 2}; printf(\"%d %d %d\\n\", bits(&l), steps(w, 1, 2, 5), spaces(&l, 0, \"  x\"));
            double d[12] = {0}; struct matrix m = {3, 4, d}; struct outer o = {0, &m}; struct node b = {0, 2}, a = {&b, 1}; int v[7] = {1}, x = 4; char t[] = \"hello\";
            printf(\"%g %d %d %d %ld %d %d %d %d %d %d %d %d\\n\", total(&m), deep(&o), list(&a), upper(t), range(v, v + 7), text(\"abc\"), global(), local(9), target(&x), computed(2, 3), result(4), chosen(2), flag(30)); return 0; }"));
    let expected: [(&str, usize, &[&str]); 23] = [
        ("fourth", 0, &["t.counts[3]"]),
        ("any", 0, &["t.counts[k]"]),
        ("in_lines", 0, &["t.lines[1].end"]),
        ("any_line", 0, &["t.lines[k].end"]),
        ("in_grid", 0, &["t.grid[]"]),
        ("total", 0, &["m.rows"]),
        ("total", 1, &["m.cols"]),
        ("deep", 0, &["o.m.rows"]),
        ("list", 0, &["head", "p.next"]),
        ("upper", 0, &["strlen(s)"]),
        ("range", 0, &["end - a"]),
        ("text", 0, &["*s", "s"]),
        ("global", 0, &["limit"]),
        ("local", 0, &["half"]),
        ("target", 0, &["*p"]),
        ("computed", 0, &["m", "n"]),
        ("result", 0, &["e"]),
        ("chosen", 0, &["n"]),
        ("flag", 0, &["n"]),
        ("bits", 0, &["l.begin"]),
        ("second", 0, &["line[1].end"]),
        ("spaces", 0, &["lines[k].end", "t[i]"]),
        // The first value of `i` was `lo + h`; it is not named `i`, which then changes.
        ("steps", 1, &["a[j]", "h", "i", "lo"]),
    ];
    for (function, number, names) in expected {
        let mut inputs = loops.names(function, number);
        inputs.sort_unstable();
        assert_eq!(inputs, names, "{function} {number}");
    }
    let values =
        [("deep", 3), ("upper", 5), ("range", 7), ("global", 5), ("local", 4), ("target", 4), ("result", 8)];
    for (function, trips) in values {
        assert_eq!(loops.trips(function, 0), [(vec![trips as i64], 1, trips)], "{function}");
    }
}

#[test]
fn which_member_of_a_union_is_read_is_not_made_up() {
    let loops = run(&c("#include <stdio.h>\n#define NI __attribute__((noinline))
        struct vec { int n; int *d; }; struct text { int len; char *s; };
        struct value { int kind; union { struct vec *v; struct text *t; } u; };
        struct anonymous { int kind; union { int n; unsigned m; }; };
        union one { struct { int a, b; } p; char first; };
        NI int pointed(struct value *x) { int s = 0; for (int i = 0; i < x->u.t->len; i++) { s += i ^ 3; x->kind++; } return s; }
        NI int without(struct anonymous *x) { int s = 0; for (int i = 0; i < (int)x->m; i++) { s += i ^ 3; } return s; }
        NI int certain(union one *x) { int s = 0; for (int i = 0; i < x->p.b; i++) { s += i ^ 3; } return s; }
        int main(void) { struct text t = {3, 0}; struct value x = {0, {.t = &t}}; struct anonymous a = {0, {4}}; union one o = {{1, 5}};
            printf(\"%d %d %d\\n\", pointed(&x), without(&a), certain(&o)); return 0; }"));
    let names = ["pointed", "without", "certain"].map(|function| loops.names(function, 0));
    assert_eq!(names, [["*x.u"], ["x.n|m"], ["x.p.b"]]);
}

#[test]
fn a_variable_whose_address_is_kept_as_an_integer_is_not_what_was_stored_first() {
    let loops = run(&c("#include <stdint.h>\n#include <stdio.h>\n#define NI __attribute__((noinline))
        static uintptr_t kept;
        NI void lower(void) { --*(int *)kept; }
        NI int lowered(int n) { __attribute__((nodebug)) int end = n; kept = (uintptr_t)&end; int i = 0; for (; i < end; i++) lower(); return i; }
        NI int fixed(int n) { __attribute__((nodebug)) volatile int end = n; int i = 0; for (; i < end; i++) ; return i; }
        int main(void) { printf(\"%d %d\\n\", lowered(8), fixed(5)); return 0; }"));
    assert_eq!(loops.names("fixed", 0), ["n"]);
    assert_eq!(loops.names("lowered", 0), ["memory at program.c:6"]);
}

/// Returns a loop of a C++ function, after checking that its only input has a name.
fn loop_with_input<'a>(loops: &'a Loops, function: &str, number: usize, name: &str) -> &'a ProgramLoop {
    let found = loops.functions.iter().find(|f| f.symbol.name.contains(function));
    let one = &found.unwrap_or_else(|| panic!("{function}")).loops[number];
    let names: Vec<_> = one.inputs.iter().map(|input| &*input.name).collect();
    assert_eq!(names, [name], "{function}");
    one
}

#[test]
fn cpp_is_told_in_its_words() {
    let loops = run(&cpp("#include <algorithm>\n#include <cstdio>\n#include <list>\n#include <numeric>\n#include <string>\n#include <string_view>\n#include <vector>\n#define NI __attribute__((noinline))
        struct Matrix { int rows_, cols_; std::vector<double> d; int rows() const { return rows_; }
            NI double sum() const { double s = 0; for (int i = 0; i < rows_; ++i) for (int j = 0; j < cols_; ++j) s += d[i * cols_ + j]; return s; } };
        NI long range_for(const std::vector<int> &v) { long s = 0; for (int x : v) s += x; return s; }
        NI long indexed(std::vector<int> &v) { long s = 0; for (size_t i = 0; i < v.size(); i++) { v[i] += 1; s += v[i]; } return s; }
        NI long iterators(std::vector<int> &v) { long s = 0; for (auto it = v.begin(); it != v.end(); ++it) { *it += 2; s += *it; } return s; }
        NI long backwards(const std::vector<int> &v) { long s = 0; for (auto it = v.rbegin(); it != v.rend(); ++it) s = s * 3 + *it; return s; }
        NI long rest(const std::vector<int> &v, int from) { long s = 0; for (auto it = v.begin() + from; it != v.end(); ++it) s += *it; return s; }
        NI int viewed(std::string_view t) { int c = 0; for (char x : t) c += x == 'a'; return c; }
        NI long listed(std::initializer_list<int> all) { long s = 0; for (int x : all) s += x; return s; }
        NI int letters(const std::string &t) { int c = 0; for (char x : t) c += x == 'a'; return c; }
        NI double first(const Matrix &m) { double s = 0; for (int i = 0; i < m.rows(); i++) s += m.d[i]; return s; }
        NI long accumulated(const std::vector<int> &v) { return std::accumulate(v.begin(), v.end(), 0L); }
        template <class T> NI T greatest(const T *a, int n) { T m = a[0]; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i]; return m; }
        NI long nested(const std::vector<std::vector<int>> &g) { long s = 0; for (const auto &row : g) for (int x : row) s += x; return s; }
        NI void sorted(std::vector<int> &v) { std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; }); }
        int main() { std::vector<int> v(10, 1); long s = range_for(v) + indexed(v) + iterators(v) + accumulated(v) + backwards(v) + rest(v, 4) + viewed(\"banana\") + listed({1, 2, 3}); std::string t = \"banana\"; s += letters(t);
            Matrix m{3, 4, std::vector<double>(12, 1.0)}; s += m.sum() + first(m); double d[] = {1, 2, 3}; s += greatest(v.data(), 10) + greatest(d, 3);
            s += nested({{1, 2}, {3}, {}}); std::vector<int> w; for (int i = 0; i < 1000; i++) w.push_back(i * 7919 % 1000); sorted(w); printf(\"%ld %d %d\\n\", s, w[0], w[999]); }"));
    let expected: [(&str, usize, &str, u64, u64); 15] = [
        ("range_for(", 0, "v.size()", 1, 10),
        ("indexed(", 0, "v.size()", 1, 10),
        ("iterators(", 0, "v.size()", 1, 10),
        ("accumulated(", 0, "v.size()", 1, 10),
        ("backwards(", 0, "v.size()", 1, 10),
        ("rest(", 0, "v.end() - it", 1, 6),
        ("viewed(", 0, "t.size()", 1, 6),
        ("listed(", 0, "all.size()", 1, 3),
        ("first(", 0, "m.rows_", 1, 3),
        ("Matrix::sum(", 0, "this.rows_", 1, 3),
        ("Matrix::sum(", 1, "this.cols_", 3, 12),
        ("greatest<int>(", 0, "n", 1, 9),
        ("greatest<double>(", 0, "n", 1, 2),
        ("nested(", 0, "g.size()", 1, 3),
        ("nested(", 1, "row.size()", 3, 3),
    ];
    for (function, number, name, activations, trips) in expected {
        let one = loop_with_input(&loops, function, number, name);
        assert_eq!((one.total.activations, one.total.trips), (activations, trips), "{function}");
    }
    // The loops of the sort itself are watched, together with its comparisons.
    let sort = loops.functions.iter().filter(|f| f.symbol.name.contains("introsort_loop"));
    let trips: u64 = sort.flat_map(|f| &f.loops).map(|l| l.total.trips).sum();
    assert!(trips > 1000, "{trips}");
}

#[test]
fn a_value_that_several_variables_have_is_called_as_the_first() {
    let source = "#include <stdio.h>\n__attribute__((noinline)) int sum(const int *a, int n) {
        int m = n * 2 + 1, s = 0, j; for (int i = 0; i < m; i++) s = s * 3 + a[i]; j = m; while (j > 0 && a[--j] > 0) s++; return s; }
        int main(void) { int a[9] = {1, 2, 3}; printf(\"%d\\n\", sum(a, 4)); return 0; }";
    assert_eq!(run(&c(source)).names("sum", 0), ["m"]);
}

#[test]
fn a_counter_that_goes_down_is_called_as_what_it_comes_from() {
    let source = "#include <stdio.h>\n#define NI __attribute__((noinline))\nstruct list { int length; int *at; };
        NI int down(const int *a, int n) { int s = 0; for (int i = n - 1; i >= 0; i--) s = s * 3 + a[i]; return s; }
        NI int field(const struct list *l) { int s = 0, i; for (i = l->length - 1; i > 0; i--) s = s * 3 + l->at[i]; return s; }
        NI int own(const int *a, int i) { int s = 0; for (i = i - 1; i >= 0; i--) s = s * 3 + a[i]; return s; }
        int main(void) { int a[9] = {1, 2, 3}; struct list l = {5, a}; printf(\"%d %d %d\\n\", down(a, 4), field(&l), own(a, 6)); return 0; }";
    let loops = run(&c(source));
    assert_eq!((loops.names("down", 0), loops.trips("down", 0)), (vec!["n"], vec![(vec![4], 1, 4)]));
    assert_eq!((loops.names("field", 0), loops.trips("field", 0)), (vec!["l.length"], vec![(vec![5], 1, 4)]));
    assert_eq!(loops.names("own", 0), ["i"]);
}

#[test]
fn the_start_of_a_counter_is_named_by_the_variables_that_it_is_computed_from() {
    let program = c("
#include <stdio.h>
#include <stdlib.h>
long sum;
__attribute__((noinline)) void triangle(int n) {
    for (int i = 0; i < n; i++)
        for (int j = n - i; j >= 0; j--)
            sum += j ^ i;
}
__attribute__((noinline)) int less(int n) { return n / 2; }
__attribute__((noinline)) void reassigned(int n, int m) {
    int i = n + m;
    n = less(n);
    while (i > n) {
        sum += i;
        i -= 2;
    }
}
__attribute__((noinline)) void range(const char *begin, const char *end) {
    size_t left = end - begin;
    while (left > 0) {
        sum += begin[left - 1];
        left--;
    }
}
int main(void) {
    static char text[100];
    for (int n = 3; n < 9; n++) {
        triangle(n);
        reassigned(n, 10 - n);
        range(text + n, text + 2 * n);
    }
    printf(\"%ld\\n\", sum);
    return 0;
}
");
    let loops = run(&program);
    assert_eq!(loops.names("triangle", 1), ["n", "i"]);
    // `n` has another value when the loop begins.
    assert_eq!(loops.names("reassigned", 0), ["i", "n"]);
    assert_eq!(loops.names("range", 0), ["end - begin"]);
}

#[test]
fn nodes_of_containers_are_counted_by_the_size_that_the_container_keeps() {
    let loops = run(&cpp("#include <cstdio>\n#include <list>\n#include <map>\n#include <set>\n#include <unordered_map>\n#define NI __attribute__((noinline))
        struct Shop { std::map<int, int> stock; std::list<int> queue; };
        NI long trees(const std::map<int, int> &m) { long s = 0; for (const auto &one : m) s += one.second; return s; }
        NI long sets(const std::set<int> &all) { long s = 0; for (auto it = all.begin(); it != all.end(); ++it) s += *it; return s; }
        NI long hashes(const std::unordered_map<int, int> &m) { long s = 0; for (const auto &[k, v] : m) s += k * v; return s; }
        NI long lists(const std::list<int> &l) { long s = 0; for (int one : l) s += one; return s; }
        NI long members(Shop &shop) { long s = 0; for (auto &one : shop.stock) for (int q : shop.queue) s += q * one.second; return s; }
        NI void worklist(std::list<int> &q) { for (auto it = q.begin(); it != q.end(); ++it) if (*it > 0) q.push_back(*it - 1); }
        NI long changed(std::list<int> &l) { long s = 0; auto it = l.begin(); l.push_front(0); for (; it != l.end(); ++it) s += *it; return s; }
        NI long last(std::list<int> &l) { long s = 0; for (auto it = --l.end(); it != l.end(); ++it) s += *it; return s; }
        NI long growing(int n) { long s = 0; std::list<int> l; for (int i = 0; i < n; i++) { l.push_back(i); for (int one : l) s += one; } return s; }
        NI long part(const std::map<int, int> &m, int from) { long s = 0; for (auto it = m.lower_bound(from); it != m.end(); ++it) s += it->second; return s; }
        int main() { Shop shop; std::set<int> all; std::unordered_map<int, int> hash;
            for (int i = 0; i < 9; i++) { shop.stock[i] = i; hash[i] = i; all.insert(i / 2); if (i < 4) shop.queue.push_back(i); }
            printf(\"%ld\\n\", trees(shop.stock) + sets(all) + hashes(hash) + lists(shop.queue) + members(shop) + part(shop.stock, 5) + growing(5));
            worklist(shop.queue); printf(\"%ld\\n\", changed(shop.queue) + last(shop.queue)); }"));
    let expected: [(&str, usize, &str, i64, u64); 6] = [
        ("trees(", 0, "m.size()", 9, 9),
        ("sets(", 0, "all.size()", 5, 5),
        ("hashes(", 0, "m.size()", 9, 9),
        ("lists(", 0, "l.size()", 4, 4),
        ("members(", 0, "shop.stock.size()", 9, 9),
        ("members(", 1, "shop.queue.size()", 4, 36),
    ];
    for (function, number, name, size, trips) in expected {
        let one = loop_with_input(&loops, function, number, name);
        assert_eq!((one.observations[0].inputs[0], one.total.trips), (size, trips), "{function}");
    }
    // No container keeps the number of nodes from a key or an iterator on. The number of nodes of a list changes if
    // the loop, or the code just before it, changes the list.
    for function in ["part(", "worklist(", "changed(", "last("] {
        let function_read = loops.functions.iter().find(|f| f.symbol.name.contains(function)).unwrap();
        let inputs = function_read.loops.iter().flat_map(|one| &one.inputs);
        let counted: Vec<_> = inputs.filter(|input| input.name.contains("size()")).collect();
        assert!(counted.is_empty(), "{function} {counted:?}");
    }
    let growing = loops.functions.iter().find(|f| f.symbol.name.contains("growing(")).unwrap();
    let inner = growing.loops.iter().find(|one| one.parent.is_some() && one.total.trips == 15).unwrap();
    assert_eq!((&*inner.inputs[0].name, inner.stated.inputs[0].varies_in), ("l.size()", Some(0)));
}

#[test]
fn a_value_that_moves_with_an_outer_counter_is_named_by_what_it_is_computed_from() {
    let loops = run(&c("#include <stdio.h>\n#include <stdlib.h>\n#define NI __attribute__((noinline))\n#define BLOCK 8
        struct node { int edges; }; struct graph { int count; struct node *nodes; }; volatile long sum;
        NI void blocks(int n) { for (int b = 0; b < n / BLOCK; b++) {
            int start = b * BLOCK, end = (b + 1) * BLOCK > n ? n : (b + 1) * BLOCK;
            for (int i = start; i < end; i++) sum += i; } }
        NI void filled(int tall, int wide) { int i = tall * wide; while (i > 0) { i--; sum += i; } }
        NI void busiest(const struct graph *g) { for (const struct node *v = g->nodes; v < g->nodes + g->count; v++) sum += v->edges; }
        int main(int c, char **v) { int n = 20 + c; struct node nodes[30] = {{0}}; struct graph g = {n, nodes};
            int read = atoi(c > 5 ? v[1] : \"7\"); for (size_t i = 0; i < (size_t)read; i++) sum += i;
            blocks(n); filled(3, n); busiest(&g); printf(\"%ld\\n\", sum); return 0; }"));
    assert_eq!(loops.names("blocks", 1), ["b", "n"]);
    assert_eq!(loops.names("filled", 0), ["tall", "wide"]);
    assert_eq!(loops.names("busiest", 0), ["g.count"]);
    assert_eq!(loops.names("main", 0), ["read"]);
}
