//! `trend-prof try --worst`: searches for inputs whose cost grows faster than that of the given files.

use serde_json::Value;

use crate::bench::Bench;

/// Reads the input into memory. The programs below are `int run(char *text, long size)`.
const MAIN: &str = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int run(char *text, long size);
int main(int argc, char **argv) {
    FILE *f = argc > 1 ? fopen(argv[1], \"rb\") : NULL;
    char *text = malloc(64 << 20);
    if (!f || !text)
        return 2;
    long size = fread(text, 1, (64 << 20) - 1, f);
    text[size] = 0;
    printf(\"%d\\n\", run(text, size));
    return 0;
}
";

/// Scans back over all open brackets for each closing one.
const BRACKETS: &str = "static int find(const char *open, long top, char wanted) {
    for (long i = top - 1; i >= 0; i--)
        if (open[i] == wanted)
            return i;
    return -1;
}
static int run(char *text, long size) {
    char *open = malloc(size + 1);
    long top = 0, matched = 0;
    for (long i = 0; i < size; i++) {
        if (text[i] == '[' || text[i] == '(')
            open[top++] = text[i];
        else if (text[i] == ']' || text[i] == ')') {
            long at = find(open, top, text[i] == ']' ? '[' : '(');
            if (at >= 0)
                top = at, matched++;
        }
    }
    return matched;
}
";

/// Counts words, lines and the deepest nesting, each in constant time per character.
const LINEAR: &str = "static int run(char *text, long size) {
    long words = 0, lines = 0, depth = 0, deepest = 0;
    int is_in_word = 0;
    for (long i = 0; i < size; i++) {
        char c = text[i];
        int is_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        words += is_word && !is_in_word;
        is_in_word = is_word;
        if (c == '\\n')
            lines++;
        if (c == '[' || c == '(' || c == '<')
            depth++;
        if ((c == ']' || c == ')' || c == '>') && depth > 0)
            depth--;
        if (depth > deepest)
            deepest = depth;
    }
    return words + lines + deepest;
}
";

/// A set of lines in a hash table that grows, and whose hash is a well-known function without a secret.
const HASHES: &str = "struct entry { char *key; struct entry *next; };
static struct entry **table;
static long buckets = 16, used;
static unsigned long hash(const char *key) {
    unsigned long h = 5381;
    while (*key)
        h = h * 33 + (unsigned char)*key++;
    return h;
}
static void grow(void) {
    struct entry **larger = calloc(buckets * 2, sizeof *larger);
    for (long i = 0; i < buckets; i++)
        for (struct entry *e = table[i], *next; e; e = next) {
            struct entry **place = &larger[hash(e->key) % (buckets * 2)];
            next = e->next;
            e->next = *place;
            *place = e;
        }
    table = larger;
    buckets *= 2;
}
static void add(char *key) {
    for (struct entry *e = table[hash(key) % buckets]; e; e = e->next)
        if (!strcmp(e->key, key))
            return;
    if (++used > buckets)
        grow();
    struct entry *e = malloc(sizeof *e);
    struct entry **place = &table[hash(key) % buckets];
    *e = (struct entry){key, *place};
    *place = e;
}
static int run(char *text, long size) {
    (void)size;
    table = calloc(buckets, sizeof *table);
    for (char *line = strtok(text, \"\\n\"); line; line = strtok(NULL, \"\\n\"))
        add(line);
    return used;
}
";

/// Sorts numbers by quicksort, whose pivot is the first one.
const QUICKSORT: &str = "static void sort(long *a, long from, long to) {
    while (to - from > 1) {
        long pivot = a[from], at = from;
        for (long i = from + 1; i < to; i++)
            if (a[i] < pivot) {
                long moved = a[i];
                a[i] = a[++at];
                a[at] = moved;
            }
        a[from] = a[at];
        a[at] = pivot;
        sort(a, from, at);
        from = at + 1;
    }
}
static int run(char *text, long size) {
    long *numbers = malloc((size + 1) * sizeof *numbers), count = 0;
    char *end;
    for (char *at = text; *at; at = end) {
        numbers[count] = strtol(at, &end, 10);
        if (end == at)
            end++;
        else
            count++;
    }
    sort(numbers, 0, count);
    return count;
}
";

/// Searches with a fixed seed and number of recipes, and returns the results.
fn searched(program: &str, seeds: &dyn Fn(usize) -> String, recipes: &str) -> (Bench, Value) {
    let bench = Bench::new();
    bench.write("parse.c", format!("{MAIN}{program}"));
    for i in 1..=12 {
        bench.write(format!("corpus/{i}.txt"), seeds(i * i));
    }
    let words = ["--recipes", recipes, "--budget", "10m", "--format", "json", "--files", "corpus/*"];
    let words = ["try", "--worst"].iter().chain(&words).chain(&["--", "./parse", "{input}"]);
    let ran = bench.run(words).succeeds();
    let report = serde_json::from_str(&ran.stdout).unwrap();
    (bench, report)
}

fn text(paragraphs: usize) -> String {
    "A [link](url) and a (note).\n".repeat(paragraphs)
}

fn the_fault(report: &Value, function: &str) -> Value {
    let faults = report["faults"].as_array().unwrap();
    let fault = faults.iter().find(|fault| fault["function"] == function);
    fault.unwrap_or_else(|| panic!("{report:#}")).clone()
}

#[test]
fn a_quadratic_matcher_is_found_confirmed_and_saved() {
    let (bench, report) = searched(BRACKETS, &text, "2000");
    let fault = the_fault(&report, "find");
    assert_eq!((&fault["growth"], &fault["own_growth"]), (&"n^2".into(), &"n".into()), "{report:#}");
    // The recipe is as short as it can be: opening brackets of one kind, and closing ones of the other.
    let [file, study] = ["recipe_file", "study"].map(|name| fault[name].as_str().unwrap());
    let grown = bench.run(["grow", file, "3"]).succeeds().stdout;
    assert!(
        ["[[[)))", "(((]]]", "[)[)[)", ")[)[)[", "(](](]", "](](]("].contains(&grown.as_str()),
        "{grown}"
    );
    // Other commands read both files.
    bench.write("expect.toml", "[[expect]]\nfunction = \"find\"\ngrowth = \"<= n log n\"\n");
    bench.run(["check", study, "--config", "expect.toml"]).ends_with(1);
    let findings = bench.findings(&[study]);
    assert_eq!(findings["functions"][0]["name"], "find");
    let words =
        ["try", "--budget", "6s", "--study", "again.trend", "--grow", file, "--", "./parse", "{input}"];
    bench.run(words).succeeds();
    assert_eq!(bench.findings(&["again.trend"])["total"]["models"][0]["growth"]["verdict"], "n^2");
    // The scratch folders are gone.
    let left: Vec<_> = bench.folder().read_dir().unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".run")), "{left:?}");
}

#[test]
fn nothing_is_claimed_of_a_linear_parser() {
    let (bench, report) = searched(LINEAR, &text, "1500");
    assert_eq!(report["faults"].as_array().unwrap().len(), 0, "{report:#}");
    assert_eq!(report["unconfirmed"].as_array().unwrap().len(), 0, "{report:#}");
    assert_eq!(report["recipes"], 1500);
    assert!(report["runs"].as_u64().unwrap() >= 3000);
    assert!(report["reached"]["linear"].as_array().unwrap().contains(&"run".into()));
    assert!(!bench.path("worst").exists());
}

#[test]
fn keys_with_equal_hashes_are_found() {
    let words = |n: usize| (0..10 * n).map(|i| format!("key{i}\n")).collect::<Vec<_>>().concat();
    let (_, report) = searched(HASHES, &words, "3000");
    // Keys get longer with their number, so that the growth by bytes is a little slower than n^2.
    let fault = the_fault(&report, "add");
    assert!(fault["recipe"].as_str().unwrap().contains("hash33"), "{report:#}");
}

#[test]
fn the_order_that_a_sort_does_not_like_is_found() {
    let numbers =
        |n: usize| (0..10 * n).map(|i| format!("{}\n", i * 7919 % 10_007)).collect::<Vec<_>>().concat();
    let (_, report) = searched(QUICKSORT, &numbers, "1500");
    let fault = the_fault(&report, "sort");
    assert_eq!(fault["growth"], "n^2", "{report:#}");
}

#[test]
fn a_search_needs_files() {
    let bench = Bench::with_loop();
    bench.run(["try", "--worst", "--no-build", "--", "./program", "{n}"]).refuses(&["needs sample inputs"]);
}
