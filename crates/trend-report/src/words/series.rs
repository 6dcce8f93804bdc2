//! Describes a series by size: its cost, its executions, and their input.

use trend_analyze::{SeriesModel, SeriesRow};
use trend_profile::{Observation, Variable};

use super::kinds;
use crate::layout::number;

/// Names the variables of a series, as in `rms`.
pub(crate) fn variables(row: &SeriesRow) -> String {
    row.variables.iter().map(|variable| variable.name()).collect::<Vec<_>>().join(", ")
}

/// Formats the fit `a + b·n^c` of a series; `–` if it has none.
pub(crate) fn fit(model: &SeriesModel) -> String {
    model.offset_power.map_or_else(
        || "–".to_owned(),
        |law| {
            // Without growth, the exponent has no meaning.
            if law.b == 0.0 {
                return number::significant(law.a, 2);
            }
            let sign = if law.b < 0.0 { '−' } else { '+' };
            format!(
                "{} {sign} {}·n^{}",
                number::significant(law.a, 2),
                number::significant(law.b.abs(), 2),
                number::significant(law.c, 2)
            )
        },
    )
}

/// Describes the cost, the number of executions, and the input. `by_rms` is the series of the same place by `rms`, if
/// this one is by `drms`.
pub(crate) fn facts(row: &SeriesRow, by_rms: Option<&SeriesRow>) -> Vec<String> {
    let words = row.kind.words();
    let own = match (row.self_sum, row.self_share) {
        (Some(own), Some(share)) => {
            format!("; {} self, {}", number::in_unit(own, &row.unit), number::share(share))
        }
        _ => String::new(),
    };
    let mut sizes = row.observations.iter().map(Observation::size);
    let range = match (sizes.next(), sizes.next_back()) {
        (Some(least), Some(most)) if row.variables.len() == 1 => {
            format!(
                " from {} to {} {}",
                number::size(least as f64),
                number::size(most as f64),
                words.size_unit
            )
        }
        (Some(only), None) if row.variables.len() == 1 => {
            format!(": {} {}", number::size(only as f64), words.size_unit)
        }
        _ => String::new(),
    };
    let costs = format!(
        "{} with callees, {} of the program{own}; {} with {}{range} ({}).",
        number::in_unit(row.cumulative(), &row.unit),
        number::share(row.share),
        number::plural(usize::try_from(row.count).unwrap_or(usize::MAX), words.execution),
        number::plural(row.sizes, "input size"),
        variables(row),
    );
    let origin = (row.kernel_input.is_some() || row.thread_input.is_some()).then(|| {
        let part = |part: Option<f64>| part.map_or("an unknown part".to_owned(), number::share);
        format!(
            "{} of its input came from the kernel (such as files), {} from other threads.",
            part(row.kernel_input),
            part(row.thread_input)
        )
    });
    let definition = row.variables.last().map(|variable| variable.definition().to_owned());
    let kinds = row.kinds.as_ref().map(kinds::sentence);
    [Some(costs), definition, origin, volume(row, by_rms), few_sizes(row), kinds]
        .into_iter()
        .flatten()
        .collect()
}

/// Maximum number of sizes by `rms` that suggests a single buffer, which is filled again and again.
const FEW_SIZES: usize = 3;

/// Factor between costs at one size above which the inputs probably differ in size.
const FAR_APART: u64 = 2;

/// Returns true if `rms` distinguishes few sizes and one of them has very different costs. `drms` may then distinguish
/// more.
pub(crate) fn has_few_sizes(row: &SeriesRow) -> bool {
    let is_wide = |o: &Observation| o.max > FAR_APART * o.min;
    row.variables == [Variable::Rms] && row.sizes <= FEW_SIZES && row.observations.iter().any(is_wide)
}

/// Explains that calls of one size by `rms` have very different costs, and what may distinguish them.
fn few_sizes(row: &SeriesRow) -> Option<String> {
    let words = row.kind.words();
    has_few_sizes(row).then(|| {
        format!(
            "Its {}s have only {}, but their costs differ widely. Build with `--metric drms` to count \
             what the kernel or another thread writes into a buffer again; if that does not help, the cost \
             depends on something that it does not read.",
            words.execution,
            number::plural(row.sizes, "size"),
        )
    })
}

/// Input that all calls read, and the part of it that only `drms` sees.
///
/// # Formula
/// Dynamic input `1 − Σ rms/Σ drms` over all calls; richness `sizes by drms/sizes by rms − 1`.
///
/// # Source
/// Coppa, Demetrescu, Finocchi and Marotta, *Estimating the Empirical Cost Function of Routines with Dynamic Workloads*
/// (CGO 2014).
pub(crate) struct InputVolume {
    /// Sum of the sizes of all calls.
    pub(crate) read: f64,
    /// Absent if the place has no series by `rms` to compare with.
    pub(crate) dynamic: Option<DynamicInput>,
}

pub(crate) struct DynamicInput {
    /// Share of the volume that only `drms` sees.
    pub(crate) share: f64,
    pub(crate) richness: f64,
}

/// Returns the volume, or `None` if sizes were measured in several variables. `by_rms` is the series of the same place
/// by `rms`, if `row` is by `drms`.
pub(crate) fn input_volume(row: &SeriesRow, by_rms: Option<&SeriesRow>) -> Option<InputVolume> {
    let [_] = row.variables.as_slice() else { return None };
    let sum =
        |row: &SeriesRow| row.observations.iter().map(|o| o.size() as f64 * o.count as f64).sum::<f64>();
    let read = sum(row);
    let dynamic = by_rms.filter(|rms| rms.sizes > 0 && read > 0.0).map(|rms| DynamicInput {
        share: (1.0 - sum(rms) / read).max(0.0),
        richness: row.sizes as f64 / rms.sizes as f64 - 1.0,
    });
    Some(InputVolume { read, dynamic })
}

/// Describes the volume in a sentence.
fn volume(row: &SeriesRow, by_rms: Option<&SeriesRow>) -> Option<String> {
    let volume = input_volume(row, by_rms)?;
    let words = row.kind.words();
    let all =
        format!("All {}s together read {} {}", words.execution, number::size(volume.read), words.size_unit);
    let (Some(dynamic), Some(rms)) = (volume.dynamic, by_rms) else { return Some(format!("{all}.")) };
    Some(format!(
        "{all}, of which only drms sees {}; it has {} by drms and {} by rms (richness {}).",
        number::share(dynamic.share),
        number::plural(row.sizes, "size"),
        number::plural(rms.sizes, "size"),
        number::significant(dynamic.richness, 2),
    ))
}
