fn main() { let n: usize = std::env::args().nth(1).unwrap().parse().unwrap(); let mut p: Vec<(u64, u64)> = Vec::new(); for i in 0..n { p.push((i as u64, 1)); } println!("{}", p[n / 2].0); }
