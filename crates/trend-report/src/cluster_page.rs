//! Everything about one cluster, for a terminal.

use std::collections::HashSet;

use trend_analyze::{Cluster, Findings, Member, RepresentativeKind, RowLaw, without_arguments};
use trend_profile::Study;

use crate::columns::{Cell, Room, Side, lay_out};
use crate::lines::Lines;
use crate::model_page::{column, doubts, heading, models, predictions, words};
use crate::plots::plots;
use crate::rows::{self, Item, Scope};
use crate::style::{BOLD, DIM, DOUBTFUL, HEADING, NOTABLE, PLAIN, paint};
use crate::table;
use crate::text::{brief, cut, shorten, source_line, visible};
use crate::{By, TableOptions, advice, cells, number, structure_page};

/// Members that are listed unless asked for more.
const USUAL_MEMBERS: usize = 30;

/// Everything about one cluster; `place` is what of it was asked for, where that is not what it is named by.
pub(crate) fn cluster_page(
    findings: &Findings,
    study: Option<&Study>,
    cluster: &Cluster,
    place: Option<&str>,
    scope: &Scope<'_>,
    options: &TableOptions,
) -> String {
    let mut out = Lines::new(options.terminal_width());
    if let Some(place) = place {
        part(&mut out, findings, cluster, place, study);
        out.blank();
    }
    title(&mut out, findings, cluster, study, options);
    out.blank();
    let law = scope.law(&cluster.models, cluster.joint.as_ref());
    if let Some(model) = scope.model(&cluster.models) {
        words(&mut out, findings, model, law, scope);
        plots(&mut out, findings, &cluster.costs, law.unwrap_or(RowLaw::Of(model)));
        // What one feature does not explain is no doubt of a law in several.
        let is_of_model = !matches!(law, Some(RowLaw::Joint(_)));
        if is_of_model {
            doubts(&mut out, model);
            advice::of_model(&mut out, model);
        }
        predictions(&mut out, findings, &Item::Cluster(cluster), scope);
        if let Some(split) = model.split.as_ref().filter(|_| is_of_model) {
            structure_page::split(&mut out, findings, split, &model.feature);
        }
        if let Some(parts) = &cluster.decomposition {
            structure_page::decomposition(&mut out, parts, &model.feature);
        }
    }
    overtaking(&mut out, findings, cluster);
    members(&mut out, study, cluster, options.top.unwrap_or(USUAL_MEMBERS));
    models(&mut out, findings, &cluster.models);
    out.finish()
}

/// That a place is in a cluster that is named by another one, and what it costs by itself.
fn part(out: &mut Lines, findings: &Findings, cluster: &Cluster, place: &str, study: Option<&Study>) {
    let unit = table::unit(findings, study);
    let line = findings.lines.iter().flatten().find(|row| row.name == place);
    let member = cluster.members.iter().find(|m| *m.name == *place || rows::place(m) == place);
    let own = match (line, member) {
        (Some(row), _) => {
            let shares = Item::Row { rank: 0, row, by: By::Line }.shares();
            format!(": at most {} {unit} by itself; {shares}", number::count(row.max_cost))
        }
        (None, Some(member)) => format!(": at most {} {unit} by itself", number::count(member.max_cost)),
        // A further line of a block, whose cost is that of its first.
        (None, None) => String::new(),
    };
    let name = brief(&cluster.title, 100);
    out.paragraph(PLAIN, &format!("{place} is in the cluster of {name}{own}."));
}

/// Functions with lines that vary with code that is not the user's, as far as they are named.
const MOST_OWN_LINES: usize = 8;

/// Which of the user's own lines the cost of other code varies with.
fn own_lines(out: &mut Lines, cluster: &Cluster) {
    let (own, Some(costliest)) = (cluster.own_lines(), cluster.members.first()) else { return };
    if own.is_empty() {
        return;
    }
    // One line of each function, the costliest.
    let mut functions = HashSet::new();
    let mut lines = own;
    lines.retain(|member| functions.insert((&*member.file, &*member.function)));
    let name = |m: &&Member| format!("{} in {}", rows::place(m), without_arguments(&m.function));
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
            "Most of it is in code that is not yours: {place}. Your lines that vary with it, its callers among them: {}.",
            named.join("; ")
        ),
    );
}

fn title(
    out: &mut Lines,
    findings: &Findings,
    cluster: &Cluster,
    study: Option<&Study>,
    options: &TableOptions,
) {
    let rank = format!("#{}  ", cluster.rank);
    let room = out.width.saturating_sub(crate::text::width(&rank));
    let name =
        if options.whole_names { visible(&cluster.title).into_owned() } else { brief(&cluster.title, room) };
    out.lines.push(format!("{}{}", paint(DIM, &rank), paint(BOLD, &name)));
    let costly = if cluster.costly { "" } else { " (not a costly cluster)" };
    out.paragraph(
        PLAIN,
        &format!(
            "At most {} {}; {}{costly}; {}.",
            number::count(cluster.max_cost),
            table::unit(findings, study),
            Item::Cluster(cluster).shares(),
            table::plural(cluster.members.len(), "location")
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
}

fn overtaking(out: &mut Lines, findings: &Findings, cluster: &Cluster) {
    let passed_by = findings.clusters.iter().flat_map(|c| c.overtakes.iter().map(move |o| (c, o)));
    let passed_by: Vec<_> = passed_by.filter(|(_, o)| o.cluster == cluster.representative.name).collect();
    if cluster.overtakes.is_empty() && passed_by.is_empty() {
        return;
    }
    heading(out, "Overtaking");
    let at = |o: &trend_analyze::Overtaking| {
        format!("at about {} = {}", shorten(&o.feature, 40), number::size(number::two_digits(o.at)))
    };
    for o in &cluster.overtakes {
        let name = brief(rows::passed(findings, o), 60);
        out.item("> ", NOTABLE, &format!("passes #{} {name} {}", o.rank, at(o)));
    }
    for (c, o) in passed_by {
        let name = brief(&c.title, 60);
        out.item("< ", PLAIN, &format!("is passed by #{} {name} {}", c.rank, at(o)));
    }
}

/// The text of a member's first line.
pub(crate) fn source_of(study: Option<&Study>, member: &Member) -> Option<String> {
    let text = study?.source(&member.file)?;
    let line = text.lines().nth((member.line as usize).checked_sub(1)?)?;
    Some(source_line(line))
}

fn members(out: &mut Lines, study: Option<&Study>, cluster: &Cluster, most: usize) {
    let shown: Vec<&Member> = cluster.members.iter().take(most).collect();
    if shown.is_empty() {
        return;
    }
    heading(out, "Locations");
    let cells = |cell: &dyn Fn(&Member) -> Cell| shown.iter().map(|m| cell(m)).collect::<Vec<_>>();
    let source = |m: &Member| source_of(study, m).map(|s| cut(s.trim_start(), 100).into_owned());
    let columns = vec![
        column(
            "max cost",
            Side::Right,
            Room::Fixed,
            cells(&|m| Cell::plain(cells::aligned(number::count(m.max_cost)))),
        ),
        column("location", Side::Left, Room::Shrinks(16), cells(&|m| Cell::plain(visible(&m.name)))),
        column(
            "",
            Side::Left,
            Room::Goes(4),
            cells(&|m| Cell::styled(if m.unstable { "~" } else { "" }, DOUBTFUL)),
        ),
        column("function", Side::Left, Room::Goes(2), cells(&|m| Cell::plain(brief(&m.function, 24)))),
        column("R²", Side::Right, Room::Goes(1), cells(&|m| Cell::plain(number::r2(m.r2)))),
        column(
            "source",
            Side::Left,
            Room::Shrinks(12),
            cells(&|m| Cell::styled(source(m).unwrap_or_default(), DIM)),
        ),
    ];
    out.lines.extend(lay_out(columns, out.width, HEADING));
    let more = cluster.members.len() - shown.len();
    if more > 0 {
        out.paragraph(
            DIM,
            &format!("{} more; --top {} shows all.", table::plural(more, "location"), cluster.members.len()),
        );
    }
    if shown.iter().any(|m| m.unstable) {
        out.paragraph(DIM, "~ counts differ between repetitions.");
    }
}
