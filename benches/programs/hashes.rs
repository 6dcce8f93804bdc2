use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// A table of as many buckets as keys, with the hash function of `HashMap`.
struct Table { salt: RandomState, buckets: Vec<Vec<u64>> }

impl Table {
    fn insert(&mut self, key: u64) {
        let bucket = self.salt.hash_one(key) as usize % self.buckets.len();
        for known in &self.buckets[bucket] {
            if *known == key { return; }
        }
        self.buckets[bucket].push(key);
    }
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut table = Table { salt: RandomState::new(), buckets: vec![Vec::new(); n] };
    for _ in 0..2 {
        for key in 0..n as u64 { table.insert(key); }
    }
    println!("{}", table.buckets.iter().map(Vec::len).max().unwrap());
}
