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
            let of = |kind: &KindOfCalls| format!("{} ({})", law(&kind.law), part(kind.part));
            format!(
                "Two kinds of calls, in different runs: in some runs they cost {}, in the others {}{rule}.",
                of(cheaper),
                of(costlier)
            )
        }
        Kinds::Trends { cheaper, costlier } => {
            let of = |kind: &KindOfCalls| format!("{} ({})", visible(&kind.law.formula), part(kind.part));
            format!(
                "Two kinds of calls, on two curves: the cheaper cost {}, the costlier {}. The law of the worst call is \
                 that of the costlier kind.",
                of(cheaper),
                of(costlier)
            )
        }
        Kinds::Spread { cheapest, dearest, dearest_part: Some(dear) } => format!(
            "Two kinds of calls: the cheapest of a size cost {}, the most expensive {} ({}).",
            law(cheapest),
            law(dearest),
            part(*dear)
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
    let mut told = names.iter().map(|name| visible(name).into_owned()).collect::<Vec<_>>().join(", ");
    if more > 0 {
        told = format!("{told} and {more} more");
    }
    format!("those from {told} cost {} ({})", law(&kind.law), part(kind.part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(growth: &str, formula: &str) -> KindLaw {
        KindLaw { growth: growth.to_owned(), formula: formula.to_owned(), is_constant: growth == "1" }
    }

    fn called_from(contexts: &[&str], growth: &str) -> KindOfContexts {
        let contexts = contexts.iter().map(|&context| context.to_owned()).collect();
        KindOfContexts { contexts, law: of(growth, ""), part: CallShares { calls: 0.75, cost: 0.09 } }
    }

    #[test]
    fn kinds_by_spread_name_the_law_of_each_and_their_part_where_it_is_known() {
        let dearest_part = Some(CallShares { calls: 0.19, cost: 0.9 });
        let known = Kinds::Spread { cheapest: of("1", "3"), dearest: of("n", "rms"), dearest_part };
        assert_eq!(
            sentence(&known),
            "Two kinds of calls: the cheapest of a size cost 3, the most expensive n (19.0 % of the \
             calls, 90.0 % of the cost)."
        );
        let unknown = Kinds::Spread { cheapest: of("n", ""), dearest: of("n^2", ""), dearest_part: None };
        assert_eq!(
            sentence(&unknown),
            "Calls of one size differ more at larger sizes: the cheapest cost n, the most expensive n^2."
        );
    }

    #[test]
    fn kinds_by_trends_have_formulas() {
        let kind =
            |formula| KindOfCalls { law: of("n", formula), part: CallShares { calls: 0.5, cost: 0.1 } };
        assert_eq!(
            sentence(&Kinds::Trends { cheaper: kind("2·rms"), costlier: kind("26·rms + 5") }),
            "Two kinds of calls, on two curves: the cheaper cost 2·rms (50.0 % of the calls, 10.0 % of the cost), the \
             costlier 26·rms + 5 (50.0 % of the calls, 10.0 % of the cost). The law of the worst call is that of the \
             costlier kind."
        );
    }

    #[test]
    fn kinds_by_contexts_name_the_callers() {
        let kinds = vec![called_from(&["main → parse"], "n"), called_from(&["main → print"], "n^2")];
        assert_eq!(
            sentence(&Kinds::Contexts { kinds }),
            "Two kinds of calls: those from parse cost n (75.0 % of the calls, 9.0 % of the cost), those from print cost n^2 \
             (75.0 % of the calls, 9.0 % of the cost)."
        );
        let kinds = vec![
            called_from(&["a → get", "b → x", "c → x", "d", "e", "f"], "n"),
            called_from(&["b → get"], "n^2"),
        ];
        let text = sentence(&Kinds::Contexts { kinds });
        assert!(text.contains("those from a → get, x, d and 2 more cost n ("), "{text}");
        assert!(text.contains("those from b → get cost n^2 ("), "{text}");
    }

    #[test]
    fn kinds_by_runs_say_what_tells_them_apart() {
        let kind = |growth| KindOfCalls { law: of(growth, ""), part: CallShares { calls: 0.5, cost: 0.5 } };
        let kinds = Kinds::Runs {
            told_apart_by: None,
            rule: Some("`random` in the name is more expensive".to_owned()),
            cheaper: kind("n"),
            costlier: kind("n^2"),
        };
        assert_eq!(
            sentence(&kinds),
            "Two kinds of calls, in different runs: in some runs they cost n (50.0 % of the calls, 50.0 % \
             of the cost), in the others n^2 (50.0 % of the calls, 50.0 % of the cost); `random` in the \
             name is more expensive."
        );
    }
}
