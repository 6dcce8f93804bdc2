//! Parses the attribute's arguments: `"<= n log n", sizes = "100..100000x10", setup = make`.

use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Path, Token};

/// The permitted growth of a function, and the way to check it.
pub(crate) struct Options {
    pub(crate) limit: LitStr,
    pub(crate) sizes: Option<LitStr>,
    pub(crate) budget: Option<LitStr>,
    pub(crate) setup: Option<Path>,
    pub(crate) allow_undecided: bool,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(LitStr) {
            return Err(input.error("this says no growth; write such as `#[grows(\"<= n log n\")]`"));
        }
        let limit = input.parse()?;
        let mut options = Self { limit, sizes: None, budget: None, setup: None, allow_undecided: false };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let name: Ident = input.parse()?;
            if name == "allow_undecided" {
                options.allow_undecided = true;
                continue;
            }
            if !["sizes", "budget", "setup"].iter().any(|known| name == known) {
                let known = "`sizes`, `budget`, `setup` and `allow_undecided` are";
                return Err(syn::Error::new(name.span(), format!("`{name}` is not an option; {known}")));
            }
            input.parse::<Token![=]>()?;
            if name == "setup" {
                options.setup = Some(input.parse()?);
            } else if name == "sizes" {
                options.sizes = Some(input.parse()?);
            } else {
                options.budget = Some(input.parse()?);
            }
        }
        Ok(options)
    }
}
