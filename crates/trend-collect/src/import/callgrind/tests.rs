use super::*;
use trend_profile::WarningKind;

const SMALL: &str = "# callgrind format\nversion: 1\npositions: line\nevents: Ir Dr\nsummary: 1630 7\n\n\
                     ob=(1) /p/prog\nfl=(1) /p/sort.c\nfn=(3) sort\n16 400 7\n+2 30\nfi=(2) swap.h\n4 100\n\
                     fe=(1)\n-2 20\ncfn=(4) swap\ncalls=50 +10\n* 600\n\nfn=(4)\n26 1000\n* 50\n\
                     cfi=(2)\ncfn=(3)\ncalls=2 16\n27 80\njump=3 +4\n* \n+1 30\n\ntotals: 1630 7\n";

fn own(imported: &Imported) -> Vec<(&str, &str, u32, u64)> {
    let row = |&(i, count): &(u32, u64)| {
        let l = &imported.locations[i as usize];
        let function = imported.functions[l.function.index()].symbol.name.as_str();
        (l.kind == trend_profile::Kind::Block).then_some((function, l.file.as_ref(), l.line, count))
    };
    imported.runs[0].counts.iter().filter_map(row).collect()
}

#[test]
fn own_costs_are_by_function_and_line_and_calls_are_entries() {
    let read = read(SMALL.as_bytes(), None, &Root::new("/p")).unwrap();
    let expected = [
        ("sort", "sort.c", 16, 400),
        ("sort", "sort.c", 18, 30),
        ("sort", "swap.h", 4, 100),
        ("sort", "sort.c", 2, 20),
        ("swap", "sort.c", 26, 1050),
        ("swap", "sort.c", 28, 30),
    ];
    assert_eq!(own(&read), expected);
    assert_eq!(read.unit.name(), "instructions");
    let entries: u64 = read.runs[0]
        .counts
        .iter()
        .filter(|(l, _)| read.locations[*l as usize].kind == trend_profile::Kind::Entry)
        .map(|(_, c)| c)
        .sum();
    assert_eq!(entries, 52);
}

/// Two programs: one with lines, whose misses are nearly all in code without lines, and one without any lines.
#[test]
fn debug_information_is_missed_where_instructions_have_no_lines_whatever_is_counted() {
    let warnings = |instructions: u32| {
        let text = format!(
            "positions: line\nevents: Ir D1mr\nob=/p/prog\nfl=???\nfn=_start\n0 {instructions} 90\n\
             fl=/p/sort.c\nfn=sort\n16 400 7\ntotals: {} 97\n",
            instructions + 400
        );
        let read = |event| read(text.as_bytes(), event, &Root::new("/p")).unwrap().warnings;
        [read(None), read(Some("D1mr"))].map(|w| w.into_iter().map(|w| w.kind).collect::<Vec<_>>())
    };
    assert_eq!(warnings(30), [Vec::<WarningKind>::new(), Vec::new()]);
    assert_eq!(warnings(3000), [[WarningKind::NoLines], [WarningKind::NoLines]]);
}

fn frame(function: &str, file: &str, line: u32) -> Frame {
    Frame { function: Some(function.into()), file: file.into(), line }
}

/// At every address, `Vec::remove` is inlined into `drain`, and `drain` into the function of the symbol table.
struct Removing;

impl Inlining for Removing {
    fn frames(&mut self, object: &str, _address: u64) -> Arc<[Frame]> {
        assert_eq!(object, "/p/prog", "what is in a library of the system is not asked for");
        let vec = "/rustc/1/library/alloc/src/vec/mod.rs";
        [
            frame("_ZN4core3ptr4copy17h0123456789abcdefE", vec, 7),
            frame("_ZN5alloc3vec12Vec$LT$T$GT$6remove17h0123456789abcdefE", vec, 2350),
            frame("_ZN1p5drain17h0123456789abcdefE", "/p/src/main.rs", 6),
            frame("main", "/p/src/main.rs", 30),
        ]
        .into()
    }
}

const LIBRARY: &str = "positions: instr line\nevents: Ir\nob=/p/prog\nfl=/p/src/main.rs\nfn=main\n0x10 30 5\n\
                       cob=/lib/libc.so.6\ncfi=memmove.S\ncfn=memmove\ncalls=2 0x99 3\n0x14 30 70\n\
                       ob=/lib/libc.so.6\nfl=memmove.S\nfn=memmove\n0x99 3 70\ntotals: 75\n";

#[test]
fn what_a_line_calls_in_libraries_is_one_location_inlined_or_not() {
    let inlined = read_inlined(LIBRARY.as_bytes(), None, &Root::new("/p"), &mut Removing).unwrap();
    let [(location, 75)] = inlined.runs[0].counts[..] else { panic!("{:?}", inlined.runs) };
    let location = &inlined.locations[location as usize];
    assert_eq!(&*location.label, "src/main.rs:6 → Vec::remove");
    assert_eq!((location.file.as_ref(), location.line), ("src/main.rs", 6));
    assert_eq!(inlined.functions[location.function.index()].symbol.name, "p::drain");
    // Without inlined functions, the file's own line counts.
    let plain = read(LIBRARY.as_bytes(), None, &Root::new("/p")).unwrap();
    let costs: Vec<(&str, u64)> = plain.runs[0]
        .counts
        .iter()
        .map(|(l, cost)| (plain.locations[*l as usize].label.as_ref(), *cost))
        .collect();
    assert_eq!(costs, [("", 5), ("src/main.rs:30 → memmove", 70)]);
}

fn labels(imported: &Imported) -> Vec<(String, u64)> {
    let row = |&(i, count): &(u32, u64)| {
        let l = &imported.locations[i as usize];
        let function = &imported.functions[l.function.index()].symbol.name;
        let at = if l.label.is_empty() { format!("{}:{}", l.file, l.line) } else { l.label.to_string() };
        (format!("{function} {at}"), count)
    };
    imported.runs[0].counts.iter().map(row).collect()
}

/// `fl` is the file of the code inlined first. For `sum` it is a header, which is the file of all lines of `header`.
const HEADERS: &str = "positions: line\nevents: Ir\nob=/p/prog\n\
                       fl=/p/v.cc\nfn=main\n10 1\ncfi=/usr/include/v.h\ncfn=sum(v const&)\ncalls=1 988\n11 900\n\
                       fl=/usr/include/v.h\nfn=sum(v const&)\n988 50\ncfn=header\ncalls=5 7\n988 400\n\
                       fi=/p/v.cc\n5 50\ncfi=/usr/include/v.h\ncfn=header\ncalls=5 7\n6 400\n\
                       fl=/usr/include/v.h\nfn=header\n7 800\n\
                       fn=void std::sort<int*>(int*, int*)\n8 3\nfi=/p/v.cc\n9 4\ntotals: 908\n";

#[test]
fn a_function_that_begins_with_inlined_library_code_is_the_programs() {
    let read = read(HEADERS.as_bytes(), None, &Root::new("/p")).unwrap();
    let mut labels_read = labels(&read);
    labels_read.sort();
    let mut expected = [
        ("main v.cc:10", 1),
        ("sum(v const&) v.cc:5", 50),
        ("sum(v const&) v.cc:0", 1),
        ("sum(v const&) /usr/include/v.h:988", 50),
        ("sum(v const&) /usr/include/v.h:988 → header", 400),
        ("sum(v const&) v.cc:6 → header", 400),
        ("void std::sort<int*>(int*, int*) /usr/include/v.h:8", 3),
        ("void std::sort<int*>(int*, int*) v.cc:9", 4),
    ]
    .map(|(name, cost)| (name.to_owned(), cost));
    expected.sort();
    assert_eq!(labels_read, expected);
    assert!(!read.locations.iter().any(|l| *l.label == *"v.cc:11 → sum"));
}

/// Frames by address: 1 is a line set by `#line` in the function, 2 a line of the function's own file, 3 an inlined
/// function without a line. 4 and 5 are lines of another inlined function, in two files.
struct Mixed;

impl Inlining for Mixed {
    fn frames(&mut self, _object: &str, address: u64) -> Arc<[Frame]> {
        let own = frame("yyparse", "/p/y.tab.c", 70);
        let vec = frame("_ZN4core3ptr4copy17h0123456789abcdefE", "/rustc/1/library/core/src/ptr.rs", 5);
        match address {
            1 => vec![frame("yyparse", "/p/parser.y", 7)],
            2 => vec![own],
            3 => vec![frame("_ZN1z4pickE", "/p/z.rs", 0), own],
            4 => vec![frame("_ZN1z4bothE", "/p/z.rs", 4), own],
            5 => vec![frame("_ZN1z4bothE", "/p/mac.rs", 5), own],
            _ => vec![vec, frame("_ZN1z4pickE", "/p/z.rs", 0), own],
        }
        .into()
    }
}

#[test]
fn a_function_of_the_program_is_one_and_never_a_librarys() {
    let text = "positions: instr line\nevents: Ir\nob=/p/prog\nfl=/p/y.tab.c\nfn=yyparse\n\
                1 1 1\n2 1 2\n3 1 4\n4 1 8\n5 1 16\n6 1 32\ntotals: 63\n";
    let read = read_inlined(text.as_bytes(), None, &Root::new("/p"), &mut Mixed).unwrap();
    let expected = [
        ("yyparse parser.y:7", 1),
        ("yyparse y.tab.c:70", 2 + 4),
        ("z::both z.rs:4", 8),
        ("z::both mac.rs:5", 16),
        ("yyparse y.tab.c:70 → ptr::copy", 32),
    ];
    assert_eq!(labels(&read), expected.map(|(name, cost)| (name.to_owned(), cost)));
    let functions: Vec<(&str, &str)> =
        read.functions.iter().map(|f| (f.symbol.name.as_str(), f.file.as_str())).collect();
    assert_eq!(functions, [("yyparse", "y.tab.c"), ("z::both", "z.rs")]);
}

#[test]
fn names_that_no_compiler_writes_are_read() {
    let strange = LIBRARY.replace("fn=memmove", "fn=emmo:::::ve");
    let read = read(strange.as_bytes(), None, &Root::new("/p")).unwrap();
    assert!(read.locations.iter().any(|l| *l.label == *"src/main.rs:30 → emmo:::ve"), "{:?}", read.locations);
}

#[test]
fn another_event_can_be_the_cost() {
    let read_dr = read(SMALL.as_bytes(), Some("Dr"), &Root::new("/p")).unwrap();
    assert_eq!(own(&read_dr)[0], ("sort", "sort.c", 16, 7));
    assert_eq!(read_dr.unit.name(), "Dr");
    let error = read(SMALL.as_bytes(), Some("L2"), &Root::new("/p")).unwrap_err();
    assert_eq!(error.to_string(), "the file has no event `L2`; it has `Ir`, `Dr`");
}

#[test]
fn parts_add_up() {
    let two = format!("{SMALL}\npart: 2\n\nfl=(1)\nfn=(3)\n16 5\n\ntotals: 5\n");
    let read = read(two.as_bytes(), None, &Root::new("/p")).unwrap();
    assert_eq!(own(&read)[0], ("sort", "sort.c", 16, 405));
}

#[test]
fn what_is_wrong_is_named() {
    let error = |text: &str| read(text.as_bytes(), None, &Root::new("")).unwrap_err().to_string();
    assert!(error("TN:\nSF:a.c\n").contains("is not a valid callgrind output"), "{}", error("TN:\nSF:a.c\n"));
    assert!(error("events: Ir\nfn=(7)\n1 2\n").contains("line 2: `(7)` has no name"));
    assert!(error("events: Ir\nfn=a\n-1 2\n").contains("line 3: `-1` is not a position"));
    assert!(error(&SMALL.replace("16 400", "16 401")).contains("add up to 1631, not the claimed 1630"));
    let unchecked = read(b"events: Ir\nfn=a\n1 2\n", None, &Root::new("")).unwrap();
    assert_eq!(unchecked.warnings[0].kind, WarningKind::UncheckedTotal);
}

#[test]
fn a_thread_that_did_nothing_is_no_error() {
    let nothing = "version: 1\nthread: 2\nevents: Ir\n\ntotals: 0\n";
    let imported = read(nothing.as_bytes(), None, &Root::new("/p")).unwrap();
    assert!(imported.runs.iter().all(|run| run.counts.is_empty()));
    // Nothing shows that this file is complete.
    let cut = nothing.replace("totals: 0\n", "");
    assert!(matches!(read(cut.as_bytes(), None, &Root::new("/p")), Err(ImportError::NoCounts { .. })));
}
