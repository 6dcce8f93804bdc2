//! Why numbers could not be fitted. Not for doubts about a fit that exists: those are `Diagnosis`.

/// The reason for which a fit or its intervals do not exist; completes "failed to fit: …".
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// Fewer usable points than the model has parameters.
    #[error("{points} usable points where at least {needed} are needed")]
    TooFewPoints {
        /// Points that could be used.
        points: usize,
        /// Points the model needs.
        needed: usize,
    },
    /// All usable points have the same value of the feature, so no slope exists.
    #[error("the feature has the same value at all usable points")]
    ConstantFeature,
    /// Two vectors that should describe the same points have different lengths.
    #[error("{found} values where {expected} were expected")]
    LengthMismatch {
        /// The length that the first argument sets.
        expected: usize,
        /// The length that was given.
        found: usize,
    },
    /// A value is infinite or NaN, or so large that differences of values are infinite.
    #[error("the value at index {index} is not a finite number of moderate size")]
    NonFinite {
        /// Position of the first such point in the arguments.
        index: usize,
    },
    /// The parameters exist but are too large or small for `f64`: happens when the feature varies by a
    /// tiny fraction of itself.
    #[error("the parameters of the fit are outside of the range of floating-point numbers")]
    ParametersOutOfRange,
    /// A prediction was asked for at a value for which the model says nothing.
    #[error("no prediction exists at the feature value {at}")]
    PredictionOutOfDomain {
        /// The feature value.
        at: f64,
    },
    /// A confidence level that is not strictly between 0 and 1.
    #[error("the confidence level {level} is not between 0 and 1")]
    InvalidLevel {
        /// The level that was given.
        level: f64,
    },
    /// No bootstrap resample had two different values of the feature.
    #[error("none of {resamples} bootstrap resamples could be fitted")]
    NoUsableResamples {
        /// Resamples that were tried.
        resamples: usize,
    },
}
