//! From a valid model to code. The code is thin: loops and matches are functions of the runtime.

mod advice;
mod argument;
mod block;
mod body;
mod constraint;
mod culprit;
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

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_quote};

use crate::{
    check,
    errors::Errors,
    model::{Place, Root, plain},
    parse::{self, block::Block, function::Function, misplaced},
    surroundings::{self, Earlier, Holder},
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
    match surroundings::holder() {
        None => {}
        // Both are said of by a rule.
        Some(Holder::Impl) if function.has_receiver() || function.is_declared_only() => {}
        Some(holder) => return held(function, arguments, holder),
    }
    let mut errors = Errors::default();
    let mut tool = function.tool(arguments, &mut errors);
    function.has_body(&mut errors);
    let is_whole = !function.is_half_typed() && !function.is_declared_only();
    let is_callable = check::function(&tool, &mut errors) && is_whole;
    let name = plain(&tool.tool.ident);
    let type_name = match &tool.place {
        Place::Module { type_ident, .. } => plain(type_ident),
        Place::Block => String::new(),
    };
    let siblings =
        surroundings::siblings(&[&name, &type_name]).filter(|_| !function.is_half_typed());
    let earlier = siblings
        .as_ref()
        .and_then(|siblings| siblings.function_before(&name));
    if let Place::Module { is_doubtful, .. } = &mut tool.place {
        let imported = siblings
            .as_ref()
            .map(|siblings| siblings.imported(&type_name));
        *is_doubtful = imported.flatten().is_some();
    }
    let is_free = earlier.is_some()
        || siblings.is_none_or(|siblings| check::free_type(&tool, &siblings, &mut errors));
    // No type can stand in an `impl`, and one that hides a primitive must not stand anywhere.
    let has_type = is_free
        && tool.signature.receiver().is_none()
        && !function.is_declared_only()
        && check::hidden_primitive(&tool).is_none();
    let beside = if earlier == Some(Earlier::Tool) || !is_free {
        tool::checks(&tool, |_| true)
    } else if is_callable && earlier.is_none() {
        tool::tool(&tool)
    } else if has_type {
        fallback::tool(&tool)
    } else {
        TokenStream::new()
    };
    // What has a receiver or no body stands in an `impl`, a `trait` or an `extern` block.
    let errors = if tool.signature.receiver().is_some() || function.is_declared_only() {
        errors.into_code()
    } else {
        errors.into_item()
    };
    quote!(#function #errors #beside)
}

/// A function that stands in an `impl` or a `trait`, which can hold no type beside it.
fn held(mut function: Function, arguments: TokenStream, holder: Holder) -> TokenStream {
    let mut errors = Errors::default();
    let tool = function.tool(arguments, &mut errors);
    let message = match holder {
        Holder::Impl => {
            "a function of an `impl` is a tool of the type: write `#[tools]` above the `impl`"
        }
        Holder::ImplOfTrait => {
            "the `impl` of a trait has no tools: call this function from a method in the own `impl` of \
             the type, and mark that method"
        }
        Holder::Trait => {
            "a trait has no tools: call this function from a function or a method of a type, and mark \
             that one"
        }
    };
    let error = syn::Error::new(tool.tool.ident.span(), message).into_compile_error();
    let errors = errors.into_code();
    quote!(#function #error #errors)
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
    let is_free = surroundings::siblings_of_block()
        .is_none_or(|siblings| check::free_function(&block, &siblings, &mut errors));
    let beside = if !is_free {
        fallback::checks_of_block(&block)
    } else if is_callable {
        block::tools(&block)
    } else {
        fallback::block(&block)
    };
    let errors = errors.into_item();
    quote!(#written #errors #beside)
}

/// `#[derive(ToolInput)]`.
pub(crate) fn input(item: TokenStream) -> TokenStream {
    // The compiler has read it, and said what it could not read.
    let Ok(item) = syn::parse2::<DeriveInput>(item) else {
        return TokenStream::new();
    };
    let mut errors = Errors::default();
    let is_first = is_first(&item);
    let keys = parse::input::keys(&item, &mut errors);
    let root = keys.0.clone();
    let input = parse::input::described(&item, keys, &mut errors);
    let input = input.filter(|input| check::input(input, &mut errors));
    let code = input.map_or_else(
        || fallback::input(&item, &root),
        |mut input| {
            fallback::parts(&mut input);
            let asked = describe::gate(&mut input);
            describe::input(&input, &asked)
        },
    );
    let code = is_first.then_some(code);
    let errors = errors.into_item();
    quote!(#errors #code)
}

/// `#[derive(Tool)]`.
pub(crate) fn derived(item: TokenStream) -> TokenStream {
    // The compiler has read it, and said what it could not read.
    let Ok(item) = syn::parse2::<DeriveInput>(item) else {
        return TokenStream::new();
    };
    let mut errors = Errors::default();
    let tool = parse::derived::derived(&item, &mut errors);
    let is_described = tool
        .as_ref()
        .is_some_and(|tool| check::derived(tool, &mut errors));
    let code = match tool {
        Some(mut tool) if is_described => {
            fallback::parts(&mut tool.input);
            let asked = describe::gate(&mut tool.input);
            derived::tool(&tool, &asked)
        }
        tool => {
            let root = tool.map_or_else(|| Root(parse_quote!(::toolwright)), |tool| tool.tool.root);
            fallback::derived(&item, &root)
        }
    };
    let code = is_first(&item).then_some(code);
    let errors = errors.into_item();
    quote!(#errors #code)
}

/// False for a type with the name of another, which all that is written of it would speak of.
fn is_first(item: &DeriveInput) -> bool {
    let name = plain(&item.ident);
    surroundings::siblings(&[&name]).is_none_or(|siblings| !siblings.has_type_before(&name))
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
