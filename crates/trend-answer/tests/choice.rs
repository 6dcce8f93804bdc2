//! Checks the place that an answer names if no function certainly grows too fast.

use trend_answer::{Choice, Contender, Group, Others, Outlook, Pace, Scene, Source, Spread, Weighed};

fn outlook(cost: f64) -> Outlook {
    Outlook { cost, ci: Some([0.9 * cost, 1.1 * cost]), source: Source::Class }
}

/// Returns a program whose functions take these shares today and at the target.
fn scene(whole: Pace, functions: [(Pace, f64, Option<f64>); 2]) -> Scene {
    let contenders = functions.map(|(pace, share, time_share)| Contender {
        pace: Some(pace),
        is_own: true,
        share_now: share,
        then: Some(outlook(100.0 * share)),
        time_share,
    });
    let time_shares = functions.iter().map(|function| function.2).collect();
    Scene { whole: outlook(100.0), pace: Some(whole), time_shares, contenders: contenders.into() }
}

#[test]
fn a_group_that_grows_too_fast_is_not_hidden_by_a_smaller_undecided_function() {
    let scene = scene(Pace::Open, [(Pace::Slow, 0.5, None), (Pace::Open, 0.5, None)]);
    let choose = |share: f64| {
        let groups = vec![Group { then: Some(outlook(100.0 * share)), is_fast: true }];
        scene.choose(|| Some(Others { groups, shown: Vec::new() })).unwrap()
    };
    assert!(matches!(choose(0.4), Choice::Open(Weighed { position: 1, .. })), "{:?}", choose(0.4));
    assert!(matches!(choose(0.8), Choice::Spread(Spread::FastGroup, _)), "{:?}", choose(0.8));
}

#[test]
fn a_function_with_much_of_the_cost_is_named_even_if_it_takes_little_time() {
    let scene = scene(Pace::Slow, [(Pace::Slow, 0.7, Some(0.02)), (Pace::Slow, 0.3, Some(0.01))]);
    let choice = scene.choose(|| Some(Others::default())).unwrap();
    assert!(matches!(choice, Choice::Steady(Weighed { position: 0, .. }, _)), "{choice:?}");
}
