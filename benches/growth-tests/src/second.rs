//! The functions after a change. The first ten become worse.

use std::collections::HashMap;

use crate::first::{hits, merged, sift, value_of};
use crate::input::Matrix;

/// n²: a list is searched for every value.
pub fn dedup(values: &[u32]) -> Vec<u32> {
    let mut kept = Vec::new();
    for value in values {
        if !is_in(&kept, value) {
            kept.push(*value);
        }
    }
    kept
}

/// n²: every line copies all previous ones. The copying is in the standard library.
pub fn join_lines(text: &str) -> String {
    let mut joined = String::new();
    for line in text.lines() {
        joined = format!("{joined}{line}\n");
    }
    joined
}

/// n²: an insertion sort.
pub fn merge_sort(values: &[u32]) -> Vec<u32> {
    let mut sorted = values.to_vec();
    for i in 1..sorted.len() {
        let mut j = i;
        while j > 0 && sorted[j - 1] > sorted[j] {
            sorted.swap(j - 1, j);
            j -= 1;
        }
    }
    sorted
}

/// n²: lines are counted from the start for every token.
pub fn tokenize(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let from = at;
        if bytes[at].is_ascii_alphanumeric() {
            while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
                at += 1;
            }
            tokens.push((line_of(bytes, from), &text[from..at]));
        } else {
            at += 1;
            if !bytes[from].is_ascii_whitespace() {
                tokens.push((line_of(bytes, from), &text[from..at]));
            }
        }
    }
    tokens
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    let mut line = 1;
    for byte in &bytes[..at] {
        if *byte == b'\n' {
            line += 1;
        }
    }
    line
}

/// n²: every pair is tested.
pub fn two_sum(values: &[u32]) -> Option<(usize, usize)> {
    let target = 1_000_001;
    for i in 0..values.len() {
        for j in i + 1..values.len() {
            if values[i].wrapping_add(values[j]) == target {
                return Some((i, j));
            }
        }
    }
    None
}

/// n²: visited nodes are in a list.
pub fn reachable(graph: &[Vec<u32>]) -> usize {
    let mut seen = Vec::new();
    let mut at = 0;
    if !graph.is_empty() {
        seen.push(0);
    }
    while at < seen.len() {
        for next in &graph[seen[at] as usize] {
            if !is_in(&seen, next) {
                seen.push(*next);
            }
        }
        at += 1;
    }
    seen.len()
}

fn is_in<T: PartialEq>(list: &[T], value: &T) -> bool {
    for other in list {
        if other == value {
            return true;
        }
    }
    false
}

/// n²: the queue is a list whose first element is removed. The moving is in the standard library.
pub fn schedule(tasks: &[u32]) -> Vec<usize> {
    let mut queue: Vec<_> = tasks.iter().copied().enumerate().collect();
    let mut ended = Vec::new();
    while !queue.is_empty() {
        let (task, rest) = queue.remove(0);
        if rest == 0 {
            ended.push(task);
        } else {
            queue.push((task, rest - 1));
        }
    }
    ended
}

/// n²: every range is summed.
pub fn range_sums((values, ranges): &(Vec<u32>, Vec<(usize, usize)>)) -> Vec<u64> {
    let mut found = Vec::new();
    for (from, to) in ranges {
        let mut sum = 0;
        for value in &values[*from..*to] {
            sum += u64::from(*value);
        }
        found.push(sum);
    }
    found
}

/// n² with a small factor: a section's name must be new, and sections are few.
pub fn parse_records(text: &str) -> (Vec<&str>, u64) {
    let mut sections = Vec::new();
    let mut sum = 0;
    for line in text.lines() {
        if !line.starts_with('[') {
            sum += value_of(line);
        } else if !is_in(&sections, &line) {
            sections.push(line);
        }
    }
    (sections, sum)
}

/// n log n: both lists are sorted again.
pub fn merge_lists((left, right): &(Vec<u32>, Vec<u32>)) -> Vec<u32> {
    let mut all = left.clone();
    all.extend_from_slice(right);
    sorted(&all)
}

fn sorted(values: &[u32]) -> Vec<u32> {
    if values.len() < 2 {
        return values.to_vec();
    }
    let (left, right) = values.split_at(values.len() / 2);
    merged(&sorted(left), &sorted(right))
}

/// Same growth: the search halves the length of the rest.
pub fn lookups((table, keys): &(Vec<u32>, Vec<u32>)) -> usize {
    let mut found = 0;
    for key in keys {
        if is_found(table, *key) {
            found += 1;
        }
    }
    found
}

fn is_found(mut table: &[u32], key: u32) -> bool {
    while table.len() > 1 {
        let (left, right) = table.split_at(table.len() / 2);
        table = if right[0] <= key { right } else { left };
    }
    table.first() == Some(&key)
}

/// Same growth: uses slices.
pub fn matrix_sum(matrix: &Matrix) -> u64 {
    let mut sum = 0;
    for row in matrix.cells.chunks(matrix.side.max(1)) {
        let mut of_row = 0;
        for cell in row {
            of_row += u64::from(*cell);
        }
        sum += of_row;
    }
    sum
}

/// Same growth: the heap is built by inserting the values one after the other.
pub fn heap_sort(values: &[u32]) -> Vec<u32> {
    let mut heap = Vec::new();
    for value in values {
        heap.push(*value);
        let mut child = heap.len() - 1;
        while child > 0 && heap[(child - 1) / 2] < heap[child] {
            heap.swap(child, (child - 1) / 2);
            child = (child - 1) / 2;
        }
    }
    for end in (1..heap.len()).rev() {
        heap.swap(0, end);
        sift(&mut heap[..end], 0);
    }
    heap
}

/// Same growth: two more entries to check.
pub fn lru_cache(keys: &[u32]) -> usize {
    hits(keys, 18)
}

/// Same growth: uses one row.
pub fn edit_distance((left, right): &(String, String)) -> usize {
    let right = right.as_bytes();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.bytes().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let changed = corner + usize::from(a != *b);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}

/// Same growth: sorts by the start only.
pub fn merge_intervals(intervals: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut sorted = intervals.to_vec();
    sorted.sort_by_key(|(from, _)| *from);
    let mut merged = Vec::new();
    let mut rest = sorted.into_iter();
    let Some((mut start, mut end)) = rest.next() else { return merged };
    for (from, to) in rest {
        if from > end {
            merged.push((start, end));
            (start, end) = (from, to);
        } else if to > end {
            end = to;
        }
    }
    merged.push((start, end));
    merged
}

/// Same growth: a known word is looked up once, others twice.
pub fn word_count(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for word in text.split(' ') {
        if let Some(count) = counts.get_mut(word) {
            *count += 1;
        } else {
            counts.insert(word, 1);
        }
    }
    counts
}

/// Same growth: works in counted blocks.
pub fn checksum(text: &str) -> u32 {
    let (mut a, mut b, mut blocks) = (1, 0, 0);
    for block in text.as_bytes().chunks(8) {
        for byte in block {
            a = (a + u32::from(*byte)) % 65521;
            b = (b + a) % 65521;
        }
        blocks += 1;
    }
    (b << 16 | a) ^ blocks
}

const PRIME: u64 = 2_147_483_647;

/// Same growth: without recursion.
pub fn powers((bases, exponent): &(Vec<u64>, u64)) -> u64 {
    let mut sum = 0;
    for base in bases {
        let (mut power, mut base, mut rest) = (1, *base % PRIME, *exponent);
        while rest > 0 {
            if rest % 2 == 1 {
                power = power * base % PRIME;
            }
            base = base * base % PRIME;
            rest /= 2;
        }
        sum += power;
    }
    sum
}

/// Same growth: stores the expected brackets instead of the opened ones.
pub fn brackets(text: &str) -> bool {
    let mut expected = Vec::new();
    for byte in text.bytes() {
        match byte {
            b'(' => expected.push(b')'),
            b'[' => expected.push(b']'),
            b'{' => expected.push(b'}'),
            _ => {
                if expected.pop() != Some(byte) {
                    return false;
                }
            }
        }
    }
    expected.is_empty()
}
