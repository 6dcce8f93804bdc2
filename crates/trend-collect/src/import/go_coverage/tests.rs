use super::*;

const META: &[u8] = include_bytes!("../../../tests/data/sort.covmeta");
const COUNTERS: &[u8] = include_bytes!("../../../tests/seeds/go-coverage/sort.covcounters");

/// Blocks and counts as `go tool covdata textfmt` prints them for the same files.
const TEXTUAL: [(&str, u32, u64); 17] = [
    ("cmd/sort/main.go", 12, 1),
    ("cmd/sort/main.go", 15, 10),
    ("cmd/sort/main.go", 17, 1),
    ("cmd/sort/main.go", 19, 10),
    ("cmd/sort/main.go", 20, 1),
    ("cmd/sort/main.go", 21, 10),
    ("cmd/sort/main.go", 23, 1),
    ("cmd/sort/main.go", 25, 1),
    ("cmd/sort/main.go", 27, 0),
    ("cmd/sort/main.go", 29, 1),
    ("lib/lib.go", 5, 10),
    ("lib/lib.go", 6, 1),
    ("lib/lib.go", 9, 1),
    ("lib/lib.go", 10, 10),
    ("lib/lib.go", 11, 45),
    ("lib/lib.go", 12, 36),
    ("lib/lib.go", 18, 10),
];

fn read_sort(counters: &[u8], meta: &[u8]) -> Result<Imported, ImportError> {
    let modules = [Module { path: "example.com/m".to_owned(), folder: "/p".to_owned() }];
    read(counters, meta, &Root::new("/p"), &modules, &|_| None)
}

#[test]
fn blocks_have_the_counts_that_go_prints() {
    let read = read_sort(COUNTERS, META).unwrap();
    let blocks = read.runs[0].counts.iter().map(|&(index, count)| (&read.locations[index as usize], count));
    let blocks = blocks.filter(|(location, _)| location.kind == trend_profile::Kind::Block);
    let mut rows: Vec<_> = blocks.map(|(l, count)| (l.file.to_string(), l.line, count)).collect();
    rows.sort();
    assert_eq!(rows, TEXTUAL.map(|(file, line, count)| (file.to_owned(), line, count)));
    let names: Vec<&str> = read.functions.iter().map(|function| function.symbol.name.as_str()).collect();
    assert_eq!(names, ["lib.Push", "lib.Len", "lib.Sort", "lib.func.L18.C9", "main.main"]);
    let lines: Vec<&[u32]> = read.locations.iter().map(|location| &*location.lines).collect();
    assert!(lines.contains(&&[12, 13, 14][..]) && lines.contains(&&[15][..]), "{lines:?}");
}

#[test]
fn files_of_two_builds_or_damaged_ones_are_refused() {
    let error = |counters: &[u8], meta: &[u8]| read_sort(counters, meta).unwrap_err().to_string();
    let changed = |bytes: &[u8], at: usize, to: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = to;
        bytes
    };
    assert!(error(&changed(COUNTERS, 8, 0), META).contains("are from different builds"));
    assert!(error(&changed(COUNTERS, 4, 9), META).contains("has version 9"));
    assert!(error(COUNTERS, META.split_last().unwrap().1).contains("its length differs"));
    assert!(error(META, META).contains("is not a valid file of Go's counters (covcounters)"));
    assert!(error(&COUNTERS[..COUNTERS.len() - 3], META).starts_with("the file is cut off"));
}
