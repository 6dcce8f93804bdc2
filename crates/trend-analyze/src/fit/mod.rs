//! fit

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
