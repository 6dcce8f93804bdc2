//! Reasons why numbers could not be fitted. Doubts about an existing fit are a `Diagnosis` instead.

/// Reason why a fit or its intervals do not exist. The message completes "failed to fit: …".
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// Fewer usable points than the model has parameters.
    #[error("{points} usable points where at least {needed} are needed")]
    TooFewPoints {
        /// Number of usable points.
        points: usize,
        /// Minimum number of points for the model.
        needed: usize,
    },
    /// All usable points have the same feature value, so no slope exists.
    #[error("the feature has the same value at all usable points")]
    ConstantFeature,
    /// Two vectors that should describe the same points have different lengths.
    #[error("{actual} values where {expected} were expected")]
    LengthMismatch {
        /// The expected length, set by the first argument or the resamples.
        expected: usize,
        /// The actual length.
        actual: usize,
    },
    /// A value is infinite or NaN, or so large that differences of values are infinite.
    #[error("the value at index {index} is not a finite number of moderate size")]
    NonFinite {
        /// Position of the first such point in the arguments.
        index: usize,
    },
    /// The parameters exist but are too large or too small for `f64`. This happens if the feature varies by a tiny
    /// fraction of itself.
    #[error("the parameters of the fit are out of range")]
    ParametersOutOfRange,
    /// A prediction was requested at a feature value outside the model's domain.
    #[error("no prediction at the feature value {at}")]
    PredictionOutOfDomain {
        /// The requested feature value.
        at: f64,
    },
    /// A confidence level is not strictly between 0 and 1.
    #[error("the confidence level {level} is not between 0 and 1")]
    InvalidLevel {
        /// The requested level.
        level: f64,
    },
    /// No bootstrap resample had two distinct feature values.
    #[error("none of {resamples} bootstrap resamples could be fitted")]
    NoUsableResamples {
        /// Number of resamples.
        resamples: usize,
    },
}
