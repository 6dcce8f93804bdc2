//! Fits models to rows of costs.
//!
//! - Begin with `modeller`: fits one row in every feature. `budget` decides how much work a row gets.
//! - `column` prepares the costs, `better` and `model_doubts` look for reasons why a model may be wrong, `split` and
//!   `rule` for two trends, and `bounding` divides by growth classes.
//! - `feature_choice`, `dependence` and `joint` fit several features together.
//! - `factors` divides a cost into entries and cost per entry, and `whole` adds up the parts of the program.

pub(crate) mod better;
pub(crate) mod bounding;
pub(crate) mod budget;
pub(crate) mod column;
pub(crate) mod dependence;
pub(crate) mod factors;
pub(crate) mod feature_choice;
pub(crate) mod joint;
pub(crate) mod model_doubts;
pub(crate) mod modeller;
pub(crate) mod rule;
pub(crate) mod split;
pub(crate) mod whole;
