//! Writes the page of one cluster, for a terminal.

use std::collections::HashSet;

use trend_analyze::{Cluster, Findings, Member, RepresentativeKind, without_arguments};
use trend_profile::Study;

use super::source_lines;
use crate::layout::columns::{Cell, Columns, Room, WIDEST};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::{BOLD, DIM, DOUBTFUL, NOTABLE, PLAIN};
use crate::layout::text::{brief, cut, shorten, visible};
use crate::options::{By, TableOptions};
use crate::rows::item::{self, Item};
use crate::rows::place::member_place;
use crate::rows::scope::Scope;
use crate::terminal::frame::note;
use crate::terminal::laws::row::{models, of_row};
use crate::words::{cells, loops, study};

/// Maximum width of source text; the terminal may leave less.
const SOURCE_WIDTH: usize = 100;

/// Number of members listed by default.
const USUAL_MEMBERS: usize = 30;

/// Writes the page of one cluster. `place` is the requested member, if it is not the one that the cluster is named
/// after.
pub(crate) fn cluster_page(
    out: &mut Document,
    findings: &Findings,
    study: Option<&Study>,
    cluster: &Cluster,
    place: Option<&str>,
    scope: &Scope<'_>,
    options: &TableOptions,
) {
    if let Some(place) = place {
        part(out, findings, cluster, place, study);
        out.blank();
    }
    title(out, findings, cluster, study, options);
    out.blank();
    of_row(out, findings, &Item::of_cluster(cluster), scope);
    if let Some(factors) = loops::factors(findings, cluster) {
        out.paragraph(PLAIN, &format!("Its line is run {factors} times in a call."));
    }
    overtaking(out, findings, cluster);
    members(out, study, cluster, options.top.unwrap_or(USUAL_MEMBERS));
    models(out, findings, &cluster.fits.models);
}

/// Says that a place belongs to a cluster with another name, and adds the place's own cost.
fn part(out: &mut Document, findings: &Findings, cluster: &Cluster, place: &str, study: Option<&Study>) {
    let unit = study::unit(findings, study);
    let line = findings.lines.iter().flatten().find(|row| row.name == place);
    let member = cluster.members.iter().find(|m| *m.name == *place || member_place(m) == place);
    let own = match (line, member) {
        (Some(row), _) => {
            let shares = Item::of_row(0, row, By::Line).shares();
            format!(": up to {} {unit} by itself; {shares}", number::count(row.max_cost))
        }
        (None, Some(member)) => format!(": up to {} {unit} by itself", number::count(member.max_cost)),
        // The place is a further line of a block, which has no cost of its own.
        (None, None) => String::new(),
    };
    let name = brief(&cluster.title, 100);
    out.paragraph(PLAIN, &format!("{place} is in the cluster of {name}{own}."));
}

/// Maximum number of own lines listed, one per function, for a cluster of library code.
const MOST_OWN_LINES: usize = 8;

/// Writes the user's own lines that vary with a cluster whose costliest member is library code.
fn own_lines(out: &mut Document, cluster: &Cluster) {
    let (own, Some(costliest)) = (cluster.own_lines(), cluster.members.first()) else { return };
    if own.is_empty() {
        return;
    }
    // Keep the costliest line of each function.
    let mut functions = HashSet::new();
    let mut lines = own;
    lines.retain(|member| functions.insert((&*member.file, &*member.function)));
    let name = |m: &&Member| format!("{} in {}", member_place(m), without_arguments(&m.function));
    let mut named: Vec<String> = lines.iter().map(name).collect();
    let more = named.len().saturating_sub(MOST_OWN_LINES);
    named.truncate(MOST_OWN_LINES);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    let place = name(&costliest);
    out.paragraph(
        PLAIN,
        &format!(
            "Most of it is library code: {place}. Your lines that vary with it, including its callers: {}.",
            named.join("; ")
        ),
    );
}

fn title(
    out: &mut Document,
    findings: &Findings,
    cluster: &Cluster,
    study: Option<&Study>,
    options: &TableOptions,
) {
    let rank = format!("#{}  ", cluster.rank);
    let room = out.width.saturating_sub(crate::layout::text::width(&rank));
    let whole = || shorten(&visible(&cluster.title), WIDEST).into_owned();
    let name = if options.whole_names { whole() } else { brief(&cluster.title, room) };
    out.title(vec![Cell::styled(rank, DIM), Cell::styled(name, BOLD)]);
    let costly = if cluster.costly { "" } else { " (not a costly cluster)" };
    out.paragraph(
        PLAIN,
        &format!(
            "Up to {}, {}; {}{costly}; {}.",
            number::count(cluster.max_cost),
            study::unit(findings, study),
            Item::of_cluster(cluster).shares(),
            number::plural(cluster.members.len(), "location")
        ),
    );
    let follows = match cluster.representative.kind {
        RepresentativeKind::Feature => Some(&cluster.representative.name),
        RepresentativeKind::Location => None,
    };
    let names: Vec<_> = follows.into_iter().chain(&cluster.features).map(|f| shorten(f, 40)).collect();
    if !names.is_empty() {
        out.paragraph(PLAIN, &format!("Features that vary with it: {}.", names.join(", ")));
    }
    own_lines(out, cluster);
    note(out, cluster.note.as_deref());
}

fn overtaking(out: &mut Document, findings: &Findings, cluster: &Cluster) {
    let passed_by = findings.clusters.iter().flat_map(|c| c.overtakes.iter().map(move |o| (c, o)));
    let passed_by: Vec<_> = passed_by.filter(|(_, o)| o.cluster == cluster.representative.name).collect();
    if cluster.overtakes.is_empty() && passed_by.is_empty() {
        return;
    }
    out.heading("Overtaking");
    let at = |o: &trend_analyze::Overtaking| {
        format!(
            "at about {} = {}",
            shorten(&o.feature, 40),
            number::feature_size(&o.feature, number::two_digits(o.at))
        )
    };
    for o in &cluster.overtakes {
        let name = brief(item::passed(findings, o), 60);
        out.item("> ", NOTABLE, &format!("passes #{} {name} {}", o.rank, at(o)));
    }
    for (c, o) in passed_by {
        let name = brief(&c.title, 60);
        out.item("< ", PLAIN, &format!("is passed by #{} {name} {}", c.rank, at(o)));
    }
}

fn members(out: &mut Document, study: Option<&Study>, cluster: &Cluster, most: usize) {
    let shown: Vec<&Member> = cluster.members.iter().take(most).collect();
    if shown.is_empty() {
        return;
    }
    out.heading("Locations");
    let source = |m: &&Member| {
        let source = source_lines::text(study?, &m.file, m.line)?;
        Some(Cell::styled(cut(source.trim_start(), SOURCE_WIDTH), DIM))
    };
    let columns = Columns::new(&shown)
        .right("max cost", Room::Fixed, |m| cells::aligned(number::count(m.max_cost)))
        .left("location", Room::Shrinks(16), |m| visible(&m.name).into_owned())
        .left("", Room::Goes(1), |m| m.unstable.then(|| Cell::styled("~", DOUBTFUL)))
        .left("function", Room::Goes(3), |m| brief(&m.function, 24))
        .right("R²", Room::Goes(4), |m| number::r2(m.r2))
        .left("source", Room::Shrinks(12), source);
    out.table(columns.columns);
    let more = cluster.members.len() - shown.len();
    if more > 0 {
        let how = format!("--top {} shows all", cluster.members.len());
        out.more(number::more(more, "location"), how);
    }
    if shown.iter().any(|m| m.unstable) {
        out.paragraph(DIM, "~ counts differ between repeated runs.");
    }
}
