//! Describes the kinds of calls that the analysis found.

use trend_analyze::{CallShares, KindLaw, KindOfCalls, KindOfContexts, Kinds};

use crate::layout::number;
use crate::layout::text::visible;

/// Maximum number of callers named for a kind.
const MOST_CALLERS: usize = 3;

/// Describes the kinds of calls: `Two kinds of calls: those from parse cost n, those from print cost n^2.`
pub(crate) fn sentence(kinds: &Kinds) -> String {
    match kinds {
        Kinds::Contexts { kinds } => {
            let count = match kinds.len() {
                2 => "Two".to_owned(),
                3 => "Three".to_owned(),
                more => more.to_string(),
            };
            let each: Vec<String> = kinds.iter().map(|kind| from(kind, kinds)).collect();
            format!("{count} kinds of calls: {}.", each.join(", "))
        }
        Kinds::Runs { rule, cheaper, costlier, .. } => {
            let rule = rule.as_ref().map(|rule| format!("; {}", visible(rule))).unwrap_or_default();
            let describe = |kind: &KindOfCalls| format!("{} ({})", law(&kind.law), part(kind.part));
            format!(
                "Two kinds of calls, in different runs: in some runs they cost {}, in the others {}{rule}.",
                describe(cheaper),
                describe(costlier)
            )
        }
        Kinds::Trends { cheaper, costlier } => {
            let describe =
                |kind: &KindOfCalls| format!("{} ({})", visible(&kind.law.formula), part(kind.part));
            format!(
                "Two kinds of calls, on two curves: the cheaper cost {}, the costlier {}. The law of the worst call is \
                 that of the costlier kind.",
                describe(cheaper),
                describe(costlier)
            )
        }
        Kinds::Spread { cheapest, dearest, dearest_part: Some(shares) } => format!(
            "Two kinds of calls: the cheapest of a size cost {}, the most expensive {} ({}).",
            law(cheapest),
            law(dearest),
            part(*shares)
        ),
        Kinds::Spread { cheapest, dearest, dearest_part: None } => format!(
            "Calls of one size differ more at larger sizes: the cheapest cost {}, the most expensive {}.",
            law(cheapest),
            law(dearest)
        ),
    }
}

/// Returns the cost of a kind: its growth class, or the number if it is constant.
fn law(law: &KindLaw) -> String {
    if law.is_constant { visible(&law.formula).into_owned() } else { visible(&law.growth).into_owned() }
}

fn part(part: CallShares) -> String {
    format!("{} of the calls, {} of the cost", number::share(part.calls), number::share(part.cost))
}

/// Describes one kind with its callers: `those from parse cost n`.
fn from(kind: &KindOfContexts, all: &[KindOfContexts]) -> String {
    let caller = |context: &str| context.rsplit(" → ").next().unwrap_or(context).to_owned();
    // A caller with calls of several kinds is named with its own callers.
    let is_of_others = |name: &str| {
        let others = all.iter().filter(|other| other.contexts != kind.contexts);
        others.flat_map(|other| &other.contexts).any(|context| caller(context) == name)
    };
    let name = |context: &String| {
        let caller = caller(context);
        if is_of_others(&caller) { context.clone() } else { caller }
    };
    let mut names: Vec<String> = Vec::new();
    for name in kind.contexts.iter().map(name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(MOST_CALLERS);
    names.truncate(MOST_CALLERS);
    let mut callers = names.iter().map(|name| visible(name).into_owned()).collect::<Vec<_>>().join(", ");
    if more > 0 {
        callers = format!("{callers} and {more} more");
    }
    format!("those from {callers} cost {} ({})", law(&kind.law), part(kind.part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called_from(contexts: &[&str], growth: &str) -> KindOfContexts {
        let contexts = contexts.iter().map(|&context| context.to_owned()).collect();
        let law = KindLaw { growth: growth.to_owned(), formula: String::new(), is_constant: false };
        KindOfContexts { contexts, law, part: CallShares { calls: 0.75, cost: 0.09 } }
    }

    #[test]
    fn kinds_by_contexts_name_the_callers() {
        let kinds = vec![
            called_from(&["a → get", "b → x", "c → x", "d", "e", "f"], "n"),
            called_from(&["b → get"], "n^2"),
        ];
        let text = sentence(&Kinds::Contexts { kinds });
        assert!(text.contains("those from a → get, x, d and 2 more cost n ("), "{text}");
        assert!(text.contains("those from b → get cost n^2 ("), "{text}");
    }
}
