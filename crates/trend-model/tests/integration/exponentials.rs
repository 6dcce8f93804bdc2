//! Exponentials with bases of all kinds, and what grows faster than any of them.

use trend_model::growth;

use crate::exponential_programs::{BASES, NOISES, is_named, program};

const PROGRAMS: u64 = 60;

#[test]
fn the_base_is_found_or_said_not_to_be_known() {
    for base in BASES {
        for noise in NOISES {
            let (mut right, mut wrong) = (0, 0);
            let mut instead = Vec::new();
            for number in 0..PROGRAMS {
                let program = program(base, noise, number);
                let verdict = growth(&program.x, &program.y).unwrap();
                let is_named = is_named(&verdict, base);
                right += u64::from(is_named && verdict.decided);
                wrong += u64::from(!is_named);
                if !is_named {
                    instead.push(verdict.verdict());
                }
            }
            println!("{base} {noise}: {right} right, {wrong} wrong of {PROGRAMS} {instead:?}");
        }
    }
}
