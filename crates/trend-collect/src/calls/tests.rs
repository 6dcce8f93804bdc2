use std::process::Command;

use trend_profile::{Kind, Location};

use super::*;

/// Compiles a C++ program with the options and returns the calls between functions that begin on the lines of
/// `counted`.
fn calls_in(text: &str, options: &[&str], counted: &[(&str, u32)]) -> Vec<(String, u32, String, u32)> {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("a.cpp"), folder.path().join("a"));
    std::fs::write(&source, text).unwrap();
    let mut compiler = Command::new("g++");
    compiler.args(["-g", "-o"]).arg(&program).args(options).arg("a.cpp").current_dir(folder.path());
    assert!(compiler.status().unwrap().success());
    let bytes = std::fs::read(&program).unwrap();
    let object = CodeObject::parse(&bytes).unwrap();
    let linkage = |name: &str| {
        let is_it = |linkage: &&str| {
            let readable = crate::names::symbol(linkage).name;
            readable == name || readable.starts_with(&format!("{name}("))
        };
        object.functions().map(|(.., linkage)| linkage).find(is_it).unwrap_or(name).to_owned()
    };
    let (mut functions, mut locations) = (Vec::new(), Vec::new());
    for (id, (name, line)) in counted.iter().enumerate() {
        let mut function = Function::plain(name, "a.cpp", *line);
        function.symbol.linkage = linkage(name);
        functions.push(function);
        let location = Location::on_line(Kind::Block, "a.cpp", *line);
        locations.push(Location { function: FunctionId(id as u32), ..location });
    }
    let root = folder.path().to_str().unwrap();
    let own = OwnCode::new(root, &functions, &locations);
    let calls = calls(&bytes, &own, &functions).unwrap();
    let named =
        |call: Call| (call.caller.name.to_string(), call.line, call.callee.name.to_string(), call.sites);
    calls.into_iter().map(named).collect()
}

fn call(caller: &str, line: u32, callee: &str, sites: u32) -> (String, u32, String, u32) {
    (caller.to_owned(), line, callee.to_owned(), sites)
}

const NEST: &str = "static volatile int sum;
__attribute__((noinline)) int leaf(int n) { return sum += n; }
static inline __attribute__((always_inline)) int middle(int n) {
  return leaf(n) + leaf(n + 1);
}
__attribute__((noinline)) int top(int n) {
  int all = 0;
  for (int i = 0; i < n; i++)
    all += middle(i);
  return all;
}
int main(int c, char **) { return top(c); }
";

#[test]
fn calls_are_found_with_their_lines_also_of_what_was_inlined() {
    let counted = [("leaf", 2), ("middle", 3), ("top", 6), ("main", 12)];
    let calls = calls_in(NEST, &["-O1"], &counted);
    let expected = [call("main", 12, "top", 1), call("middle", 4, "leaf", 2), call("top", 9, "middle", 1)];
    assert_eq!(calls, expected);
}

#[test]
fn code_that_is_not_counted_is_left_out_between() {
    let calls = calls_in(NEST, &["-O1"], &[("leaf", 2), ("main", 12)]);
    assert_eq!(calls, [call("main", 12, "leaf", 0)]);
    // `middle` was inlined before anything was counted: its lines are counted for `top`.
    let calls = calls_in(NEST, &["-O1"], &[("leaf", 2), ("top", 6)]);
    assert_eq!(calls, [call("top", 4, "leaf", 2)]);
}

#[test]
fn a_comparison_is_called_by_the_line_that_sorts() {
    let text = "#include <algorithm>
#include <vector>
__attribute__((noinline)) bool less(int a, int b) { return a % 7 < b % 7; }
struct Less { bool operator()(int a, int b) const { return less(a, b); } };
int main(int c, char **) {
  std::vector<int> v(c + 99);
  std::sort(v.begin(), v.end(), Less());
  return v[0];
}
";
    for options in [["-O0"], ["-O2"]] {
        let calls = calls_in(text, &options, &[("less", 3), ("main", 5)]);
        // If the comparison itself was inlined, its line calls `less` as well.
        assert!(calls.contains(&call("main", 7, "less", 0)), "{options:?}: {calls:?}");
        assert!(calls.iter().all(|(caller, _, callee, _)| caller == "main" && callee == "less"), "{calls:?}");
    }
}

#[test]
fn bytes_that_are_no_program_are_an_error_and_damage_is_none() {
    let own = OwnCode::new("/p", &[], &[]);
    assert!(calls(b"\x7fELF", &own, &[]).is_err());
    let code = [0xe8, 0xff, 0xff, 0xff, 0x7f, 0xe9];
    assert_eq!(of_x86(&code, u64::MAX), Vec::new());
    assert_eq!(of_x86(&[0xe8, 2, 0, 0, 0], 16), [(16, 23, false)]);
    assert_eq!(of_arm(&0x9400_0002_u32.to_le_bytes(), 16), [(16, 24, false)]);
    assert_eq!(of_arm(&0x17ff_ffff_u32.to_le_bytes(), 16), [(16, 12, true)]);
}
