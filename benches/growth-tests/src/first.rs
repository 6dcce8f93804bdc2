//! The original functions.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::input::Matrix;

/// Returns each value once, in the order of first occurrence.
pub fn dedup(values: &[u32]) -> Vec<u32> {
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for value in values {
        if seen.insert(*value) {
            kept.push(*value);
        }
    }
    kept
}

/// Returns the lines with other line ends.
pub fn join_lines(text: &str) -> String {
    let mut joined = String::new();
    for line in text.lines() {
        joined.push_str(line);
        joined.push('\n');
    }
    joined
}

pub fn merge_sort(values: &[u32]) -> Vec<u32> {
    if values.len() < 2 {
        return values.to_vec();
    }
    let (left, right) = values.split_at(values.len() / 2);
    merged(&merge_sort(left), &merge_sort(right))
}

pub(crate) fn merged(left: &[u32], right: &[u32]) -> Vec<u32> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if left[i] <= right[j] {
            merged.push(left[i]);
            i += 1;
        } else {
            merged.push(right[j]);
            j += 1;
        }
    }
    merged.extend_from_slice(&left[i..]);
    merged.extend_from_slice(&right[j..]);
    merged
}

/// Splits a text into words, numbers and signs, with their line numbers.
pub fn tokenize(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < bytes.len() {
        let from = at;
        if bytes[at].is_ascii_alphanumeric() {
            while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
                at += 1;
            }
            tokens.push((line, &text[from..at]));
        } else {
            at += 1;
            if bytes[from] == b'\n' {
                line += 1;
            } else if bytes[from] != b' ' {
                tokens.push((line, &text[from..at]));
            }
        }
    }
    tokens
}

/// Returns two places whose values have an odd sum.
pub fn two_sum(values: &[u32]) -> Option<(usize, usize)> {
    let target: u32 = 1_000_001;
    let mut places = HashMap::new();
    for (i, value) in values.iter().enumerate() {
        if let Some(j) = places.get(&target.wrapping_sub(*value)) {
            return Some((*j, i));
        }
        places.insert(*value, i);
    }
    None
}

/// Returns the number of nodes that can be reached from the first one.
pub fn reachable(graph: &[Vec<u32>]) -> usize {
    let mut seen = vec![false; graph.len()];
    let mut queue = VecDeque::new();
    let mut count = 0;
    if !graph.is_empty() {
        seen[0] = true;
        queue.push_back(0);
    }
    while let Some(node) = queue.pop_front() {
        count += 1;
        for next in &graph[node as usize] {
            if !seen[*next as usize] {
                seen[*next as usize] = true;
                queue.push_back(*next);
            }
        }
    }
    count
}

/// Returns the order in which tasks end if they take turns.
pub fn schedule(tasks: &[u32]) -> Vec<usize> {
    let mut queue: VecDeque<_> = tasks.iter().copied().enumerate().collect();
    let mut ended = Vec::new();
    while let Some((task, rest)) = queue.pop_front() {
        if rest == 0 {
            ended.push(task);
        } else {
            queue.push_back((task, rest - 1));
        }
    }
    ended
}

/// Returns the sums of ranges of values.
pub fn range_sums((values, ranges): &(Vec<u32>, Vec<(usize, usize)>)) -> Vec<u64> {
    let mut sums = vec![0];
    let mut sum = 0;
    for value in values {
        sum += u64::from(*value);
        sums.push(sum);
    }
    let mut found = Vec::new();
    for (from, to) in ranges {
        found.push(sums[*to] - sums[*from]);
    }
    found
}

/// Returns the sections, and the sum of all values.
pub fn parse_records(text: &str) -> (Vec<&str>, u64) {
    let mut sections = Vec::new();
    let mut sum = 0;
    for line in text.lines() {
        if line.starts_with('[') {
            sections.push(line);
        } else {
            sum += value_of(line);
        }
    }
    (sections, sum)
}

pub(crate) fn value_of(line: &str) -> u64 {
    let mut value = 0;
    let mut is_value = false;
    for byte in line.bytes() {
        if byte == b'=' {
            is_value = true;
        } else if is_value && byte.is_ascii_digit() {
            value = value * 10 + u64::from(byte - b'0');
        }
    }
    value
}

/// Merges two sorted lists.
pub fn merge_lists((left, right): &(Vec<u32>, Vec<u32>)) -> Vec<u32> {
    merged(left, right)
}

/// Returns the number of keys that are in the table.
pub fn lookups((table, keys): &(Vec<u32>, Vec<u32>)) -> usize {
    let mut found = 0;
    for key in keys {
        if search(table, *key).is_some() {
            found += 1;
        }
    }
    found
}

fn search(table: &[u32], key: u32) -> Option<usize> {
    let (mut low, mut high) = (0, table.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if table[middle] == key {
            return Some(middle);
        }
        if table[middle] < key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    None
}

pub fn matrix_sum(matrix: &Matrix) -> u64 {
    let mut sum = 0;
    for row in 0..matrix.side {
        for column in 0..matrix.side {
            sum += u64::from(matrix.cells[row * matrix.side + column]);
        }
    }
    sum
}

pub fn heap_sort(values: &[u32]) -> Vec<u32> {
    let mut heap = values.to_vec();
    for root in (0..heap.len() / 2).rev() {
        sift(&mut heap, root);
    }
    for end in (1..heap.len()).rev() {
        heap.swap(0, end);
        sift(&mut heap[..end], 0);
    }
    heap
}

pub(crate) fn sift(heap: &mut [u32], mut root: usize) {
    loop {
        let mut child = root * 2 + 1;
        if child >= heap.len() {
            return;
        }
        if child + 1 < heap.len() && heap[child] < heap[child + 1] {
            child += 1;
        }
        if heap[root] >= heap[child] {
            return;
        }
        heap.swap(root, child);
        root = child;
    }
}

/// Returns the number of requested keys that a cache of 16 entries contains.
pub fn lru_cache(keys: &[u32]) -> usize {
    hits(keys, 16)
}

pub(crate) fn hits(keys: &[u32], most: usize) -> usize {
    let mut cache: Vec<u32> = Vec::new();
    let mut hits = 0;
    for key in keys {
        let mut place = None;
        for (i, other) in cache.iter().enumerate() {
            if other == key {
                place = Some(i);
                break;
            }
        }
        if let Some(place) = place {
            hits += 1;
            cache.remove(place);
        } else if cache.len() == most {
            cache.remove(0);
        }
        cache.push(*key);
    }
    hits
}

/// Returns the number of letters to change, insert or remove.
pub fn edit_distance((left, right): &(String, String)) -> usize {
    let right = right.as_bytes();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.bytes().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let changed = above[j] + usize::from(a != *b);
            row.push(changed.min(above[j + 1] + 1).min(row[j] + 1));
        }
        above = row;
    }
    above[right.len()]
}

pub fn merge_intervals(intervals: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut sorted = intervals.to_vec();
    sorted.sort_unstable();
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for (from, to) in sorted {
        match merged.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => merged.push((from, to)),
        }
    }
    merged
}

pub fn word_count(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for word in text.split(' ') {
        *counts.entry(word).or_insert(0) += 1;
    }
    counts
}

/// Computes an Adler checksum.
pub fn checksum(text: &str) -> u32 {
    let (mut a, mut b) = (1, 0);
    for byte in text.bytes() {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    b << 16 | a
}

const PRIME: u64 = 2_147_483_647;

/// Returns the sum of powers of the bases.
pub fn powers((bases, exponent): &(Vec<u64>, u64)) -> u64 {
    let mut sum = 0;
    for base in bases {
        sum += power(*base, *exponent);
    }
    sum
}

fn power(base: u64, exponent: u64) -> u64 {
    if exponent == 0 {
        return 1;
    }
    let half = power(base, exponent / 2);
    let square = half * half % PRIME;
    if exponent % 2 == 0 { square } else { square * (base % PRIME) % PRIME }
}

/// Returns true if the brackets match.
pub fn brackets(text: &str) -> bool {
    let mut open = Vec::new();
    for byte in text.bytes() {
        let expected = match byte {
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => {
                open.push(byte);
                continue;
            }
        };
        if open.pop() != Some(expected) {
            return false;
        }
    }
    open.is_empty()
}
