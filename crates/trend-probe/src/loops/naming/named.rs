//! Names of values, with the kind of what they name.

use crate::loops::debug::node::Node;

/// Name of a value, with its kind and its type.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) ty: Option<Node>,
}

/// Kind of a loop's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Parameter,
    Variable,
    Field,
    Length,
    Target,
    Global,
    Result,
    Unnamed,
}

impl Kind {
    pub(crate) fn letter(self) -> char {
        match self {
            Self::Parameter => 'P',
            Self::Variable => 'V',
            Self::Field => 'F',
            Self::Length => 'L',
            Self::Target => 'T',
            Self::Global => 'G',
            Self::Result => 'R',
            Self::Unnamed => 'U',
        }
    }
}
