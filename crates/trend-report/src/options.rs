//! Options of tables and of the outputs that contain tables.

/// Selection of the series in a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeriesFilter {
    /// True if the rows form the tree of calling contexts, false if they are whole routines.
    pub contexts: bool,
    /// Minimum number of distinct sizes of a series.
    pub min_sizes: usize,
}

/// Kind of the rows of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// One row per cluster of locations.
    #[default]
    Cluster,
    /// One row per function.
    Function,
    /// One row per source line, if the findings include lines.
    Line,
    /// One row per basic block, if the findings include blocks.
    Block,
}

impl By {
    /// Returns the noun for a row.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Cluster => "cluster",
            Self::Function => "function",
            Self::Line => "line",
            Self::Block => "block",
        }
    }

    /// Returns the noun for the rows, as the first word of a sentence.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Cluster => "Clusters",
            Self::Function => "Functions",
            Self::Line => "Lines",
            Self::Block => "Blocks",
        }
    }
}

/// Sort key of the rows, descending; ties are broken by maximum cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// The maximum cost over all workloads.
    #[default]
    Cost,
    /// The predicted cost at the target.
    Predicted,
    /// The steepness of the law at the sizes of the predictions.
    Exponent,
    /// The share of the most expensive run.
    Share,
}

/// Settings of tables, and of outputs that contain one.
#[derive(Clone, Debug, PartialEq)]
pub struct TableOptions {
    /// Kind of the rows.
    pub by: By,
    /// Sort key of the rows.
    pub sort: Sort,
    /// The feature whose models are shown; by default each row is shown by its own law.
    pub feature: Option<String>,
    /// Number of rows; by default all costly ones.
    pub top: Option<usize>,
    /// True if all warnings are shown, and not only the most important ones.
    pub all_doubts: bool,
    /// True if names may be as long as a table of 160 columns permits, for output that is not read on a terminal.
    pub whole_names: bool,
    /// Width of the terminal in columns, at least [`TableOptions::MIN_WIDTH`].
    pub width: usize,
}

impl TableOptions {
    /// Minimum width of a table; narrower ones are not readable.
    pub const MIN_WIDTH: usize = 40;

    /// Returns the width of output lines.
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
