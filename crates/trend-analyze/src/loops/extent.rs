//! Finds the first and the last line of a loop in its source.

use std::collections::HashSet;

use trend_profile::LoopFunction;

use crate::findings::loops::LoopRow;

/// Words that begin a loop.
const WORDS: [&str; 4] = ["for", "while", "do", "loop"];

/// Maximum number of lines between the beginning of a loop and its first code.
const MOST_ABOVE: u32 = 100;

/// Returns the lines where the loops of a function begin, judged by their text. `while (1)` and `loop` have no code of
/// their own, so the known line of such a loop is one of its body.
pub(super) fn begins_of_loops(lines: &[&str], function: &LoopFunction) -> Vec<u32> {
    let known: HashSet<u32> = function.loops.iter().map(|one| one.line).collect();
    let begin = |line: u32| {
        let text = |line: u32| lines.get((line as usize).checked_sub(1)?).copied();
        let Some(own) = text(line).filter(|text| !is_loop(text)) else { return line };
        let is_around = |text: &str| {
            let words = text.trim();
            !words.is_empty() && words != "{" && !words.starts_with('#') && indent(text) < indent(own)
        };
        let above = function.line.max(line.saturating_sub(MOST_ABOVE))..line;
        let around = above.rev().find(|&line| text(line).is_some_and(is_around));
        around.filter(|&line| !known.contains(&line) && text(line).is_some_and(is_loop)).unwrap_or(line)
    };
    function.loops.iter().map(|one| begin(one.line)).collect()
}

/// Returns true if a line begins a loop, perhaps with a label: `'rows: loop {`.
fn is_loop(line: &str) -> bool {
    let words = line.trim_start();
    let words =
        words.strip_prefix('\'').and_then(|label| label.split_once(": ")).map_or(words, |(_, rest)| rest);
    WORDS.contains(&words.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns the last line of a loop, judged by its text: the lines indented deeper and the closing brace belong to it.
/// If there are none, returns the last known line of its code. This can be a line of an inlined function.
pub(super) fn end_of_loop(lines: &[&str], row: &LoopRow) -> u32 {
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
    use crate::loops::tests::program::Program;

    #[test]
    fn a_loop_begins_with_its_words() {
        let text = "\
int f(int n) {
    while (1)
    {
        int k = next();

        for (i = 0; i < k; i++) {
            use(i);
        }
#ifdef NDEBUG
#endif
        if (k > n) break;
    }
    'rows: loop {
        step();
    }
    if (n) {
        last();
    }
}
";
        let lines: Vec<&str> = text.lines().collect();
        let mut function =
            Program::new("f(n)\n  for i 0 n\n    for j 0 n\n  for k 0 n\n  for l 0 n").function;
        let begins = |known: [u32; 4], function: &mut LoopFunction| {
            function.loops.iter_mut().zip(known).for_each(|(one, line)| one.line = line);
            begins_of_loops(&lines, function)
        };
        assert_eq!(begins([4, 6, 14, 17], &mut function), [2, 6, 13, 17]);
        // Another loop is known to begin there.
        assert_eq!(begins([2, 11, 13, 99], &mut function), [2, 11, 13, 99]);
        function.line = 3;
        assert_eq!(begins([11, 6, 14, 17], &mut function), [11, 6, 13, 17], "above the function");
    }

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
