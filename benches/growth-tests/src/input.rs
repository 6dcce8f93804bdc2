//! Inputs of a given size for the functions.

pub use self::{join_lines as checksum, merge_sort as heap_sort};

pub type Numbers = Vec<u32>;
pub type Text = String;
pub type Texts = (String, String);
pub type Graph = Vec<Vec<u32>>;
pub type Pairs = Vec<(u32, u32)>;
pub type Lists = (Vec<u32>, Vec<u32>);
pub type Ranges = (Vec<u32>, Vec<(usize, usize)>);
pub type Powers = (Vec<u64>, u64);

/// A square of numbers, stored row by row.
#[derive(Clone)]
pub struct Matrix {
    pub side: usize,
    pub cells: Vec<u8>,
}

/// A generator of pseudo-random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end.max(1)
    }
}

fn random() -> Random {
    Random(0x9e37_79b9_7f4a_7c15)
}

fn numbers(n: usize, end: usize) -> Numbers {
    let mut random = random();
    (0..n).map(|_| random.below(end) as u32).collect()
}

/// Half of the numbers occur twice or more.
pub fn dedup(n: usize) -> Numbers {
    numbers(n, n)
}

pub fn join_lines(n: usize) -> Text {
    numbers(n, 1_000_000).iter().map(|value| format!("line {value:06}\r\n")).collect()
}

pub fn merge_sort(n: usize) -> Numbers {
    numbers(n, 1 << 31)
}

/// About `n` tokens of a small language.
pub fn tokenize(n: usize) -> Text {
    numbers(n.div_ceil(7), 1_000_000)
        .iter()
        .map(|value| format!("let x{} = {value} + y;\n", value % 100))
        .collect()
}

/// Only even numbers, so that no two have an odd sum.
pub fn two_sum(n: usize) -> Numbers {
    numbers(n, 1 << 30).iter().map(|value| value * 2).collect()
}

/// A graph with four edges per node.
pub fn reachable(n: usize) -> Graph {
    let mut random = random();
    (0..n).map(|_| (0..4).map(|_| random.below(n) as u32).collect()).collect()
}

/// Duration of each task.
pub fn schedule(n: usize) -> Numbers {
    numbers(n, 4)
}

pub fn range_sums(n: usize) -> Ranges {
    let mut random = random();
    let ranges = (0..n).map(|_| {
        let (a, b) = (random.below(n), random.below(n));
        (a.min(b), a.max(b))
    });
    let ranges = ranges.collect();
    (numbers(n, 1000), ranges)
}

/// Records, with a new section name before every 50 of them.
pub fn parse_records(n: usize) -> Text {
    let mut text = String::new();
    for (i, value) in numbers(n, 1_000_000).iter().enumerate() {
        if i % 50 == 0 {
            text += &format!("[section {i}]\n");
        }
        text += &format!("key{} = {value}\n", i % 50);
    }
    text
}

pub fn merge_lists(n: usize) -> Lists {
    let mut lists = (numbers(n / 2, 1 << 31), numbers(n - n / 2, 1 << 30));
    lists.0.sort_unstable();
    lists.1.sort_unstable();
    lists
}

/// A sorted table, and a thousand keys to look up.
pub fn lookups(n: usize) -> Lists {
    let mut table = numbers(n, 1 << 31);
    table.sort_unstable();
    let mut random = random();
    let keys =
        (0..1000).map(|_| table.get(random.below(n)).map_or(0, |key| key ^ (random.next() & 1) as u32));
    let keys = keys.collect();
    (table, keys)
}

pub fn matrix_sum(side: usize) -> Matrix {
    Matrix { side, cells: (0..side * side).map(|i| (i * 31) as u8).collect() }
}

/// Requested keys, most of them repeated.
pub fn lru_cache(n: usize) -> Numbers {
    let mut random = random();
    (0..n).map(|_| (random.below(100) * random.below(100) / 100) as u32).collect()
}

pub fn edit_distance(n: usize) -> Texts {
    let mut random = random();
    let mut text = || (0..n).map(|_| char::from(b'a' + random.below(4) as u8)).collect();
    (text(), text())
}

pub fn merge_intervals(n: usize) -> Pairs {
    let mut random = random();
    (0..n).map(|_| random.below(n * 4) as u32).map(|from| (from, from + 1 + from % 5)).collect()
}

/// `n` words from a vocabulary of a thousand.
pub fn word_count(n: usize) -> Text {
    let words: Vec<_> = numbers(n, 1000).iter().map(|value| format!("word{value}")).collect();
    words.join(" ")
}

/// A thousand bases, and an exponent.
pub fn powers(n: usize) -> Powers {
    (numbers(1000, 1 << 31).into_iter().map(u64::from).collect(), n as u64)
}

/// `n` matching brackets.
pub fn brackets(n: usize) -> Text {
    let mut random = random();
    let (mut text, mut open) = (String::new(), Vec::new());
    while text.len() + open.len() < n {
        if random.below(2) == 0 && !open.is_empty() {
            text.extend(open.pop());
        } else {
            let (a, b) = [('(', ')'), ('[', ']'), ('{', '}')][random.below(3)];
            text.push(a);
            open.push(b);
        }
    }
    text.extend(open.into_iter().rev());
    text
}
