//! Lists the laws of all rows in all features as one table.
//!
//! ```text
//! kind      name         feature  chosen  class  …  at   predicted  predicted_lo  predicted_hi
//! total     sort         n        true    n^2       1e8  1.0e16     9.7e15        1.1e16
//! cluster   sort.c:7 …   n        true    n^2       1e8  …
//! function  swap         n        false   n^2       1e8  …
//! function  swap         bytes    true    n         4e8  …
//! function  swap         n bytes  …                      a law in both, if there is one
//! ```
//!
//! Each value is the one that the JSON output has.

use trend_analyze::{
    Findings, Fits, GrowthModel, GrowthSupport, Joint, Law, Model, Outlook, Point, PowerLawModel, RowLaw,
};

use super::fields;
use super::typed_columns::{Values, to_csv};
use crate::rows::scope::Scope;

/// A row of the findings.
#[derive(Clone, Copy)]
struct Subject<'a> {
    kind: &'static str,
    name: &'a str,
    file: &'a str,
    line: u32,
    max_cost: u64,
    share_of_largest: f64,
    fits: &'a Fits,
    outlooks: &'a [Option<Outlook>],
}

/// A law of a row, in one feature or in several.
struct LawLine<'a> {
    subject: Subject<'a>,
    features: String,
    /// True if it is the row's law.
    chosen: bool,
    law: Option<Law>,
    /// The model, unless the law has several features.
    model: Option<&'a Model>,
    r2: Option<f64>,
    /// The feature's value at the target.
    at: Option<f64>,
    /// The cost at the target with its interval.
    predicted: Option<(f64, Option<[f64; 2]>)>,
}

/// Returns the laws of the program, its clusters and its functions as CSV, with a line for each row in each feature.
/// An empty field is a missing value.
pub fn laws_csv(findings: &Findings) -> String {
    to_csv(&law_columns(findings))
}

/// Returns the typed columns of the table, with their names.
pub(crate) fn law_columns(findings: &Findings) -> Vec<(String, Values)> {
    columns(&lines(findings))
}

fn lines(findings: &Findings) -> Vec<LawLine<'_>> {
    let point = Scope::of_page(findings).point;
    let total = &findings.total;
    let whole = Subject {
        kind: "total",
        name: &findings.program.name,
        file: "",
        line: 0,
        max_cost: total.max_cost,
        share_of_largest: 1.0,
        fits: &total.fits,
        outlooks: &total.outlooks,
    };
    let clusters = findings.clusters.iter().map(|cluster| {
        let (file, line) = cluster.namesake().map_or(("", 0), |member| (&*member.file, member.line));
        Subject {
            kind: "cluster",
            name: &cluster.title,
            file,
            line,
            max_cost: cluster.max_cost,
            share_of_largest: cluster.share_of_largest,
            fits: &cluster.fits,
            outlooks: &cluster.outlooks,
        }
    });
    let functions = findings.functions.iter().map(|row| Subject {
        kind: "function",
        name: &row.name,
        file: &row.file,
        line: row.line,
        max_cost: row.max_cost,
        share_of_largest: row.share_of_largest,
        fits: &row.fits,
        outlooks: &row.outlooks,
    });
    let of_whole = whole.laws(point, |model| total.law_in(model));
    of_whole
        .into_iter()
        .chain(clusters.chain(functions).flat_map(|row| row.laws(point, Model::law)))
        .collect()
}

impl<'a> Subject<'a> {
    /// Returns a line for each model, and one for the law in several features. The prediction of the row's own law is
    /// the row's outlook.
    fn laws(self, point: Option<(usize, &Point)>, law: impl Fn(&Model) -> Option<Law>) -> Vec<LawLine<'a>> {
        let own = self.fits.law();
        let outlook = point.and_then(|(index, _)| *self.outlooks.get(index)?);
        let of_outlook = outlook.map(|outlook| (outlook.cost, outlook.ci));
        let in_one = |model: &'a Model| {
            let at = point.and_then(|(_, point)| point.value(model.id));
            let chosen = matches!(own, Some(RowLaw::Of(best)) if best.id == model.id);
            let alone =
                at.and_then(|at| model.prediction_at(at)).map(|prediction| (prediction.cost, prediction.ci));
            LawLine {
                subject: self,
                features: model.feature.clone(),
                chosen,
                law: law(model),
                model: Some(model),
                r2: model.power_law.as_ref().map(|law| law.r2),
                at,
                predicted: if chosen { of_outlook } else { alone },
            }
        };
        let in_several = |joint: &Joint| LawLine {
            subject: self,
            features: joint.law.features.join(" "),
            chosen: true,
            law: Some(joint.law.clone()),
            model: None,
            r2: Some(joint.r2),
            at: None,
            predicted: of_outlook,
        };
        self.fits.models.iter().map(in_one).chain(self.fits.joint.as_ref().map(in_several)).collect()
    }
}

impl LawLine<'_> {
    fn growth(&self) -> Option<&GrowthModel> {
        self.model?.growth.as_ref()
    }

    /// Returns the class with the most support.
    fn class(&self) -> Option<&GrowthSupport> {
        self.growth()?.classes.first()
    }

    fn power_law(&self) -> Option<&PowerLawModel> {
        self.model?.power_law.as_ref()
    }
}

/// Returns the law's parts as JSON, as in the JSON output.
fn terms(line: &LawLine<'_>) -> Option<String> {
    let published = serde_json::to_value(line.law.as_ref()?).ok()?;
    Some(published.get("parts")?.to_string())
}

fn columns(lines: &[LawLine<'_>]) -> Vec<(String, Values)> {
    let text = |value: fn(&LawLine<'_>) -> String| Values::Text(lines.iter().map(value).collect());
    let optional_text =
        |value: fn(&LawLine<'_>) -> Option<String>| Values::OptionalText(lines.iter().map(value).collect());
    let number = |value: fn(&LawLine<'_>) -> Option<f64>| Values::Number(lines.iter().map(value).collect());
    let flag = |value: fn(&LawLine<'_>) -> Option<bool>| Values::Flag(lines.iter().map(value).collect());
    let count = |value: fn(&LawLine<'_>) -> u64| Values::Count(lines.iter().map(value).collect());
    let columns = [
        ("kind", text(|l| l.subject.kind.to_owned())),
        ("name", text(|l| l.subject.name.to_owned())),
        ("file", text(|l| l.subject.file.to_owned())),
        ("line", count(|l| u64::from(l.subject.line))),
        ("max_cost", count(|l| l.subject.max_cost)),
        ("share_of_largest", number(|l| Some(l.subject.share_of_largest))),
        ("feature", text(|l| l.features.clone())),
        ("chosen", flag(|l| Some(l.chosen))),
        ("source", optional_text(|l| Some(fields::source(l.law.as_ref()?.source).to_owned()))),
        ("decided", flag(|l| Some(l.law.as_ref()?.decided))),
        ("verdict", optional_text(|l| Some(l.growth()?.short.to_string()))),
        ("class", optional_text(|l| Some(l.class()?.class.to_string()))),
        ("support", number(|l| Some(l.class()?.support))),
        ("law", optional_text(|l| Some(l.law.as_ref()?.formula()))),
        ("terms", optional_text(terms)),
        ("a", number(|l| Some(l.power_law()?.a))),
        ("a_lo", number(|l| Some(l.power_law()?.a_ci?[0]))),
        ("a_hi", number(|l| Some(l.power_law()?.a_ci?[1]))),
        ("b", number(|l| Some(l.power_law()?.b))),
        ("b_lo", number(|l| Some(l.power_law()?.b_ci?[0]))),
        ("b_hi", number(|l| Some(l.power_law()?.b_ci?[1]))),
        ("r2", number(|l| l.r2)),
        ("points", number(|l| Some(l.power_law()?.points as f64))),
        ("at", number(|l| l.at)),
        ("predicted", number(|l| Some(l.predicted?.0))),
        ("predicted_lo", number(|l| Some(l.predicted?.1?[0]))),
        ("predicted_hi", number(|l| Some(l.predicted?.1?[1]))),
    ];
    columns.map(|(name, values)| (name.to_owned(), values)).into()
}
