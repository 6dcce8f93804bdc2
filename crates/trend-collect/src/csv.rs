//! Tables of costs, one row per workload.
