use super::*;

const SEED: &[u8] = include_bytes!("../../../tests/seeds/v8-coverage/mapped.json");
const TEXT: &str = "function f(n) { for (;n--;) { if (n) { f(0) } /x/ } }\nf(5);\n";

fn rows(read: &Imported) -> Vec<(String, String, bool, u32, String, u64)> {
    let row = |&(index, count): &(u32, u64)| {
        let l = &read.locations[index as usize];
        let name = read.functions[l.function.index()].symbol.name.clone();
        let is_entry = l.kind == trend_profile::Kind::Entry;
        (name, l.file.to_string(), is_entry, l.line, l.label.to_string(), count)
    };
    read.runs[0].counts.iter().map(row).collect()
}

#[test]
fn places_have_the_count_of_the_range_around_them_in_the_written_file() {
    let read = read(SEED, &Root::new("/p"), Scripts::Own, &|_| Some(TEXT.to_owned())).unwrap();
    let row = |name: &str, file: &str, is_entry, line, label: &str, count| {
        (name.to_owned(), file.to_owned(), is_entry, line, label.to_owned(), count)
    };
    let expected = [
        row("f", "a b.js", true, 1, "", 5),
        row("", "a b.js", false, 1, "a b.js:1:1", 1),
        row("f", "a b.js", false, 1, "a b.js:1:17", 5),
        row("f", "a b.js", false, 1, "a b.js:1:31", 50),
        row("f", "a b.js", false, 1, "a b.js:1:40", 7),
        row("g", "src/a.ts", true, 1, "", 4),
        row("", "src/a.ts", false, 1, "", 1),
        row("g", "src/a.ts", false, 2, "", 4),
    ];
    assert_eq!(rows(&read), expected);
    let warnings: Vec<&str> = read.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert!(warnings[0].contains("the packages `@x/y`"), "{warnings:?}");
    assert!(warnings[1].contains("regular expressions of `a b.js:1`"), "{warnings:?}");
}

#[test]
fn a_script_whose_text_is_not_what_ran_is_named() {
    let other = |_: &str| Some("function f() {}".to_owned());
    let read = read(SEED, &Root::new("/p"), Scripts::Own, &other).unwrap();
    assert!(rows(&read).iter().all(|row| row.1 == "src/a.ts"));
    assert!(read.warnings[0].message.contains("`a b.js`, whose text was not found"), "{:?}", read.warnings);
    let nothing = super::read(br#"{"result":[]}"#, &Root::new("/p"), Scripts::Own, &other).unwrap_err();
    assert_eq!(nothing.to_string(), "the file has no counts: no script of the project ran");
}

#[test]
fn places_begin_where_executions_can_differ() {
    // `@` marks the places.
    let cases = [
        "@if (a) {@ b; } else @if (c) @d(); else {@ e }",
        "@for (const x of y) @f(x); g();",
        "@a = b ? @c : @d; e(f && @g || @h);",
        "@switch (a) { @case 1: b(); break; default: @c() } @d()",
        "@const f = (a) => @a + 1, g = (b) => {@ return b };",
        "@while (a) {@ if (b) {@ break } @c() }",
        "@x = `${a ? @b : @c}`; y = /[/{]?/; if (z) {@ w }",
        "@do {@ a() } while (b);",
        "@for (;;) {@ if (a) {@ break } @b() } c()",
        "@for (let i = 0; i < n; i++) {@ if (a) {@ return } @b() } @c()",
        "@for (let i = 0; i < n; i++) {@ f((x) => @x); if (a) {@ return } @b() } c()",
        "@for (const x of y) {@ f((x) => @x); if (a) {@ return } @b() } @c()",
        "@try {@ return } catch (e) {@ f() } @g()",
        "@class A { m(x) {@ x() } static n() {@ y() } }",
        "@const o = { a: 1, b() {@ c() }, if: 2, d: e ? @f : @g };",
        "@function f(a?: number): { b: string } {@ return a }",
    ];
    for marked in cases {
        let text: String = marked.split('@').collect();
        let mut offset = 0;
        let marks: Vec<u32> = marked
            .split('@')
            .map(|part| {
                let at = offset + part.len() as u32;
                offset = at;
                at
            })
            .collect();
        let places = places::outline(&text).places;
        let blanks = |at: u32| text[at as usize..].len() - text[at as usize..].trim_start().len();
        let expected: Vec<u32> = marks[..marks.len() - 1].iter().map(|at| at + blanks(*at) as u32).collect();
        let offsets: Vec<u32> = places.iter().map(|place| place.offset).collect();
        assert_eq!(offsets, expected, "{marked}");
    }
}
