use std::collections::HashMap;

fn drain(mut queue: Vec<u64>) -> u64 {
    let mut sum = 0;
    while !queue.is_empty() {
        sum += queue.remove(0); // planted: moves all that is behind
    }
    sum
}

fn dedup(items: &[u64]) -> Vec<u64> {
    let mut seen = Vec::new();
    for x in items {
        // planted: looks through all that came before
        if !seen.contains(x) {
            seen.push(*x);
        }
    }
    seen
}

fn sorted(items: &[u64]) -> Vec<u64> {
    let mut sorted = items.to_vec();
    sorted.sort_by(|a, b| b.wrapping_mul(5).cmp(&a.wrapping_mul(5)));
    sorted
}

#[inline(never)]
fn counted(items: &[u64]) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    for x in items {
        *counts.entry(x % 100).or_insert(0) += 1;
    }
    counts
}

fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let items: Vec<u64> = (0..n).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    println!("{} {}", sorted(&items)[0], counted(&items).len());
    println!("{} {}", dedup(&items).len(), drain(items));
}
