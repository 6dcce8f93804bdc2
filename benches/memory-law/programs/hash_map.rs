fn main() { let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap(); let mut p = std::collections::HashMap::new(); for i in 0..n { p.insert(i, i); } println!("{}", p[&(n / 2)]); }
