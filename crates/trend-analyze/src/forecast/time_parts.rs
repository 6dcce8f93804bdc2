//! Breaks the time at the target down into seconds of each function, of libraries and of the kernel.
//!
//! Samples of the largest run attribute its seconds. Functions grow like their counts. Parts without counts grow like
//! their samples did between two sizes. The parts add up to the seconds of the whole, which are known better.
//!
//! # Formula
//! In the largest sampled run, T is the CPU time, sᵢ a part's share of it, cᵢ the part's counts, and C the counts
//! of the whole. Primes mark the values at the target. D = (T′ ÷ T) ÷ (C′ ÷ C) is the factor by which a count becomes
//! slower.
//!
//! - A function: sᵢ · T · (c′ᵢ ÷ cᵢ) · D.
//! - A part without counts: sᵢ · T′ · (x′ ÷ x)^(p · τ² ÷ (τ² + σ²)). x is the size, or C if there is no single size. p
//!   is the slope of ln sᵢ over ln x between both sampled runs, and σ its standard error. Every timed run gives the
//!   kernel's time, so its slope is fitted to all. Unless samples show otherwise, a part is assumed to grow like the
//!   whole, give or take τ.
//! - The startup of the [`TimeLaw`] has no counts and does not grow. It is subtracted from T and T′, and from the parts
//!   without counts in proportion to their shares. Slopes come from runs that take at least twice the startup.
//! - All of them are scaled so that they add up to T′.

use std::collections::HashMap;

use trend_answer::{Growth, Outlook};
#[cfg(doc)]
use trend_model::TimeLaw;
use trend_profile::{Part, Sampled, SeriesKind, Study, Unit, Usage, Workload};

use super::seconds::larger;
use crate::findings::Findings;
use crate::findings::row::Row;
use crate::findings::time::{
    PartCounts, PartGrowth, SampledRun, TimeOutlook, TimePart, TimePartKind, TimeParts,
};
use crate::study::point::{Coordinate, Point, the_size};

/// Standard deviation of the powers by which shares of parts grow, before samples say anything (τ). It was chosen by
/// the median distance to the truth over 16 programs, at ten times the largest size: 0.149 with 0.3, 0.127 with 0.1,
/// and 0.128 if samples changed no share.
const USUAL_POWER: f64 = 0.1;

/// Minimum size of the runs that show how the kernel's time grows, relative to the largest.
const LEAST_SIZE: f64 = 0.1;

/// Maximum resolution of the kernel's accounting of its time, in seconds.
const TICK: f64 = 0.01;

/// Ratio of the growth by samples to the growth by counts, in either direction, above which samples contradict counts.
const CONTRADICTION: f64 = 1.25;

/// Minimum difference between the growth by samples and the growth by counts for a contradiction, in standard errors.
const ERRORS: f64 = 3.0;

/// A sampled run with its samples by part.
struct TimedSamples<'a> {
    position: usize,
    workload: &'a Workload,
    sampled: &'a Sampled,
    /// Resources of the run without sampling, which makes it longer.
    used: Usage,
    by_part: HashMap<Key<'a>, u64>,
    samples: u64,
}

/// Lookup key for a part of the time.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key<'a> {
    Of(&'a Part),
    Kernel,
}

impl<'a> TimedSamples<'a> {
    fn new((position, workload): (usize, &'a Workload)) -> Option<Self> {
        let sampled = workload.sampled.as_ref()?;
        let used = workload.timing.as_ref()?.median().filter(|used| !used.cpu().is_zero())?;
        let samples = Some(sampled.samples()).filter(|samples| *samples > 0)?;
        let mut by_part: HashMap<_, u64> = HashMap::new();
        for place in &sampled.places {
            let sum = by_part.entry(Key::Of(&place.part)).or_default();
            *sum = sum.saturating_add(place.samples);
        }
        Some(Self { position, workload, sampled, used, by_part, samples })
    }

    fn seconds(&self) -> f64 {
        self.used.cpu().as_secs_f64()
    }

    /// Returns the kernel's share of the time.
    fn of_kernel(&self) -> f64 {
        self.used.system.as_secs_f64() / self.seconds()
    }

    /// Returns the number of samples of a part. For the kernel, which is not sampled, it is the number that its share
    /// implies.
    fn samples_of(&self, key: Key<'_>) -> f64 {
        match key {
            Key::Kernel => self.of_kernel() * self.all(),
            Key::Of(_) => self.by_part.get(&key).copied().unwrap_or(0) as f64,
        }
    }

    /// Returns the number of all samples, including the ones that the kernel's share implies.
    fn all(&self) -> f64 {
        self.samples as f64 / (1.0 - self.of_kernel()).max(1.0 / self.samples as f64)
    }

    /// Returns a part's share and its binomial standard error.
    fn share(&self, key: Key<'_>) -> (f64, f64) {
        let share = match key {
            Key::Kernel => self.of_kernel(),
            Key::Of(_) => self.samples_of(key) / self.samples as f64 * (1.0 - self.of_kernel()),
        };
        (share, (share * (1.0 - share) / self.all()).sqrt())
    }

    fn run(&self) -> SampledRun {
        let workload = self.workload.name.clone();
        SampledRun {
            workload,
            seconds: self.seconds(),
            sampled_seconds: self.sampled.usage.cpu().as_secs_f64(),
            samples: self.samples,
            lost: self.sampled.lost,
        }
    }

    /// Returns the line of a function with the most samples.
    fn line(&self, part: &Part) -> u32 {
        let places = self.sampled.places.iter().filter(|place| place.part == *part && place.line > 0);
        places.max_by_key(|place| place.samples).map_or(0, |place| place.line)
    }
}

/// Returns the parts of the time at a point with known counts and time of the whole; `None` if no run was sampled.
pub(crate) fn time_parts(
    findings: &Findings,
    study: &Study,
    point: usize,
    whole: Outlook,
    time: &TimeOutlook,
) -> Option<TimeParts> {
    let mut samples: Vec<TimedSamples<'_>> =
        study.workloads().iter().enumerate().filter_map(TimedSamples::new).collect();
    samples.sort_by(|a, b| b.seconds().total_cmp(&a.seconds()));
    let run = samples.first()?;
    let smaller = samples.get(1);
    let rows: HashMap<(&str, &str), (usize, &Row)> =
        findings.functions.iter().enumerate().map(|(i, row)| ((&*row.name, &*row.file), (i, row))).collect();
    let keys = run.by_part.keys().copied().chain((run.of_kernel() > 0.0).then_some(Key::Kernel));
    let keys: Vec<(Key<'_>, Option<(usize, &Row)>)> = keys
        .map(|key| match key {
            Key::Of(Part::Function { name, file }) => (key, rows.get(&(&**name, &**file)).copied()),
            _ => (key, None),
        })
        .collect();
    let by_counts = |row: (usize, &Row)| by_counts(run, point, row);
    let uncounted = keys.iter().filter(|(_, row)| row.and_then(by_counts).is_none());
    let uncounted = uncounted.map(|(key, _)| run.share(*key).0).sum();
    let target = Target::new(findings, study, point, whole, time, &samples, uncounted)?;
    let mut parts: Vec<TimePart> = keys.into_iter().map(|(key, row)| target.part(key, row)).collect();
    let growing: Vec<trend_answer::Part> = parts.iter().map(|part| target.growing(part, findings)).collect();
    let shares = target.growth.shares(&growing).unwrap_or_else(|| vec![f64::NAN; parts.len()]);
    for (part, share_then) in parts.iter_mut().zip(shares) {
        part.share_then = share_then;
        part.seconds_then = share_then * time.seconds;
    }
    parts.sort_by(|a, b| {
        b.seconds_then.total_cmp(&a.seconds_then).then_with(|| (&a.name, &a.file).cmp(&(&b.name, &b.file)))
    });
    let (run, smaller) = (run.run(), smaller.map(TimedSamples::run));
    Some(TimeParts { run, smaller, counts: target.counts, size: target.size_of_run, rows: parts })
}

/// Returns true if the probe counted. It counts only instructions of the program's own code.
fn has_routines(study: &Study) -> bool {
    study.series().iter().any(|one| one.place.kind == SeriesKind::Routine)
}

/// Returns a row's cost at a point.
fn then(row: &Row, point: usize) -> Option<f64> {
    Some(row.outlooks.get(point).copied().flatten()?.cost)
}

/// Returns the counts that a function's time follows from a run to a point; `None` if they give no finite time.
fn by_counts(run: &TimedSamples<'_>, point: usize, (function, row): (usize, &Row)) -> Option<PartCounts> {
    let cost = *row.costs.get(run.position).filter(|cost| **cost > 0)? as f64;
    (then(row, point)? / cost).is_finite().then_some(PartCounts { function, cost })
}

/// Returns true if a run takes at least as long beyond its startup as for it. The work of shorter runs is known too
/// badly.
fn is_mostly_work(seconds: f64, startup: f64) -> bool {
    seconds >= 2.0 * startup
}

/// Ratios between the sampled runs and the target.
struct Target<'a> {
    run: &'a TimedSamples<'a>,
    smaller: Option<&'a TimedSamples<'a>>,
    point: usize,
    /// The cost of the whole in the run, and the run's size.
    counts: f64,
    size_of_run: Option<f64>,
    /// Factors from the run to the target.
    growth: Growth,
    /// Factors from the run to the smaller one, unless most of the smaller one is startup.
    shrinking: Option<Growth>,
    /// Factor by which the size grows between these runs, or the counts if there is no single size.
    size_before: Option<f64>,
    /// The power of the size that the kernel's share follows, and its standard error.
    of_kernel: Option<(f64, f64)>,
    /// True if callgrind counted.
    counts_libraries: bool,
}

/// Returns the power of the size that the kernel's share of the time beyond the startup follows in timed runs of the
/// largest sizes, and its standard error. The kernel's part of the startup is its part of `uncounted`, the share of the
/// sampled run's time without counts. Uses weighted least squares of the logarithms. k ticks have a standard error of √k,
/// so a run weighs as much as its time in the kernel.
fn power_of_kernel(
    study: &Study,
    size: &Coordinate,
    startup: f64,
    uncounted: f64,
    sampled: &TimedSamples<'_>,
) -> Option<(f64, f64)> {
    let in_kernel = if startup > 0.0 { startup * sampled.of_kernel() / uncounted } else { 0.0 };
    let values = &study.features()[size.id.index()].values;
    let workloads = study.workloads().iter().zip(values);
    let run =
        |(workload, size): (&Workload, &Option<f64>)| Some(((*size)?, workload.timing.as_ref()?.median()?));
    let larger = larger(study).and_then(|run| Some((run.value(&size.feature)?, run.timing.median()?)));
    let mut runs: Vec<(f64, f64, f64)> = workloads
        .filter_map(run)
        .chain(larger)
        .filter(|(_, used)| is_mostly_work(used.cpu().as_secs_f64(), startup))
        .map(|(size, used)| (size, used.system.as_secs_f64() - in_kernel, used.cpu().as_secs_f64() - startup))
        .filter(|(size, system, _)| *size > 0.0 && *system > 0.0)
        .map(|(size, system, all)| (size.ln(), (system / all).ln(), system))
        .collect();
    let largest = runs.iter().map(|(size, ..)| *size).fold(f64::NEG_INFINITY, f64::max);
    runs.retain(|(size, ..)| *size >= largest + LEAST_SIZE.ln());
    let all: f64 = runs.iter().map(|(.., system)| system).sum();
    let mean =
        |value: &dyn Fn(f64, f64) -> f64| runs.iter().map(|&(x, y, w)| w * value(x, y)).sum::<f64>() / all;
    let (size, share) = (mean(&|x, _| x), mean(&|_, y| y));
    let spread = mean(&|x, _| (x - size).powi(2));
    let slope = mean(&|x, y| (x - size) * (y - share)) / spread;
    let error = (TICK / (all * spread)).sqrt();
    Some((slope, error)).filter(|_| slope.is_finite())
}

impl<'a> Target<'a> {
    fn new(
        findings: &Findings,
        study: &Study,
        point: usize,
        whole: Outlook,
        time: &TimeOutlook,
        samples: &'a [TimedSamples<'a>],
        uncounted: f64,
    ) -> Option<Self> {
        let (run, smaller) = (samples.first()?, samples.get(1));
        let counts =
            |samples: &TimedSamples<'_>| findings.total.costs.get(samples.position).map(|cost| *cost as f64);
        let counted = counts(run).filter(|counts| *counts > 0.0)?;
        let at: &Point = &findings.points[point];
        let size = the_size(at);
        let size_of = |samples: &TimedSamples<'_>| {
            let size = study.features()[size.as_ref()?.id.index()].values[samples.position];
            size.filter(|size| *size > 0.0)
        };
        let size_of_run = size_of(run);
        let before = smaller.and_then(|smaller| match size_of_run {
            Some(of_run) => Some(of_run / size_of(smaller)?),
            None => Some(counted / counts(smaller)?),
        });
        let seconds = [run.seconds(), time.seconds];
        let sizes = size.as_ref().zip(size_of_run).map(|(size, of_run)| [of_run, size.at]);
        let startup = time.law.startup;
        let shrinking = smaller.and_then(|smaller| {
            let counts = counts(smaller).filter(|counts| *counts > 0.0)?;
            let seconds = [run.seconds(), smaller.seconds()];
            is_mostly_work(smaller.seconds(), startup)
                .then(|| Growth::new(startup, uncounted, seconds, [counted, counts], None))
        });
        Some(Self {
            run,
            smaller,
            point,
            counts: counted,
            size_of_run,
            growth: Growth::new(startup, uncounted, seconds, [counted, whole.cost], sizes),
            shrinking,
            size_before: before.filter(|before| *before > 1.0 && before.is_finite()),
            of_kernel: size.and_then(|size| power_of_kernel(study, size, startup, uncounted, run)),
            counts_libraries: study.unit().name() == Unit::INSTRUCTIONS && !has_routines(study),
        })
    }

    /// Returns a part without its time at the target.
    fn part(&self, key: Key<'_>, row: Option<(usize, &Row)>) -> TimePart {
        let (share, share_error) = self.run.share(key);
        let seconds = share * self.run.seconds();
        let by_counts = row.and_then(|row| by_counts(self.run, self.point, row));
        let (growth, power) = match by_counts {
            Some(_) => (PartGrowth::Counts, None),
            None => self.by_samples(key),
        };
        let (kind, name, file, line) = match key {
            Key::Kernel => (TimePartKind::Kernel, "", "", 0),
            Key::Of(Part::Library(name)) => (TimePartKind::Library, name.as_str(), "", 0),
            Key::Of(part @ Part::Function { name, file }) => {
                (TimePartKind::Function, name.as_str(), file.as_str(), self.run.line(part))
            }
        };
        TimePart {
            kind,
            name: name.to_owned(),
            file: file.to_owned(),
            line,
            share,
            share_error,
            share_smaller: self.smaller.map(|smaller| smaller.share(key).0),
            seconds,
            seconds_then: 0.0,
            share_then: 0.0,
            growth,
            counts: by_counts,
            power,
            is_counted: kind == TimePartKind::Function
                || kind == TimePartKind::Library && self.counts_libraries,
            contradicted: by_counts.is_some() && row.is_some_and(|(_, row)| self.contradicts(key, row)),
        }
    }

    /// Returns the data of a part that its time at the target depends on.
    fn growing(&self, part: &TimePart, findings: &Findings) -> trend_answer::Part {
        let of_counts =
            |counts: PartCounts| Some(then(&findings.functions[counts.function], self.point)? / counts.cost);
        let power = part.power.unwrap_or(0.0);
        trend_answer::Part { share: part.share, counts: part.counts.and_then(of_counts), power }
    }

    /// Returns the power of the size with which a part's share of the time grows, from the samples of both runs.
    fn by_samples(&self, key: Key<'_>) -> (PartGrowth, Option<f64>) {
        let of_kernel = self.of_kernel.filter(|_| key == Key::Kernel);
        let Some((power, error)) = of_kernel.or_else(|| self.power_before(key)) else {
            return (PartGrowth::Whole, None);
        };
        let certain = USUAL_POWER.powi(2) / (USUAL_POWER.powi(2) + error.powi(2));
        (PartGrowth::Samples, Some(certain * power))
    }

    /// Returns the power of the size by which the share of a part without counts grew between the sampled runs, and its
    /// standard error.
    fn power_before(&self, key: Key<'_>) -> Option<(f64, f64)> {
        let (growth, error) = self.growth_before(key)?;
        let usual = -self.shrinking?.of_uncounted(0.0).ln();
        let size = self.size_before?.ln();
        Some(((growth - usual) / size, error / size))
    }

    /// Returns the logarithm of the factor by which a part's time grew from the smaller run to the run, and its
    /// standard error.
    fn growth_before(&self, key: Key<'_>) -> Option<(f64, f64)> {
        let smaller = self.smaller?;
        // Half a sample is added, as having none may be an accident.
        let [now, before] = [self.run, smaller].map(|samples| samples.samples_of(key) + 0.5);
        let per_sample = (self.run.seconds() / self.run.all()) / (smaller.seconds() / smaller.all());
        Some(((now / before * per_sample).ln(), (1.0 / now + 1.0 / before).sqrt()))
    }

    /// Returns true if a function's time grew differently than its counts, assuming that they became slower like the
    /// whole's.
    fn contradicts(&self, key: Key<'_>, row: &Row) -> bool {
        let counts = |samples: &TimedSamples<'_>| {
            row.costs.get(samples.position).map(|cost| *cost as f64).filter(|cost| *cost > 0.0)
        };
        let differs = || {
            let (growth, error) = self.growth_before(key)?;
            let by_counts = -self.shrinking?.of_counted(counts(self.smaller?)? / counts(self.run)?).ln();
            Some((growth - by_counts).abs() > CONTRADICTION.ln() + ERRORS * error)
        };
        differs().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use trend_profile::{SampledPlace, StudyParts, Timing};

    use super::*;
    use crate::analyze::analyze;
    use crate::options::Options;

    /// A study of ten sizes; the last takes 2.7 s. In nanoseconds, `line` takes 1000 per n and `pairs` n². The samples
    /// may include code without counts.
    fn study(samples: impl Fn(f64) -> Vec<(Part, u64)>, system: f64) -> Study {
        Study::new(parts_of_study(samples, system)).unwrap()
    }

    fn parts_of_study(samples: impl Fn(f64) -> Vec<(Part, u64)>, system: f64) -> StudyParts {
        let sizes: Vec<f64> = (0..10).map(|i| f64::from(100 << i)).collect();
        let row = |f: &dyn Fn(f64) -> f64| {
            sizes.iter().map(|n| f(*n).round().to_string()).collect::<Vec<_>>().join(" ")
        };
        let [line, pairs] = [row(&|n| 1000.0 * n), row(&|n| n * n)];
        let text = format!("n: {}\na.c:4:line: {line}\na.c:9:pairs: {pairs}", row(&|n| n));
        let mut parts = StudyParts::from_text(&text).unwrap();
        for (workload, n) in parts.workloads.iter_mut().zip(&sizes) {
            let seconds = (1000.0 * n + n * n) / 1.0e9;
            let user = Duration::from_secs_f64(seconds * (1.0 - system));
            let usage = Usage {
                wall: Duration::from_secs_f64(seconds),
                user,
                system: Duration::from_secs_f64(seconds * system),
                peak_rss_bytes: 1 << 20,
            };
            workload.timing = Some(Timing { machine_memory_bytes: 0, runs: vec![usage] });
            if *n >= 25_600.0 {
                let place = |(part, samples)| SampledPlace { part, line: 7, samples };
                let places = samples(*n).into_iter().map(place).collect();
                let period = Duration::from_millis(1);
                workload.sampled = Some(Sampled { usage, period, lost: *n as u64 / 25_600, places });
            }
        }
        parts
    }

    fn function(name: &str) -> Part {
        Part::Function { name: name.to_owned(), file: "a.c".to_owned() }
    }

    fn library(name: &str) -> Part {
        Part::Library(name.to_owned())
    }

    fn parts_and_seconds(study: &Study) -> (TimeParts, f64) {
        let answer = analyze(study, &Options::default()).unwrap().answer.unwrap();
        (answer.time_parts.unwrap(), answer.time.unwrap().seconds)
    }

    fn part<'a>(parts: &'a TimeParts, name: &str) -> &'a TimePart {
        parts.rows.iter().find(|part| part.name == name).unwrap()
    }

    #[test]
    fn functions_grow_as_their_counts_and_all_parts_add_up_to_the_whole() {
        // Samples are proportional to counts. At 51,200, 1000·n : n² = 1 : 51.2.
        let study = study(|n| vec![(function("line"), 1000), (function("pairs"), n as u64)], 0.0);
        let (parts, seconds) = parts_and_seconds(&study);
        let smaller = parts.smaller.as_ref().unwrap();
        assert_eq!([parts.run.samples, smaller.samples], [52_200, 26_600]);
        assert_eq!([parts.run.lost, smaller.lost], [2, 1]);
        let [line, pairs] = ["line", "pairs"].map(|name| part(&parts, name));
        assert!((line.share - 1.0 / 52.2).abs() < 1e-9 && line.line == 7, "{line:?}");
        // √(p·(1 − p) ÷ N)
        let error = (1.0 / 52.2 * (51.2 / 52.2) / 52_200.0_f64).sqrt();
        assert!((line.share_error - error).abs() < 1e-12, "{line:?}");
        // At 512,000, the ratio is 1 : 512.
        assert!((line.share_then - 1.0 / 513.0).abs() < 1e-4, "{line:?}");
        assert!((pairs.share_then - 512.0 / 513.0).abs() < 1e-4, "{pairs:?}");
        assert!((line.seconds_then + pairs.seconds_then - seconds).abs() < 1e-9 * seconds);
        assert!(parts.rows.iter().all(|p| p.growth == PartGrowth::Counts && !p.contradicted), "{parts:?}");
        assert_eq!(parts.rows[0].name, "pairs");
    }

    #[test]
    fn libraries_and_the_kernel_grow_as_their_samples_did() {
        // libc takes a fifth of the smaller run, and its samples grow linearly.
        let of_whole = |n: f64| n / 2.0 * 10.0;
        let samples = |n: f64| {
            let libc = (of_whole(25_600.0) * 0.2 * (n / 25_600.0)).round();
            // A sample stands for the same number of seconds in both runs.
            let all = of_whole(25_600.0) * ((1000.0 * n + n * n) / (1000.0 * 25_600.0 + 25_600.0 * 25_600.0));
            vec![(function("pairs"), (all - libc) as u64), (library("libc.so.6"), libc as u64)]
        };
        let study = study(samples, 0.0);
        let (parts, seconds) = parts_and_seconds(&study);
        let libc = part(&parts, "libc.so.6");
        assert_eq!((libc.kind, libc.growth), (TimePartKind::Library, PartGrowth::Samples));
        // Ten times its seconds at 51,200. Scaling to the whole's time shifts all parts by 8 %; the assumption that
        // shares stay the same shifts libc by 4 % even against 7,700 samples.
        let expected = libc.seconds * 10.0;
        assert!((libc.seconds_then / expected - 1.0).abs() < 0.13, "{libc:?}, {seconds}");
        // The kernel takes a quarter of the time of every run, and keeps this share.
        let study = self::study(|n| vec![(function("pairs"), n as u64), (library("rare"), 1)], 0.25);
        let (parts, _) = parts_and_seconds(&study);
        let kernel = parts.rows.iter().find(|part| part.kind == TimePartKind::Kernel).unwrap();
        assert!((kernel.share - 0.25).abs() < 1e-9 && kernel.growth == PartGrowth::Samples, "{kernel:?}");
        assert!((kernel.share_then - 0.25).abs() < 0.02, "{kernel:?}");
        let rare = part(&parts, "rare");
        // One sample says next to nothing.
        assert!((rare.share_then / rare.share - 1.0).abs() < 0.1, "{rare:?}");
    }

    #[test]
    fn the_startup_does_not_grow() {
        // A library takes half a second in every run.
        let startup = Duration::from_millis(500);
        let mut parts = parts_of_study(
            |n| vec![(function("pairs"), ((1000.0 * n + n * n) / 1e5) as u64), (library("startup"), 5000)],
            0.0,
        );
        for workload in &mut parts.workloads {
            let run = &mut workload.timing.as_mut().unwrap().runs[0];
            (run.user, run.wall) = (run.user + startup, run.wall + startup);
        }
        let (parts, seconds) = parts_and_seconds(&Study::new(parts).unwrap());
        let library = part(&parts, "startup");
        assert!((library.seconds - 0.5).abs() < 0.01, "{library:?}");
        assert!((library.seconds_then - 0.5).abs() < 0.05, "{library:?}");
        assert!(seconds > 200.0, "{seconds}");
    }

    #[test]
    fn what_callgrind_counts_is_counted() {
        let counted = |unit: &str| {
            let parts = parts_of_study(|n| vec![(function("pairs"), 1), (library("libc"), n as u64)], 0.25);
            let (parts, _) =
                parts_and_seconds(&Study::new(StudyParts { unit: Unit::new(unit), ..parts }).unwrap());
            let mut counted: Vec<_> = parts.rows.iter().map(|part| (part.kind, part.is_counted)).collect();
            counted.sort_by_key(|(kind, _)| *kind as u8);
            counted.into_iter().map(|(_, is_counted)| is_counted).collect::<Vec<_>>()
        };
        assert_eq!(counted(""), [true, false, false]);
        assert_eq!(counted(Unit::INSTRUCTIONS), [true, true, false]);
    }

    #[test]
    fn the_kernel_grows_as_in_all_timed_runs() {
        let mut parts = parts_of_study(|n| vec![(function("pairs"), n as u64)], 0.0);
        let power = |parts: &StudyParts| {
            let (parts, _) = parts_and_seconds(&Study::new(parts.clone()).unwrap());
            parts.rows.iter().find(|part| part.kind == TimePartKind::Kernel).unwrap().power.unwrap()
        };
        for (i, workload) in parts.workloads.iter_mut().enumerate() {
            workload.timing.as_mut().unwrap().runs[0].system = Duration::from_micros(1000 << i);
        }
        let undisturbed = power(&parts);
        // Linear in n within n², as far as ticks of 10 ms in a second show.
        assert!((-0.3..-0.1).contains(&undisturbed), "{undisturbed}");
        // In the smaller sampled run, the kernel happens to take a third of its usual time.
        parts.workloads[8].timing.as_mut().unwrap().runs[0].system /= 3;
        assert!((power(&parts) / undisturbed - 1.0).abs() < 0.2);
    }

    #[test]
    fn samples_that_contradict_the_counts_are_a_doubt() {
        // `line` takes half of the time in both runs, though its counts grow half as fast as the whole's.
        let study = study(|n| vec![(function("line"), n as u64), (function("pairs"), n as u64)], 0.0);
        let (parts, _) = parts_and_seconds(&study);
        assert!(part(&parts, "line").contradicted && !part(&parts, "pairs").contradicted, "{parts:?}");
        // A few samples contradict nothing.
        let few = self::study(|_| vec![(function("line"), 5), (function("pairs"), 5)], 0.0);
        assert!(parts_and_seconds(&few).0.rows.iter().all(|part| !part.contradicted));
    }

    #[test]
    fn without_samples_there_are_no_parts() {
        let study = study(|_| Vec::new(), 0.0);
        assert!(analyze(&study, &Options::default()).unwrap().answer.unwrap().time_parts.is_none());
    }
}
