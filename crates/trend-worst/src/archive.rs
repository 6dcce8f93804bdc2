//! The best recipe for each place: the one that executes it most often per byte.
//!
//! A new place has no record yet, so a recipe that reaches it is kept, however cheap it is.

use std::collections::BTreeMap;

use crate::chance::Chance;
use crate::{Measured, Recipe};

/// Minimum improvement of a record. Smaller ones would fill the archive with copies.
const BETTER: f64 = 1.1;

#[derive(Clone, Debug, Default)]
pub(crate) struct Archive {
    /// Recipes with a record, and their number of records.
    recipes: BTreeMap<usize, (Recipe, usize)>,
    next: usize,
    /// Record and its recipe, `[locations]`.
    records: Vec<Option<(f64, usize)>>,
}

impl Archive {
    /// Adds a recipe if it beats records.
    pub(crate) fn learn(&mut self, recipe: &Recipe, measured: &Measured) {
        let id = self.next;
        let bytes = measured.grown_bytes.max(1) as f64;
        self.records.resize(self.records.len().max(measured.counts.len()), None);
        let mut won = 0;
        for (record, count) in self.records.iter_mut().zip(&measured.counts) {
            let rate = *count as f64 / bytes;
            if *count == 0 || record.is_some_and(|(best, _)| rate < best * BETTER) {
                continue;
            }
            if let Some((_, loser)) = record.replace((rate, id))
                && let Some(entry) = self.recipes.get_mut(&loser)
            {
                entry.1 -= 1;
                if entry.1 == 0 {
                    self.recipes.remove(&loser);
                }
            }
            won += 1;
        }
        if won > 0 {
            self.recipes.insert(id, (recipe.clone(), won));
            self.next += 1;
        }
    }

    /// Returns the number of locations that some recipe has executed.
    pub(crate) fn reached(&self) -> usize {
        self.records.iter().flatten().count()
    }

    /// Draws a recipe with a record. Each has the same chance, however many records it has.
    pub(crate) fn draw(&self, chance: &mut Chance) -> Option<&Recipe> {
        self.recipes.values().nth(chance.below(self.recipes.len())).map(|(recipe, _)| recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_stays_while_it_has_the_record_of_a_place() {
        let recipe = |text: &str| text.parse::<Recipe>().unwrap();
        let counts = |counts: &[u64]| Measured { grown_bytes: 10, counts: counts.to_vec() };
        let kept = |archive: &Archive| {
            archive.recipes.values().map(|(recipe, _)| recipe.to_string()).collect::<Vec<_>>()
        };
        let mut archive = Archive::default();
        archive.learn(&recipe(r#""a"×n"#), &counts(&[10, 0]));
        archive.learn(&recipe(r#""b"×n"#), &counts(&[10, 0]));
        assert_eq!((kept(&archive), archive.reached()), (vec![r#""a"×n"#.to_owned()], 1));
        archive.learn(&recipe(r#""c"×n"#), &counts(&[5, 1]));
        assert_eq!((kept(&archive).len(), archive.reached()), (2, 2));
        archive.learn(&recipe(r#""d"×n"#), &counts(&[50, 9]));
        assert_eq!(kept(&archive), [r#""d"×n"#]);
    }
}
