//! Describes the answer: the program's cost at the target, and the line to look at.

use trend_analyze::{
    Answer, AnswerGroup, AnswerKind, AnswerPlace, Doubt, Elapsed, Findings, Fits, MemoryDoubt, MemoryOutlook,
    NextRuns, Outlook, Point, Repeating, Row, RowLaw, Spread, TimeDoubt, TimeOutlook, TimePartKind, Unnamed,
};

use super::{calibration, cells, growth, memory, point};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::{BOLD, NOTABLE, PLAIN};
use crate::layout::text::{brief, shorten, visible};
use crate::words::verdict::statement;

/// Maximum width of a function's name in sentences.
pub(crate) const NAME_WIDTH: usize = 48;

/// Maximum width of a file's name in sentences.
const FILE_WIDTH: usize = 60;

/// Maximum width of a feature's name in sentences.
const FEATURE_WIDTH: usize = 40;

/// Returns the answer in sentences, with its doubts and the prediction by formulas. Without an answer (too few sizes),
/// it describes only the longest run, if there is one.
pub fn answer(findings: &Findings) -> Vec<String> {
    let answer = findings.answer.as_ref();
    let cost = match answer {
        Some(answer) => Some(cost(answer, findings)),
        None => longest(findings),
    };
    let what_to_do = answer.and_then(|answer| what_to_do(answer, findings));
    let memory = answer.and_then(|answer| answer.memory_holder.as_ref()).map(memory::holder);
    let doubts = answer.map(|answer| doubts(answer, findings).join(" ")).filter(|doubts| !doubts.is_empty());
    let fragments = findings.fragments.as_ref().map(calibration::in_words);
    let fails = answer.and_then(|answer| may_fail(&findings.points[answer.point], findings));
    [fails, cost, what_to_do, memory, doubts, fragments].into_iter().flatten().collect()
}

/// Lists the doubts about the predicted time and memory, and the gaps in both, in sentences.
fn doubts(answer: &Answer, findings: &Findings) -> Vec<String> {
    let (time, memory) = (answer.time.as_ref(), answer.memory.as_ref());
    let is_long = |time: &&TimeOutlook| time.seconds > number::DAY;
    let exceeds = |memory: &&MemoryOutlook| exceeds(memory) == Exceeds::Yes;
    let sentences = [
        hidden(&findings.total.fits, &findings.total.outlooks, answer, findings, "the whole program")
            .or_else(|| hidden_in_place(answer, findings)),
        time.and_then(time_doubt),
        time.and_then(wall_time_unknown),
        time.filter(is_long).and_then(|time| within_a_day(findings, time)),
        memory_unknown(findings),
        memory.and_then(|memory| memory_doubt(findings, memory)),
        memory.filter(exceeds).and_then(|memory| within_the_machine(findings, memory)),
        not_counted(findings),
    ];
    sentences.into_iter().flatten().collect()
}

/// Describes the part that the law of the named function may hide at the target.
fn hidden_in_place(answer: &Answer, findings: &Findings) -> Option<String> {
    let row = function_of(answer.place.as_ref()?, findings)?;
    hidden(&row.fits, &row.outlooks, answer, findings, &brief(&row.name, NAME_WIDTH))
}

/// Returns the row of the named function.
fn function_of<'a>(place: &AnswerPlace, findings: &'a Findings) -> Option<&'a Row> {
    findings.functions.iter().find(|row| row.name == place.function && row.file == place.file)
}

/// Describes the part that a row's law may hide at the target; `None` if the law has several features.
fn hidden(
    fits: &Fits,
    outlooks: &[Option<Outlook>],
    answer: &Answer,
    findings: &Findings,
    of: &str,
) -> Option<String> {
    let RowLaw::Of(model) = fits.law()? else { return None };
    let prediction = (*outlooks.get(answer.point)?)?;
    growth::hidden(model, prediction, &findings.points[answer.point], &findings.unit, Some(of))
}

/// Warns that the target may fail: `May fail at n = 600,000 (10×): the run at n = 80,000 was killed by signal 11.`
/// The warning comes first, because it outweighs any prediction.
fn may_fail(at: &Point, findings: &Findings) -> Option<String> {
    findings.doubts.iter().find_map(|doubt| match doubt {
        Doubt::LargestFailed { feature, from, reason, timed_out: false, .. } => {
            let is_beyond = at.values.iter().any(|value| *value.feature == **feature && value.at >= *from);
            let from = number::feature_size(feature, *from);
            is_beyond.then(|| {
                format!(
                    "May fail at {}: the run at {} = {from} {reason}.",
                    place(at, findings),
                    visible(feature)
                )
            })
        }
        _ => None,
    })
}

/// Writes the sentences of the answer as paragraphs.
pub(crate) fn write(out: &mut Document, findings: &Findings) {
    let style = match findings.answer.as_ref().map(|answer| answer.kind) {
        Some(AnswerKind::Fix | AnswerKind::Open | AnswerKind::Spread) => NOTABLE,
        _ => PLAIN,
    };
    for (i, sentence) in answer(findings).iter().enumerate() {
        out.paragraph(if i == 0 { BOLD } else { style }, sentence);
    }
}

/// Describes the predicted cost: `At n = 600,000 (10×): 5.6 s (4.6–7.3), 500 MB of memory.` Executions come last, and
/// only if the time is doubtful or unknown.
fn cost(answer: &Answer, findings: &Findings) -> String {
    let at = &findings.points[answer.point];
    let time = answer.time.as_ref();
    let counts = time.is_none_or(|time| !time.doubts.is_empty()).then(|| counts(answer, findings));
    let time = time.map(|time| in_seconds(time, counts.is_some()));
    let memory = answer.memory.as_ref().map(in_memory).or_else(|| heap(answer));
    // Costs that are times come first.
    let parts = if findings.unit.is_time() { [counts, time, memory] } else { [time, memory, counts] };
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("At {}: {}.", place(at, findings), parts.join(", "))
}

/// Describes the memory of the line that holds the most: `8.2 GB (7.9–8.5) of heap at a.c:7 alone`.
fn heap(answer: &Answer) -> Option<String> {
    let holder = answer.memory_holder.as_ref()?;
    let bytes = memory::bytes_of(holder.then.as_ref()?);
    Some(format!("{bytes} of heap at {} alone", shorten(&visible(&holder.name), FILE_WIDTH)))
}

/// Describes the cost of the longest run, for findings without a prediction: `n=40000 takes 1.4 s and 5.3 MB of memory
/// without counters. …`
pub(crate) fn longest(findings: &Findings) -> Option<String> {
    let run = findings.workloads.longest.as_ref()?;
    let law = findings.total.fits.law();
    let missing = law.and_then(growth::missing).map(|missing| format!(": {missing}")).unwrap_or_default();
    let elapsed = run.elapsed_seconds / run.seconds;
    let elapsed = match Elapsed::from_ratio(elapsed) {
        Elapsed::AsProcessor => String::new(),
        _ => format!(" of CPU time, {} of wall time", number::seconds(run.elapsed_seconds, None)),
    };
    Some(format!(
        "{} takes {}{elapsed} and {} of memory without counters. Time at other sizes is not \
         predicted{missing}.",
        shorten(&visible(&run.workload), FEATURE_WIDTH),
        number::seconds(run.seconds, None),
        number::bytes(run.peak_bytes as f64, 2),
    ))
}

fn counts(answer: &Answer, findings: &Findings) -> String {
    let whole = answer.whole;
    if findings.unit.is_time() {
        return number::in_unit(whole.cost as u64, &findings.unit);
    }
    let (cost, unit) = (cells::point(&whole), visible(findings.unit.name()));
    number::followed_by(format!("{cost} {unit}"), whole.ci.map(number::cost_ends))
}

/// Describes the CPU time, as in `5.6 s (4.6–7.3)`, and the wall time if it is shorter.
fn in_seconds(time: &TimeOutlook, is_doubtful: bool) -> String {
    let (size, unit) = number::unit_of_time(time.seconds);
    let about = if is_doubtful { "about " } else { "" };
    let of_processor = match time.elapsed_is {
        Elapsed::AsProcessor => String::new(),
        Elapsed::Shorter => {
            let elapsed = number::significant(time.seconds * time.elapsed / size, 2);
            format!(" of CPU time, {elapsed} {unit} of wall time")
        }
        Elapsed::Longer => " of CPU time".to_owned(),
    };
    format!("{about}{}{of_processor}", number::seconds(time.seconds, Some(time.ci)))
}

/// Says that the wall time is unknown if the program waits. Waiting time need not grow with the work.
pub(crate) fn wall_time_unknown(time: &TimeOutlook) -> Option<String> {
    let longest = number::seconds(time.longest * time.elapsed, None);
    (time.elapsed_is == Elapsed::Longer)
        .then(|| format!("Wall time is unknown; the longest run took {longest}."))
}

/// Names the largest size that a day is enough for.
pub(crate) fn within_a_day(findings: &Findings, time: &TimeOutlook) -> Option<String> {
    let feature = given_feature(findings)?;
    let largest = number::feature_size(&feature, time.day_up_to?);
    Some(format!("A day is enough up to {feature} = {largest}."))
}

/// Returns the feature of the answer's target; the first one if it gives several.
pub(crate) fn given_feature(findings: &Findings) -> Option<String> {
    let point = &findings.points[findings.answer.as_ref()?.point];
    Some(visible(&point.values.iter().find(|value| point::is_given(value))?.feature).into_owned())
}

/// Comparison of predicted memory with the machine's.
#[derive(PartialEq)]
enum Exceeds {
    No,
    Perhaps,
    Yes,
}

fn exceeds(memory: &MemoryOutlook) -> Exceeds {
    match memory.machine_bytes.map(|machine| machine as f64) {
        Some(machine) if memory.bytes > machine => Exceeds::Yes,
        Some(machine) if memory.ci[1] > machine => Exceeds::Perhaps,
        _ => Exceeds::No,
    }
}

/// Describes the memory, as in `500 MB (450–560) of memory`, with a note if the machine may have too little.
fn in_memory(memory: &MemoryOutlook) -> String {
    let about = if memory.doubts.is_empty() { "" } else { "about " };
    let bytes = format!("{about}{} of memory", number::bytes_with_interval(memory.bytes, Some(memory.ci)));
    let machine = number::bytes(memory.machine_bytes.unwrap_or_default() as f64, 2);
    match exceeds(memory) {
        Exceeds::No => bytes,
        Exceeds::Perhaps => format!("{bytes} (may exceed the machine's {machine})"),
        Exceeds::Yes => format!("{bytes} (more than the machine's {machine})"),
    }
}

/// Says that memory is unknown, and what the longest run took; `None` if none was timed.
pub(crate) fn memory_unknown(findings: &Findings) -> Option<String> {
    let answer = findings.answer.as_ref()?;
    answer.time.as_ref()?;
    if answer.memory.is_some() || heap(answer).is_some() {
        return None;
    }
    let longest = number::bytes(findings.workloads.longest.as_ref()?.peak_bytes as f64, 2);
    Some(format!("Memory is unknown; the longest run took {longest}."))
}

/// Names the largest size that the machine's memory is enough for.
pub(crate) fn within_the_machine(findings: &Findings, memory: &MemoryOutlook) -> Option<String> {
    let feature = given_feature(findings)?;
    let largest = number::feature_size(&feature, memory.fits_up_to?);
    let machine = number::bytes(memory.machine_bytes? as f64, 2);
    Some(format!("The machine's {machine} is enough up to {feature} = {largest}."))
}

/// Describes the first doubt about the predicted time, and the way to settle it.
pub(crate) fn time_doubt(time: &TimeOutlook) -> Option<String> {
    Some(do_not_rely(*time.doubts.first()?, time.longest_work()))
}

/// Describes the first doubt about the predicted memory, and the way to settle it.
pub(crate) fn memory_doubt(findings: &Findings, memory: &MemoryOutlook) -> Option<String> {
    let feature = given_feature(findings)?;
    Some(match *memory.doubts.first()? {
        MemoryDoubt::Steps => {
            "Memory is a rough guess: it grows in steps, like an array that doubles when full.".to_owned()
        }
        MemoryDoubt::Faster => {
            "Memory is a rough guess: it grows faster than linearly, or in steps; a larger run would \
             decide."
                .to_owned()
        }
        MemoryDoubt::MayStep(between) => format!(
            "Memory is a rough guess: at these sizes, arrays that double when full look linear; a run at {feature} = {} would \
             tell.",
            number::feature_size(&feature, number::two_digits(between))
        ),
    })
}

/// Describes a doubt about the time as a sentence. `longest` is the time of the longest run beyond the startup, in
/// seconds.
pub(crate) fn do_not_rely(doubt: TimeDoubt, longest: f64) -> String {
    format!("Time is a rough guess: {}.", doubt_in_words(doubt, longest))
}

/// Describes a doubt about the time as a clause. `longest` is the time of the longest run beyond the startup, in
/// seconds.
pub(crate) fn doubt_in_words(doubt: TimeDoubt, longest: f64) -> String {
    match doubt {
        TimeDoubt::Short => {
            format!(
                "the longest run worked for only {}; add one that takes a second",
                number::seconds(longest, None)
            )
        }
        TimeDoubt::Scattered => {
            "it does not follow the counts in these runs; runs of larger sizes would help".to_owned()
        }
        TimeDoubt::Cache => {
            "the working set outgrows a CPU cache before this size, and time grows faster from there; runs \
             of larger sizes would help"
                .to_owned()
        }
        TimeDoubt::Undecided => "the growth of the cost is unclear".to_owned(),
        TimeDoubt::Disturbed => {
            "every run waited, or shared the CPU with other processes; an idle machine would help".to_owned()
        }
    }
}

/// Names the target: `n = 600,000 (10×)`. The multiple refers to the 95th percentile of the measured sizes; it is shown
/// only for a single feature.
fn place(point: &Point, findings: &Findings) -> String {
    let mut given = point.values.iter().filter(|value| point::is_given(value));
    let given_sizes = point::given(point);
    let (Some(one), None) = (given.next(), given.next()) else { return given_sizes };
    let p95 = findings.features.iter().find(|feature| feature.name == one.feature).and_then(|f| f.p95);
    match p95.filter(|p95| *p95 > 0.0) {
        Some(p95) => format!("{given_sizes} ({}×)", number::tick(number::two_digits(one.at / p95))),
        None => given_sizes,
    }
}

/// Names the largest notable part of the time that is not counted: `libc.so.6 (not counted) takes 59 % of the time
/// now.`
pub(crate) fn not_counted(findings: &Findings) -> Option<String> {
    let most = findings.notable_uncounted().filter(|part| !is_interpreter(&part.name))?;
    let name = brief(&most.name, NAME_WIDTH);
    let code = match most.kind {
        TimePartKind::Kernel => "The kernel (not counted)".to_owned(),
        // Assembly, or libraries that were linked into the program.
        _ if most.name == findings.program.name => format!("Uncounted code in {name} itself"),
        _ => format!("{name} (not counted)"),
    };
    Some(format!("{code} takes {} of the time now.", number::share(most.share)))
}

/// Returns true if a part of the time is Python's interpreter, which executes the counted code.
fn is_interpreter(name: &str) -> bool {
    let is_version = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_program = name.strip_prefix("python").is_some_and(is_version);
    is_program || name.starts_with("libpython") && name.contains(".so")
}

fn what_to_do(answer: &Answer, findings: &Findings) -> Option<String> {
    if answer.kind == AnswerKind::Spread {
        return Some(no_single_place(answer));
    }
    let place = answer.place.as_ref()?;
    let shares = shares(answer, place);
    Some(match answer.kind {
        AnswerKind::Fix => {
            let growth = function_of(place, findings).and_then(|row| row.fits.law()).map(growth::of_law);
            let growth = growth.filter(|growth| !growth.is_empty());
            let growth = growth.map(|growth| format!(" ({growth})")).unwrap_or_default();
            format!("Fix {}{growth}: {shares}.{}", named(place), behind(place))
        }
        AnswerKind::Open => {
            let next = answer.next.as_ref().map(to_know).unwrap_or_default();
            format!("Watch {} (growth unclear): {shares}.{}{next}", named(place), behind(place))
        }
        AnswerKind::Steady | AnswerKind::Spread => {
            let costliest = match (place.costliest, place.time_shares) {
                (true, Some(_)) => "By time, the most expensive function",
                (true, None) => "The most expensive function",
                (false, _) => "Your most expensive function",
            };
            let claim = answer.unnamed.map(|unnamed| claim(unnamed, findings) + ". ").unwrap_or_default();
            format!("{claim}{costliest} is {}: {shares}.{}", named(place), behind(place))
        }
    })
}

/// Formats the shares today and at the target: `24 % of the time now, 29 % then`. If the growth is open, the second
/// is an interval: `20 % to 60 % then`.
fn shares(answer: &Answer, place: &AnswerPlace) -> String {
    let is_trusted = answer.time.as_ref().is_some_and(|time| time.doubts.is_empty());
    let of_time = match answer.kind {
        AnswerKind::Fix => place.time_shares.filter(|_| is_trusted),
        AnswerKind::Open => None,
        AnswerKind::Steady | AnswerKind::Spread => place.time_shares,
    };
    if let Some([now, then]) = of_time {
        return format!("{} of the time now, {} then", number::share(now), number::share(then));
    }
    let then = match place.share_then_ci.filter(|_| answer.kind == AnswerKind::Open) {
        Some(ci) => {
            let [low, high] = ci.map(number::share);
            if low == high { low } else { format!("{low} to {high}") }
        }
        None => number::share(place.share_then),
    };
    format!("{} of the cost now, {then} then", number::share(place.share))
}

/// Claims that no function grows too fast: `Nothing that takes 5 % or more of the cost at the target is known to
/// grow faster than n log n`.
fn claim(unnamed: Unnamed, findings: &Findings) -> String {
    let least = number::share(Answer::LEAST_SHARE);
    let restriction = match (findings.is_partial(), unnamed.large_only) {
        (false, false) => String::new(),
        (true, false) => " that was counted".to_owned(),
        (false, true) => format!(" that takes {least} or more of the cost at the target"),
        (true, true) => format!(" that was counted and takes {least} or more of the cost at the target"),
    };
    let grows = if unnamed.certain { "grows" } else { "is known to grow" };
    format!("Nothing{restriction} {grows} faster than n log n")
}

/// Explains that no single place decides: `No single function stands out: … The largest groups at the target: a.c:9 in
/// find (a group of 3 functions), 60 %; …`
fn no_single_place(answer: &Answer) -> String {
    let least = number::share(Answer::LEAST_SHARE);
    let why = match answer.spread {
        Some(Spread::SmallFast) => {
            format!("no function that grows faster than n log n reaches {least} of the cost at the target")
        }
        Some(Spread::FastGroup) => {
            "some blocks grow faster than n log n, but this is not certain for any function".to_owned()
        }
        Some(Spread::WholeFast) => {
            "the whole program grows faster than n log n, but this is not certain for any function".to_owned()
        }
        Some(Spread::AllSmall) | None => format!("no function reaches {least} of the cost at the target"),
    };
    let group = |group: &AnswerGroup| {
        let title = brief(&group.title, NAME_WIDTH);
        format!("{title}{}, {}", statement::span(group.functions), number::share(group.share_then))
    };
    let groups: Vec<String> = answer.groups.iter().map(group).collect();
    let largest = match groups.as_slice() {
        [] => String::new(),
        [one] => format!(" The largest group at the target: {one}."),
        _ => format!(" The largest groups at the target: {}.", groups.join("; ")),
    };
    format!("No single function stands out: {why}.{largest}")
}

/// Recommends runs: ` Run bytes = 50 MB and 150 MB to find out.`
fn to_know(next: &NextRuns) -> String {
    let feature = shorten(&next.feature, FEATURE_WIDTH).into_owned();
    let sizes: Vec<String> =
        next.sizes.iter().map(|size| number::feature_size(&next.feature, *size)).collect();
    let runs = match sizes.as_slice() {
        [] => return String::new(),
        [one] => format!("{feature} = {one}"),
        [one, two] => format!("{feature} = {one} and {two}"),
        [.., last] => format!("{} sizes up to {feature} = {last}", sizes.len()),
    };
    format!(" Run {runs} to {}.", if next.decides { "find out" } else { "learn more" })
}

/// Describes the calls that lead to the place, as in ` Its calls come from parse.c:12 in parse.`, its recursion, and a
/// loop that runs as often.
fn behind(place: &AnswerPlace) -> String {
    let at = |code: &Repeating| named_by(&code.function, &code.file, code.line);
    let called = place.caller.as_ref().filter(|_| place.is_own);
    let called = called.map(|caller| format!(" Its calls come from {}.", at(caller)));
    let branching = place
        .branching
        .as_ref()
        .map(|function| format!(" Recursion at {}: one call makes several recursive calls.", at(function)));
    let repeating = place.repeating.as_ref().map(in_a_loop);
    [called, branching, repeating].into_iter().flatten().collect()
}

/// Describes the loop that runs as often as the named function is called: ` The loop at parse.c:12 in parse runs as
/// often as this function is called, and may contain the call.`
fn in_a_loop(repeating: &Repeating) -> String {
    let place = named_by(&repeating.function, &repeating.file, repeating.line);
    format!(" The loop at {place} runs as often as this function is called, and may contain the call.")
}

/// Names the place: `list.c:7 in last_node`. For a library function, names the user's own line: `a.cpp:9 in main, which
/// calls std::find`.
fn named(place: &AnswerPlace) -> String {
    let Some(caller) = place.caller.as_ref().filter(|_| !place.is_own) else {
        return named_by(&place.function, &place.file, place.line);
    };
    let own = named_by(&caller.function, &caller.file, caller.line);
    format!("{own}, which calls {}", brief(&place.function, NAME_WIDTH))
}

/// Formats a line with its function, as in `list.c:7 in last_node`, or the function alone if the line is unknown.
fn named_by(function: &str, file: &str, line: u32) -> String {
    let function = brief(function, NAME_WIDTH);
    match (file, line) {
        ("", _) | (_, 0) => function,
        (file, line) => format!("{}:{line} in {function}", shorten(&visible(file), FILE_WIDTH)),
    }
}
