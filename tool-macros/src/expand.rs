//! From a valid model to code. The code is thin: loops and matches are functions of the runtime.

mod advice;
mod argument;
mod block;
mod body;
mod constraint;
mod culprit;
mod deprecated;
mod derived;
mod describe;
mod fallback;
mod metadata;
mod output;
mod policy;
mod sent;
mod set;
mod spans;
mod strict;
#[cfg(test)]
mod tests;
mod texts;
mod tool;

pub(crate) use deprecated::code;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_quote};

use crate::{
    check,
    errors::Errors,
    model::{Input, Root},
    parse::{self, block::Block, function::Function, misplaced},
};

/// `#[tool]` on a function: the function as it was written, and the tool beside it.
pub(crate) fn function(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    if let Some(refused) = misplaced::tool(item) {
        return refused;
    }
    let read = syn::parse2::<Function>(item.clone()).ok();
    if read.is_none()
        && let Some(refused) = misplaced::foreign(item)
    {
        return refused;
    }
    // The compiler has read it too, and said what it could not read.
    let Some(mut function) = read.or_else(|| Function::half_typed(item.clone())) else {
        return item.clone();
    };
    let mut errors = Errors::default();
    let tool = function.tool(arguments, &mut errors);
    let is_whole = !function.is_half_typed() && !function.is_declared_only();
    let is_callable = check::function(&tool, &mut errors) && is_whole;
    let is_member = check::is_member(&tool.signature);
    if !is_member {
        function.has_body(&mut errors);
    }
    // No type can stand in an `impl`, and one that hides a primitive must not stand anywhere.
    let has_no_type = is_member || function.is_declared_only();
    let beside = if is_callable {
        tool::tool(&tool)
    } else if has_no_type || check::hidden_primitive(&tool).is_some() {
        TokenStream::new()
    } else {
        fallback::tool(&tool)
    };
    let errors = if has_no_type {
        errors.into_code()
    } else {
        errors.into_item()
    };
    quote!(#function #errors #beside)
}

/// `#[tools]` on an `impl`: the block as it was written, and the function that gives its tools.
pub(crate) fn block(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    if let Some(refused) = misplaced::tools(item) {
        return refused;
    }
    let Ok(mut written) = syn::parse2::<Block>(item.clone()) else {
        return misplaced::without_marks(item);
    };
    let mut errors = Errors::default();
    let block = written.tools(arguments, &mut errors);
    let is_callable = check::block(&block, &mut errors) && !written.is_half_typed();
    let beside = if is_callable {
        block::tools(&block)
    } else {
        fallback::block(&block)
    };
    let errors = errors.into_item();
    quote!(#written #errors #beside)
}

/// `#[derive(ToolInput)]`.
pub(crate) fn input(item: TokenStream) -> TokenStream {
    let Ok(item) = syn::parse2::<DeriveInput>(item.clone()) else {
        return half_typed(item, fallback::input);
    };
    let mut errors = Errors::default();
    let keys = parse::input::keys(&item, &mut errors);
    let root = keys.0.clone();
    let input = parse::input::described(&item, keys, &mut errors);
    let decoding = decoding(&item, input.as_ref(), &root);
    let input = input.filter(|input| check::input(input, &mut errors));
    let code = input.map_or_else(
        || fallback::input(&item, &root),
        |mut input| {
            fallback::parts(&mut input);
            let asked = describe::gate(&mut input);
            describe::input(&input, &asked)
        },
    );
    let errors = errors.into_item();
    quote!(#errors #code #decoding)
}

/// `#[derive(Tool)]`.
pub(crate) fn derived(item: TokenStream) -> TokenStream {
    let Ok(item) = syn::parse2::<DeriveInput>(item.clone()) else {
        return half_typed(item, fallback::derived);
    };
    let mut errors = Errors::default();
    let tool = parse::derived::derived(&item, &mut errors);
    let is_described = tool
        .as_ref()
        .is_some_and(|tool| check::derived(tool, &mut errors));
    let root = tool.as_ref().map_or_else(
        || Root(parse_quote!(::toolwright)),
        |tool| tool.tool.root.clone(),
    );
    let input = tool.as_ref().map(|tool| &tool.input);
    let decoding = decoding(&item, input, &root);
    let code = match tool {
        Some(mut tool) if is_described => {
            fallback::parts(&mut tool.input);
            let asked = describe::gate(&mut tool.input);
            derived::tool(&tool, &asked)
        }
        _ => fallback::derived(&item, &root),
    };
    let errors = errors.into_item();
    quote!(#errors #code #decoding)
}

/// `Deserialize` for a type that serde refuses, so that what takes the type is no mistake too.
fn decoding(item: &DeriveInput, input: Option<&Input>, root: &Root) -> Option<TokenStream> {
    let is_sound = input.is_some_and(|input| input.is_sound);
    let is_refused = !is_sound && parse::input::is_refused_by_serde(item);
    is_refused.then(|| fallback::decoding(item, root))
}

/// What stands in for a type that the compiler could not read, and has reported.
fn half_typed(item: TokenStream, fallback: fn(&DeriveInput, &Root) -> TokenStream) -> TokenStream {
    let Some(item) = parse::input::half_typed(item) else {
        return TokenStream::new();
    };
    let (root, _) = parse::input::keys(&item, &mut Errors::default());
    let (code, decoding) = (fallback(&item, &root), fallback::decoding(&item, &root));
    quote!(#code #decoding)
}

/// `toolset!`.
pub(crate) fn set(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let set = parse::set::set(input, &mut errors);
    let code = set.map(|set| set::set(&set));
    match errors.into_code() {
        None => quote!(#code),
        Some(errors) => quote!({ #errors #code }),
    }
}
