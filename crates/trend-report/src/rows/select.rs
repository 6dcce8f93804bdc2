//! Finds the item that the user named, or suggests similar names.

use std::collections::{BTreeMap, BTreeSet};

use trend_analyze::{
    Cluster, Findings, Member, MemoryLine, Row, SeriesRow, WAYS, bare_name, is_end_of, is_like, is_path_end,
    without_arguments,
};
use trend_profile::Noted;

use super::place::member_place;
use crate::error::ReportError;
use crate::layout::text::{CALLS, shorten, visible};

/// Number of names that an error suggests.
const SUGGESTIONS: usize = 3;

/// Maximum number of candidates that an error lists.
const MOST_CANDIDATES: usize = 8;

/// Maximum length of a name when it is compared, or printed in an error. Comparing takes time proportional to the
/// product of the lengths.
const LONGEST_NAME: usize = 100;

/// Returns the index of the feature of that name.
///
/// # Errors
/// [`ReportError::UnknownFeature`] if no feature has that name.
pub(crate) fn feature(findings: &Findings, name: &str) -> Result<usize, ReportError> {
    findings.feature(name).ok_or_else(|| ReportError::UnknownFeature {
        name: shown(name),
        nearest: nearest(name, findings.features.iter().map(|f| f.name.as_str())),
    })
}

/// Subject of a page.
#[derive(Clone, Debug)]
pub(crate) enum Subject<'a> {
    Cluster(&'a Cluster),
    /// A cluster, and the name of a place in it that is not the cluster's name.
    Place(&'a Cluster, String),
    Function(&'a Row),
    Line(&'a Row),
}

/// Returns the function or cluster that `name` refers to, for a note. A cluster may be given by its name, its rank or a
/// member. Returns `None` for a line in no cluster, because it cannot have a note.
///
/// # Errors
/// [`ReportError::Ambiguous`] if several items match, [`ReportError::Unknown`] if none does.
pub fn noted(findings: &Findings, name: &str) -> Result<Option<Noted>, ReportError> {
    Ok(match subject(findings, name)? {
        Subject::Function(row) => Some(Noted::Function { name: row.name.clone(), file: row.file.clone() }),
        Subject::Cluster(cluster) | Subject::Place(cluster, _) => {
            Some(Noted::Cluster { representative: cluster.representative.name.clone() })
        }
        Subject::Line(_) => None,
    })
}

/// Returns the subject that `name` refers to: a cluster by its name, rank or a member; a function by its name, the end
/// of it, or `FILE:NAME`; or a line in no cluster. A path may be given by its end, and `…` stands for any text.
///
/// # Errors
/// [`ReportError::Ambiguous`] if several items match, [`ReportError::Unknown`] if none does.
pub(crate) fn subject<'a>(findings: &'a Findings, name: &str) -> Result<Subject<'a>, ReportError> {
    if let Some(subject) = on_one_line(findings, name) {
        return Ok(subject);
    }
    let clusters = &findings.clusters;
    let rank: Option<usize> = name.strip_prefix('#').unwrap_or(name).parse().ok();
    let find = |matches: &dyn Fn(&Cluster) -> bool| clusters.iter().find(|c| matches(c));
    let is_titled = |c: &Cluster| c.title == name || without_arguments(&c.title) == name;
    let exact = find(&|c| c.representative.name == name).or_else(|| find(&|c| rank == Some(c.rank)));
    let exact = exact.or_else(|| find(&is_titled));
    if let Some(cluster) = exact {
        return Ok(Subject::Cluster(cluster));
    }
    if let Some(cluster) = find(&|c| c.members.iter().any(|m| *m.name == *name || member_place(m) == name)) {
        return Ok(in_cluster(cluster, name.to_owned()));
    }
    for is_meant in WAYS {
        let is_meant = |row: &&Row| is_meant((&row.name, &row.file), name);
        let functions: Vec<&Row> = findings.functions.iter().filter(is_meant).collect();
        match functions.as_slice() {
            [] => {}
            [one] => return Ok(Subject::Function(one)),
            several => {
                return Err(ambiguous(name, &several.iter().map(|row| full_name(row)).collect::<Vec<_>>()));
            }
        }
    }
    if let Some(subject) = called(findings, name)? {
        return Ok(subject);
    }
    place(findings, name)?.ok_or_else(|| unknown(findings, name))
}

/// Returns the series of the place that `name` refers to: by its name, the end of it, or `OBJECT:NAME`. They cover all
/// variables and contexts, in the findings' order. Returns none if no series has that name.
///
/// # Errors
/// [`ReportError::Ambiguous`] if several places match.
pub(crate) fn series<'a>(findings: &'a Findings, name: &str) -> Result<Vec<&'a SeriesRow>, ReportError> {
    for is_meant in WAYS {
        let is_meant = |row: &&SeriesRow| is_meant((&row.name, &row.object), name);
        let rows: Vec<&SeriesRow> = findings.series.iter().filter(is_meant).collect();
        let places: BTreeSet<_> = rows.iter().map(|row| (row.object.as_str(), row.name.as_str())).collect();
        if places.len() > 1 {
            let full = |(object, name): &(&str, &str)| format!("{object}:{name}");
            return Err(ambiguous(name, &places.iter().map(full).collect::<Vec<_>>()));
        }
        if !rows.is_empty() {
            return Ok(rows);
        }
    }
    Ok(Vec::new())
}

/// Returns the block of a line that costs most at the target, because the answer refers to that block. Returns `None`
/// if the name is not a line, or matches several files.
fn on_one_line<'a>(findings: &'a Findings, name: &str) -> Option<Subject<'a>> {
    let (_, line) = name.rsplit_once(':')?;
    let line: u32 = line.parse().ok()?;
    let members = findings.clusters.iter().flat_map(|cluster| &cluster.members);
    let mut files: Vec<&str> = members.filter(|m| on_line(m, name)).map(|m| &*m.file).collect();
    files.sort_unstable();
    files.dedup();
    let [file] = files.as_slice() else { return None };
    let place = findings.answer.as_ref().and_then(|answer| answer.place.as_ref());
    let place = place.filter(|place| place.file == *file && place.line == line);
    let is_there = |m: &Member| &*m.file == *file && m.line == line;
    let is_meant = |m: &Member| is_there(m) && place.is_none_or(|place| *m.function == *place.function);
    let begins = findings.costliest_block(is_meant).or_else(|| findings.costliest_block(is_there));
    let (cluster, _) = begins.or_else(|| findings.costliest_block(|m| on_line(m, name)))?;
    Some(in_cluster(cluster, format!("{file}:{line}")))
}

/// Returns the cluster, with the requested place if the cluster is not named after it.
fn in_cluster(cluster: &Cluster, place: String) -> Subject<'_> {
    let namesake = cluster.namesake().filter(|m| m.name == cluster.named_by);
    let is_name = namesake.is_some_and(|m| *m.name == *place || member_place(m) == place);
    if is_name { Subject::Cluster(cluster) } else { Subject::Place(cluster, place) }
}

/// Finds a line with the cost of a library function, `src/main.rs:6 → Vec::remove`, by the function's name.
fn called<'a>(findings: &'a Findings, name: &str) -> Result<Option<Subject<'a>>, ReportError> {
    let mut candidates: Vec<(&Cluster, &str)> = Vec::new();
    for cluster in &findings.clusters {
        let names = cluster.members.iter().map(|m| &*m.name);
        for member in names.filter(|m| callee(m).is_some_and(|callee| is_end_of(callee, name))) {
            // If several clusters have the location, take the most expensive.
            if candidates.iter().all(|(_, earlier)| *earlier != member) {
                candidates.push((cluster, member));
            }
        }
    }
    Ok(one(name, candidates.into_iter(), |(_, member)| member.to_owned())?
        .map(|(cluster, member)| in_cluster(cluster, member.to_owned())))
}

/// Returns the library function in the name of a line that calls it.
fn callee(member: &str) -> Option<&str> {
    member.split_once(CALLS).map(|(_, callee)| callee)
}

/// Finds a line, which may be in no cluster.
fn place<'a>(findings: &'a Findings, name: &str) -> Result<Option<Subject<'a>>, ReportError> {
    let members = || findings.clusters.iter().flat_map(|c| c.members.iter().map(move |m| (c, m)));
    let is_meant = |text: &str| is_path_end(text, name) || is_like(text, name);
    let mut clusters: Vec<(&Cluster, String)> = Vec::new();
    for (cluster, member) in members() {
        let on_line = on_line(member, name);
        if on_line || is_meant(&member.name) || is_meant(&member_place(member)) {
            // If several clusters have a block on the line, take the most expensive.
            let place = match name.rsplit_once(':') {
                Some((_, line)) if on_line => format!("{}:{line}", member.file),
                _ => member_place(member),
            };
            if clusters.iter().all(|(_, earlier)| *earlier != place) {
                clusters.push((cluster, place));
            }
        }
    }
    match clusters.as_slice() {
        [] => {}
        [(cluster, place)] => return Ok(Some(in_cluster(cluster, place.clone()))),
        several => return Err(ambiguous(name, &several.iter().map(|c| c.1.clone()).collect::<Vec<_>>())),
    }
    let lines = findings.lines.iter().flatten().filter(|row| row.name == name || is_meant(&row.name));
    Ok(one(name, lines, |row| row.name.clone())?.map(Subject::Line))
}

/// Returns the only item found, or `None` if there is none. Several are an error.
fn one<T: Copy>(
    name: &str,
    mut items: impl Iterator<Item = T>,
    full: impl Fn(T) -> String,
) -> Result<Option<T>, ReportError> {
    let Some(first) = items.next() else { return Ok(None) };
    let mut names = vec![full(first)];
    names.extend(items.map(full));
    if names.len() == 1 { Ok(Some(first)) } else { Err(ambiguous(name, &names)) }
}

fn ambiguous(name: &str, candidates: &[String]) -> ReportError {
    let more = candidates.len().saturating_sub(MOST_CANDIDATES);
    let candidates = candidates.iter().take(MOST_CANDIDATES).map(|name| shown(name)).collect();
    ReportError::Ambiguous { name: shown(name), candidates, more }
}

fn unknown(findings: &Findings, name: &str) -> ReportError {
    let clusters =
        findings.clusters.iter().flat_map(|c| [c.named_by.to_string(), c.representative.name.clone()]);
    let mut short: BTreeMap<String, usize> = BTreeMap::new();
    findings.functions.iter().for_each(|row| *short.entry(bare_name(&row.name)).or_default() += 1);
    // If several functions share a name, suggesting it would only lead to the next error.
    let short = short.into_iter().filter(|(_, count)| *count == 1).map(|(name, _)| name);
    let members = findings.clusters.iter().flat_map(|c| &c.members);
    let called = members.filter_map(|m| callee(&m.name)).map(str::to_owned);
    let routines = findings.series.iter().map(|row| row.name.clone());
    let functions = findings.functions.iter().map(|row| row.name.clone()).chain(short).chain(called);
    let functions = functions.chain(routines);
    let names: Vec<String> = clusters.chain(functions).filter(|name| !name.is_empty()).collect();
    ReportError::Unknown { name: shown(name), nearest: nearest(name, names.iter().map(String::as_str)) }
}

/// Returns a function's name with its file, which is unique.
fn full_name(row: &Row) -> String {
    if row.file.is_empty() { row.name.clone() } else { format!("{}:{}", row.file, row.name) }
}

/// Returns true if any of the member's lines is the `file:line` in `name`.
fn on_line(member: &Member, name: &str) -> bool {
    let Some((file, line)) = name.rsplit_once(':') else { return false };
    let same_file = *member.file == *file || is_path_end(&member.file, file);
    same_file && line.parse().is_ok_and(|line: u32| member.line == line || member.lines.contains(&line))
}

fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<String> {
    let start = |text: &str| text.chars().take(LONGEST_NAME).collect::<String>();
    let name = start(name);
    let mut scored: Vec<(f64, &str)> =
        candidates.map(|c| (strsim::jaro_winkler(&name, &start(c)), c)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(SUGGESTIONS).map(|(_, c)| shown(c)).collect()
}

fn shown(name: &str) -> String {
    shorten(&visible(name), LONGEST_NAME).into_owned()
}

/// Returns the lines that a word names: `FILE:LINE`, or all lines of a function.
pub(crate) fn memory_lines<'f>(findings: &'f Findings, word: &str) -> Vec<&'f MemoryLine> {
    let is_meant = |line: &&MemoryLine| {
        line.is_own() && (line.name == word || line.function == word || is_path_end(&line.name, word))
    };
    findings.memory_lines.iter().filter(is_meant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::bubble_sort;

    /// Returns the result of a search in a study with these functions.
    fn find(functions: &[(&str, &str)], name: &str) -> String {
        let mut findings = bubble_sort();
        let row = findings.functions[0].clone();
        let named =
            |&(file, name): &(&str, &str)| Row { name: name.into(), file: file.into(), ..row.clone() };
        findings.functions = functions.iter().map(named).collect();
        match subject(&findings, name) {
            Ok(Subject::Function(row)) => full_name(row),
            Ok(Subject::Cluster(cluster)) => format!("#{}", cluster.rank),
            Ok(Subject::Place(cluster, place)) => format!("#{}, {place}", cluster.rank),
            Ok(Subject::Line(row)) => row.name.clone(),
            Err(error) => error.to_string(),
        }
    }

    fn ambiguous(name: &str, candidates: [&str; 2]) -> ReportError {
        let (name, candidates) = (name.to_owned(), candidates.map(str::to_owned).to_vec());
        ReportError::Ambiguous { name, candidates, more: 0 }
    }

    #[test]
    fn a_function_is_found_by_its_name_its_end_or_with_its_file() {
        let functions =
            [("src/a.c", "insert"), ("src/b.c", "insert"), ("s.cc", "int sums::sum<int>(int, char) const")];
        for (name, expected) in [
            ("insert", "`insert` is ambiguous: src/a.c:insert; src/b.c:insert"),
            ("src/a.c:insert", "src/a.c:insert"),
            ("b.c:insert", "src/b.c:insert"),
            ("sum", "s.cc:int sums::sum<int>(int, char) const"),
            ("sums::sum", "s.cc:int sums::sum<int>(int, char) const"),
            ("int sums::sum<…>(…) const", "s.cc:int sums::sum<int>(int, char) const"),
            ("2", "#2"),
            ("n", "#3"),
        ] {
            assert_eq!(find(&functions, name), expected, "{name}");
        }
        let unknown = find(&functions, "um");
        let nearest = "sums::sum, int sums::sum<int>(int, char) const, bubble_sort.c:2";
        assert!(unknown.contains("`um`") && unknown.ends_with(&format!(": {nearest}")), "{unknown}");
    }

    #[test]
    fn a_library_function_is_found_by_the_line_that_calls_it() {
        let mut findings = bubble_sort();
        findings.clusters[0].members[1].name = "src/main.rs:6 → Vec::remove".into();
        findings.clusters[1].members[0].name = "src/main.rs:9 → <impl str>::find".into();
        let title = |findings: &Findings, name: &str| match subject(findings, name) {
            Ok(Subject::Place(cluster, place)) => format!("#{}, {place}", cluster.rank),
            Ok(other) => format!("{other:?}"),
            Err(error) => error.to_string(),
        };
        for name in ["remove", "Vec::remove", "src/main.rs:6 → Vec::remove"] {
            assert_eq!(title(&findings, name), "#1, src/main.rs:6 → Vec::remove");
        }
        assert_eq!(title(&findings, "find"), "#2, src/main.rs:9 → <impl str>::find");
        assert!(title(&findings, "move").contains("no cluster"));
        let error = title(&findings, "Remove");
        assert!(error.contains("nearest: Vec::remove"), "{error}");
        findings.clusters[2].members[0].name = "src/main.rs:7 → VecDeque::remove".into();
        let candidates = ["src/main.rs:6 → Vec::remove", "src/main.rs:7 → VecDeque::remove"];
        assert_eq!(subject(&findings, "remove").map(|_| ()), Err(ambiguous("remove", candidates)));
        // A function of the program takes precedence.
        findings.functions[0].name = "list::remove".into();
        assert!(matches!(subject(&findings, "remove"), Ok(Subject::Function(_))));
    }

    #[test]
    fn a_line_opens_the_block_that_the_answer_means() {
        let sizes: Vec<u64> = (0..10).map(|i| 100 << i).collect();
        let row =
            |f: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
        // One line has two blocks: one costs most today, the other will.
        let text = format!(
            "n: {}\na.c:9:find: {}\na.c:9:find: {}",
            row(&|n| n),
            row(&|n| 10_000 * n),
            row(&|n| n * n / 20)
        );
        let study = trend_profile::Study::from_text(&text).unwrap();
        let findings = crate::tests::analyze(&study, &trend_analyze::Options::default()).unwrap();
        let place = findings.answer.as_ref().unwrap().place.as_ref().unwrap();
        assert_eq!((&*place.function, place.line), ("find", 9));
        let Ok(Subject::Cluster(cluster) | Subject::Place(cluster, _)) = subject(&findings, "a.c:9") else {
            panic!()
        };
        let verdict = &cluster.fits.models[0].growth.as_ref().unwrap().verdict;
        assert_eq!((verdict.as_str(), cluster.rank), ("n^2", 2));
    }

    #[test]
    fn a_line_of_two_files_is_ambiguous() {
        let mut findings = bubble_sort();
        findings.clusters[0].members[0].file = "x/bubble_sort.c".into();
        findings.clusters[1].members[0].file = "y/bubble_sort.c".into();
        findings.clusters[1].members[0].line = 4;
        findings.clusters[1].members[0].name = "gone".into();
        findings.clusters[0].members[0].name = "gone".into();
        let error = subject(&findings, "bubble_sort.c:4").map(|_| ());
        // The name of a cluster takes precedence over everything else.
        assert_eq!(error, Ok(()));
        findings.clusters[0].representative.name = "other".into();
        let error = subject(&findings, "bubble_sort.c:4").unwrap_err();
        assert_eq!(error, ambiguous("bubble_sort.c:4", ["x/bubble_sort.c:4", "y/bubble_sort.c:4"]));
    }
}
