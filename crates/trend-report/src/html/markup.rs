//! Names, formulas and ids as markup.
//!
//! maud escapes what HTML would take for markup; [`visible`] and `<bdi>` keep a name from changing
//! how the text around it is shown.

use std::fmt::Write as _;

use maud::{Markup, html};
use sha2::{Digest as _, Sha256};
use trend_analyze::{Cluster, PowerLawModel, RepresentativeKind};

use crate::cells;
use crate::number;
use crate::rows::{self, Estimate};
use crate::text::{cut, keep_together, shorten, visible};

/// Names are shortened to this; the full one is not needed to recognise it.
const NAME_WIDTH: usize = 90;

/// Messages are cut at this many columns.
const MESSAGE_WIDTH: usize = 1500;

/// Readable characters of an id.
const ID_LENGTH: usize = 60;

/// A name from outside.
pub(super) fn name(text: &str) -> Markup {
    name_width(text, NAME_WIDTH)
}

/// A name from outside where no element can stand.
pub(super) fn name_text(text: &str) -> String {
    shorten(&visible(text), NAME_WIDTH).into_owned()
}

pub(super) fn name_width(text: &str, columns: usize) -> Markup {
    html! { bdi { (shorten(&visible(text), columns)) } }
}

/// A sentence that can contain names from outside.
pub(super) fn message(text: &str) -> Markup {
    html! { bdi { (keep_together(&cut(&visible(text), MESSAGE_WIDTH))) } }
}

/// An id that comes from the cluster's name, so that a link survives another analysis.
pub(super) fn id(cluster: &Cluster) -> String {
    let kind = match cluster.representative.kind {
        RepresentativeKind::Feature => "feature-",
        RepresentativeKind::Location => "at-",
    };
    let name = &cluster.representative.name;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | ':');
    let mut id = kind.to_owned();
    id.extend(name.chars().take(ID_LENGTH).map(|c| if plain(c) { c } else { '-' }));
    if name.chars().count() > ID_LENGTH || !name.chars().all(plain) {
        // What was replaced still tells two names apart.
        for byte in &Sha256::digest(name.as_bytes())[..4] {
            let _ = write!(id, "{byte:02x}");
        }
    }
    id
}

/// A number whose power of ten is set as one.
pub(super) fn scientific(text: &str) -> Markup {
    html! {
        @if let Some((digits, exponent)) = text.split_once('e') { (digits) " × 10" sup { (exponent.replacen('-', "−", 1)) } }
        @else { (text) }
    }
}

/// `1.49·n²`, and a mark where it has no interval.
pub(super) fn formula(law: &PowerLawModel, feature: &str) -> Markup {
    let digits = number::supported_digits(law.a, law.a_ci).min(3);
    let (a, exponent) = (number::significant(law.a, digits), number::exponent(law.b, law.b_ci));
    html! {
        span.formula {
            @if law.b_ci.is_none() { "≈ " }
            @if number::is_zero(&exponent) { (scientific(number::trimmed(&a))) }
            @else { (scientific(&a)) " · " (name_width(feature, 16)) sup { (exponent) } }
        }
    }
}

/// The exponent's interval.
pub(super) fn exponent(law: &PowerLawModel) -> Markup {
    html! {
        @match law.b_ci.filter(rows::is_finite) {
            Some(ci) if ci[0] > 1.0 => strong.steep { (number::exponent_interval(ci)) },
            Some(ci) => (number::exponent_interval(ci)),
            None => span.doubt title="too few workloads for an interval" { "no interval" },
        }
    }
}

/// R², marked where it is low.
pub(super) fn r2(law: &PowerLawModel) -> Markup {
    let poor = law.r2.is_nan() || law.r2 < rows::POOR_R2;
    html! {
        @if poor { span.doubt title="the model describes this poorly" { (number::r2(law.r2)) "?" } }
        @else { (number::r2(law.r2)) }
    }
}

/// A prediction's interval, or the bare prediction marked as such.
pub(super) fn interval(estimate: &Estimate) -> Markup {
    html! {
        @if estimate.ci.is_some() { (cells::interval(estimate)) }
        @else { span.doubt title="no interval" { (cells::point(estimate)) } }
    }
}
