//! What a person can ask of a table.

/// Which rows a table has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// One row per cluster.
    #[default]
    Cluster,
    /// One row per function.
    Function,
    /// One row per source line; the findings must have been made with them.
    Line,
    /// One row per basic block; the findings must have been made with them.
    Block,
}

impl By {
    /// What a row is.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Cluster => "cluster",
            Self::Function => "function",
            Self::Line => "line",
            Self::Block => "block",
        }
    }

    /// What the rows are, at the beginning of a sentence.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Cluster => "Clusters",
            Self::Function => "Functions",
            Self::Line => "Lines",
            Self::Block => "Blocks",
        }
    }
}

/// What the rows are sorted by, descending; ties by maximum cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// The maximum cost over all workloads.
    #[default]
    Cost,
    /// The predicted cost.
    Predicted,
    /// How steep the law is where predictions are made.
    Exponent,
    /// The share of the costliest run.
    Share,
}

/// Settings of everything that is a table or has one.
#[derive(Clone, Debug, PartialEq)]
pub struct TableOptions {
    /// The rows.
    pub by: By,
    /// Their order.
    pub sort: Sort,
    /// The feature whose models are shown; by default each row is shown by its own law.
    pub feature: Option<String>,
    /// How many rows; by default the costly ones.
    pub top: Option<usize>,
    /// Whether all warnings are shown, and not only those that matter most.
    pub all_doubts: bool,
    /// True if names are as long as a table of 160 columns has room for: for what is not read on a terminal.
    pub whole_names: bool,
    /// Columns of the terminal; below [`TableOptions::MIN_WIDTH`] counts as that.
    pub width: usize,
}

impl TableOptions {
    /// Narrower tables than this are not readable.
    pub const MIN_WIDTH: usize = 40;

    /// The width that lines are made for.
    pub(crate) fn terminal_width(&self) -> usize {
        self.width.max(Self::MIN_WIDTH)
    }
}

impl Default for TableOptions {
    fn default() -> Self {
        Self {
            by: By::default(),
            sort: Sort::default(),
            feature: None,
            top: None,
            all_doubts: false,
            whole_names: false,
            width: 100,
        }
    }
}
