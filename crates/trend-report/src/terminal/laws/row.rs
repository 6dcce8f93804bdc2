//! Writes the models of a row of any kind: law in words, plot, doubts, other models.

use trend_analyze::{Findings, Model, PowerLawModel, RowLaw, Source};

use super::plots::plots;
use super::predictions::predictions;
use crate::layout::columns::{Cell, Columns, Room};
use crate::layout::document::Document;
use crate::layout::style::{DIM, PLAIN};
use crate::layout::text::visible;
use crate::rows::item::{Item, predicted};
use crate::rows::scope::Scope;
use crate::terminal::frame;
use crate::words::model::{WORKLOAD, linear, power_law, range, sentences};
use crate::words::structure::{self, together};
use crate::words::{advice, cells, growth};

/// Writes the law of a row in words and as a plot, its doubts, and its predictions.
pub(crate) fn of_row(out: &mut Document, findings: &Findings, item: &Item<'_>, scope: &Scope<'_>) {
    let Some(model) = scope.model(item.fits) else { return };
    let law = item.row_law(scope).unwrap_or(RowLaw::Of(model));
    words(out, findings, item, law, scope);
    plots(out, findings, item.costs, law);
    // The doubts of a single feature's model do not concern a law in several features.
    let is_of_model = matches!(law, RowLaw::Of(_));
    if is_of_model {
        frame::doubts(out, &model.doubts);
        out.blank();
        advice::of_model(out, model);
    }
    predictions(out, findings, item, scope);
    let sentences = structure::findings(item, scope);
    // A law in several features was already shown above.
    let rest = sentences.iter().skip(usize::from(!is_of_model));
    if rest.len() > 0 {
        out.heading("Parts and trends");
        rest.for_each(|sentence| out.paragraph(PLAIN, sentence));
    }
}

/// Writes the law in symbols and in words.
fn words(out: &mut Document, findings: &Findings, item: &Item<'_>, law: RowLaw<'_>, scope: &Scope<'_>) {
    let sentences = match (law, together(item, scope)) {
        (_, Some(sentence)) => vec![sentence],
        (RowLaw::Joint(joint), None) => vec![structure::joint(joint)],
        (RowLaw::Of(model), None) => {
            let mut texts = growth::sentences(model, range(findings, model), scope.at(&model.feature));
            let point = scope.point.map(|(_, point)| point);
            texts.extend(
                predicted(item, scope)
                    .zip(point)
                    .and_then(|(law, at)| growth::hidden(model, law, at, &findings.unit, None)),
            );
            texts.extend(sentences(findings, model, WORKLOAD));
            texts
        }
    };
    for sentence in sentences {
        out.paragraph(PLAIN, &sentence);
    }
    out.blank();
}

/// Writes the models by feature if there are several, the power law if it is not the law itself, and the linear models.
pub(crate) fn models(out: &mut Document, findings: &Findings, models: &[Model]) {
    let several = models.len() > 1;
    let lines: Vec<&Model> = models.iter().filter(|m| m.linear.is_some()).collect();
    let powers: Vec<(&Model, &PowerLawModel)> = models
        .iter()
        .filter(|m| m.source != Some(Source::PowerLaw) && !several)
        .filter_map(|m| Some((m, m.power_law.as_ref()?)))
        .collect();
    if !several && lines.is_empty() && powers.is_empty() {
        return;
    }
    out.heading(if several { "Models" } else { "Other models" });
    if several {
        by_feature(out, models);
    }
    for (model, law) in powers {
        out.paragraph(PLAIN, &power_law(findings, model, law, WORKLOAD));
    }
    for model in lines {
        out.item("linear  ", PLAIN, &linear(model));
    }
}

pub(super) fn by_feature(out: &mut Document, models: &[Model]) {
    let law = |m: &Model, cell: fn(&PowerLawModel) -> Cell| m.power_law.as_ref().map(cell);
    let formula = |m: &Model| match &m.power_law {
        Some(law) => Cell::from(cells::formula(law, &m.feature)),
        None => Cell::styled("none", DIM),
    };
    let columns = Columns::new(models)
        .left("feature", Room::Shrinks(10), |m| visible(&m.feature).into_owned())
        .left("growth", Room::Goes(1), |m| cells::growth_or_trends(RowLaw::Of(m)))
        .left("power law", Room::Goes(2), formula)
        .right("exponent", Room::Goes(3), |m| law(m, cells::exponent))
        .right("R²", Room::Goes(4), |m| law(m, cells::r2))
        .right("points", Room::Goes(5), |m| m.power_law.as_ref().map(|law| law.points.to_string()));
    out.table(columns.columns);
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use crate::tests::analyze;
    use trend_analyze::Options;
    use trend_profile::Study;

    use super::*;
    use crate::By;

    #[test]
    fn a_row_speaks_of_all_features_where_its_law_does() {
        let [mut x, mut y] = ["x:", "y:"].map(str::to_owned);
        let [mut work, mut main] = ["a.c:5:work:", "a.c:9:main:"].map(str::to_owned);
        for i in 0..25_u64 {
            let (m, n) = (4 << (i / 5), 4 << (i % 5));
            for (row, value) in [(&mut x, m), (&mut y, n), (&mut work, 2990 * m * n), (&mut main, 4)] {
                write!(row, " {value}").unwrap();
            }
        }
        let study = Study::from_text(&[x, y, work, main].join("\n")).unwrap();
        let findings = analyze(&study, &Options { full_rows: 2, ..Options::default() }).unwrap();
        let page_of = |name: &str| {
            let row = findings.functions.iter().find(|row| row.name == name).unwrap();
            let mut out = Document::new(100);
            let scope = Scope::of_page(&findings);
            of_row(&mut out, &findings, &Item::of_row(0, row, By::Function), &scope);
            out.for_terminal()
        };
        let (work, main) = (page_of("work"), page_of("main"));
        for words in ["2990·x·y", "cost by the law", "x = 640, y = 64", "several features"] {
            assert!(work.contains(words), "{words}: {work}");
        }
        for words in ["The cost does not depend on x or y.", "x = 640, y = 64", "a constant"] {
            assert!(main.contains(words), "{words}: {main}");
        }
        assert!(!work.contains("depend on x") && !main.contains("Growth in x"), "{main}");
    }
}
