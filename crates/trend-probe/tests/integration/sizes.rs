//! Sizes and costs that have closed forms.

use std::fmt::Write as _;

use crate::support::{Build, Costs, c, done};

const HEAD: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// Returns a program that fills arrays of n = 1000, 2000, 4000, 8000 numbers in `main`, and calls a routine `work(int
/// *a, int n)`.
fn over_arrays(work: &str) -> String {
    format!(
        "{HEAD}{work}
        int main(void) {{
            for (int n = 1000; n <= 8000; n *= 2) {{
                int *a = malloc(n * sizeof *a);
                unsigned x = 1;
                for (int i = 0; i < n; i++) a[i] = (x = x * 1103515245 + 12345) >> 8;
                work(a, n);
                for (int i = 1; i < n; i++) if (a[i - 1] > a[i] && n < 0) abort();
                free(a);
            }}
        }}"
    )
}

#[test]
fn sums_have_the_size_of_their_array_and_cost_three_blocks_and_one_a_number() {
    let costs = c(&over_arrays(
        "int work(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }",
    ))
    .run(&[]);
    let measured: Vec<_> = costs.costs_of("work").iter().map(|o| (o.size(), o.sum, o.count)).collect();
    // The entry, the loop's header n + 1 times, its body n times, and the end. LLVM merges the body and the step.
    let expected: Vec<_> = [1000, 2000, 4000, 8000].iter().map(|n| (*n, 2 * n + 3, 1)).collect();
    assert_eq!(measured, expected);
}

/// Returns a program that sorts arrays of these sizes by `sort`. `number` is the expression of the number at index `i`.
fn sorting(sort: &str, sizes: &[u64], number: &str) -> String {
    let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
    format!(
        "{HEAD}{sort}
        int main(void) {{
            int sizes[] = {{{}}};
            for (int s = 0; s < {}; s++) {{
                int n = sizes[s], *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
                for (int i = 0; i < n; i++) a[i] = {number};
                sort(a, b, n);
                free(a);
                free(b);
            }}
        }}",
        sizes.join(", "),
        sizes.len()
    )
}

/// Returns the size and cost of the calls that no other call of the routine encloses.
fn outermost(costs: &Costs, routine: &str) -> Vec<(u64, u64)> {
    let calls = costs.costs_of(routine);
    let outermost = calls.iter().map(|o| (o.size(), o.parts.outermost.unwrap()));
    outermost.filter(|(_, cost)| *cost > 0).collect()
}

#[test]
fn bubble_sort_costs_its_square_and_reads_each_number_once() {
    let source = sorting(
        "__attribute__((noinline)) void sort(int *a, int *b, int n) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j + 1 < n - i; j++)
                    if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
        }",
        &[1000, 2000, 4000, 8000],
        "n - i",
    );
    // For each of n(n - 1)/2 pairs: header, compare, swap and step. For each of n rounds: the outer header, the inner
    // header that ends it, and the outer step. Finally the entry, the outer header that ends all, and the end.
    let expected: Vec<(u64, u64)> =
        [1000, 2000, 4000, 8000].iter().map(|n| (*n, 4 * (n * (n - 1) / 2) + 3 * n + 3)).collect();
    assert_eq!(outermost(&c(&source).run(&[]), "sort"), expected);
}

#[test]
fn merge_sort_costs_its_closed_form() {
    let source = sorting(
        "void sort(int *a, int *b, int n) {
            if (n < 2) return;
            sort(a, b, n / 2); sort(a + n / 2, b, n - n / 2);
            int i = 0, j = n / 2, k = 0;
            while (i < n / 2 && j < n) b[k++] = a[i] <= a[j] ? a[i++] : a[j++];
            while (i < n / 2) b[k++] = a[i++];
            memcpy(a, b, k * sizeof *a);
        }",
        &[1024, 2048, 4096, 8192],
        "i",
    );
    // For n > 1 sorted numbers, a call takes 5n/2 + 7 blocks itself; for one number, 2: T(n) = 2 T(n/2) + 5n/2 + 7.
    let expected: Vec<(u64, u64)> =
        (10..=13).map(|log| (1 << log, (1 << log) / 2 * (5 * log + 4) + 7 * ((1 << log) - 1))).collect();
    assert_eq!(outermost(&c(&source).run(&[]), "sort"), expected);
}

/// Returns the cost of a quicksort of n sorted numbers: their pivot is the middle one, and stays there. A call takes 2n
/// + 9 blocks itself, or 2 for less than two numbers.
fn sorted_quickly(n: u64) -> u64 {
    if n < 2 { 2 } else { 2 * n + 9 + sorted_quickly(n / 2) + sorted_quickly(n - n / 2 - 1) }
}

#[test]
fn quicksort_costs_its_closed_form() {
    let source = sorting(
        "void sort(int *a, int *b, int n) {
            if (n < 2) return;
            int p = a[n / 2], i = 0, j = n - 1;
            while (i <= j) {
                while (a[i] < p) i++;
                while (a[j] > p) j--;
                if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; }
            }
            sort(a, b, j + 1); sort(a + i, b, n - i);
        }",
        &[1000, 2000, 4000, 8000],
        "i",
    );
    let expected: Vec<(u64, u64)> =
        [1000, 2000, 4000, 8000].iter().map(|n| (*n, sorted_quickly(*n))).collect();
    assert_eq!(outermost(&c(&source).run(&[]), "sort"), expected);
}

#[test]
fn a_cache_costs_what_it_looks_through() {
    let source = format!(
        "{HEAD}struct entry {{ int key, value; struct entry *next; }};
        static struct entry *cache; static int length;
        __attribute__((noinline)) int get(int key) {{
            struct entry **at = &cache, *found;
            while (*at && (*at)->key != key && ((*at)->next || length < 64)) at = &(*at)->next;
            if ((found = *at)) *at = found->next;
            else {{ found = malloc(sizeof *found); length++; }}
            found->key = key; found->value = 3 * key; found->next = cache; cache = found;
            return found->value;
        }}
        int main(void) {{
            int sum = 0;
            for (int key = 0; key < 64; key++) sum += get(key);
            for (int i = 0; i < 1000; i++) sum += get(63);
            for (int i = 0; i < 640; i++) sum += get(i % 64);
            for (int i = 0; i < 500; i++) sum += get(1000 + i);
            return sum == 0;
        }}"
    );
    let measured = c(&source).run(&[]).costs_of("get");
    // It fills with k entries before it. Of each, it reads the key and pointer, and also its own pointer and length.
    let fills: Vec<_> = (0..64).map(|k| (3 * k + 3, if k == 0 { 5 } else { 4 * k + 6 })).collect();
    let sizes: Vec<_> =
        measured[..64].iter().map(|o| (o.size(), if o.size() == 6 { o.max } else { o.sum })).collect();
    assert_eq!(sizes, fills);
    // The first entry is found a thousand times at low cost. The last entry and missing ones need a search through all.
    assert_eq!((measured[1].count, measured[1].min), (1001, 6));
    let through_all = measured.last().unwrap();
    assert_eq!((measured.len(), through_all.size(), through_all.count), (65, 3 * 64 + 3, 1140));
    assert_eq!((through_all.min, through_all.max), (4 * 64 + 2, 4 * 64 + 4));
}

#[test]
fn sorting_by_merging_reads_each_number_once_whatever_it_calls() {
    let costs = c(&over_arrays(
        "static void merge(int *a, int *b, int n) {
            if (n < 2) return;
            int m = n / 2;
            merge(a, b, m); merge(a + m, b + m, n - m);
            int i = 0, j = m, k = 0;
            while (i < m && j < n) b[k++] = a[i] <= a[j] ? a[i++] : a[j++];
            while (i < m) b[k++] = a[i++];
            while (j < n) b[k++] = a[j++];
            for (i = 0; i < n; i++) a[i] = b[i];
        }
        void work(int *a, int n) { int *b = malloc(n * sizeof *b); merge(a, b, n); free(b); }",
    ))
    .run(&[]);
    let largest: Vec<u64> =
        costs.costs_of("merge").iter().map(trend_profile::Observation::size).filter(|s| *s >= 1000).collect();
    assert_eq!(largest, [1000, 2000, 4000, 8000]);
    // A call with n numbers makes 2n - 1 calls in total.
    let calls: u64 = costs.costs_of("merge").iter().map(|o| o.count).sum();
    assert_eq!(calls, [1000, 2000, 4000, 8000].iter().map(|n| 2 * n - 1).sum::<u64>());
}

#[test]
fn cells_have_the_size_that_is_asked_for() {
    let source = format!(
        "{HEAD}
        _Alignas(64) char chars[1000]; long longs[1000]; short shorts[1000];
        struct node {{ struct node *next; long value; }};
        __attribute__((noinline)) int of_chars(void) {{ int s = 0; for (int i = 0; i < 1000; i++) s += chars[i]; return s; }}
        __attribute__((noinline)) long of_longs(void) {{ long s = 0; for (int i = 0; i < 1000; i++) s += longs[i]; return s; }}
        __attribute__((noinline)) long of_list(struct node *n) {{ long s = 0; for (; n; n = n->next) s += n->value; return s; }}
        __attribute__((noinline)) int of_written(void) {{
            for (int i = 0; i < 1000; i++) shorts[i] = i;
            int s = 0; for (int i = 0; i < 1000; i++) s += shorts[i]; return s;
        }}
        int main(void) {{
            struct node *list = 0;
            for (int i = 0; i < 500; i++) {{ struct node *n = malloc(sizeof *n); n->next = list; n->value = i; list = n; }}
            return (of_chars() + of_longs() + of_list(list) + of_written()) == 1;
        }}"
    );
    for (cell, chars, longs, list) in [
        ("1", 1000, 8000, 8000),
        ("2", 500, 4000, 4000),
        ("4", 250, 2000, 2000),
        ("8", 125, 1000, 1000),
        ("16", 63, 500, 500),
    ] {
        let probe = ["--cell-size", cell];
        let costs = Build { probe: &probe, ..Build::default() }.program(&source).run(&[]);
        let sizes =
            ["of_chars", "of_longs", "of_list", "of_written"].map(|routine| costs.only(routine).size());
        // An array of longs is aligned to 8 or 16 bytes.
        assert!(sizes[1].abs_diff(longs) <= 1, "{cell}: {sizes:?}");
        assert_eq!([sizes[0], sizes[2], sizes[3]], [chars, list, 0], "{cell}");
    }
}

/// Bodies of functions with nested loops. `R(x)` reads a number, and `W(x, v)` writes one.
const NESTS: [(&str, &str); 19] = [
    (
        "product",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { int s = 0; for (int k = 0; k < n; k++) s += R(a[i * n + k]) * R(b[k * n + j]); W(c[i * n + j], s); }",
    ),
    (
        "in_place",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { int s = 0; for (int k = 0; k < n; k++) s += R(a[i * n + k]) * R(a[k * n + j]); W(a[i * n + j + 1], s); }",
    ),
    ("steps", "for (int t = 0; t < 4; t++) for (int i = 1; i < n; i++) W(b[i], R(a[i - 1]) + R(a[i + 1]));"),
    (
        "swapped",
        "int *p = a, *q = b; for (int t = 0; t < 3; t++) { for (int i = 1; i < n; i++) W(q[i], R(p[i - 1]) + R(p[i + 1])); int *r = p; p = q; q = r; }",
    ),
    (
        "triangle",
        "int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += R(a[j]); *out = s;",
    ),
    (
        "not_at_first",
        "int s = 0; for (int i = 0; i < n; i++) { if (i == 0) continue; for (int j = 0; j < n; j++) s += R(a[j]); } *out = s;",
    ),
    (
        "if_told",
        "int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (n > 5) s += R(a[j]); else s += R(b[j]); *out = s;",
    ),
    (
        "by_data",
        "int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (R(b[i]) > j) s += R(a[j]); *out = s;",
    ),
    (
        "until_data",
        "int s = 0; for (int i = 0; i < n; i++) { int j = 0; for (; j < n; j++) if (R(b[j]) + i > 9) break; s += R(a[j]); } *out = s;",
    ),
    (
        "leaves_both",
        "int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { if (R(b[j]) == 77 + i) goto end; s += R(a[j]); } end: *out = s;",
    ),
    (
        "found",
        "int s = 0; for (int i = 0; i < n; i++) { long j = 0; while (R(b[j]) + i < 9) j++; s += R(a[j]); } *out = s;",
    ),
    (
        "endless",
        "for (int i = 0;; i++) for (int j = 0; j < R(b[i]); j++) if (R(a[j]) == 9) { *out = j; return; }",
    ),
    (
        "continues",
        "int s = 0; for (int i = 0;; i++) { s += R(b[i]); if (s < 5) continue; for (int j = 0; j < n; j++) s += R(a[j * 3]); if (s > 100 || i > 200) break; } *out = s;",
    ),
    (
        "two_ways",
        "int s = 0; for (int i = 0; i < n; i++) { int j; if (R(b[i]) > 3) { j = 0; W(c[0], 1); } else { j = 5; W(c[1], 2); } do s += R(a[j]); while (++j < n); } *out = s;",
    ),
    (
        "skips",
        "int s = 0, i = 0; for (;;) { i++; if (R(b[i])) continue; s += R(a[i]); if (i >= n) break; } *out = s;",
    ),
    (
        "inner_again",
        "int s = 0; for (int t = 0; t < 3; t++) for (int i = 0; i < n; i++) for (int j = i; j < n; j++) s += R(a[j * 2 % 63]) + R(b[i]); *out = s;",
    ),
    (
        "far_counter",
        "int s = 0, last = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { s += R(a[j]); last = j + i; } s += R(b[last % 60]); } *out = s;",
    ),
    (
        "empty_first",
        "int s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < i * n % 50; j++) s += R(a[j]); *out = s;",
    ),
    (
        "restarts",
        "int s = 0; for (int u = 1; u < 4; u++) for (int t = 0; t < 3; t++) for (int i = 0; i < n * u % 50; i++) s += R(a[i]) + t; *out = s;",
    ),
];

/// A second copy of each function counts the cells that it reads before it writes them.
#[test]
fn accesses_that_trips_repeat_count_as_if_each_were_watched() {
    let mut source = format!(
        "{HEAD}int a[700], b[700], d[700], sink, *out = &sink; char seen[3][700]; long first;
        static int *see(int *at, int is_read) {{
            int *all[] = {{a, b, d}};
            for (int k = 0; k < 3; k++) if (at >= all[k] && at < all[k] + 700) {{
                if (!seen[k][at - all[k]] && is_read) first++;
                seen[k][at - all[k]] = 1;
            }}
            return at;
        }}\n"
    );
    let copy = |prefix: &str| {
        NESTS.map(|(name, body)| {
            format!(
                "__attribute__((noinline)) void {prefix}{name}(int *a, int *b, int *c, int n) {{ {body} }}\n"
            )
        })
    };
    source += "#define R(x) (x)\n#define W(x, v) ((x) = (v))\n";
    source += &copy("").concat();
    source += "#undef R\n#undef W\n#define R(x) (*see(&(x), 1))\n#define W(x, v) (*see(&(x), 0) = (v))\n";
    source += &copy("seen_").concat();
    source += "static void fill(void) { for (int i = 0; i < 700; i++) a[i] = b[i] = d[i] = i % 11; memset(seen, 0, sizeof seen); first = 0; }\nint main(int count, char **v) { int n = atoi(v[1]), apart = atoi(v[2]);\n";
    for (name, _) in NESTS {
        let _ = writeln!(
            source,
            "fill(); seen_{name}(a, b, apart ? d : b + 1, n); printf(\"%ld\\n\", first); fill(); {name}(a, b, apart ? d : b + 1, n);"
        );
    }
    source += "return 0; }\n";
    let program = c(&source);
    for arguments in [["8", "1"], ["8", "0"], ["1", "1"], ["0", "1"], ["13", "0"], ["20", "1"]] {
        let (mut command, _records) = program.command(&arguments);
        let printed = String::from_utf8(done(&mut command).stdout).unwrap();
        let expected: Vec<u64> = printed.lines().map(|line| line.parse().unwrap()).collect();
        let costs = program.run(&arguments);
        for ((name, body), expected) in NESTS.iter().zip(expected) {
            // The pointer `out` is read as well, which takes two cells.
            let expected = expected + if body.contains("*out") { 2 } else { 0 };
            assert_eq!(costs.only(name).size(), expected, "{name} of {arguments:?}");
        }
    }
}

#[test]
fn every_activation_of_a_recursion_is_observed() {
    let costs = c(&format!(
        "{HEAD}int fib(int n) {{ return n < 2 ? n : fib(n - 1) + fib(n - 2); }}
        int main(void) {{ return fib(12) != 144; }}"
    ))
    .run(&[]);
    let fib = costs.only("fib");
    assert_eq!((fib.size(), fib.count), (0, 465));
    // The outermost call encloses all others, whose own costs add up to its cost.
    assert_eq!(fib.parts.outermost, fib.parts.own);
    assert_eq!(fib.max, fib.parts.outermost.unwrap());
}

#[test]
fn a_memoised_recursion_costs_its_argument() {
    let costs = c(&format!(
        "{HEAD}static long known[200];
        long fib(int n) {{
            if (n < 2) return n;
            if (known[n]) return known[n];
            return known[n] = fib(n - 1) + fib(n - 2);
        }}
        int main(void) {{ for (int n = 20; n <= 80; n += 20) {{ memset(known, 0, sizeof known); fib(n); }} return 0; }}"
    ))
    .run(&[]);
    let outermost: u64 = costs.costs_of("fib").iter().map(|o| o.parts.outermost.unwrap()).sum();
    let calls: u64 = costs.costs_of("fib").iter().map(|o| o.count).sum();
    // Each needs 2(n - 1) + 1 calls.
    assert_eq!(calls, (20..=80).step_by(20).map(|n| 2 * n - 1).sum::<u64>());
    assert!(outermost < 6 * calls, "{outermost} {calls}");
    // It read the numbers that it found: 8 bytes for each number from 2 on, which are two cells.
    assert_eq!(costs.costs_of("fib").last().unwrap().size(), 2 * (80 - 1));
}

#[test]
fn appending_to_a_vector_is_constant_in_the_mean() {
    let source = "#include <vector>
        struct Vector { int *data = 0; int size = 0, capacity = 0; };
        __attribute__((noinline)) void append(Vector &v, int x) {
            if (v.size == v.capacity) {
                v.capacity = v.capacity ? 2 * v.capacity : 1;
                int *more = new int[v.capacity];
                for (int i = 0; i < v.size; i++) more[i] = v.data[i];
                delete[] v.data; v.data = more;
            }
            v.data[v.size++] = x;
        }
        int main() { Vector v; for (int i = 0; i < 1 << 14; i++) append(v, i); return v.size != 1 << 14; }";
    let costs = Build { is_cpp: true, ..Build::default() }.program(source).run(&[]);
    let appends = costs.costs_of("append(Vector&, int)");
    let (calls, sum) = appends.iter().fold((0, 0), |(calls, sum), o| (calls + o.count, sum + o.sum));
    assert_eq!(calls, 1 << 14);
    assert!(sum < 8 * calls, "{sum}");
    // Copies of 1, 2, 4, … numbers have their own sizes.
    assert_eq!(appends.iter().filter(|o| o.size() > 16).count(), 10);
}

#[test]
fn a_library_function_reads_what_it_is_documented_to_read() {
    let costs = c(&format!(
        "{HEAD}static _Alignas(16) char text[1004], copy[1004]; static int numbers[1000];
        static int compare(const void *a, const void *b) {{ return *(const int *)a - *(const int *)b; }}
        #define ONCE for (volatile int i = 0; i < 1; i++)
        __attribute__((noinline)) long length(void) {{ volatile long n = 0; ONCE n = strlen(text); return n; }}
        __attribute__((noinline)) void copied(void) {{ ONCE memcpy(copy, text, sizeof copy); }}
        __attribute__((noinline)) int equal(void) {{ int e = 0; ONCE e = memcmp(copy, text, sizeof copy) == 0; return e; }}
        __attribute__((noinline)) void sorted(void) {{ qsort(numbers, 1000, sizeof *numbers, compare); }}
        __attribute__((noinline)) int cleared(void) {{ ONCE memset(numbers, 0, sizeof numbers); return numbers[3]; }}
        int main(void) {{
            memset(text, 'a', 1000);
            for (int i = 0; i < 1000; i++) numbers[i] = (i * 7919) % 1009;
            long n = length();
            copied();
            if (!equal()) return 2;
            sorted();
            return cleared() != 0 || n != 1000;
        }}"
    ))
    .run(&[]);
    // A text of 1000 characters and its terminator; all 1004 bytes; twice as many; 4000 bytes.
    let sizes = ["length", "copied", "equal", "sorted", "cleared"].map(|routine| costs.only(routine).size());
    assert_eq!(sizes, [251, 251, 502, 1000, 0]);
    // A function that the library calls back is a part of the caller: its entry, its end, and one block for a
    // comparison.
    assert_eq!(costs.costs_of("compare"), []);
    assert!(costs.only("sorted").parts.own.unwrap() > 1000);
}

#[test]
fn a_function_without_a_trend_is_a_part_of_its_callers() {
    let costs = c(&over_arrays(
        "__attribute__((noinline)) static int get(int *a, int i) { return a[i]; }
        __attribute__((noinline)) static int square(int *a, int i) { return get(a, i) * get(a, i); }
        int work(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += square(a, i); return s; }",
    ))
    .run(&[]);
    let measured: Vec<_> = costs.costs_of("work").iter().map(|o| (o.size(), o.sum, o.parts.own)).collect();
    // A loop that sums, plus one block for `square` and two for `get` in each trip.
    let expected: Vec<_> =
        [1000, 2000, 4000, 8000].iter().map(|n| (*n, 5 * n + 3, Some(5 * n + 3))).collect();
    assert_eq!(measured, expected);
    assert_eq!((costs.costs_of("get"), costs.costs_of("square")), (Vec::new(), Vec::new()));
}

#[test]
fn code_of_the_standard_library_is_a_part_of_its_callers() {
    let source = "#include <algorithm>
        #include <cstdio>
        #include <vector>
        struct Item { int a[4]; };
        static int calls, thrower = -1;
        __attribute__((noinline)) bool less(const Item &x, const Item &y) {
            if (calls++ == thrower) throw 1;
            for (int i = 0; i < 4; i++) if (x.a[i] != y.a[i]) return x.a[i] < y.a[i];
            return false;
        }
        __attribute__((noinline)) void sorted(std::vector<Item> &v) { std::sort(v.begin(), v.end(), less); }
        __attribute__((noinline)) int tried(std::vector<Item> &v) { try { sorted(v); } catch (int) { return v.size(); } return 0; }
        static bool has(const std::vector<Item> &v, int a) {
            return std::any_of(v.begin(), v.end(), [a](const Item &item) { return item.a[0] == a; });
        }
        int main() {
            for (int n = 1000; n <= 4000; n *= 2) {
                std::vector<Item> v(n);
                unsigned x = 1;
                for (Item &item : v) for (int &number : item.a) number = (x = x * 1103515245 + 12345) >> 30;
                sorted(v);
                std::printf(\"%d\\n\", calls);
                thrower = calls + 100;
                if (tried(v) != n) return 1;
                thrower = -1;
                for (int i = 0; i < 10; i++) if (has(v, 7 + i)) return 2;
            }
        }";
    let program = Build { is_cpp: true, ..Build::default() }.program(source);
    let (mut command, records) = program.command(&[]);
    let output = String::from_utf8(done(&mut command).stdout).unwrap();
    let costs = records.costs();
    let is_of_library = |name: &str| name.split('(').next().is_some_and(|front| front.contains("std::"));
    assert!(!costs.routines().any(is_of_library), "{:?}", costs.routines().collect::<Vec<_>>());
    // All cells of the items, and other cells of `less` and the vector. The call that throws has read less.
    let whole = costs.costs_of("sorted(std::vector<Item, std::allocator<Item> >&)");
    let sizes: Vec<u64> =
        whole.iter().map(trend_profile::Observation::size).filter(|size| *size > 3000).collect();
    assert_eq!(sizes.len(), 3, "{sizes:?}");
    assert!(
        sizes.iter().zip([4000, 8000, 16000]).all(|(size, cells)| (cells..cells + 8).contains(size)),
        "{sizes:?}"
    );
    // The cost of `std::sort` counts for its caller: its own blocks, in addition to the blocks of the calls, grow as
    // n·log n.
    let costs_of_own: Vec<u64> =
        whole.iter().filter(|o| o.size() > 3000).map(|o| o.parts.own.unwrap()).collect();
    let per_step = [1000_f64, 2000.0, 4000.0].map(|n| n * n.log2());
    let ratios: Vec<f64> =
        costs_of_own.iter().zip(per_step).map(|(own, steps)| *own as f64 / steps).collect();
    assert!(ratios.iter().all(|ratio| (2.0..8.0).contains(ratio)), "{ratios:?}");
    assert!((ratios[2] / ratios[0] - 1.0).abs() < 0.1, "{ratios:?}");
    // A function that the library calls back is a routine: each of its calls is observed, including the one that
    // throws.
    let compared: u64 = output.lines().last().unwrap().parse().unwrap();
    let observed: u64 = costs.costs_of("less(Item const&, Item const&)").iter().map(|o| o.count).sum();
    assert_eq!(observed, compared + 101);
    // A function that only loops in the library is a routine, and its loop is counted.
    let has = costs.costs_of("has(std::vector<Item, std::allocator<Item> > const&, int)");
    assert_eq!(has.iter().map(|o| o.count).sum::<u64>(), 30);
    assert!(has.iter().all(|o| o.min > 1000), "{has:?}");
    let tried = costs.costs_of("tried(std::vector<Item, std::allocator<Item> >&)");
    assert_eq!(tried.iter().map(|o| o.count).sum::<u64>(), 3);
}

#[test]
fn crates_are_inlined_as_in_any_build_and_the_programs_own_loops_are_not() {
    let folder = tempfile::tempdir().unwrap();
    // Folders of crates are recognized by the files that cargo leaves when it unpacks them, and not by their names.
    let folders =
        [("theirs", "a/skip-1.0.0", ".cargo-ok"), ("vendored", "vendor/skip", ".cargo-checksum.json")];
    let own = [("near", "own", "Cargo.toml"), ("copied", "registry/src/own", "Cargo.toml")];
    // The package itself was unpacked by cargo, with crates of others in its folder.
    std::fs::write(folder.path().join(".cargo-ok"), "").unwrap();
    let build = Build { package: Some(folder.path()), ..Build::default() };
    let mut source = HEAD.to_owned();
    let mut calls = String::new();
    for (name, at, mark) in folders.into_iter().chain(own) {
        let at = folder.path().join(at);
        std::fs::create_dir_all(at.join("src")).unwrap();
        std::fs::write(at.join(mark), "").unwrap();
        let header = at.join("src/skip.h");
        let skip =
            format!("static int {name}(const char *t, int i) {{ while (t[i] == ' ') i++; return i; }}");
        std::fs::write(&header, skip).unwrap();
        let _ = writeln!(
            source,
            "#include \"{}\"
            __attribute__((noinline)) int by_{name}(const char *t, int n) {{
                int i = 0, words = 0; for (; i < n; i++, words++) i = {name}(t, i); return words; }}",
            header.display()
        );
        let _ = writeln!(calls, "if (by_{name}(text, 1000) != 250) return 1;");
    }
    let program = build.program(&format!(
        "{source}int main(void) {{
            static char text[1001];
            memset(text, ' ', 1000);
            for (int i = 3; i < 1000; i += 4) text[i] = 'x';
            {calls} return 0;
        }}"
    ));
    let costs = program.run(&[]);
    let calls = |name: &str| costs.costs_of(name).iter().map(|o| o.count).sum::<u64>();
    assert_eq!(["theirs", "vendored", "near", "copied"].map(calls), [0, 0, 250, 250]);
    for (name, is_inlined) in [("theirs", true), ("vendored", true), ("near", false), ("copied", false)] {
        let caller = costs.only(&format!("by_{name}"));
        assert_eq!(caller.size(), 250);
        assert_eq!(caller.parts.own.unwrap() > 1000, is_inlined, "{name}: {caller:?}");
    }
}

#[test]
fn branches_cost_the_same_where_the_compiler_counts_blocks() {
    let source = format!(
        "{HEAD}
        int limit = 7, other = 3;
        __attribute__((noinline)) int work(const int *a, int n) {{
            int s = 0;
            for (int i = 0; i < n; i++) {{
                if (a[i] % 5 == 0) continue;
                s += a[i] > s ? limit : other;
                if (a[i] > 3 && s < a[i] * 2) s++;
                else s ^= 1;
                switch (a[i] & 3) {{
                    case 0: s += 2; break;
                    case 1: break;
                    case 2: s *= 3;
                    default: s--;
                }}
                s += other;
            }}
            return s;
        }}
        int main(void) {{
            int a[500];
            for (int i = 0; i < 500; i++) a[i] = i * 7 % 31;
            return work(a, 500) == 1;
        }}"
    );
    let plain = c(&source).run(&[]);
    let folder = done(std::process::Command::new("clang-22").arg("-print-resource-dir")).stdout;
    let library =
        format!("{}/lib/linux/libclang_rt.profile-x86_64.a", String::from_utf8(folder).unwrap().trim());
    let counted = Build {
        compiler: &["-fprofile-instr-generate", "-fcoverage-mapping"],
        link: &[&library],
        ..Build::default()
    };
    let program = counted.program(&source);
    let (mut command, records) = program.command(&[]);
    done(command.env("LLVM_PROFILE_FILE", program.folder().join("blocks.profraw")));
    let counted = records.costs();
    assert_eq!(plain.only("work").sum, counted.only("work").sum);
}

#[test]
fn large_functions_of_c_that_a_crate_brings_are_no_more_inlined_than_others() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".cargo-ok"), "").unwrap();
    let header = folder.path().join("large.h");
    let sum: Vec<String> = (0..60).map(|i| format!("numbers[{i}]")).collect();
    let large = format!(
        "static int large(const volatile int *numbers, void (*call)(void)) {{ call(); return {}; }}",
        sum.join(" + ")
    );
    std::fs::write(&header, large).unwrap();
    let costs = c(&format!(
        "{HEAD}
        #include \"{}\"
        static const volatile int numbers[60];
        static void nothing(void) {{}}
        void (*volatile call)(void) = nothing;
        int main(void) {{ return large(numbers, call) || large(numbers, call); }}",
        header.display()
    ))
    .run(&[]);
    assert_eq!(costs.only("large").size(), 60);
}

#[test]
fn a_part_in_another_source_is_not_said_to_be_missing() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("other.c"), "int pick(const int *a, int i) { return a[i] > 3 ? a[i] : 3; }").unwrap();
    Build::default().object(&file("other.c"), &file("other.o"));
    let other = file("other.o").to_string_lossy().into_owned();
    let build = Build { link: &[&other], ..Build::default() };
    let program = build.program(
        "#include <stdio.h>
        int pick(const int *a, int i); int a[100];
        __attribute__((noinline)) long all(int n) { long s = 0; for (int i = 0; i < n; i++) s += pick(a, i); return s; }
        int main(void) { printf(\"%ld\\n\", all(100)); return 0; }",
    );
    let costs = program.run(&[]);
    assert_eq!(costs.sizes("all"), [(100, 1)]);
    assert!(costs.not_probed.is_empty(), "{:?}", costs.not_probed);
}

#[test]
fn a_part_that_no_routine_called_is_a_routine() {
    let costs = c(&format!(
        "{HEAD}#include <pthread.h>
        static int cells[8];
        static void *start(void *p) {{ int *of = p; return of[0] + of[1] + of[2] > 0 ? p : 0; }}
        int main(void) {{
            for (int i = 0; i < 3; i++) {{
                pthread_t t; void *result = &t; pthread_create(&t, 0, start, cells); pthread_join(t, &result);
                if (result) return 1;
            }}
            return start(cells) != 0;
        }}"
    ))
    .run(&[]);
    assert_eq!(costs.sizes("start"), [(3, 3)]);
}

#[test]
fn what_a_part_throws_leaves_its_cost_with_the_routine() {
    let source = "__attribute__((noinline)) static int check(int x) { if (x >= 50) throw x; return x; }
        __attribute__((noinline)) int work(int n) {
            int s = 0;
            for (int i = 0; i < n; i++) { try { s += check(i); } catch (int x) { s -= x; } }
            return s;
        }
        int main() { return work(50) + work(100) == 1; }";
    let costs = Build { is_cpp: true, ..Build::default() }.program(source).run(&[]);
    let work = costs.only("work(int)");
    assert_eq!(work.count, 2);
    // Each trip that catches costs the same additional number.
    let (without, with) = (work.min, work.max);
    let per_turn = (without - 3) / 50;
    assert_eq!(without, 3 + 50 * per_turn);
    assert_eq!((with - 3 - 100 * per_turn) % 50, 0, "{without} {with}");
    assert_eq!(costs.costs_of("check(int)"), []);
}

#[test]
fn memory_that_was_freed_is_no_input_of_who_gets_it_next() {
    let costs = c(&format!(
        "{HEAD}
        __attribute__((noinline)) int fresh(int n) {{ int *a = malloc(n * sizeof *a); int s = 0;
            for (int i = 0; i < n; i++) a[i] = i; for (int i = 0; i < n; i++) s += a[i]; free(a); return s; }}
        __attribute__((noinline)) int grown(int n) {{ int *a = 0, s = 0;
            for (int i = 0; i < n; i++) {{ if ((i & (i - 1)) == 0) a = realloc(a, 2 * (i + 1) * sizeof *a); a[i] = i; }}
            for (int i = 0; i < n; i++) s += a[i]; free(a); return s; }}
        int main(void) {{ int s = 0; for (int i = 0; i < 50; i++) s += fresh(1000) + grown(1000); return s == 1; }}"
    ))
    .run(&[]);
    assert_eq!(costs.sizes("fresh"), [(0, 50)]);
    assert_eq!(costs.sizes("grown"), [(0, 50)]);
}

#[test]
fn instructions_are_counted_on_request() {
    let source = over_arrays(
        "int work(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }",
    );
    let blocks = Build::default().program(&source).run(&[]);
    let probe = ["--cost", "instructions"];
    let instructions = Build { probe: &probe, ..Build::default() }.program(&source).run(&[]);
    let costs =
        |of: &crate::support::Costs| of.costs_of("work").iter().map(|o| o.sum as f64).collect::<Vec<_>>();
    let (blocks, instructions) = (costs(&blocks), costs(&instructions));
    // Costs are affine in n, with a constant ratio of slopes.
    let slope = |c: &[f64]| (c[3] - c[2]) / 4000.0;
    assert_eq!(slope(&blocks), 2.0);
    assert_eq!(slope(&instructions).fract(), 0.0);
    assert!((5.0..12.0).contains(&slope(&instructions)), "{instructions:?}");
}

#[test]
fn what_a_loop_reads_is_its_input_whether_it_is_watched_on_each_trip_or_once() {
    let source = format!(
        "{HEAD}
        int a[9000], b[9000];
        #define LOOP __attribute__((noinline)) void
        LOOP copy(int n) {{ for (int i = 0; i < n; i++) b[i] = a[i]; }}
        LOOP reversed(int n) {{ for (int i = n - 1; i >= 0; i--) b[i] = a[i]; }}
        LOOP pairs(int n) {{ for (int i = 0; i < n; i++) b[i] = a[2 * i] + a[2 * i + 1]; }}
        LOOP again(int n) {{ for (int r = 0; r < 3; r++) for (int i = 0; i < n; i++) b[r] += a[i]; }}
        LOOP spread(int n) {{ for (int i = 0; i < n; i++) *(volatile int *)&a[i + 1] = a[i]; }}
        LOOP written(int n) {{ for (int i = 0; i < n; i++) a[i] = i; for (int i = 0; i < n; i++) b[i] = a[i]; }}
        LOOP unknown(int *to, const int *from, int n) {{ for (int i = 0; i < n; i++) to[i] = from[i]; }}
        LOOP stopped(int n) {{ for (int i = 0; i < n; i++) {{ if (a[i] == n / 2) break; b[i] = 1; }} }}
        int main(void) {{
            for (int n = 0; n <= 4000; n = n * 2 + 100) {{
                for (int i = 0; i < 9000; i++) a[i] = i;
                copy(n); reversed(n); pairs(n); again(n); unknown(b + 1, b, n); unknown(b, a, n); stopped(n);
                spread(n); written(n);
            }}
        }}"
    );
    let costs = c(&source).run(&[]);
    let sizes =
        |routine: &str| costs.costs_of(routine).iter().map(|o| (o.size(), o.count)).collect::<Vec<_>>();
    let each = |size: fn(u64) -> u64| [0, 100, 300, 700, 1500, 3100].map(|n| (size(n), 1)).to_vec();
    assert_eq!(sizes("copy"), each(|n| n));
    assert_eq!(sizes("reversed"), each(|n| n));
    assert_eq!(sizes("pairs"), each(|n| 2 * n));
    assert_eq!(sizes("again"), each(|n| if n == 0 { 0 } else { n + 3 }));
    assert_eq!(sizes("written"), [(0, 6)]);
    assert_eq!(sizes("stopped"), each(|n| if n == 0 { 0 } else { n / 2 + 1 }));
    // Each number was written by the trip before.
    assert_eq!(sizes("spread"), [(0, 1), (1, 5)]);
    assert_eq!(sizes("unknown"), [(0, 2), (1, 5), (100, 1), (300, 1), (700, 1), (1500, 1), (3100, 1)]);
}

#[test]
fn lanes_of_a_vector_that_the_source_leaves_out_are_no_input() {
    let source = format!(
        "{HEAD}
        typedef struct {{ int a, b, c; }} three;
        int out[4000];
        #define LOOP __attribute__((noinline)) void
        LOOP every_2(const int *a, int n) {{ int s = 0; for (int i = 0; i < n; i += 2) s += a[i]; out[0] = s; }}
        LOOP every_3(const int *a, int n) {{ int s = 0; for (int i = 0; i < n; i += 3) s += a[i]; out[0] = s; }}
        LOOP back_by_2(const int *a, int n) {{ int s = 0; for (int i = n - 1; i >= 0; i -= 2) s += a[i]; out[0] = s; }}
        LOOP one_of_3(const three *a, int n) {{ int s = 0; for (int i = 0; i < n / 3; i++) s += a[i].b; out[0] = s; }}
        LOOP two_of_3(const three *a, int n) {{ int s = 0; for (int i = 0; i < n / 3; i++) s += a[i].a * a[i].c; out[0] = s; }}
        LOOP halved(const int *restrict a, int n, int *restrict o) {{ for (int i = 0; i < n / 2; i++) o[i] = a[2 * i]; }}
        LOOP some(const int *restrict a, const int *restrict b, int n) {{
            for (int i = 0; i < n; i++) if (a[i] & 1) out[i] += b[i];
        }}
        LOOP at(const int *restrict a, const int *restrict index, int n) {{
            int s = 0;
            for (int i = 0; i < n; i++) s += a[index[i]];
            out[0] = s;
        }}
        LOOP scattered(int *restrict to, const int *restrict index, int n) {{
            for (int i = 0; i < n; i++) to[index[i]] = i;
            for (int i = 0; i < n; i++) out[i] = to[2 * i];
        }}
        int main(void) {{
            int n = 960, *a = malloc(8 * n), *b = malloc(8 * n), *index = malloc(4 * n);
            for (int i = 0; i < n; i++) a[i] = i % 4 == 0 ? 1 : 2 * i, index[i] = 2 * i;
            every_2(a, n); every_3(a, n); back_by_2(a, n); one_of_3((three *)a, n); two_of_3((three *)a, n);
            halved(a, n, b); some(a, b, n); at(a, index, n); scattered(b, index, n);
            for (int i = 0; i < n; i++) out[0] += out[i];
            return out[0] == 1;
        }}"
    );
    let wide = [
        ("x86-64", true),
        ("skylake", is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2")),
        ("skylake-avx512", is_x86_feature_detected!("avx512vl") && is_x86_feature_detected!("avx512dq")),
    ];
    for (processor, _) in wide.iter().filter(|(_, is_this)| *is_this) {
        let compiler = [&*format!("-march={processor}")];
        let costs = Build { compiler: &compiler, ..Build::default() }.program(&source).run(&[]);
        let sizes = [
            ("every_2", 480),
            ("every_3", 320),
            ("back_by_2", 480),
            ("one_of_3", 320),
            ("two_of_3", 640),
            ("halved", 480),
            // One element in four is odd, and `out` has one for it.
            ("some", 960 + 2 * 240),
            ("at", 2 * 960),
            ("scattered", 960),
        ];
        for (routine, size) in sizes {
            let measured: Vec<_> = costs.costs_of(routine).iter().map(|o| (o.size(), o.count)).collect();
            assert_eq!(measured, [(size, 1)], "{routine} on {processor}");
        }
    }
}
