//! Breaks memory down by the line that allocated it: the growth of each line's allocations and bytes, and the line that
//! the answer names.

use std::collections::BTreeMap;

use trend_model::GrowthClass;
use trend_profile::{MemoryMeasure, Place, SeriesKind, Study};

use super::pace::classes;
use super::row_models::{RowModels, max_share, share_of_largest};
use crate::findings::law::{Fits, RowLaw};
use crate::findings::memory::{MemoryHolder, MemoryLine};
use crate::findings::row::Row;

/// Name for all code that is not the program's own.
const OTHER_CODE: &str = "other code";

/// Share of the peak above which a line is worth a sentence: it holds more than all others together.
const MOST_OF_PEAK: f64 = 0.5;

/// Share of the peak from which a line is worth a sentence if it grows faster than the input.
const LEAST_OF_PEAK: f64 = 0.01;

/// Returns a study's memory by line, by falling bytes at the peak; `model` fits the rows.
pub(crate) fn memory_lines(study: &Study, model: &RowModels<'_>) -> Vec<MemoryLine> {
    let mut costs: BTreeMap<&Place, [Vec<u64>; 5]> = BTreeMap::new();
    for one in study.series().iter().filter(|one| one.place.kind == SeriesKind::Line) {
        let Some(measure) = MemoryMeasure::counted_in(&one.unit) else { continue };
        let place =
            costs.entry(&one.place).or_insert_with(|| [(); 5].map(|()| vec![0; study.workloads().len()]));
        let cost = &mut place[measure as usize][one.workload.index()];
        *cost = one.observations.iter().fold(*cost, |sum, o| sum.saturating_add(o.sum));
    }
    let places: Vec<&Place> = costs.keys().copied().collect();
    let mut columns = MemoryMeasure::ALL.map(|measure| {
        let of_measure = costs.values().map(|place| place[measure as usize].clone());
        rows(&places, of_measure.collect(), model).into_iter()
    });
    let mut lines: Vec<MemoryLine> = places
        .iter()
        .filter_map(|place| {
            let [allocations, asked, most, at_peak, left] = columns.each_mut().map(Iterator::next);
            Some(MemoryLine {
                name: name(place),
                function: place.symbol.name.clone(),
                file: place.object.clone(),
                line: place.line,
                allocations: allocations?,
                asked: asked?,
                most: most?,
                at_peak: at_peak?,
                left: left?,
            })
        })
        .collect();
    lines.sort_by(|a, b| {
        let key = |line: &MemoryLine| (line.at_peak.max_cost, line.most.max_cost, line.asked.max_cost);
        key(b).cmp(&key(a)).then_with(|| a.name.cmp(&b.name))
    });
    lines
}

fn name(place: &Place) -> String {
    match (place.object.as_str(), place.line, place.symbol.name.as_str()) {
        ("", _, "") => OTHER_CODE.to_owned(),
        ("", ..) | (_, 0, _) => place.symbol.name.clone(),
        (file, line, _) => format!("{file}:{line}"),
    }
}

/// Returns the rows of one measure, in the order of the places.
fn rows(places: &[&Place], costs: Vec<Vec<u64>>, model: &RowModels<'_>) -> Vec<Row> {
    let mut totals = vec![0_u64; model.totals.len()];
    for costs in &costs {
        totals.iter_mut().zip(costs).for_each(|(sum, cost)| *sum = sum.saturating_add(*cost));
    }
    let row = |(place, costs): (&&Place, Vec<u64>)| Row {
        name: name(place),
        file: place.object.clone(),
        line: place.line,
        max_cost: costs.iter().copied().max().unwrap_or(0),
        max_share: max_share(&costs, &totals),
        share_of_largest: share_of_largest(&costs, &totals),
        share_now: share_of_largest(&costs, &totals),
        fits: Fits::default(),
        outlooks: Vec::new(),
        note: None,
        callers: Vec::new(),
        more_callers: 0,
        only_caller: None,
        costs,
    };
    let mut rows: Vec<Row> = places.iter().zip(costs).map(row).collect();
    RowModels { totals: &totals, ..*model }.fit(&mut rows, true);
    rows
}

/// Returns the line that the answer names: among lines that certainly grow faster than the input, the one with the
/// largest share of the peak; otherwise a line with most of the peak. `point` is the position of the answer's target.
pub(crate) fn holder(lines: &[MemoryLine], point: usize) -> Option<MemoryHolder> {
    let share = |line: &&MemoryLine| line.at_peak.share_of_largest;
    let is_fast = |line: &&MemoryLine| {
        let slowest = line.most.fits.law().and_then(classes).map(|[slowest, _]| slowest);
        slowest.is_some_and(|class| class > GrowthClass::Linear)
    };
    // Lines are sorted by maximum bytes at the peak, which may come from another run than the share.
    let own = || lines.iter().filter(|line| line.is_own());
    let fast = own().filter(|line| share(line) >= LEAST_OF_PEAK).filter(is_fast);
    let by_share = |a: &&MemoryLine, b: &&MemoryLine| share(a).total_cmp(&share(b));
    let line =
        fast.max_by(by_share).or_else(|| own().filter(|line| share(line) > MOST_OF_PEAK).max_by(by_share))?;
    let decided = line.most.fits.law().and_then(|law| match law {
        RowLaw::Of(model) => {
            let growth = model.growth.as_ref().filter(|growth| !growth.is_open() && model.is_sound())?;
            Some((growth.verdict.clone(), Some(model.feature.clone())))
        }
        RowLaw::Joint(_) => None,
    });
    let open = || {
        let [slowest, fastest] = line.most.fits.law().and_then(classes).filter(|_| is_fast(&line))?;
        Some((if slowest == fastest { slowest.to_string() } else { format!("{slowest} … {fastest}") }, None))
    };
    let (growth, feature) = decided.or_else(open).unzip();
    Some(MemoryHolder {
        name: line.name.clone(),
        function: line.function.clone(),
        share: share(&line),
        growth,
        feature: feature.flatten(),
        then: line.most.outlooks.get(point).copied().flatten(),
    })
}

#[cfg(test)]
mod tests {
    use trend_profile::{Series, StudyParts, Symbol, WorkloadId};

    use super::*;
    use crate::analyze::analyze;
    use crate::findings::Findings;
    use crate::options::Options;

    /// A line: its function, its number, and its bytes at a size.
    type Drawn<'a> = (&'a str, u32, &'a dyn Fn(u64) -> u64);

    /// Findings of ten runs with these lines.
    fn findings(lines: &[Drawn<'_>]) -> Findings {
        let sizes: Vec<u64> = (0..10).map(|i| 100 << i).collect();
        let text: Vec<String> = sizes.iter().map(u64::to_string).collect();
        let drawn = format!("n: {0}\na.c:1:main: {0}", text.join(" "));
        let mut series = Vec::new();
        for (workload, n) in sizes.iter().enumerate() {
            for (function, line, bytes) in lines {
                for measure in MemoryMeasure::ALL {
                    let file = if function.is_empty() { "" } else { "a.c" };
                    let amount = if measure == MemoryMeasure::Allocations { *n } else { bytes(*n) };
                    let one = Series::of_line(Symbol::plain(function), file, *line, measure, amount);
                    series.push(Series { workload: WorkloadId(workload as u32), ..one });
                }
            }
        }
        let parts = StudyParts { series, ..StudyParts::from_text(&drawn).unwrap() };
        analyze(&Study::new(parts).unwrap(), &Options::default()).unwrap()
    }

    #[test]
    fn lines_have_laws_in_every_measure_and_shares_of_the_peak() {
        let findings = findings(&[("push", 40, &|n| 24 * n), ("grid", 7, &|n| n * n), ("", 0, &|_| 4096)]);
        let names: Vec<&str> = findings.memory_lines.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["a.c:7", "a.c:40", "other code"]);
        let growth = |row: &Row| row.fits.models[0].growth.as_ref().map(|growth| growth.verdict.clone());
        let verdicts: Vec<_> = findings.memory_lines[..2].iter().map(|line| growth(&line.most)).collect();
        assert_eq!(verdicts, [Some("n^2".to_owned()), Some("n".to_owned())]);
        assert_eq!(growth(&findings.memory_lines[0].allocations), Some("n".to_owned()));
        let n = 51_200.0;
        let share = findings.memory_lines[1].at_peak.share_of_largest;
        assert!((share - 24.0 * n / (24.0 * n + n * n + 4096.0)).abs() < 1e-9, "{share}");
        // Lines of memory are not rows of routines.
        assert!(findings.series.is_empty());
    }

    #[test]
    fn the_answer_names_what_grows_faster_than_the_input_else_what_holds_most() {
        let named = |lines: &[Drawn<'_>]| {
            let holder = findings(lines).answer.unwrap().memory_holder;
            holder.map(|holder| (holder.name, holder.growth))
        };
        let square = named(&[("push", 40, &|n| 100_000 * n), ("grid", 7, &|n| n * n)]);
        assert_eq!(square, Some(("a.c:7".to_owned(), Some("n^2".to_owned()))));
        // For costs that scatter, several classes are named, all of them faster than the input.
        let scattered = |n: u64| ((n as f64).powf(1.6) * [0.8, 1.0, 1.25][(n % 7 % 3) as usize]) as u64;
        let (name, growth) = named(&[("push", 40, &|n| 1000 * n), ("grid", 7, &scattered)]).unwrap();
        assert!(
            name == "a.c:7" && growth.as_deref().is_some_and(|growth| growth.contains(" … ")),
            "{growth:?}"
        );
        // The target is ten times the largest size.
        let square: Drawn<'_> = ("grid", 7, &|n| n * n);
        let then = findings(&[square]).answer.unwrap().memory_holder.unwrap().then.unwrap();
        assert!((then.cost / 512_000_f64.powi(2) - 1.0).abs() < 1e-3, "{then:?}");
        let most = named(&[("push", 40, &|n| 24 * n), ("name", 7, &|n| 8 * n)]);
        assert_eq!(most, Some(("a.c:40".to_owned(), Some("n".to_owned()))));
        assert_eq!(named(&[("push", 40, &|n| 24 * n), ("name", 7, &|n| 20 * n), ("", 0, &|n| 9 * n)]), None);
        assert_eq!(named(&[("push", 40, &|n| 24 * n), ("", 0, &|n| 90 * n)]), None);
    }
}
