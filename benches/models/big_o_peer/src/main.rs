//! Reads one instance per line, `x… ; y…`, and writes the answer of the crate big_o: `class TAB degree`.

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (x, y) = line.split_once(';').unwrap_or_default();
        let numbers = |text: &str| text.split_whitespace().filter_map(|v| v.parse::<f64>().ok()).collect::<Vec<_>>();
        let data: Vec<(f64, f64)> = numbers(x).into_iter().zip(numbers(y)).collect();
        match big_o::infer_complexity(&data) {
            Ok(inference) => writeln!(out, "{:?}\t{}", inference.best.model, inference.best)?,
            Err(error) => writeln!(out, "-\t{error}")?,
        }
    }
    Ok(())
}
