//! Finds the last line of a loop in its source, for drawing.

use crate::findings::loops::LoopRow;

/// Returns the last line of a loop, judged by its text: the lines indented deeper and the closing brace belong to it.
/// If there are none, returns the last known line of its code. This can be a line of an inlined function.
pub(super) fn end_of_loop(lines: &[&str], row: &LoopRow) -> u32 {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let Some(header) = (row.line as usize).checked_sub(1).and_then(|at| lines.get(at)) else {
        return row.last_line;
    };
    let own = indent(header);
    let mut last = row.line;
    for (at, line) in lines.iter().enumerate().skip(row.line as usize) {
        let number = at as u32 + 1;
        let words = line.trim();
        if words.is_empty() {
            continue;
        }
        if indent(line) > own {
            last = number;
            continue;
        }
        // An opening brace may be on a separate line.
        if words == "{" && indent(line) == own && last == row.line {
            last = number;
            continue;
        }
        if words.starts_with('}') && indent(line) == own {
            last = number;
        }
        break;
    }
    if last > row.line { last } else { row.last_line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::tests::loop_rows;

    #[test]
    fn a_loop_ends_with_what_is_indented_deeper_and_its_brace() {
        let text = "\
while (a)
    b();

for (;;) {
    if (c)
        d();

    e();
}
for (x)
{
    y();
}
do {
} while (z);
";
        let lines: Vec<&str> = text.lines().collect();
        let row = loop_rows("f(n)\n  for i 0 n", &[&[1]]).0.remove(0);
        let end = |line| end_of_loop(&lines, &LoopRow { line, last_line: 40, ..row.clone() });
        assert_eq!([1, 4, 10, 14].map(end), [2, 9, 13, 15]);
        assert_eq!(end(3), 40, "nothing is indented deeper");
        assert_eq!(end(99), 40, "a line that is not there");
    }
}
