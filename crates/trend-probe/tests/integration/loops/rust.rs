//! Loops of Rust: ranges, iterators, closures.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use trend_profile::LoopInputValue;

use super::Loops;
use crate::support::{Program, done, probe};

const SOURCE: &str = "
#[inline(never)] fn range(n: usize) -> u64 { let mut s = 0; for i in 0..n { s += (i as u64) ^ 3; } s }
#[inline(never)] fn triangle(n: u32) -> u64 { let mut s = 0; for i in 0..n { for j in 0..i { s += (i ^ j) as u64; } } s }
#[inline(never)] fn inclusive(lo: i32, hi: i32) -> i64 { let mut s = 0; for i in lo..=hi { s += (i ^ 5) as i64; } s }
#[inline(never)] fn slice(v: &[i32]) -> i64 { let mut s = 0; for x in v { s += *x as i64; } s }
#[inline(never)] fn vector(v: &Vec<i32>) -> i64 { let mut s = 0; for x in v { s += *x as i64; } s }
#[inline(never)] fn mutable(v: &mut Vec<i32>) { for x in v.iter_mut() { *x += 1; } }
#[inline(never)] fn indexed(v: &[i32]) -> i64 { let mut s = 0; let mut i = 0; while i < v.len() { s += v[i] as i64; i += 1; } s }
#[inline(never)] fn chain(v: &[i32], k: i32) -> i64 { v.iter().filter(|x| **x > k).map(|x| *x as i64 * 2).sum() }
#[inline(never)] fn pops(v: &mut Vec<i32>) -> i64 { let mut s = 0; while let Some(x) = v.pop() { s += x as i64; } s }
#[inline(never)] fn letters(t: &str) -> usize { let mut c = 0; for x in t.chars() { if x == 'a' { c += 1; } } c }
#[inline(never)] fn bytes(t: &str) -> usize { let mut c = 0; for x in t.bytes() { if x == b'a' { c += 1; } } c }
#[inline(never)] fn stepped(n: usize) -> usize { let mut s = 0; for i in (0..n).step_by(3) { s += i ^ 1; } s }
#[inline(never)] fn backwards(n: usize) -> usize { let mut s = 0; for i in (0..n).rev() { s = s * 3 + i; } s }
#[inline(never)] fn numbered(v: &[i32]) -> i64 { let mut s = 0; for (i, x) in v.iter().enumerate() { s += i as i64 * *x as i64; } s }
#[inline(never)] fn zipped(a: &[i32], b: &[i32]) -> i64 { let mut s = 0; for (x, y) in a.iter().zip(b) { s += (*x * *y) as i64; } s }
#[inline(never)] fn sums(g: &[Vec<u64>]) -> u64 {
    let of = |row: &Vec<u64>| {
        row.iter().map(|x| x ^ 3).sum::<u64>() // in a closure
    };
    g.iter().map(of).sum() // of a closure
}
fn doubled_all(v: &[u64]) -> Vec<u64> { let mut w = v.to_vec(); w.push(v.len() as u64); w.dedup(); w }
#[inline(never)] fn inlines(v: &[u64]) -> u64 { doubled_all(v).iter().map(|x| x ^ 1).sum() }
struct Grid { rows: usize, cols: usize, data: Vec<f64> }
impl Grid { #[inline(never)] fn total(&self) -> f64 { let mut s = 0.0; for i in 0..self.rows { for j in 0..self.cols { s += self.data[i * self.cols + j]; } } s } }
#[inline(never)] fn closures(n: usize, m: usize) -> usize { (0..n).map(|a| { let mut s = 0; for k in 0..m { s += k ^ a; } s }).sum() }
#[inline(never)] fn nested(g: &Vec<Vec<i32>>) -> i64 { let mut s = 0; for row in g { for x in row { s += *x as i64; } } s }
#[inline(never)] fn endless(mut n: u64) -> u32 { let mut c = 0; loop { if n == 1 { break; } n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 }; c += 1; } c }
#[inline(never)] fn doubled(mut size: u32, n: u32) -> u32 { let mut c = 0; while size < n { size = size.saturating_mul(2); c += 1; } c }
#[inline(never)] fn grown(mut size: u32, n: u32) -> u32 { let mut c = 0; while size < n { match size.checked_mul(3) { Some(next) => size = next, None => break } c += 1; } c }
#[inline(never)] fn halved(mut n: u64) -> u32 { let mut c = 0; while n > 0 { n >>= 1; c += 1; } c }
#[inline(never)] fn squeezed(mut lo: u64, mut hi: u64) -> u32 { let mut c = 0; while lo < hi { lo *= 2; hi /= 2; c += 1; } c }
struct Node { children: Vec<Node>, name: String }
#[inline(never)] fn dropped(all: Vec<Node>) -> usize { all.iter().map(|one| one.children.len() + one.name.len()).sum() }
use std::collections::{BTreeMap, BTreeSet, HashMap, LinkedList, VecDeque};
#[inline(never)] fn by_value(v: Vec<u64>) -> u64 { let mut s = 0; for x in v { s += x ^ 3; } s }
#[inline(never)] fn texts(v: Vec<String>) -> usize { let mut s = 0; for x in v { s += x.len(); } s }
#[inline(never)] fn numbered_values(v: Vec<u64>) -> u64 { let mut s = 0; for (i, x) in v.into_iter().enumerate() { s += i as u64 ^ x; } s }
#[inline(never)] fn tree(m: &BTreeMap<u64, u64>) -> u64 { let mut s = 0; for (k, v) in m { s += k ^ v; } s }
#[inline(never)] fn tree_by_value(m: BTreeMap<u64, u64>) -> u64 { let mut s = 0; for (k, v) in m { s += k ^ v; } s }
#[inline(never)] fn deque(d: &VecDeque<u64>) -> u64 { let mut s = 0; for x in d { s += x ^ 3; } s }
#[inline(never)] fn deque_by_value(d: VecDeque<u64>) -> u64 { let mut s = 0; for x in d { s += x ^ 3; } s }
#[inline(never)] fn table(m: &HashMap<u64, u64>) -> u64 { let mut s = 0; for (k, v) in m { s += k ^ v; } s }
#[inline(never)] fn words(t: &str) -> usize { let mut s = 0; for w in t.split(' ') { s += w.len() ^ 1; } s }
#[inline(never)] fn set(s: &BTreeSet<u32>) -> u64 { let mut t = 0u64; for x in s { t = t * 3 + *x as u64; } t }
#[inline(never)] fn list(l: &LinkedList<u32>) -> u64 { let mut t = 0u64; for x in l { t = t * 3 + *x as u64; } t }
#[inline(never)] fn parted(v: &[i32], k: i32) -> (i32, i32) { let (mut l, mut g) = (0, 0); for x in v { if *x < k { l = l * 3 + x; continue; } g = g * 3 + x; } (l, g) }
#[inline(never)] fn marked(mut n: u64, k: u64) -> u64 { let mut c = 0; while n > 0 { n -= 1; if n % k == 0 { continue; } c = c * 3 + n; } c }
#[inline(never)] fn repeated(v: &mut [u32]) -> u32 { let mut i = 0; loop { while v[i] > 3 { v[i] -= 2; } i += 1; if i == v.len() { return v[0]; } } }
enum Value { Null, Text(String), All(Vec<u64>), Pairs(BTreeMap<u64, u64>) }
#[inline(never)] fn counted(value: &Value) -> u64 { match value { Value::Null => 1, Value::Text(t) => t.len() as u64, Value::All(all) => { let mut s = 0; for x in all { s = s * 3 + x; } s } Value::Pairs(m) => m.values().sum() } }
struct Held { some: Option<Vec<u64>>, tree: BTreeMap<u64, u64> }
#[inline(never)] fn held(h: &Held) -> u64 { let mut s = 0; if let Some(some) = &h.some { for x in some { s = s * 3 + x; } } s }
#[inline(never)] fn inserted(h: &mut Held, n: u64) { for i in 0..n { h.tree.insert(i * 7 % 101, i); } }
fn main() {
    println!(\"{}\", [Value::Null, Value::Text(\"ab\".into()), Value::All(vec![1, 2, 3]), Value::Pairs(BTreeMap::new())].iter().map(counted).sum::<u64>());
    let mut h = Held { some: Some(vec![4, 5]), tree: BTreeMap::new() };
    inserted(&mut h, 100); println!(\"{} {}\", held(&h), h.tree.len());
    println!(\"{:?} {} {}\", parted(&[4, 9, 1, 7, 3], 5), marked(20, 3), repeated(&mut [9, 4]));
    println!(\"{} {}\", set(&(0..30).collect()), list(&(0..4).collect()));
    println!(\"{} {}\", doubled(3, 100) + doubled(1, u32::MAX), grown(1, 30) + grown(1, u32::MAX));
    println!(\"{} {}\", halved(1000) + halved(0) + halved(u64::MAX), squeezed(1, 100));
    let leaf = |name: &str| Node { children: Vec::new(), name: name.to_string() };
    println!(\"{}\", dropped(vec![Node { children: vec![leaf(\"a\"), leaf(\"b\")], name: String::new() }, leaf(\"c\"), leaf(\"d\")]));
    let mut v: Vec<i32> = (0..10).collect();
    println!(\"{} {} {}\", range(7), triangle(5), inclusive(-3, 3));
    println!(\"{} {}\", slice(&v), vector(&v)); mutable(&mut v);
    println!(\"{} {} {} {}\", indexed(&v), chain(&v, 4), letters(\"banana\"), bytes(\"banana\"));
    println!(\"{} {} {} {}\", stepped(10), backwards(5), numbered(&v), zipped(&v, &v[..4]));
    let g = Grid { rows: 3, cols: 4, data: vec![1.0; 12] };
    println!(\"{} {} {} {}\", g.total(), closures(3, 4), nested(&vec![vec![1, 2], vec![3]]), endless(27));
    println!(\"{}\", pops(&mut v));
    println!(\"{} {}\", sums(&[vec![1, 2], vec![3]]), inlines(&[1, 2, 3]));
    let u: Vec<u64> = (0..9).collect();
    let m: BTreeMap<u64, u64> = u.iter().map(|x| (x * 5, *x)).collect();
    let mut d: VecDeque<u64> = u.iter().copied().collect();
    d.rotate_left(4);
    println!(\"{} {} {}\", by_value(u.clone()), texts(vec![String::new(), \"a\".into()]), numbered_values(u.clone()));
    println!(\"{} {} {}\", tree(&m), tree_by_value(m.clone()), table(&m.iter().map(|(k, v)| (*k, *v)).collect()));
    println!(\"{} {} {}\", deque(&d), deque_by_value(d.clone()), words(\"a b c\"));
}";

const FLAGS: &[&str] = &[
    "linker-plugin-lto",
    "no-prepopulate-passes",
    "lto=off",
    "codegen-units=1",
    "debuginfo=full",
    "symbol-mangling-version=v0",
    "opt-level=2",
];

/// Builds the program as `trend-prof build` does: the linker gets objects with the probe.
fn program() -> Program {
    let program = Program::empty();
    let file = |name: &str| program.folder().join(name);
    fs::write(file("program.rs"), SOURCE).unwrap();
    done(probe().arg("runtime").arg("-o").arg(file("runtime.a")));
    let script = format!(
        "#!/bin/sh\nset -e\nfor word; do shift; case \"$word\" in -Wl,-plugin-opt*) continue;; *.o) if [ \"$(head -c 2 \"$word\")\" = BC ]; then \
         {probe} loops \"$word\" -o \"$word.watched.o\"; word=\"$word.watched.o\"; fi;; esac; set -- \"$@\" \"$word\"; done\n\
         exec cc \"$@\" {runtime} -Wl,--export-dynamic-symbol='trend_probe_*' -lc\n",
        probe = env!("CARGO_BIN_EXE_trend-probe"),
        runtime = file("runtime.a").display()
    );
    fs::write(file("linker"), script).unwrap();
    fs::set_permissions(file("linker"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut compile = Command::new("rustc");
    compile.args(["--edition", "2021", "-C"]).arg(format!("linker={}", file("linker").display()));
    compile.args(FLAGS.iter().flat_map(|flag| ["-C", flag]));
    done(compile.arg(file("program.rs")).arg("-o").arg(program.path()));
    let mut plain = Command::new("rustc");
    done(plain.args(["--edition", "2021", "-O"]).arg(file("program.rs")).arg("-o").arg(file("plain")));
    program
}

/// Function, number of the loop in it, inputs, their values in the first activation, activations, total trips.
type Expected = (&'static str, usize, &'static [&'static str], &'static [i64], u64, u64);

#[test]
fn loops_of_rust_are_watched_and_told_in_its_words() {
    let program = program();
    let (mut command, records) = program.command(&[]);
    let output = done(&mut command).stdout;
    assert_eq!(output, done(&mut Command::new(program.folder().join("plain"))).stdout);
    let loops = Loops::from_records(&records);
    let expected: [Expected; 32] = [
        ("range", 0, &["n"], &[7], 1, 7),
        ("triangle", 0, &["n"], &[5], 1, 5),
        ("triangle", 1, &["i"], &[0], 5, 10),
        ("inclusive", 0, &["lo", "hi"], &[-3, 3], 1, 7),
        ("slice", 0, &["v.len()"], &[10], 1, 10),
        ("vector", 0, &["v.len()"], &[10], 1, 10),
        ("mutable", 0, &["v.len()"], &[10], 1, 10),
        ("indexed", 0, &["v.len()"], &[10], 1, 10),
        ("chain", 0, &["v.len()"], &[10], 1, 10),
        ("pops", 0, &["v.len()"], &[10], 1, 10),
        ("bytes", 0, &["t.len()"], &[6], 1, 6),
        ("stepped", 0, &["n"], &[10], 1, 4),
        ("backwards", 0, &["n"], &[5], 1, 5),
        ("numbered", 0, &["v.len()"], &[10], 1, 10),
        ("zipped", 0, &["b.len()", "a.len()"], &[4, 10], 1, 4),
        ("total", 0, &["self.rows"], &[3], 1, 3),
        ("total", 1, &["self.cols"], &[4], 3, 12),
        ("nested", 0, &["g.len()"], &[2], 1, 2),
        ("nested", 1, &["row.len()"], &[1], 2, 3),
        ("endless", 0, &["n"], &[27], 1, 111),
        // Iterators that are in memory.
        ("by_value", 0, &["v.len()"], &[9], 1, 9),
        ("texts", 0, &["v.len()"], &[2], 1, 2),
        ("numbered_values", 0, &["v.len()"], &[9], 1, 9),
        ("tree", 0, &["m.len()"], &[9], 1, 9),
        ("tree_by_value", 0, &["m.len()"], &[9], 1, 9),
        ("deque", 0, &["d.len()"], &[9], 1, 9),
        ("deque_by_value", 0, &["d.len()"], &[9], 1, 9),
        ("table", 0, &["m.len()"], &[9], 1, 9),
        ("set", 0, &["s.len()"], &[30], 1, 30),
        // The variants have the lengths of strings, vectors and maps at the same place.
        ("counted", 0, &["value.len()"], &[0], 1, 0),
        ("counted", 1, &["value.len()"], &[3], 1, 3),
        ("held", 0, &["some.len()"], &[2], 1, 2),
    ];
    for (function, number, names, first, activations, trips) in expected {
        assert_eq!(loops.names(function, number), names, "{function} {number}");
        assert_eq!(loops.total(function, number), (activations, trips), "{function} {number}");
        let values = &loops.get(function, number).observations[0].inputs;
        assert_eq!(&values[..first.len()], first, "{function} {number}");
    }
    let inserted = 0..loops.function("inserted").loops.len();
    let names: Vec<_> = inserted.flat_map(|of| loops.names("inserted", of)).collect();
    assert!(names.contains(&"h.tree.height"), "{names:?}");
    // A list has at most this many elements: the loop also ends if the next pointer is null.
    assert_eq!((loops.names("list", 0)[0], loops.get("list", 0).inputs[0].is_limit), ("l.len()", true));
    assert_eq!(loops.total("list", 0), (1, 4));
    // The text decides where words end.
    assert_eq!(loops.total("words", 0), (1, 3));
    assert!(loops.get("words", 0).inputs.iter().any(|input| input.value == LoopInputValue::Changing));
    // A character can have several bytes.
    assert_eq!(loops.names("letters", 0)[0], "t.len()");
    assert_eq!(loops.total("letters", 0), (1, 6));
    assert_eq!(loops.names("closures", 0), ["n"]);
    let inner = loops.functions.iter().filter(|f| f.symbol.name.contains("closures")).flat_map(|f| &f.loops);
    let inner: Vec<_> = inner.filter(|l| l.inputs.iter().any(|i| i.name == "m")).collect();
    assert_eq!((inner.len(), inner[0].total.activations, inner[0].total.trips), (1, 3, 12));
    assert_eq!(loops.get("triangle", 1).inputs[0].counter_of, Some(0));
    // If several functions of a file are inlined into one another, a loop has the line of its text.
    let line = |text| SOURCE.lines().position(|line| line.ends_with(text)).unwrap() as u32 + 1;
    let lines = [line("// of a closure"), line("// in a closure")];
    assert_eq!([0, 1].map(|number| loops.get("sums", number).line), lines);
    assert_eq!((loops.total("sums", 0), loops.total("sums", 1)), ((1, 2), (2, 3)));
    let names: Vec<_> =
        (0..loops.function("inlines").loops.len()).map(|of| loops.names("inlines", of)).collect();
    assert!(names.iter().any(|names| names.first() == Some(&"w.len()")), "{names:?}");
    // Functions that rustc generates to drop values get the name of their type. Their loops that only run during a
    // panic are left out.
    let is_drop = |name: &str| name.contains("drop_in_place::<[") && name.ends_with("Node]>");
    let dropping = loops.functions.iter().find(|f| is_drop(&f.symbol.name)).unwrap();
    let [one] = &dropping.loops[..] else { panic!("{:?}", dropping.loops) };
    assert_eq!(one.inputs.iter().map(|input| &*input.name).collect::<Vec<_>>(), ["[Node].len()"]);
    assert_eq!(one.total.trips, 3 + 2);
}

#[test]
fn a_loop_that_is_continued_early_is_one_loop() {
    let program = program();
    let (mut command, records) = program.command(&[]);
    done(&mut command);
    let loops = Loops::from_records(&records);
    for (function, trips) in [("parted", 5), ("marked", 20)] {
        assert_eq!(loops.function(function).loops.len(), 1, "{function}");
        assert_eq!(loops.total(function, 0), (1, trips), "{function}");
    }
    // A loop that begins with another loop is not one loop.
    assert_eq!(loops.function("repeated").loops.len(), 2);
    assert_eq!(loops.total("repeated", 1), (2, 3 + 1));
}

#[test]
fn loops_that_multiply_or_divide_are_counted_up_to_the_largest_numbers() {
    let program = program();
    let (mut command, records) = program.command(&[]);
    done(&mut command);
    let loops = Loops::from_records(&records);
    let largest = i64::from(u32::MAX);
    assert_eq!(loops.names("doubled", 0), ["size", "n"]);
    assert_eq!(loops.trips("doubled", 0), [(vec![1, largest], 1, 32), (vec![3, 100], 1, 6)]);
    // 3^20 is the last power that fits.
    assert_eq!(loops.trips("grown", 0), [(vec![1, 30], 1, 4), (vec![1, largest], 1, 20)]);
    // Values above the largest signed number appear as negative ones.
    assert_eq!(loops.trips("halved", 0), [(vec![-1], 1, 64), (vec![0], 1, 0), (vec![1000], 1, 10)]);
    let changing = loops.get("squeezed", 0).inputs.iter().filter(|one| one.value == LoopInputValue::Changing);
    assert_eq!(changing.map(|one| &*one.name).collect::<Vec<_>>(), ["lo", "hi"]);
}
