//! Growth classes: which law a cost follows, and how sure that is. The parts are in this module's folder.

mod candidate;
mod class;
mod fit;
mod joint;
mod model;
mod points;
mod verdict;

pub use class::{GrowthClass, Term};
pub use joint::{FeatureIndex, JointModel, JointTerm, joint_growth};
pub use verdict::{Growth, GrowthFit, growth};
