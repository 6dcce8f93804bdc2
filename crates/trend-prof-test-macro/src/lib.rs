//! `#[grows("<= n log n")]` turns a function into a test. Users get it from `trend-prof-test`, which documents it.

#![forbid(unsafe_code)]

mod options;

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned as _;
use syn::{FnArg, ItemFn, Type};

use self::options::Options;

/// Creates a test that fails if the work of a function grows faster than stated; see the crate `trend-prof-test`.
#[proc_macro_attribute]
pub fn grows(options: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let expanded = syn::parse(options)
        .and_then(|options| expanded(&options, syn::parse(item)?, &features(std::env::args())));
    expanded.unwrap_or_else(syn::Error::into_compile_error).into()
}

fn expanded(options: &Options, mut function: ItemFn, features: &[String]) -> syn::Result<TokenStream> {
    let size = parameter(&function, options)?.clone();
    // Attributes for the test harness move to the test; the function keeps the others.
    let is_of_test = |attribute: &syn::Attribute| {
        ["ignore", "cfg", "cfg_attr", "should_panic", "test"]
            .iter()
            .any(|name| attribute.path().is_ident(name))
    };
    let (of_test, of_function): (Vec<_>, Vec<_>) = function.attrs.drain(..).partition(is_of_test);
    if let Some(other) =
        of_test.iter().find(|a| a.path().is_ident("should_panic") || a.path().is_ident("test"))
    {
        return Err(syn::Error::new(
            other.span(),
            "`#[grows]` makes a test by itself; remove this attribute",
        ));
    }
    function.attrs = of_function;
    let Options { limit, sizes, budget, setup, allow_undecided } = options;
    let (sizes, budget) = (optional(sizes.as_ref()), optional(budget.as_ref()));
    let name = &function.sig.ident;
    let text = name.to_string();
    let text = text.strip_prefix("r#").unwrap_or(&text);
    let body = match setup {
        None => quote! { counted.of(|| #name(n)) },
        Some(setup) => {
            let given = match &size {
                Type::Reference(reference) if reference.mutability.is_some() => quote! { &mut input },
                Type::Reference(_) => quote! { &input },
                _ => quote! { input },
            };
            quote! {
                #[allow(unused_mut, reason = "whether the function changes its input is its own matter")]
                let mut input = #setup(n);
                counted.of(|| #name(#given))
            }
        }
    };
    Ok(quote! {
        #(#of_test)*
        #[test]
        fn #name() {
            #function
            ::trend_prof_test::private::Test {
                name: concat!(module_path!(), "::", #text),
                limit: #limit,
                sizes: #sizes,
                budget: #budget,
                allow_undecided: #allow_undecided,
                target: ::trend_prof_test::private::Target {
                    folder: env!("CARGO_MANIFEST_DIR"),
                    package: concat!(env!("CARGO_PKG_NAME"), "@", env!("CARGO_PKG_VERSION")),
                    crate_name: env!("CARGO_CRATE_NAME"),
                    program: option_env!("CARGO_BIN_NAME"),
                    is_integration: option_env!("CARGO_TARGET_TMPDIR").is_some(),
                    features: &[#(#features),*],
                    is_debug: cfg!(debug_assertions),
                },
            }
            .run(|n, counted| { #body });
        }
    })
}

/// Returns the type of the only parameter. It is the size or, with a setup, the setup's result.
fn parameter<'f>(function: &'f ItemFn, options: &Options) -> syn::Result<&'f Type> {
    let signature = &function.sig;
    let what = if options.setup.is_some() { "what `setup` makes" } else { "the size: `fn parse(n: usize)`" };
    let fault = |span, what| Err(syn::Error::new(span, what));
    if let Some(word) = &signature.asyncness {
        return fault(
            word.span(),
            "an async function is not run by itself; block on it in the body".to_owned(),
        );
    }
    if !signature.generics.params.is_empty() {
        return fault(signature.generics.span(), "a test is of one function, and not generic".to_owned());
    }
    match (signature.inputs.first(), signature.inputs.len()) {
        (Some(FnArg::Typed(parameter)), 1) => Ok(&parameter.ty),
        _ => fault(signature.span(), format!("the function takes one argument, {what}")),
    }
}

fn optional(text: Option<&syn::LitStr>) -> TokenStream {
    text.map_or_else(|| quote! { None }, |text| quote! { Some(#text) })
}

/// Returns the enabled features of the package, from rustc's arguments. The macro runs inside rustc.
fn features(words: impl Iterator<Item = String>) -> Vec<String> {
    let feature = |word: String| Some(word.strip_prefix("feature=\"")?.strip_suffix('"')?.to_owned());
    words.filter_map(feature).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(options: &str, function: &str) -> String {
        let expanded =
            syn::parse_str(options).and_then(|options| expanded(&options, syn::parse_str(function)?, &[]));
        expanded.map_or_else(|error| error.to_string(), |tokens| tokens.to_string())
    }

    #[test]
    fn what_cannot_be_a_test_says_why() {
        let of = |function| message("\"<= n\"", function);
        assert!(of("fn f(n: usize) {}").contains("counted . of (|| f (n))"));
        assert!(of("fn f() {}").contains("takes one argument, the size"));
        assert!(of("fn f(self) {}").contains("takes one argument"));
        assert!(of("async fn f(n: usize) {}").contains("block on it"));
        assert!(of("fn f<T>(n: usize) {}").contains("not generic"));
        assert!(of("#[should_panic] fn f(n: usize) {}").contains("remove this attribute"));
        assert!(message("", "fn f(n: usize) {}").contains("says no growth"));
        assert!(message("\"<= n\", size = \"3\"", "fn f(n: usize) {}").contains("`size` is not an option"));
        assert!(message("\"<= n\", setup = m::make", "fn f() {}").contains("what `setup` makes"));
    }

    #[test]
    fn what_setup_makes_is_given_as_the_function_takes_it() {
        let of = |function| message("\"<= n\", setup = make, allow_undecided", function);
        assert!(of("fn f(list: &[u8]) {}").contains("f (& input)"));
        assert!(of("fn f(list: &mut [u8]) {}").contains("f (& mut input)"));
        assert!(of("fn f(list: Vec<u8>) {}").contains("f (input)"));
        assert!(of("fn f(list: Vec<u8>) {}").contains("allow_undecided : true"));
    }

    #[test]
    fn features_are_those_that_cargo_names() {
        let words = ["rustc", "--cfg", "feature=\"std\"", "--cfg", "docsrs", "--cfg", "feature=\"a-b\""];
        assert_eq!(features(words.into_iter().map(str::to_owned)), ["std", "a-b"]);
    }
}
