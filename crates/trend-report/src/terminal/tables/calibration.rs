//! Shows a machine's constants, and compares times predicted by formulas with measured times.

use trend_analyze::{CalibrationReport, FragmentsRun, curve};
use trend_profile::Constant;

use crate::layout::columns::{Columns, Room};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::{BOLD, DIM, DOUBTFUL, PLAIN};
use crate::layout::text::{brief, visible};
use crate::options::TableOptions;
use crate::words::calibration::most_of;

/// Maximum number of runs shown.
const USUAL_RUNS: usize = 20;

/// Returns the machine, its constants and the timed runs as tables for a terminal.
pub fn calibration_table(report: &CalibrationReport<'_>, options: &TableOptions) -> String {
    let CalibrationReport { machine, runs, .. } = report;
    let mut out = Document::new(options.terminal_width());
    let memory = number::bytes(machine.memory_bytes as f64, 2);
    let cores = number::plural(machine.cores as usize, "processor");
    out.paragraph(BOLD, &format!("{}: {cores}, {memory} of memory, {}", machine.cpu, machine.system));
    out.blank();
    if !machine.constants.is_empty() {
        out.paragraph(DIM, "Time per execution, with small and with large data");
        out.blank();
        constants(&mut out, &machine.constants);
        out.blank();
    }
    if !runs.is_empty() {
        comparison(&mut out, runs);
    }
    out.for_terminal()
}

fn constants(out: &mut Document, constants: &[Constant]) {
    let end = |constant: &Constant, is_large: bool| {
        let curve = curve(constant)?;
        let point = if is_large { curve.large() } else { curve.small() };
        let interval = number::significant_interval(point.interval.map(|end| end * 1e9));
        let time = format!("{} ns ({interval})", number::significant(point.seconds * 1e9, 3));
        Some((
            time,
            if point.bytes > 0.0 { format!("at {}", binary_bytes(point.bytes)) } else { String::new() },
        ))
    };
    let has_curve = |constant: &Constant| constant.points.len() > 1;
    let columns = Columns::new(constants)
        .left("constant", Room::Shrinks(8), |c| brief(&c.name, usize::MAX))
        .right("small", Room::Fixed, |c| end(c, false).map(|(time, _)| time))
        .left("", Room::Goes(2), |c| end(c, false).map(|(_, at)| at))
        .right("large", Room::Fixed, |c| end(c, true).filter(|_| has_curve(c)).map(|(time, _)| time))
        .left("", Room::Goes(1), |c| end(c, true).filter(|_| has_curve(c)).map(|(_, at)| at))
        .right("sizes", Room::Goes(3), |c| c.points.len().to_string());
    out.table(columns.columns);
}

/// Formats a number of bytes in binary units, because experiments use powers of two.
fn binary_bytes(bytes: f64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.into_iter().find(|(power, _)| bytes >= f64::from(1_u32 << power));
    let (size, unit) = unit.map_or((1.0, "bytes"), |(power, unit)| (f64::from(1_u32 << power), unit));
    format!("{} {unit}", number::significant(bytes / size, 3))
}

/// Writes the predicted and the measured time of each run.
fn comparison(out: &mut Document, runs: &[FragmentsRun]) {
    let mut longest: Vec<&FragmentsRun> = runs.iter().collect();
    longest.sort_by(|a, b| b.measured.total_cmp(&a.measured).then_with(|| a.workload.cmp(&b.workload)));
    let [least, median, most] = ratios(runs);
    let within = runs.iter().filter(|run| (2.0 / 3.0..=1.5).contains(&ratio(run))).count();
    out.paragraph(
        PLAIN,
        &format!(
            "For {}, the formulas predict {} to {} times the measured time (median {}); {within} of {} \
             are within a factor of 1.5.",
            number::plural(runs.len(), "timed run"),
            number::significant(least, 2),
            number::significant(most, 2),
            number::significant(median, 2),
            runs.len()
        ),
    );
    out.blank();
    let shown = &longest[..longest.len().min(USUAL_RUNS)];
    let columns = Columns::new(shown)
        .left("run", Room::Shrinks(10), |run| brief(&run.workload, usize::MAX))
        .right("measured", Room::Fixed, |run| number::seconds(run.measured, None))
        .right("by formulas", Room::Fixed, |run| {
            number::seconds(run.predicted.seconds, Some(run.predicted.ci))
        })
        .right("ratio", Room::Fixed, |run| number::significant(ratio(run), 2))
        .left("most of it", Room::Goes(1), |run| most_of(&run.predicted));
    out.table(columns.columns);
    if longest.len() > shown.len() {
        let more = number::plural(longest.len() - shown.len(), "shorter run");
        out.more(more, "--format json has all".to_owned());
    }
    if let Some(beyond) = longest.iter().find(|run| !run.predicted.beyond.is_empty()) {
        let names = beyond.predicted.beyond.iter().map(|name| visible(name)).collect::<Vec<_>>().join(", ");
        out.blank();
        out.item(
            "? ",
            DOUBTFUL,
            &format!("{names}: measured with less memory than the runs use; raise it with `--largest`."),
        );
    }
}

/// Returns the predicted time divided by the measured time.
fn ratio(run: &FragmentsRun) -> f64 {
    run.predicted.seconds / run.measured
}

/// Returns the smallest, the median and the largest ratio; NaN without runs.
fn ratios(runs: &[FragmentsRun]) -> [f64; 3] {
    let mut ratios: Vec<f64> = runs.iter().map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    match ratios.as_slice() {
        [] => [f64::NAN; 3],
        [first, .., last] => [*first, ratios[ratios.len() / 2], *last],
        [one] => [*one; 3],
    }
}
