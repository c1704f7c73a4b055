//! The rules for the signature of a function.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, GenericParam, Pat, Signature, Type, spanned::Spanned};

use crate::{
    errors::Errors,
    model::{Parameter, Source, Text},
};

/// The maximum number of arguments of a tool.
const MAX_ARGUMENTS: usize = 16;

/// No `const`, `unsafe`, `extern` or variadic function.
pub(super) fn plain_function(signature: &Signature, errors: &mut Errors) {
    let needed = "a tool is an `fn` or `async fn`: remove";
    if let Some(keyword) = &signature.constness {
        errors.at(keyword, format!("{needed} `const`"));
    }
    if matches!(signature.safety, syn::Safety::Unsafe(_)) {
        let message = "a model cannot promise what an `unsafe` function asks for: check the \
                       arguments in a safe function, and call the unsafe one from there";
        errors.at(&signature.safety, message);
    } else if !matches!(signature.safety, syn::Safety::Default) {
        errors.at(&signature.safety, format!("{needed} `safe`"));
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, format!("{needed} `extern`"));
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(
            variadic,
            "a tool has a fixed number of parameters: take a `Vec`",
        );
    }
}

/// The model sends JSON; nothing says which type it means.
pub(super) fn not_generic(signature: &Signature, errors: &mut Errors) {
    let mut parameters = signature.generics.params.iter();
    if parameters.any(|parameter| !matches!(parameter, GenericParam::Lifetime(_))) {
        let message = "a tool cannot be generic: write the types that the model is to send";
        errors.at(&signature.generics, message);
    }
}

/// Returns true if a function shows that it stands in an `impl` or a trait.
pub(crate) fn is_member(signature: &Signature) -> bool {
    signature.receiver().is_some() || self_type(signature.to_token_stream()).is_some()
}

/// Beside a method there is no place for a type.
pub(super) fn not_a_member(signature: &Signature, errors: &mut Errors) {
    if is_member(signature) {
        let message = "a function of a type is a tool in a block of that type: write `#[tools]` above \
                       the `impl`, in which the mark is called `#[tool]`; a function of a trait is no tool, \
                       call it from one";
        errors.at(&signature.ident, message);
    }
}

/// Finds `Self` in tokens.
fn self_type(tokens: TokenStream) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => Some(ident),
        TokenTree::Group(group) => self_type(group.stream()),
        _ => None,
    })
}

/// Each parameter has a name, which the model reads.
pub(super) fn named_parameters(signature: &Signature, errors: &mut Errors) {
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(_) => {}
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {}
                Pat::Wild(_) => errors.at(
                    &typed.pat,
                    "the model reads the name of a parameter: write one instead of `_`",
                ),
                _ => errors.at(
                    &typed.pat,
                    "the model reads the name of a parameter: write a name instead of a \
                     pattern, and take the value apart in the body",
                ),
            },
        }
    }
}

/// rustc sees two parameters of one name too, but not if one of them comes from a macro.
pub(super) fn names_differ(parameters: &[Parameter], errors: &mut Errors) {
    for (place, parameter) in parameters.iter().enumerate() {
        let name = parameter.name();
        if parameters[..place]
            .iter()
            .any(|before| before.name() == name)
        {
            let message = format!("two parameters are called `{name}`: rename one of them");
            errors.at(&parameter.ident, message);
        }
    }
}

/// A type as people write it.
pub(super) fn written(ty: &Type) -> String {
    let text = quote::quote!(#ty).to_string();
    ["< ", " <", " >", " :: ", "& ", " ,"]
        .iter()
        .fold(text, |text, spaced| text.replace(spaced, spaced.trim()))
}

/// The context is shared between calls.
pub(super) fn shared_context(parameters: &[Parameter], errors: &mut Errors) {
    for Parameter { ty, source, .. } in parameters {
        if let (Source::Context, Type::Reference(reference)) = (source, ty)
            && reference.mutability.is_some()
        {
            let inner = written(&reference.elem);
            let is_context = matches!(&*reference.elem, Type::Path(path)
                if path.path.segments.last().is_some_and(|last| last.ident == "ToolContext"));
            let instead = if is_context {
                "take it without `mut`, as `&ToolContext`".to_owned()
            } else {
                format!(
                    "take it without `mut`, as `ExtensionRef<'_, {inner}>`; what the tool is to change \
                     stands in a lock, as `ExtensionRef<'_, Mutex<{inner}>>`"
                )
            };
            errors.at(
                ty,
                format!("the context is shared between calls: {instead}"),
            );
        }
    }
}

/// `impl Trait` in a parameter is a generic in other words.
pub(super) fn named_types(parameters: &[Parameter], errors: &mut Errors) {
    for Parameter { ty, .. } in parameters {
        if let Type::ImplTrait(_) = ty {
            let message =
                "a tool cannot be generic: write the type that is meant instead of `impl`";
            errors.at(ty, message);
        }
    }
}

/// Slots come in tuples of so many.
pub(super) fn few_arguments(parameters: &[Parameter], errors: &mut Errors) {
    let arguments = parameters
        .iter()
        .filter(|parameter| matches!(parameter.source, Source::Argument { .. }));
    if let Some(parameter) = arguments.clone().nth(MAX_ARGUMENTS) {
        let message = format!(
            "a tool has at most {MAX_ARGUMENTS} arguments, this one has {}: put some into a struct \
             that derives `ToolInput`",
            arguments.count()
        );
        errors.at(&parameter.ident, message);
    }
}

/// The model is not told of the context.
pub(super) fn undocumented_context(parameters: &[Parameter], errors: &mut Errors) {
    for parameter in parameters {
        if let (Source::Context, Text::Known { from, .. }) =
            (&parameter.source, &parameter.description)
        {
            let message = "the model never sees a `#[context]` parameter: write `//`";
            errors.push(syn::Error::new(from.span(), message));
        }
    }
}
