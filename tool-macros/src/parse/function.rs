//! A function marked `#[tool]`.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, FnArg, Generics, Pat, PatType, Signature, Visibility,
    parse::{Parse, ParseStream},
};

use super::{
    declaration, docs,
    keys::{Keys, On},
    mistaken,
};
use crate::{
    errors::Errors,
    lifetimes,
    model::{Callable, DefaultValue, Parameter, Place, Root, Source, plain},
};

/// A function whose body was not looked at: one that is half typed gets rustc's own message.
pub(crate) struct Function {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    signature: Signature,
    body: TokenStream,
    is_tool: bool,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attributes: input.call(Attribute::parse_outer)?,
            visibility: input.parse()?,
            signature: input.parse()?,
            body: input.parse()?,
            is_tool: true,
        })
    }
}

impl Function {
    /// Reads a method, which is not a tool until it is found to be marked.
    pub(super) fn parse_method(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attributes: input.call(Attribute::parse_outer)?,
            visibility: input.parse()?,
            signature: input.parse()?,
            body: input.parse::<TokenTree>()?.into(),
            is_tool: false,
        })
    }
}

impl Function {
    /// Reads the tool of a function in a module. The attributes that are ours are taken away from
    /// the function.
    pub(crate) fn tool(&mut self, arguments: TokenStream, errors: &mut Errors) -> Callable {
        let mut keys = Keys::new(On::FUNCTION);
        keys.read(arguments, errors);
        let type_ident = keys.type_ident(errors);
        let place = Place::Module {
            type_ident: type_ident.unwrap_or_else(|| self.signature.ident.clone()),
            visibility: self.visibility.clone(),
        };
        let root = keys.root(errors);
        self.callable(keys, root, place, errors)
    }

    /// Reads the tool of a method, if it is one.
    pub(super) fn method(&mut self, root: &Root, errors: &mut Errors) -> Option<Callable> {
        let marks: Vec<_> = self
            .attributes
            .extract_if(.., |attribute| is_mark(attribute))
            .collect();
        if marks.is_empty() {
            return None;
        }
        let keys = Keys::of_marks(On::METHOD, &marks, errors);
        self.is_tool = true;
        Some(self.callable(keys, root.clone(), Place::Block, errors))
    }

    fn callable(
        &mut self,
        mut keys: Keys,
        root: Root,
        place: Place,
        errors: &mut Errors,
    ) -> Callable {
        let ident = self.signature.ident.clone();
        let tool = declaration::tool(ident, plain, &self.attributes, &mut keys, root, errors);
        let Signature {
            inputs, generics, ..
        } = &mut self.signature;
        let parameters = inputs
            .iter_mut()
            .enumerate()
            .filter_map(|(place, input)| parameter(input, place, generics, errors))
            .collect();
        Callable {
            tool,
            parameters,
            signature: self.signature.clone(),
            place,
        }
    }
}

/// Whether it says that a method is a tool, also by a path.
pub(super) fn is_mark(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|last| last.ident == "tool")
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            attributes,
            visibility,
            signature,
            body,
            is_tool,
        } = self;
        // A tool owns its arguments, whether it needs to or not, and `async` says where it runs,
        // whether it waits or not.
        let quiet =
            is_tool.then(|| quote!(#[allow(clippy::needless_pass_by_value, clippy::too_many_arguments, clippy::unused_async)]));
        tokens.extend(quote! {
            #(#attributes)*
            #quiet
            #visibility #signature #body
        });
    }
}

/// Reads a parameter. One that has no name is left to the rules, which see the signature.
fn parameter(
    input: &mut FnArg,
    place: usize,
    generics: &Generics,
    errors: &mut Errors,
) -> Option<Parameter> {
    let attributes = match input {
        FnArg::Receiver(receiver) => &mut receiver.attrs,
        FnArg::Typed(typed) => &mut typed.attrs,
    };
    let ours = take_ours(attributes);
    let mistaken = mistaken::take(attributes, errors);
    let FnArg::Typed(PatType { pat, ty, .. }) = input else {
        return None;
    };
    let mut keys = Keys::of(On::PARAMETER, &ours, errors);
    let default = keys.default(errors);
    let foreign = keys.schemars(errors);
    let mut contexts = ours
        .iter()
        .filter(|attribute| attribute.path().is_ident("context"));
    let source = match contexts.next() {
        None if mistaken.context => Source::Context,
        None => Source::Argument {
            default,
            constraints: keys.constraints(format_ident!("__Constraints{place}"), errors),
        },
        Some(context) => {
            keys.no_constraints(
                "a `#[context]` parameter comes from the program: remove one of them",
                errors,
            );
            if !matches!(context.meta, syn::Meta::Path(_)) {
                errors.at(context, "`#[context]` takes no keys: write `#[context]`");
            }
            if foreign.is_some() {
                let message = "a `#[context]` parameter has no schema: remove `#[context]` or \
                               `schemars`";
                errors.at(context, message);
            }
            if !matches!(default, DefaultValue::None) {
                let message = "a `#[context]` parameter has no default: the context always has \
                               it; remove `#[context]` or the default";
                errors.at(context, message);
            }
            Source::Context
        }
    };
    if let Some(again) = contexts.next() {
        errors.at(again, "`#[context]` is given twice: keep one");
    }
    let Pat::Ident(name) = &**pat else {
        return None;
    };
    Some(Parameter {
        ident: name.ident.clone(),
        ty: lifetimes::elided(ty, generics),
        description: docs::text(&ours),
        source,
        foreign,
    })
}

fn take_ours(attributes: &mut Vec<Attribute>) -> Vec<Attribute> {
    let is_ours = |attribute: &Attribute| {
        ["doc", "tool", "context"]
            .iter()
            .any(|name| attribute.path().is_ident(name))
    };
    attributes
        .extract_if(.., |attribute| is_ours(attribute))
        .collect()
}
