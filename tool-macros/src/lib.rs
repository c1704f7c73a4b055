//! The macros of toolwright. Their documentation stands where they are re-exported, in
//! [`toolwright`](https://docs.rs/toolwright).
//!
//! Every form goes the same way: `parse` reads tokens into the `model`, `check` applies the rules to
//! it, `expand` writes code for it. Without the feature `code` every form is an error that names the feature of the facade.

#![cfg_attr(
    not(feature = "code"),
    allow(
        clippy::useless_conversion,
        reason = "the forms convert where they are on"
    )
)]

#[cfg(feature = "code")]
mod check;
#[cfg(feature = "code")]
mod errors;
#[cfg(feature = "code")]
mod expand;
#[cfg(feature = "code")]
mod lifetimes;
#[cfg(all(test, feature = "code"))]
mod messages;
#[cfg(feature = "code")]
mod model;
#[cfg(not(feature = "code"))]
mod off;
#[cfg(feature = "code")]
mod parse;
#[cfg(feature = "code")]
mod snake_case;
#[cfg(feature = "code")]
mod suggest;
#[cfg(feature = "code")]
mod visible;

use proc_macro::TokenStream;

#[cfg(not(feature = "code"))]
use off as expand;

#[allow(missing_docs, reason = "documented where it is re-exported")]
#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(arguments.into(), &item.into()).into()
}

#[allow(missing_docs, reason = "documented where it is re-exported")]
#[proc_macro_attribute]
pub fn tools(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::block(arguments.into(), &item.into()).into()
}

#[allow(missing_docs, reason = "documented where it is re-exported")]
#[proc_macro_derive(ToolInput, attributes(tool, serde))]
pub fn tool_input(item: TokenStream) -> TokenStream {
    expand::input(item.into()).into()
}

#[allow(missing_docs, reason = "documented where it is re-exported")]
#[proc_macro_derive(Tool, attributes(tool, serde))]
pub fn derive_tool(item: TokenStream) -> TokenStream {
    expand::derived(item.into()).into()
}

/// Writes the code of a tool that names what is deprecated.
#[doc(hidden)]
#[proc_macro_derive(__Code, attributes(code))]
pub fn __code(item: TokenStream) -> TokenStream {
    expand::code(item.into()).into()
}

/// Expands `toolset!`, which passes `(root) entries`.
#[doc(hidden)]
#[proc_macro]
pub fn __toolset(input: TokenStream) -> TokenStream {
    expand::set(input.into()).into()
}
