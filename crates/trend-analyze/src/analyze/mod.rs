//! Runs the whole analysis, step by step. `summary` computes single numbers and lists of runs.

pub(crate) mod summary;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;
use trend_answer::raised;
use trend_profile::{LocationId, Noted, Study, Warning, WarningKind};

use self::summary::{feature_summaries, workloads};
use crate::answer::calling_lines;
use crate::clusters::{Clustering, Group, Seed};
use crate::error::AnalyzeError;
use crate::findings::answer::Answer;
use crate::findings::doubt::Doubt;
use crate::findings::law::Fits;
use crate::findings::model::Model;
use crate::findings::row::{
    Cluster, Member, Representative, RepresentativeKind, Row, Total, notable_functions,
};
use crate::findings::structure::Decomposition;
use crate::findings::{FeatureSummary, Findings, Intervals, Locations, Program, SCHEMA};
use crate::fit::budget::{Budget, LeftOut, MOST_MEMBERS};
use crate::fit::factors::Entries;
use crate::fit::modeller::{Attention, IN_FULL, Modeller, as_costs};
use crate::fit::{factors, whole};
use crate::forecast::fragments::fragments;
use crate::forecast::outliers::scatter;
use crate::forecast::outlook::widen;
use crate::forecast::overtaking::Horizon;
use crate::forecast::row_models::{RowModels, costliest, max_share, share_of_largest};
use crate::forecast::{memory_lines, overtaking, today};
use crate::options::{Advise, Options, Rows};
use crate::study::names::{location_names, without_arguments};
use crate::study::point::{fillings, points, target};
use crate::study::survey::{Survey, survey};
use crate::{advice, clusters, doubts, error, loops, series};

/// Analyses a study.
///
/// - Time: dominated by clustering, O(locations · (workloads + clusters)), the growth classes, O(rows · features ·
///   workloads), and the bootstrap's intervals, O(rows · features · resamples · workloads). Uses the threads of rayon's
///   current pool; their number does not affect the result.
///
/// # Errors
/// See [`AnalyzeError`].
pub fn analyze(study: &Study, options: &Options) -> Result<Findings, AnalyzeError> {
    error::check(study, options)?;
    let Survey { totals, greatest, varying } = survey(study, options.min_deviation);
    let points = points(study, &totals, &options.at);
    let prepare = || (location_names(study), Modeller::new(study, options, &points));
    let ((names, modeller), clustering) =
        rayon::join(prepare, || clusters::cluster(study, &varying, options));
    let total_fits = modeller.fit_jointly(study, &totals, modeller.models(&as_costs(&totals)));
    let function_names: Vec<Arc<str>> =
        study.functions().iter().map(|function| function.symbol.name.as_str().into()).collect();
    let budget = Budget::for_study(study);
    let row_models =
        RowModels { study, options, totals: &totals, modeller: &modeller, budget, points: &points };
    let entries = Entries::new(study);
    let analysis = Analysis {
        study,
        options,
        names: &names,
        own: study.own_files(),
        function_names: &function_names,
        totals: &totals,
        greatest: &greatest,
        total_models: &total_fits.models,
        modeller: &modeller,
        entries: &entries,
        budget,
        rows: &row_models,
    };

    let features = feature_summaries(study, &clustering);
    let locations = Locations {
        total: study.blocks().count(),
        varying: clustering.varying(),
        unstable: study.blocks().filter(|&l| study.is_unstable(l)).count(),
    };
    let is_requested = |rows| options.rows.contains(&rows);
    let mut left_out = Vec::new();
    let mut record = |kind: &'static str, (rows, omitted): (Vec<Row>, LeftOut)| {
        left_out.extend(omitted.doubts(kind));
        rows
    };
    let has_functions = is_requested(Rows::Functions) || options.growth;
    let functions = if has_functions { record("functions", row_models.functions()) } else { Vec::new() };
    let lines = is_requested(Rows::Lines).then(|| record("lines", row_models.lines(|_, _| true)));
    let blocks = is_requested(Rows::Blocks).then(|| record("blocks", row_models.blocks(&names)));
    let (mut clusters, omitted) = analysis.clusters(clustering, &features);
    left_out.extend(omitted.doubts("clusters"));
    widen(&mut clusters, &functions);
    let (models, parts) = whole::total_models(&modeller, &totals, &total_fits.models, &functions, &clusters);
    let mut fits = Fits { models, joint: total_fits.joint.clone() };
    let own = row_models.outlooks(&fits).into_iter().enumerate();
    let at = |i: usize| functions.iter().map(move |row| row.outlooks.get(i).copied().flatten());
    let outlooks: Vec<_> = own.map(|(i, own)| raised(own, at(i))).collect();
    let whole = advice::Whole { study, options, totals: &totals, parts: &parts, outlooks: &outlooks };
    if options.advise != Advise::Nothing {
        left_out.extend(advice::fill_in(&whole, &mut clusters, &mut fits.models));
    }
    let max_cost = totals.iter().copied().max().unwrap_or(0);
    let mut total = Total { max_cost, fits, outlooks, parts, scatter: None, costs: totals.clone() };
    total.scatter = total.law().and_then(|law| scatter(study, &totals, &law));
    let loop_findings = loops::loops(study, options, &modeller, &points);
    let (series, series_left_out) = series::series(study, options, &modeller);
    left_out.extend(series_left_out);
    left_out.extend(points_left_out(study));
    let mut findings = Findings {
        schema: SCHEMA,
        program: Program { name: study.program().to_owned() },
        unit: study.unit().clone(),
        seed: options.seed,
        alpha: options.alpha,
        level: options.level,
        intervals: options.intervals,
        resamples: if options.intervals == Intervals::Percentile { options.resamples } else { 0 },
        workloads: workloads(study),
        doubts: doubts::find(study, &features, &locations, &total, options, left_out)
            .into_iter()
            .chain(loop_findings.doubts())
            .collect(),
        clusters,
        functions,
        lines,
        blocks,
        series,
        memory_lines: memory_lines::memory_lines(study, &row_models),
        loops: loop_findings.rows,
        loop_functions: loop_findings.functions,
        total,
        features,
        locations,
        fillings: fillings(study, &totals),
        points,
        workload_names: study.workloads().iter().map(|w| w.name.clone()).collect(),
        feature_values: study.features().iter().map(|f| f.values.clone()).collect(),
        answer: None,
        fragments: None,
    };
    take_notes(study, &mut findings);
    calling_lines::fill_in(study, &entries, &names, &mut findings);
    let now = today::fill_in(study, &mut findings);
    findings.answer = now.and_then(|now| Answer::new(&findings, study, options, now));
    match target(&findings.points).and_then(|point| fragments(study, &findings.points[point])) {
        Some(Ok(outlook)) => findings.fragments = Some(outlook),
        Some(Err(error)) => {
            let why = format!("no time by formulas: {error}; read them again with `trend-prof calibrate`");
            findings.doubts.push(Doubt::Recorded(Warning::new(WarningKind::Formulas, why)));
        }
        None => {}
    }
    Ok(findings)
}

/// Puts the study's notes on their rows.
fn take_notes(study: &Study, findings: &mut Findings) {
    for note in study.notes() {
        let text = Some(note.text.clone());
        match &note.on {
            Noted::Function { name, file } => {
                let mut functions = findings.functions.iter_mut();
                if let Some(row) = functions.find(|row| row.name == *name && row.file == *file) {
                    row.note = text;
                }
            }
            Noted::Cluster { representative } => {
                let mut clusters = findings.clusters.iter_mut();
                if let Some(row) = clusters.find(|row| row.representative.name == *representative) {
                    row.note = text;
                }
            }
        }
    }
}

/// Returns a doubt if there are too many workloads to fit growth classes to all of them.
fn points_left_out(study: &Study) -> Option<Doubt> {
    let all = study.workloads().len();
    (all > IN_FULL && !study.features().is_empty()).then_some(Doubt::PointsLeftOut {
        points: "workloads",
        most: IN_FULL,
        all,
    })
}

/// Data that the steps share.
struct Analysis<'a> {
    study: &'a Study,
    options: &'a Options,
    names: &'a [Arc<str>],
    /// The user's own files.
    own: HashSet<&'a str>,
    function_names: &'a [Arc<str>],
    totals: &'a [u64],
    /// The greatest cost of every location.
    greatest: &'a [u64],
    total_models: &'a [Model],
    modeller: &'a Modeller,
    entries: &'a Entries<'a>,
    budget: Budget,
    rows: &'a RowModels<'a>,
}

impl Analysis<'_> {
    fn clusters(&self, clustering: Clustering, features: &[FeatureSummary]) -> (Vec<Cluster>, LeftOut) {
        let mut groups: Vec<&Group> = clustering.groups.iter().filter(|g| !g.rows.is_empty()).collect();
        let mut left_out =
            LeftOut { rows: groups.len().saturating_sub(self.budget.rows), ..LeftOut::default() };
        if left_out.rows > 0 {
            // Storing the costs of all rows takes more memory than the study, so they are computed again for the rows
            // that stay.
            let most = |group: &&Group| clustering.cost(self.study, group).into_iter().max();
            let greatest: Vec<Option<u64>> = groups.par_iter().map(most).collect();
            groups = costliest(&groups, &greatest, self.budget.rows);
        }
        let costs: Vec<Vec<u64>> =
            groups.par_iter().map(|group| clustering.cost(self.study, group)).collect();
        let shares: Vec<f64> = costs.par_iter().map(|row| max_share(row, self.totals)).collect();
        let mut attention: Vec<Attention> =
            shares.iter().map(|&share| self.rows.attention(share).max(Attention::Passing)).collect();
        left_out.classes = self.budget.lower(&mut attention, &shares);
        let is_named = |name: &str, i: usize| {
            clustering.members(groups[i]).any(|(id, _)| self.names[id.index()].contains(name))
        };
        self.rows.attend_to_wanted(&mut attention, &costs, is_named);
        let requests: Vec<_> = costs.iter().map(Vec::as_slice).zip(attention.iter().copied()).collect();
        let models = self.modeller.models_of_rows(&requests);
        let mut clusters: Vec<Cluster> = groups
            .par_iter()
            .zip(costs)
            .zip(models)
            .zip(attention)
            .map(|(((group, costs), models), attention)| {
                self.cluster(&clustering, group, costs, models, attention == Attention::Full)
            })
            .collect();
        drop(clustering);
        clusters.sort_by(|a, b| {
            b.max_cost.cmp(&a.max_cost).then_with(|| a.representative.name.cmp(&b.representative.name))
        });
        for (index, cluster) in clusters.iter_mut().enumerate() {
            cluster.rank = index + 1;
        }
        tell_apart(&mut clusters);
        let largest: Vec<Option<f64>> = features.iter().map(|f| f.max).collect();
        let costly_share = self.options.costly_share;
        overtaking::find(
            &mut clusters,
            &Horizon { largest: &largest, total: self.total_models, costly_share },
        );
        let mut listed = 0;
        for cluster in &mut clusters {
            let all = cluster.members.len();
            cluster.members.truncate(MOST_MEMBERS - listed);
            listed += cluster.members.len();
            left_out.members += all - cluster.members.len();
        }
        (clusters, left_out)
    }

    fn cluster(
        &self,
        clustering: &Clustering,
        group: &Group,
        costs: Vec<u64>,
        models: Vec<Model>,
        is_costly: bool,
    ) -> Cluster {
        let mut members: Vec<(LocationId, f64)> = clustering.members(group).collect();
        // The order of the locations in memory makes the lookups faster.
        members.sort_unstable_by_key(|&(location, _)| location);
        let mut members: Vec<(LocationId, Member)> =
            members.into_iter().map(|(location, r2)| (location, self.member(location, r2))).collect();
        members
            .sort_unstable_by(|(_, a), (_, b)| b.max_cost.cmp(&a.max_cost).then_with(|| a.name.cmp(&b.name)));
        let max_share = max_share(&costs, self.totals);
        let costly = max_share > self.options.costly_share;
        let first = members.iter().find(|(id, _)| group.seed == Seed::Location(*id)).or(members.first());
        let own = || members.iter().filter(|(_, m)| m.own);
        let is_loop = |id: LocationId| self.entries.is_repeated(self.study, id, self.greatest);
        let own = first
            .filter(|(_, m)| m.own)
            .or_else(|| own().find(|(id, _)| is_loop(*id)))
            .or_else(|| own().next());
        let namesake = own.or(first).map(|&(id, _)| id);
        let named_by = namesake.map(|id| self.names[id.index()].clone()).unwrap_or_default();
        let title = namesake.map(|id| self.title(id)).unwrap_or_default();
        let fits = if is_costly {
            self.modeller.fit_jointly(self.study, &costs, models)
        } else {
            Fits { models, joint: None }
        };
        let feature_name = |id: trend_profile::FeatureId| self.study.features()[id.index()].name.clone();
        let outlooks = self.rows.outlooks(&fits);
        let share_of_largest = share_of_largest(&costs, self.totals);
        Cluster {
            rank: 0,
            title,
            named_by,
            representative: match group.seed {
                Seed::Feature(id) => {
                    Representative { kind: RepresentativeKind::Feature, name: feature_name(id) }
                }
                Seed::Location(id) => Representative {
                    kind: RepresentativeKind::Location,
                    name: self.names[id.index()].to_string(),
                },
            },
            costly,
            max_cost: costs.iter().copied().max().unwrap_or(0),
            max_share,
            share_of_largest,
            share_now: share_of_largest,
            function_count: notable_functions(members.iter().map(|(_, member)| member)).len(),
            members: members.into_iter().map(|(_, member)| member).collect(),
            functions_within: Vec::new(),
            features: group.features.iter().map(|&f| feature_name(f)).collect(),
            fits,
            outlooks,
            decomposition: is_costly.then(|| self.decomposition(clustering, group)).flatten(),
            overtakes: Vec::new(),
            note: None,
            costs,
        }
    }

    fn decomposition(&self, clustering: &Clustering, group: &Group) -> Option<Decomposition> {
        let members: Vec<LocationId> = clustering.members(group).map(|member| member.0).collect();
        factors::decomposition(self.study, self.modeller, &members, self.greatest, self.entries)
    }

    /// Returns `file:line in function`; for an imported location, its name in the import.
    fn title(&self, id: LocationId) -> String {
        let location = self.study.location(id);
        let place = format!("{}:{}", location.file, location.line);
        let is_place = location.label.is_empty() || *location.label == *place;
        match &*self.function_names[location.function.index()] {
            function if is_place && location.line > 0 && !function.is_empty() => {
                format!("{place} in {function}")
            }
            _ => self.names[id.index()].to_string(),
        }
    }

    fn member(&self, id: LocationId, r2: f64) -> Member {
        let location = self.study.location(id);
        Member {
            name: self.names[id.index()].clone(),
            function: self.function_names[location.function.index()].clone(),
            file: location.file.clone(),
            own: self.own.contains(&*location.file),
            line: location.line,
            lines: location.lines.clone(),
            block: location.block,
            r2,
            max_cost: self.greatest[id.index()],
            unstable: self.study.is_unstable(id),
        }
    }
}

/// Appends its rank to the title of each cluster that shares its title, as shown, with another one.
fn tell_apart(clusters: &mut [Cluster]) {
    let mut shown: HashMap<String, usize> = HashMap::new();
    for cluster in clusters.iter() {
        *shown.entry(without_arguments(&cluster.title)).or_default() += 1;
    }
    for cluster in clusters {
        if shown[&without_arguments(&cluster.title)] > 1 {
            cluster.title = format!("{} #{}", cluster.title, cluster.rank);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_line_and_a_square(sizes: &[u64]) -> Findings {
        let row =
            |f: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
        let text = format!(
            "n: {}\na.c:1:line: {}\na.c:9:square: {}",
            row(&|n| n),
            row(&|n| 5000 * n),
            row(&|n| n * n / 2)
        );
        analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap()
    }

    #[test]
    fn a_cluster_is_named_by_the_costliest_line_of_the_users_own_and_by_its_rank_where_two_would_be_alike() {
        let title = |text: &str| {
            let findings = analyze(&Study::from_text(text).unwrap(), &Options::default()).unwrap();
            findings.clusters.into_iter().map(|c| (c.title, c.representative.name)).collect::<Vec<_>>()
        };
        let named = |title: &str, name: &str| (title.to_owned(), name.to_owned());
        let sizes = "n: 1 2 3 4 5 6 7 8\n";
        let (square, line) =
            ("1000 4000 9000 16000 25000 36000 49000 64000", "100 200 300 400 500 600 700 800");
        // The library's block costs more, and is the cluster's representative.
        let text = format!(
            "{sizes}/usr/vector:9:V<int>::at: {}\nmain.cpp:5:sum: {square}\nmain.cpp:4:sum: {square}",
            square.replace("000", "0000")
        );
        assert_eq!(title(&text), [named("main.cpp:4 in sum", "/usr/vector:9")]);
        let library = format!("{sizes}/usr/vector:9:V<int>::at: {square}\n/usr/vector:9:V<char>::at: {line}");
        let both = ["/usr/vector:9 in V<int>::at #1", "/usr/vector:9 in V<char>::at #2"];
        assert_eq!(title(&library).into_iter().map(|(title, _)| title).collect::<Vec<_>>(), both);
    }

    #[test]
    fn a_cluster_is_named_by_the_loop_rather_than_by_what_the_loop_calls() {
        use trend_profile::{Function, FunctionId, Kind, Location, StudyParts, Workload};
        let function = |name: &str, file: &str| Function::plain(name, file, 1);
        let functions =
            vec![function("at", "/usr/vector"), function("drop", "main.cpp"), function("find", "main.cpp")];
        let location = |index: u32, kind, line: u32| Location {
            function: FunctionId(index),
            block: line,
            ..Location::on_line(kind, &*functions[index as usize].file, line)
        };
        let row = |cost: fn(u64) -> u64| (1..=8).map(|i| cost(100 * i)).collect::<Vec<u64>>();
        let study = Study::new(StudyParts {
            workloads: (0..8).map(|i| Workload::imported(&format!("w{i}"))).collect(),
            locations: vec![
                location(0, Kind::Block, 9),
                location(1, Kind::Entry, 3),
                location(1, Kind::Block, 3),
                location(2, Kind::Entry, 5),
                location(2, Kind::Block, 6),
            ],
            counts: vec![
                row(|n| 10 * n * n),
                row(|n| 2 * n * n),
                row(|n| 2 * n * n),
                row(|n| n),
                row(|n| n * n),
            ],
            functions: functions.clone(),
            ..StudyParts::default()
        });
        let findings = analyze(&study.unwrap(), &Options::default()).unwrap();
        assert_eq!(findings.clusters[0].title, "main.cpp:6 in find");
    }

    #[test]
    fn the_share_of_the_costliest_run_leaves_a_startup_cost_out() {
        let findings = a_line_and_a_square(&[1, 10, 100_000]);
        let [square, line] = &findings.functions[..] else { panic!("{:?}", findings.functions) };
        assert!(line.max_share > 0.99 && (line.share_of_largest - 1.0 / 11.0).abs() < 1e-9, "{line:?}");
        assert!((square.share_of_largest - 10.0 / 11.0).abs() < 1e-9, "{square:?}");
        let of_cluster: f64 = findings.clusters.iter().map(|c| c.share_of_largest).sum();
        assert!((of_cluster - 1.0).abs() < 1e-9);
        assert_eq!(share_of_largest(&[3, 1, 2], &[4, 4, 0]), 0.75);
        assert_eq!(share_of_largest(&[0], &[0]), 0.0);
    }
}
