//! Generics, closures, macros and regions within a line.

macro_rules! count {
    ($n:expr, $e:expr) => {
        if $e {
            $n += 1;
        }
    };
}

fn bubble<T: PartialOrd>(v: &mut [T]) {
    // a place for more
    for i in (1..v.len() + 1).rev() {
        for j in 0..i - 1 {
            if v[j] > v[j + 1] {
                v.swap(j, j + 1);
            }
        }
    }
}

fn parity(n: u32) -> &'static str {
    if n % 2 == 0 { "even" } else { "odd" } // odd or even
}

fn first_over<'a>(words: &'a [String], limit: &str) -> Option<&'a String> {
    let at = words.iter().position(|w| w.as_str() > limit)?;
    words.get(at)
}

fn unused(n: u32) -> u32 {
    n + 1
}

struct Stack<T>(Vec<T>);

impl<T: Clone> Stack<T> {
    fn push(&mut self, x: T) -> usize {
        self.0.push(x);
        self.0.len()
    }
}

impl<T> Drop for Stack<T> {
    fn drop(&mut self) {
        while let Some(_x) = self.0.pop() {}
    }
}

fn main() {
    let n: u32 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(10);
    let mut v: Vec<u32> = (0..n).map(|i| i.wrapping_mul(2_654_435_761) % 1000).collect();
    let mut words: Vec<String> = v.iter().map(|x| format!("{x:04}")).collect();
    bubble(&mut v);
    bubble(&mut words);
    let (mut odd, mut large) = (0, 0);
    for i in 1..=n {
        count!(odd, parity(i) == "odd");
        count!(large, i > 5 && (i < 30 || i == 77));
    }
    let mut stack = Stack(Vec::new());
    for w in &words {
        match w.as_bytes() {
            [b'0', ..] => drop(stack.push(w.clone())),
            [a, ..] if *a > b'5' => large += 1,
            _ => odd += 1,
        }
    }
    if n == u32::MAX {
        odd += unused(1);
    }
    println!("{odd} {large} {:?}", first_over(&words, "0500"));
}
