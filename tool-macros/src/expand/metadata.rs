//! Metadata of a tool in addition to its description.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::{policy, strict};
use crate::model::{Hints, Tool};

/// The title, as an expression.
pub(super) fn title(tool: &Tool, p: &TokenStream) -> TokenStream {
    let title = tool.title.as_ref();
    title.map_or(
        quote!(#p::Option::None),
        |title| quote!(#p::Option::Some(#title)),
    )
}

/// The hints, as an expression.
pub(super) fn hints(tool: &Tool, p: &TokenStream) -> TokenStream {
    let calls = given(&tool.hints).map(|(name, value)| {
        let function = Ident::new(&format!("with_{name}"), Span::call_site());
        quote!(.#function(#value))
    });
    quote!(#p::ToolHints::NONE #(#calls)*)
}

/// Creates the constants of `StaticTool` that differ from the defaults of that trait.
pub(super) fn constants(tool: &Tool, p: &TokenStream) -> TokenStream {
    let (title, hints) = (title(tool, p), hints(tool, p));
    let titled = tool
        .title
        .iter()
        .map(|_| quote!(const TITLE: #p::Option<&'static ::core::primitive::str> = #title;));
    let hinted = given(&tool.hints)
        .take(1)
        .map(|_| quote!(const HINTS: #p::ToolHints = #hints;));
    let strict = strict::profile(tool, p);
    let strict = strict
        .map(|profile| quote!(const STRICT: #p::Option<#p::Strict> = #p::Option::Some(#profile);));
    let deferred = tool.deferred.as_ref();
    let deferred = deferred.map(|_| {
        quote!(
            const DEFERRED: ::core::primitive::bool = true;
        )
    });
    let policy = policy::constant(tool, p);
    quote!(#(#titled)* #(#hinted)* #strict #deferred #policy)
}

fn given(hints: &Hints) -> impl Iterator<Item = (&'static str, bool)> {
    let all = [
        ("read_only", &hints.read_only),
        ("destructive", &hints.destructive),
        ("idempotent", &hints.idempotent),
        ("open_world", &hints.open_world),
    ];
    all.into_iter()
        .filter_map(|(name, hint)| Some((name, hint.as_ref()?.value)))
}
