//! Trips that the code states, against the trips of every activation.

use trend_profile::{LoopTerm, ProgramLoop};

use super::{c, run};

/// Returns the value of the stated trips; `None` if there is no statement.
fn value(one: &ProgramLoop, inputs: &[i64]) -> Option<i64> {
    let mut values: Vec<i64> = Vec::new();
    for term in &one.stated.trips.0 {
        let value = match *term {
            LoopTerm::Number(number) => number,
            LoopTerm::Input(input) => inputs[input as usize],
            operator => {
                let (b, a) = (values.pop()?, values.pop()?);
                match operator {
                    LoopTerm::Plus => a + b,
                    LoopTerm::Minus => a - b,
                    LoopTerm::Times => a * b,
                    LoopTerm::QuotientDown => a.div_euclid(b),
                    LoopTerm::QuotientUp => -(-a).div_euclid(b),
                    LoopTerm::Lesser => a.min(b),
                    LoopTerm::LogarithmDown if a < 1 => -1,
                    LoopTerm::LogarithmDown => i64::from(a.ilog(b)),
                    LoopTerm::LogarithmUp if a <= 1 => 0,
                    LoopTerm::LogarithmUp => i64::from((a - 1).ilog(b)) + 1,
                    _ => a.max(b),
                }
            }
        };
        values.push(value);
    }
    values.pop().map(|trips| trips.max(0))
}

/// Functions whose loops state their trips.
const STATED: [&str; 23] = [
    "int span(int start, int len) { int s = 0; for (int i = start; i < start + len; i++) s ^= i; return s; }",
    "int from(int lo, int hi) { int s = 0; for (int i = lo; i <= hi; i++) s ^= i; return s; }",
    "int by(int n, int step) { int s = 0; for (int i = 0; i < n; i += step) s ^= i; return s; }",
    "int down(int n, int lo) { int s = 0; for (int i = n - 1; i >= lo; i -= 3) s ^= i; return s; }",
    "int wraps(int n, int m) { int s = m; for (unsigned i = (unsigned)n - 1; i < (unsigned)n; i--) s ^= i; return s; }",
    "int area(int a, int b) { int s = 0; for (int i = 0; i < a * b; i++) s ^= i; return s; }",
    "int both(int a, int b) { int s = 0; for (int i = 0; i < a && i < b; i++) s ^= i; return s; }",
    "int late(int a, int b) { int s = b; int i = 0; do { s ^= i; i++; } while (i < a); return s; }",
    "int meets(int a, int b) { int s = 0; for (int i = a, j = b; i < j; i++, j--) s ^= i * j; return s; }",
    "int tile(int a, int n) { int s = 0; for (int i = a; i < (a + 4 < n ? a + 4 : n); i++) s ^= i; return s; }",
    "int ends(int n, int m) { int s = m; for (char *p = t, *e = t + n; p != e; p++) s ^= *p; return s; }",
    "int counts(int n, int m) { int s = m; while (n-- > 0) s ^= n; return s; }",
    "int doubles(int n, int from) { int s = 0; for (int i = from; i < n; i *= 2) s ^= i; return s; }",
    "int shifts(int n, int from) { int s = 0; for (int i = from; i <= n; i <<= 2) s ^= i; return s; }",
    "int adds(int n, int from) { int s = 0; int i = from; do { s ^= i; i += i; } while (i < n); return s; }",
    "int digits(unsigned n, int m) { int s = m; do { s ^= n % 3; n /= 3; } while (n); return s; }",
    "int halves(int n, int least) { int s = 0; for (int i = 9 * n; i > least; i /= 2) s ^= i; return s; }",
    "int thirds(int n, int least) { int s = 0; for (unsigned i = 5 * n; i >= (unsigned)least; i /= 3) s ^= i; return s; }",
    "int lasts(int n, int least) { int s = 0; int i = n; do { s ^= i; i >>= 1; } while (i > least); return s; }",
    "int signs(int n, int m) { int s = m, i = 50 * (4 - n); while (i != 0) { s ^= i; i /= 3; } return s; }",
    "int bytes(int n, int m) { int s = m; for (unsigned char i = 25 * n; i > 0; i /= 2) s ^= i; return s; }",
    "int within(int n, int m) { int s = m; for (unsigned i = 1; i / 2 < (unsigned)n; i *= 2) s ^= i; return s; }",
    "int fills(int n, int m) { int s = m; for (unsigned i = 100 * n; i / 4 >= (unsigned)m; i /= 2) s ^= i; return s; }",
];

#[test]
fn stated_trips_are_those_of_every_activation() {
    let names = STATED.map(|one| one["int ".len()..].split('(').next().unwrap());
    let calls: String = names.map(|name| format!("s ^= {name}(a, b);")).concat();
    let functions: String = STATED.map(|one| format!("__attribute__((noinline)) {one}\n")).concat();
    let source = format!(
        "#include <stdio.h>\nchar t[64];\n{functions}int main(void) {{ int s = 0; for (int a = 0; a < 9; a++) for (int b = 1; b < 9; b++) {{ {calls} }} printf(\"%d\\n\", s); return 0; }}"
    );
    let loops = run(&c(&source));
    for name in names {
        let one = loops.get(name, 0);
        assert!(!one.stated.is_bound && !one.observations.is_empty(), "{name}");
        for o in &one.observations {
            let stated = value(one, &o.inputs);
            assert_eq!(
                stated,
                Some(o.trips.least.cast_signed()),
                "{name} at {:?}: {:?}",
                o.inputs,
                one.stated
            );
            assert_eq!(o.trips.least, o.trips.greatest, "{name}");
        }
    }
}

#[test]
fn an_exit_that_the_data_decide_makes_the_statement_a_bound() {
    let source = "#include <stdio.h>\nint a[40];\n__attribute__((noinline)) int find(int n, int x) { for (int i = 0; i < n; i++) if (a[i] == x) return i; return -1; }\n
int main(void) { int s = 0; a[5] = 3; for (int n = 0; n < 40; n++) s += find(n, n % 4); printf(\"%d\\n\", s); return 0; }";
    let loops = run(&c(source));
    let one = loops.get("find", 0);
    assert!(one.stated.is_bound);
    assert!(one.observations.iter().all(|o| value(one, &o.inputs) >= Some(o.trips.greatest.cast_signed())));
}

#[test]
fn variables_of_other_files_and_names_as_rustc_gives_them_are_names() {
    let source = "#include <stdio.h>\nextern int optind;\nint s;\n__attribute__((noinline)) void to(int iter, int val) { for (int i = val; i < iter; i++) s ^= i; for (int i = 0; i < optind; i++) s ^= i; }\nint main(void) { to(5, 1); printf(\"%d\\n\", s); return 0; }";
    let loops = run(&c(source));
    assert_eq!(loops.names("to", 0), ["val", "iter"]);
    assert_eq!(loops.names("to", 1), ["optind"]);
}

#[test]
fn a_narrow_counter_that_may_wrap_around_has_no_statement() {
    let source = "#include <stdio.h>\n__attribute__((noinline)) int narrow(int n) { int s = 0; for (unsigned char i = 1; i < n; i *= 3) s ^= i; return s; }
__attribute__((noinline)) int cut(unsigned n, int d) { int s = 0; for (unsigned i = n; (unsigned char)i >= d; i /= 2) s ^= i; return s; }
int main(void) { int s = 0; for (int n = 1; n < 9; n++) s += narrow(n) + cut(100 * n, n); printf(\"%d\\n\", s); return 0; }";
    let loops = run(&c(source));
    for name in ["narrow", "cut"] {
        let one = loops.get(name, 0);
        assert!(one.stated.trips.is_empty() && !one.observations.is_empty(), "{name}: {:?}", one.stated);
    }
}
