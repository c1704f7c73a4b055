//! A function marked `#[tool]`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Attribute, FnArg, Pat, PatType, Signature, Visibility,
    ext::IdentExt,
    parse::{Parse, ParseStream},
};

use super::{
    docs,
    keys::{Keys, Place},
};
use crate::{
    errors::Errors,
    model::{DefaultValue, Name, Parameter, Source, Text, Tool, plain},
};

/// A function whose body was not looked at: one that is half typed gets rustc's own message.
pub(crate) struct Function {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    signature: Signature,
    body: TokenStream,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        refuse_other_items(input)?;
        Ok(Self {
            attributes,
            visibility,
            signature: input.parse()?,
            body: input.parse()?,
        })
    }
}

fn refuse_other_items(input: ParseStream<'_>) -> syn::Result<()> {
    let Ok(keyword) = input.fork().call(Ident::parse_any) else {
        return Ok(());
    };
    let instead = match keyword.to_string().as_str() {
        "struct" | "enum" | "union" => "; a type inside arguments derives `ToolInput`",
        "impl" | "trait" => "; move the method out and take what it needs with `#[context]`",
        "mod" | "static" | "use" | "type" | "macro_rules" => "",
        _ => return Ok(()),
    };
    let message = format!("`#[tool]` stands on an `fn` or `async fn`{instead}");
    Err(syn::Error::new(keyword.span(), message))
}

impl Function {
    /// Reads the tool. The attributes that are ours are taken away from the function.
    pub(crate) fn tool(&mut self, arguments: TokenStream, errors: &mut Errors) -> Tool {
        let mut keys = Keys::new(Place::FUNCTION);
        keys.read(arguments, errors);
        let ident = &self.signature.ident;
        let name = match keys.name(errors) {
            Some(literal) => Name {
                text: literal.value(),
                span: literal.span(),
                given: true,
            },
            None => Name {
                text: plain(ident),
                span: ident.span(),
                given: false,
            },
        };
        let description = match keys.description(errors) {
            Some(expression) => expression_text(expression),
            None => docs::text(&self.attributes),
        };
        let is_condition = |attribute: &&Attribute| attribute.path().is_ident("cfg");
        let inputs = self.signature.inputs.iter_mut();
        let parameters = inputs
            .filter_map(|input| parameter(input, errors))
            .collect();
        Tool {
            type_ident: keys.type_ident(errors).unwrap_or_else(|| ident.clone()),
            visibility: self.visibility.clone(),
            conditions: self
                .attributes
                .iter()
                .filter(is_condition)
                .cloned()
                .collect(),
            root: keys.root(errors),
            name,
            description,
            parameters,
            signature: self.signature.clone(),
        }
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            attributes,
            visibility,
            signature,
            body,
        } = self;
        tokens.extend(quote! {
            #(#attributes)*
            // A tool owns its arguments, whether it needs to or not, and `async` says where it runs,
            // whether it waits or not.
            #[allow(clippy::needless_pass_by_value, clippy::unused_async)]
            #visibility #signature #body
        });
    }
}

/// A literal is as good as a doc comment; anything else is known to the compiler only.
fn expression_text(expression: syn::Expr) -> Text {
    match &expression {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) => Text::Known {
            text: text.value().trim().to_owned(),
            from: text.to_token_stream(),
        },
        _ => Text::Expression(Box::new(expression)),
    }
}

/// Reads a parameter. One that has no name is left to the rules, which see the signature.
fn parameter(input: &mut FnArg, errors: &mut Errors) -> Option<Parameter> {
    let attributes = match input {
        FnArg::Receiver(receiver) => &mut receiver.attrs,
        FnArg::Typed(typed) => &mut typed.attrs,
    };
    let ours = take_ours(attributes);
    if let Some(condition) = attributes.iter().find(|other| other.path().is_ident("cfg")) {
        let message = "a parameter is always there: put `#[cfg(…)]` on the function";
        errors.at(condition, message);
    }
    let FnArg::Typed(PatType { pat, ty, .. }) = input else {
        return None;
    };
    let mut keys = Keys::of(Place::PARAMETER, &ours, errors);
    let default = keys.default(errors);
    let mut contexts = ours
        .iter()
        .filter(|attribute| attribute.path().is_ident("context"));
    let source = match contexts.next() {
        None => Source::Argument { default },
        Some(context) => {
            if !matches!(context.meta, syn::Meta::Path(_)) {
                errors.at(context, "`#[context]` takes no keys: write `#[context]`");
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
        ty: (**ty).clone(),
        description: docs::text(&ours),
        source,
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
