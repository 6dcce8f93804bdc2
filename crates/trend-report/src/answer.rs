//! The answer in two sentences: what the program costs at the target, and which line to look at.

use trend_analyze::{
    Answer, AnswerKind, AnswerPlace, Doubt, Elapsed, Findings, MemoryDoubt, MemoryOutlook, NextRuns, Point,
    Repeating, Row, RowLaw, TimeDoubt, TimeOutlook, TimePartKind,
};

use crate::document::Document;
use crate::style::{BOLD, NOTABLE, PLAIN};
use crate::text::{brief, shorten, visible};
use crate::{calibration, cells, growth, memory, number, point, verdict};

/// Functions in sentences are cut to this.
const NAME_WIDTH: usize = 48;

/// A day in seconds.
const DAY: f64 = 86_400.0;

/// Files to this,
const FILE_WIDTH: usize = 60;

/// and features to this.
const FEATURE_WIDTH: usize = 40;

/// What is not counted is worth a word where it takes this part of the time.
pub(crate) const NOTABLE_UNCOUNTED: f64 = 0.25;

/// The sentences of the findings' answer, and what formulas say; nothing where too few sizes were run and there are none.
pub fn answer(findings: &Findings) -> Vec<String> {
    let answer = findings.answer.as_ref();
    let cost = match answer {
        Some(answer) => Some(cost(answer, findings)),
        None => longest(findings),
    };
    let what_to_do = answer.and_then(|answer| {
        let sentences = [what_to_do(answer, findings), not_counted(answer)];
        sentences.into_iter().flatten().reduce(|all, more| format!("{all} {more}"))
    });
    let memory = answer.and_then(|answer| answer.memory_holder.as_ref()).map(memory::holder);
    let doubt = answer.and_then(|answer| time_doubt(answer.time.as_ref()?));
    let fragments = findings.fragments.as_ref().map(calibration::in_words);
    let of_memory = answer.and_then(|answer| memory_doubt(findings, answer.memory.as_ref()?));
    let fails = answer.and_then(|answer| may_fail(&findings.points[answer.point], findings));
    [fails, cost, what_to_do, memory, doubt, of_memory, fragments].into_iter().flatten().collect()
}

/// `At 10× (n = 600,000) it may fail: n = 80,000 was ended by signal 11.`: no prediction is worth more than that.
fn may_fail(at: &Point, findings: &Findings) -> Option<String> {
    findings.doubts.iter().find_map(|doubt| match doubt {
        Doubt::LargestFailed { feature, from, reason, timed_out: false, .. } => {
            let is_beyond = at.values.iter().any(|value| *value.feature == **feature && value.at >= *from);
            let from = number::size(*from);
            is_beyond.then(|| {
                format!("At {} it may fail: {} = {from} {reason}.", place(at, findings), visible(feature))
            })
        }
        _ => None,
    })
}

/// The same as paragraphs.
pub(crate) fn write(out: &mut Document, findings: &Findings) {
    let style = match findings.answer.as_ref().map(|answer| answer.kind) {
        Some(AnswerKind::Fix | AnswerKind::Open) => NOTABLE,
        _ => PLAIN,
    };
    for (i, sentence) in answer(findings).iter().enumerate() {
        out.paragraph(if i == 0 { BOLD } else { style }, sentence);
    }
}

/// `At 10× (n = 600,000): 5.6 s (4.6–7.3), 500 MB.`, or executions where no time can be trusted.
fn cost(answer: &Answer, findings: &Findings) -> String {
    let at = &findings.points[answer.point];
    let time = answer.time.as_ref();
    let counts = time.is_none_or(|time| !time.doubts.is_empty()).then(|| counts(answer, findings));
    let time = time.map(|time| in_seconds(time, counts.is_some()) + &day(time, at).unwrap_or_default());
    let unknown = || {
        let longest = findings.workloads.longest.as_ref().filter(|_| answer.time.is_some())?;
        Some(format!("memory unknown ({} in the longest run)", bytes_in_words(longest.peak_bytes as f64)))
    };
    let memory = answer.memory.as_ref().map(|memory| in_memory(memory, at)).or_else(unknown);
    let parts: Vec<String> = counts.into_iter().chain(time).chain(memory).collect();
    format!("At {}: {}.", place(at, findings), parts.join(", "))
}

/// `n=40000 takes 1.4 s and 5.3 MB of memory without counters. …`, where nothing is predicted.
pub(crate) fn longest(findings: &Findings) -> Option<String> {
    let run = findings.workloads.longest.as_ref()?;
    let law = RowLaw::of(&findings.total.models, findings.total.joint.as_ref());
    let missing = law.and_then(growth::missing).map(|missing| format!(": {missing}")).unwrap_or_default();
    let elapsed = run.elapsed_seconds / run.seconds;
    let elapsed = match Elapsed::of(elapsed) {
        Elapsed::AsProcessor => String::new(),
        _ => format!(" of processor time, {} elapsed,", time_in_words(run.elapsed_seconds, None)),
    };
    Some(format!(
        "{} takes {}{elapsed} and {} of memory without counters. How long other sizes take is not predicted{missing}.",
        shorten(&visible(&run.workload), FEATURE_WIDTH),
        time_in_words(run.seconds, None),
        bytes_in_words(run.peak_bytes as f64),
    ))
}

fn counts(answer: &Answer, findings: &Findings) -> String {
    let whole = answer.whole;
    if findings.unit.is_time() {
        return number::in_unit(whole.cost as u64, &findings.unit);
    }
    let (cost, unit) = (cells::point(&whole), visible(findings.unit.name()));
    let interval = whole.ci.map(number::cost_interval).filter(|interval| *interval != cost);
    let interval = interval.map(|interval| format!(" ({interval})")).unwrap_or_default();
    format!("{cost} {unit}{interval}")
}

/// `5.6 s (4.6–7.3)`, and what elapsed time has to do with it.
fn in_seconds(time: &TimeOutlook, is_doubtful: bool) -> String {
    let (size, unit) = unit_of_time(time.seconds);
    let perhaps = if is_doubtful { "perhaps " } else { "" };
    let of_processor = match time.elapsed_is {
        Elapsed::AsProcessor => String::new(),
        Elapsed::Shorter => {
            let elapsed = number::significant(time.seconds * time.elapsed / size, 2);
            format!(" of processor time, {elapsed} {unit} elapsed")
        }
        // What it waited for need not grow as its work does.
        Elapsed::Longer => {
            let longest = time_in_words(time.longest * time.elapsed, None);
            format!(" of processor time, elapsed unknown ({longest} in the longest run)")
        }
    };
    format!("{perhaps}{}{of_processor}", time_in_words(time.seconds, Some(time.ci)))
}

/// ` (a day's run: n = 55)`, of what takes longer.
fn day(time: &TimeOutlook, at: &Point) -> Option<String> {
    let largest = time.day_up_to.filter(|_| time.seconds > DAY)?;
    let feature = at.values.iter().find(|value| point::is_given(value))?;
    Some(format!(" (a day's run: {} = {})", visible(&feature.feature), number::size(largest)))
}

/// `5.6 s (4.6–7.3)`
pub(crate) fn time_in_words(seconds: f64, ci: Option<[f64; 2]>) -> String {
    let (size, unit) = unit_of_time(seconds);
    let text = |seconds: f64| number::significant(seconds / size, 2);
    let interval = ci.map(|[low, high]| format!(" ({}–{})", text(low), text(high)));
    format!("{} {unit}{}", text(seconds), interval.unwrap_or_default())
}

/// The largest unit of which there are two, in seconds.
fn unit_of_time(seconds: f64) -> (f64, &'static str) {
    let units = [(365.25 * DAY, "years"), (DAY, "days"), (3600.0, "h"), (60.0, "min"), (1.0, "s")];
    let is_enough = |(size, _): &(f64, &str)| seconds >= 2.0 * size;
    let sub_second = if seconds >= 0.1 { (1.0, "s") } else { (1e-3, "ms") };
    units.into_iter().find(is_enough).unwrap_or(sub_second)
}

/// `500 MB (450–560)`.
pub(crate) fn bytes_with_interval(bytes: f64, ci: Option<[f64; 2]>) -> String {
    let (size, unit) = unit_of_bytes(bytes);
    let text = |bytes: f64| number::significant(bytes / size, 2);
    let interval = ci.map(|[low, high]| format!(" ({}–{})", text(low), text(high)));
    format!("{} {unit}{}", text(bytes), interval.unwrap_or_default())
}

/// `500 MB (450–560) of memory`, and whether the machine has so much.
fn in_memory(memory: &MemoryOutlook, at: &Point) -> String {
    let perhaps = if memory.doubts.is_empty() { "" } else { "perhaps " };
    let bytes = format!("{perhaps}{} of memory", bytes_with_interval(memory.bytes, Some(memory.ci)));
    let Some(machine) = memory.machine_bytes.filter(|machine| memory.ci[1] > *machine as f64) else {
        return bytes;
    };
    if memory.bytes <= machine as f64 {
        return format!("{bytes}, perhaps more than the {} of the machine", bytes_in_words(machine as f64));
    }
    let feature = at.values.iter().find(|value| point::is_given(value));
    let fits = memory.fits_up_to.zip(feature).map(|(size, feature)| {
        format!(" (inputs fit up to {} = {})", visible(&feature.feature), number::size(size))
    });
    let machine = bytes_in_words(machine as f64);
    format!("{bytes}, more than the {machine} of the machine{}", fits.unwrap_or_default())
}

/// Why the seconds are not to be trusted, and what helps.
pub(crate) fn time_doubt(time: &TimeOutlook) -> Option<String> {
    Some(do_not_rely(*time.doubts.first()?, time.longest))
}

/// Why the memory is not to be trusted, and what helps.
pub(crate) fn memory_doubt(findings: &Findings, memory: &MemoryOutlook) -> Option<String> {
    let point = &findings.points[findings.answer.as_ref()?.point];
    let feature = visible(&point.values.iter().find(|value| point::is_given(value))?.feature);
    Some(match *memory.doubts.first()? {
        MemoryDoubt::Steps => {
            "Do not rely on the memory: it moves in steps, as that of an array that doubles when it is full."
                .to_owned()
        }
        MemoryDoubt::Faster => {
            "Do not rely on the memory: it grows faster than a line, or moves in steps; a larger run tells more.".to_owned()
        }
        MemoryDoubt::MayStep(between) => format!(
            "Do not rely on the memory: at these sizes steps, as of an array that doubles, look like a line; {feature} = {} may tell.",
            number::size(number::two_digits(between))
        ),
    })
}

/// The same of one doubt; the longest run is in seconds.
pub(crate) fn do_not_rely(doubt: TimeDoubt, longest: f64) -> String {
    format!("Do not rely on the seconds: {}.", doubt_in_words(doubt, longest))
}

/// The same as a part of a sentence; the longest run is in seconds.
pub(crate) fn doubt_in_words(doubt: TimeDoubt, longest: f64) -> String {
    match doubt {
        TimeDoubt::Short => {
            format!("the longest run took {}, and one of a second would tell", time_in_words(longest, None))
        }
        TimeDoubt::Scattered => {
            "time does not follow the counts in these runs: a run of three times the largest size would tell"
                .to_owned()
        }
        TimeDoubt::Cache => {
            "what it works on leaves a cache of this machine on the way to this size, and time grows faster \
                             there: a run of three times the largest size would tell"
                .to_owned()
        }
        TimeDoubt::Undecided => {
            "how the cost grows is not decided: a run of three times the largest size would tell".to_owned()
        }
        TimeDoubt::Disturbed => {
            "other processes had the processor, or the program waited, in every run".to_owned()
        }
    }
}

/// `10× (n = 600,000)`: a single size is also a multiple of the 95th percentile of the sizes that were run.
fn place(point: &Point, findings: &Findings) -> String {
    let mut given = point.values.iter().filter(|value| point::is_given(value));
    let given_sizes = point::given(point);
    let (Some(one), None) = (given.next(), given.next()) else { return given_sizes };
    let p95 = findings.features.iter().find(|feature| feature.name == one.feature).and_then(|f| f.p95);
    match p95.filter(|p95| *p95 > 0.0) {
        Some(p95) => format!("{}× ({given_sizes})", number::tick(number::two_digits(one.at / p95))),
        None => given_sizes,
    }
}

/// `1.4 MB`, in powers of ten.
pub(crate) fn bytes_in_words(bytes: f64) -> String {
    let (size, unit) = unit_of_bytes(bytes);
    format!("{} {unit}", number::significant(bytes / size, 2))
}

/// The largest unit of which there is one, in bytes.
fn unit_of_bytes(bytes: f64) -> (f64, &'static str) {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    units.into_iter().find(|(size, _)| bytes >= *size).unwrap_or((1.0, "bytes"))
}

/// `libc.so.6, which is not counted, takes 59 % of the time today.`
pub(crate) fn not_counted(answer: &Answer) -> Option<String> {
    let rows = answer.time_parts.iter().flat_map(|parts| &parts.rows);
    let not_counted = rows.filter(|part| part.kind != TimePartKind::Function);
    let most = not_counted.max_by(|a, b| a.share.total_cmp(&b.share))?;
    let name = match most.kind {
        TimePartKind::Kernel => "The kernel".to_owned(),
        _ => brief(&most.name, NAME_WIDTH),
    };
    let share = number::share(most.share);
    (most.share >= NOTABLE_UNCOUNTED)
        .then(|| format!("{name}, which is not counted, takes {share} of the time today."))
}

/// Whether work that matters was not counted, which may grow as it likes: counts say nothing of it.
pub(crate) fn is_partial(findings: &Findings) -> bool {
    verdict::is_uncounted(findings) || findings.answer.as_ref().and_then(not_counted).is_some()
}

fn what_to_do(answer: &Answer, findings: &Findings) -> Option<String> {
    let steady = if is_partial(findings) {
        "Of what was counted, nothing grows faster than n log n"
    } else {
        "Nothing grows faster than n log n"
    };
    let Some(place) = &answer.place else {
        return (answer.kind == AnswerKind::Steady).then(|| format!("{steady}."));
    };
    let (now, then) = (number::share(place.share), number::share(place.share_then));
    Some(match answer.kind {
        AnswerKind::Fix => {
            let is_trusted = answer.time.as_ref().is_some_and(|time| time.doubts.is_empty());
            let (now, then, of) = match place.time_shares.filter(|_| is_trusted) {
                Some([now, then]) => (number::share(now), number::share(then), "time"),
                None => (now, then, "cost"),
            };
            let repeating = place.repeating.as_ref().map(in_a_loop).unwrap_or_default();
            format!("Fix {}: {now} of the {of} today, {then} then.{repeating}", named(place))
        }
        AnswerKind::Steady => {
            let (is_first, now, then, of) =
                if let (Some([now, then]), Some(parts)) = (place.time_shares, &answer.time_parts) {
                    let functions = parts.rows.iter().filter(|part| part.kind == TimePartKind::Function);
                    let is_first = functions.map(|part| part.share_then).all(|share| share <= then);
                    (is_first, number::share(now), number::share(then), "time")
                } else {
                    let then_of = |row: &Row| Some(row.outlooks.get(answer.point)?.as_ref()?.cost);
                    let is_it = |row: &&Row| (&row.name, &row.file) == (&place.function, &place.file);
                    let of_place = findings.functions.iter().find(is_it).and_then(then_of);
                    let mut costs = findings.functions.iter().filter_map(then_of);
                    (costs.all(|cost| Some(cost) <= of_place), now, then, "cost")
                };
            let costliest = if is_first { "The costliest" } else { "The costliest of its own" };
            format!("{steady}. {costliest} is {}: {now} of the {of} today, {then} then.", named(place))
        }
        AnswerKind::Open => {
            let [low, high] = place.share_then_ci.unwrap_or([place.share_then; 2]).map(number::share);
            let next = answer.next.as_ref().map(to_know).unwrap_or_default();
            format!(
                "Whether {} will hurt is open: {now} of the cost today, {low} to {high} then.{next}",
                named(place)
            )
        }
    })
}

/// ` Run bytes = 50.0 M and 150 M to know.`
fn to_know(next: &NextRuns) -> String {
    let feature = shorten(&next.feature, FEATURE_WIDTH).into_owned();
    let sizes: Vec<String> = next.sizes.iter().map(|size| number::size(*size)).collect();
    let runs = match sizes.as_slice() {
        [] => return String::new(),
        [one] => format!("{feature} = {one}"),
        [one, two] => format!("{feature} = {one} and {two}"),
        [.., last] => format!("{} sizes up to {feature} = {last}", sizes.len()),
    };
    format!(" Run {runs} to know{}.", if next.decides { "" } else { " more" })
}

/// ` It is called as often as the loop at parse.c:12 in parse runs: it may be called there.`
fn in_a_loop(of: &Repeating) -> String {
    let place = named_by(&of.function, &of.file, of.line);
    format!(" It is called as often as the loop at {place} runs: it may be called there.")
}

fn named(place: &AnswerPlace) -> String {
    named_by(&place.function, &place.file, place.line)
}

/// `list.c:7 in last_node`.
fn named_by(function: &str, file: &str, line: u32) -> String {
    let function = brief(function, NAME_WIDTH);
    match (file, line) {
        ("", _) | (_, 0) => function,
        (file, line) => format!("{}:{line} in {function}", shorten(&visible(file), FILE_WIDTH)),
    }
}
