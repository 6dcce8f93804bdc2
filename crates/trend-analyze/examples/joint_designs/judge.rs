//! Judges the law of a study as a user sees it: the total's law and its prediction. Makes no data.

use trend_analyze::{Findings, LawSum, LawTerm, Options, RowLaw, analyze};
use trend_profile::Study;

use crate::designs::{Instance, Truth};

/// Maximum relative error of a correct prediction.
const NEAR: f64 = 0.1;

/// The quality of a prediction at ten times the largest sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    /// The prediction is within 10 % of the truth, and its interval contains the truth.
    Near,
    /// Only its interval contains the truth.
    Held,
    /// No prediction is made.
    Unknown,
    /// Its interval does not contain the truth.
    Missed,
}

/// The judgement of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    /// True if the law is decided and has the truth's terms.
    pub(crate) has_terms: bool,
    /// True if the law is decided.
    pub(crate) is_decided: bool,
    /// The quality of its prediction.
    pub(crate) far: Worth,
}

impl Judged {
    pub(crate) fn is_right(self) -> bool {
        self.has_terms || self.far == Worth::Near
    }
}

/// Analyses a column as a study and judges the findings about the whole.
pub(crate) fn judge(truth: &Truth, instance: &Instance) -> Judged {
    let at = ["x", "y"].iter().zip(instance.far).map(|(name, at)| ((*name).to_owned(), at)).collect();
    let study = Study::from_text(&instance.text()).expect("the text is a study");
    let findings = analyze(&study, &Options { at, ..Options::default() }).expect("it can be analysed");
    let is_decided = findings.total.law().is_some_and(|law| law.decided);
    let holds = |[low, high]: [f64; 2]| low <= instance.far_cost && instance.far_cost <= high;
    let far = match findings.total.outlooks[0] {
        None => Worth::Unknown,
        Some(then) if !then.ci.is_some_and(holds) => Worth::Missed,
        Some(then) if (then.cost / instance.far_cost - 1.0).abs() <= NEAR => Worth::Near,
        Some(_) => Worth::Held,
    };
    Judged { has_terms: is_decided && terms(&findings) == truth.terms, is_decided, far }
}

/// Returns the terms with a feature, without their coefficients; empty for a law in one feature.
fn terms(findings: &Findings) -> Vec<String> {
    let Some(RowLaw::Joint(joint)) = findings.total.fits.law() else {
        return Vec::new();
    };
    let names: Vec<&str> = joint.law.features.iter().map(String::as_str).collect();
    let alone = |term: &LawTerm| {
        let one = LawTerm { coefficient: 1.0, ..term.clone() };
        LawSum { weight: 1.0, class: None, terms: vec![one], from: 0.0 }.formula(&names)
    };
    let terms = &joint.law.parts[0].1.sums[0].terms;
    let mut terms: Vec<String> = terms.iter().filter(|term| !term.factors.is_empty()).map(alone).collect();
    terms.sort();
    terms
}
