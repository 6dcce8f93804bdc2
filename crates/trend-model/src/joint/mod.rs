//! Models in several features: sums of products of functions of the features. `products` lists the possible terms,
//! `search` fits sums of them, and `model` gives the law that they support. Begin at `model`.

pub(crate) mod model;

mod leading;
mod mixture;
mod neighbours;
mod products;
mod search;
