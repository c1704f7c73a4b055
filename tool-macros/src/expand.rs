//! From a valid model to code. The code is thin: loops and matches are functions of the runtime.

mod argument;
mod body;
mod describe;
mod set;
mod spans;
mod stand_in;
#[cfg(test)]
mod tests;
mod texts;
mod tool;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::DeriveInput;

use crate::{
    check,
    errors::Errors,
    parse::{self, function::Function},
};

/// `#[tool]` on a function: the function as it was written, and the tool beside it.
pub(crate) fn function(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    let mut function: Function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let error = error.into_compile_error();
            return quote!(#item #error);
        }
    };
    let mut errors = Errors::default();
    let tool = function.tool(arguments, &mut errors);
    check::tool(&tool, &mut errors);
    let beside = match errors.into_code() {
        None => tool::tool(&tool),
        // Beside a method there is no place for a type.
        // No type can stand in an `impl`, and this one must not stand in the module.
        Some(errors)
            if tool.signature.receiver().is_some() || check::is_primitive(&tool.type_ident) =>
        {
            errors
        }
        Some(errors) => {
            let stand_in = stand_in::tool(&tool);
            quote!(#errors #stand_in)
        }
    };
    let mut code = function.into_token_stream();
    code.extend(beside);
    code
}

/// `#[derive(ToolInput)]`.
pub(crate) fn input(item: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let root = parse::input::root(&item, &mut errors);
    let input = parse::input::input(&item, root.clone(), &mut errors);
    if let Some(input) = &input {
        check::input(input, &mut errors);
    }
    match (errors.into_code(), input) {
        (None, Some(input)) => describe::input(&input),
        (errors, _) => {
            let stand_in = stand_in::input(&item, &root);
            quote!(#errors #stand_in)
        }
    }
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
