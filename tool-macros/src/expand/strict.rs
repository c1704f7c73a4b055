//! Rules that a tool requests in addition to those for all tools.

use proc_macro2::TokenStream;
use quote::quote;

use super::spans;
use crate::model::{Profile, Strict, Tool};

/// The rules, if there are any beyond those for all.
pub(super) fn rules(tool: &Tool, p: &TokenStream) -> Option<TokenStream> {
    let asked = &tool.asked;
    if asked.strict.is_none() && asked.max_depth.is_none() {
        return None;
    }
    let rules = match asked.strict.as_ref().map(|strict| strict.profile) {
        None => quote!(NONE),
        Some(Profile::OpenAi) => quote!(OPENAI),
        Some(Profile::Anthropic) => quote!(ANTHROPIC),
        Some(Profile::Portable) => quote!(PORTABLE),
    };
    let within = asked.max_depth.map(|levels| quote!(.within(#levels)));
    Some(quote!(#p::Rules::#rules #within))
}

/// The profile whose rules the tool follows, as an expression.
pub(super) fn profile(tool: &Tool, p: &TokenStream) -> Option<TokenStream> {
    let variant = match tool.asked.strict.as_ref()?.profile {
        Profile::OpenAi => quote!(OpenAi),
        Profile::Anthropic => quote!(Anthropic),
        Profile::Portable => quote!(Portable),
    };
    Some(quote!(#p::Strict::#variant))
}

/// The check of how many properties there are, of which only OpenAI has a limit.
pub(super) fn properties_check(
    tool: &Tool,
    facts: &[TokenStream],
    p: &TokenStream,
) -> Option<TokenStream> {
    match &tool.asked.strict {
        Some(Strict {
            profile: Profile::OpenAi,
            literal,
        }) => Some(spans::call(
            literal,
            quote!(#p::check_properties),
            quote!(#p::Rules::OPENAI, &[#(#facts),*]),
        )),
        _ => None,
    }
}
