//! The study on disk: one file to which records are appended.
//!
//! ```text
//!   header │ Program │ Features │ Objects │ Places │ Source … │ Run │ Run │ Warnings │ Run …
//! ```
//!
//! Each record is in a frame with a checksum, chained to the one before. So the file is intact at every moment: a copy
//! has everything recorded until then, and a writer that dies loses at most the record it was writing. Reading applies
//! the records in order and trusts nothing that it reads.
//!
//! | folder or file | what it has |
//! |---|---|
//! | `container/` | the file: header, frames, locking, appending, publishing by one rename |
//! | `bodies/` | data stored after records: places, texts and series; loops; counts |
//! | `records/` | the contents of records, and the state after applying them |
//! | `study_file` | the open file: creates, opens, closes it |
//! | `write`, `load` | appends records; loads a study into memory, with the counts of all runs (`matrix`) |
//! | `copies/` | adds the runs of other studies; writes a copy that can be given away; recovers the intact part of a damaged study |

pub(crate) mod container;
pub(crate) mod copies;
pub(crate) mod records;
pub(crate) mod study_file;

mod bodies;
mod load;
mod matrix;
#[cfg(test)]
mod tests;
mod write;
