//! Amortised cost of a routine: the cost of rare and expensive calls spread over the cheap and frequent ones.

use trend_profile::Observation;

use crate::findings::series::Amortized;

/// Maximum α. Above it, the frequent calls would have to pay more than three times their own cost, so nothing is
/// amortised.
const GREATEST_ALPHA: f64 = 2.0;

/// Finds the observations whose cost is spread over the others. Observations are sorted by average cost. For each
/// prefix, α is the cost of the rest divided by the cost of the prefix; prefixes with α > 2 are skipped. The cut
/// minimises (1 + α)·(average cost of the prefix's most expensive observation). If the expensive calls are not rare,
/// nothing is spread.
///
/// # Source
/// Coppa, Demetrescu, Finocchi and Marotta, *Input-sensitive profiling* (aprof-plot).
///
/// - Time: O(n log n)
pub(crate) fn amortized(observations: &[Observation]) -> Amortized {
    let average = |one: &Observation| one.sum as f64 / one.count.max(1) as f64;
    let mut order: Vec<&Observation> = observations.iter().collect();
    order.sort_by(|a, b| average(a).total_cmp(&average(b)).then(a.size().cmp(&b.size())));
    let total: f64 = observations.iter().map(|one| one.sum as f64).sum();
    let (mut below, mut least) = (0.0, f64::INFINITY);
    let (mut alpha, mut cheap_count) = (0.0, order.len());
    for (i, one) in order.iter().enumerate() {
        below += one.sum as f64;
        let rest = if below > 0.0 { (total - below).max(0.0) / below } else { f64::INFINITY };
        let cost = (1.0 + rest) * average(one);
        if rest <= GREATEST_ALPHA && cost < least {
            (least, alpha, cheap_count) = (cost, rest, i + 1);
        }
    }
    let (cheap, expensive) = order.split_at(cheap_count);
    if !are_rare(expensive, cheap) {
        return Amortized::default();
    }
    let mut spread: Vec<u64> = expensive.iter().map(|one| one.size()).collect();
    spread.sort_unstable();
    Amortized { alpha, spread }
}

/// Returns true if every size of the expensive calls has fewer calls than most sizes of the cheap ones.
fn are_rare(expensive: &[&Observation], cheap: &[&Observation]) -> bool {
    let mut calls: Vec<u64> = cheap.iter().map(|one| one.count).collect();
    calls.sort_unstable();
    let usual = calls.get(calls.len() / 2).copied().unwrap_or(0);
    expensive.iter().all(|one| one.count < usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observations(rows: &[(u64, u64, u64)]) -> Vec<Observation> {
        rows.iter().map(|&(size, count, sum)| Observation { count, sum, ..Observation::at(size) }).collect()
    }

    #[test]
    fn rare_copies_of_a_growing_table_are_spread_over_the_cheap_calls() {
        // 90 and 80 calls cost 5 each; two copies cost 100 and 200. Prefixes: {450}: α = 700/450; {450, 400}: α =
        // 300/850; {…, 100}: α = 200/950; all: α = 0. The second has the least (1 + α)·average: 6.76, against 12.8, 121
        // and 200.
        let amortized = amortized(&observations(&[(1, 90, 450), (2, 80, 400), (64, 1, 100), (128, 1, 200)]));
        assert_eq!(amortized, Amortized { alpha: 300.0 / 850.0, spread: vec![64, 128] });
    }

    #[test]
    fn calls_that_are_as_frequent_as_the_others_are_not_spread() {
        let each: Vec<(u64, u64, u64)> =
            [(16, 2), (64, 16), (256, 40), (512, 72)].map(|(n, sum)| (n, 4, sum)).to_vec();
        assert_eq!(amortized(&observations(&each)), Amortized::default());
        let rarely: Vec<_> = each.iter().map(|&(n, _, sum)| (n, if n == 512 { 1 } else { 4 }, sum)).collect();
        assert_eq!(amortized(&observations(&rarely)).spread, [512]);
    }

    #[test]
    fn where_expensive_calls_are_most_of_the_cost_nothing_is_spread() {
        assert_eq!(amortized(&observations(&[(1, 1, 10), (2, 1, 1000)])), Amortized::default());
        assert_eq!(amortized(&[]), Amortized::default());
    }
}
