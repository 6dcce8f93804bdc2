use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }
}

fn quicksort(of: &mut [u64], random: &mut Random) {
    if of.len() < 2 { return; }
    let end = of.len() - 1;
    of.swap(random.below(of.len()), end);
    let (pivot, mut kept) = (of[end], 0);
    for i in 0..end {
        if of[i] < pivot { of.swap(i, kept); kept += 1; }
    }
    of.swap(kept, end);
    let (low, high) = of.split_at_mut(kept);
    quicksort(low, random);
    quicksort(&mut high[1..], random);
}

fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut random = Random(RandomState::new().hash_one(n));
    let mut numbers: Vec<u64> = (0..n).collect();
    quicksort(&mut numbers, &mut random);
    println!("{}", numbers.is_sorted());
}
