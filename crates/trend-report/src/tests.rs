//! What must hold of every output.

use crate::sample::{bubble_sort, bubble_sort_study, doubtful};
use crate::*;

/// The text as a terminal shows it, without colours.
fn shown(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain += before;
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

fn at_width(width: usize) -> TableOptions {
    TableOptions { width, ..TableOptions::default() }
}

#[test]
fn show() {
    let study = bubble_sort_study();
    for w in [60, 80, 120] {
        println!("{}", shown(&table(&bubble_sort(), None, &at_width(w)).unwrap()));
    }
    println!("{}", shown(&table(&doubtful(), None, &at_width(100)).unwrap()));
    println!("{}", shown(&cluster_page(&bubble_sort(), Some(&study), "1", &at_width(80)).unwrap()));
    println!("{}", shown(&cluster_page(&doubtful(), Some(&study), "2", &at_width(100)).unwrap()));
    println!("{}", shown(&prediction_table(&doubtful(), "n", 1e7, &at_width(100)).unwrap()));
    println!("{}", markdown(&doubtful(), &at_width(100)).unwrap());
    println!("{}", csv(&doubtful(), &at_width(100)).unwrap());
}

#[test]
fn page() {
    let study = bubble_sort_study();
    std::fs::write("/tmp/tr-a.html", html(&bubble_sort(), &study, "trend-prof 0.1.0")).unwrap();
    std::fs::write("/tmp/tr-b.html", html(&doubtful(), &study, "trend-prof 0.1.0")).unwrap();
}
