//! The order in which recipes are tried.

use std::collections::HashSet;

use crate::archive::Archive;
use crate::chance::Chance;
use crate::change::change;
use crate::invention::invent;
use crate::{Fragments, Measured, Recipe};

/// Share of recipes that are changes of kept ones, in percent. The others are invented.
const CHANGED: usize = 50;

/// Number of attempts to find a recipe that was not tried before. In a small space there may be none.
const ATTEMPTS: usize = 20;

/// Chooses recipes to try, and learns from their counts.
#[derive(Clone, Debug)]
pub struct Search {
    fragments: Fragments,
    chance: Chance,
    archive: Archive,
    tried: HashSet<Recipe>,
}

impl Search {
    /// Creates a search. The same seed gives the same recipes for the same counts.
    pub fn new(fragments: Fragments, seed: u64) -> Self {
        Self { fragments, chance: Chance::new(seed), archive: Archive::default(), tried: HashSet::new() }
    }

    /// Returns the next recipe to try. The same one does not come twice, unless there are hardly any others.
    pub fn next_recipe(&mut self) -> Recipe {
        let mut recipe = self.draw();
        for _ in 0..ATTEMPTS {
            if !self.tried.contains(&recipe) {
                break;
            }
            recipe = self.draw();
        }
        self.tried.insert(recipe.clone());
        recipe
    }

    fn draw(&mut self) -> Recipe {
        let Self { fragments, chance, archive, .. } = self;
        let is_change = chance.happens(CHANGED);
        match (archive.draw(chance), archive.draw(chance)) {
            (Some(recipe), Some(other)) if is_change => change(recipe, other, fragments, chance),
            _ => invent(fragments, chance),
        }
    }

    /// Records the counts of a recipe. All recipes must be measured at about the same size.
    pub fn learn(&mut self, recipe: &Recipe, measured: &Measured) {
        self.archive.learn(recipe, measured);
    }

    /// Returns the number of locations that some recipe has executed.
    pub fn reached(&self) -> usize {
        self.archive.reached()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steep;

    /// Counts the compares of a matcher of brackets that scans back for each closing one.
    fn compares(input: &[u8]) -> u64 {
        let mut open = Vec::new();
        let mut compares = 0;
        for byte in input {
            match byte {
                b'[' => open.push(b'['),
                b'(' => open.push(b'('),
                b']' | b')' => {
                    let wanted = if *byte == b']' { b'[' } else { b'(' };
                    let opener = open.iter().rposition(|o| *o == wanted);
                    compares += opener.map_or(open.len(), |at| open.len() - at) as u64;
                }
                _ => {}
            }
        }
        compares
    }

    fn measured(recipe: &Recipe, bytes: usize) -> Measured {
        let input = recipe.input(recipe.size_for(bytes));
        let grown_bytes = input.len() - recipe.fixed_bytes();
        Measured { grown_bytes, counts: vec![compares(&input), input.len() as u64] }
    }

    /// Returns the number of the first steep recipe, and its text.
    fn first_steep(seed: u64, most: usize) -> Option<(usize, String)> {
        let fragments = Fragments::new(vec![b"a [b] (c [d])\n".to_vec()], b"");
        let mut search = Search::new(fragments, seed);
        let idle = Measured { grown_bytes: 0, counts: vec![0, 0] };
        (0..most).find_map(|number| {
            let recipe = search.next_recipe();
            let sizes = [600, 2400].map(|bytes| measured(&recipe, bytes));
            search.learn(&recipe, &sizes[1]);
            (!steep(&idle, &sizes).is_empty()).then(|| (number, recipe.to_string()))
        })
    }

    #[test]
    fn a_quadratic_matcher_of_brackets_is_found_and_each_time_at_the_same_recipe() {
        for seed in 0..8 {
            let recipe = first_steep(seed, 4000);
            assert!(recipe.is_some(), "seed {seed}");
            assert_eq!(recipe, first_steep(seed, 4000));
        }
    }
}
