//! A function marked `#[tool]`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, FnArg, Meta, Pat, PatType, ReturnType, Signature, Visibility,
    parse::{Parse, ParseStream},
    parse_quote,
};

use super::{
    declaration, half_typed,
    keys::{Keys, Position, pattern},
    mark::is_mark,
    misplaced::NO_BODY,
    misspelled,
};
use crate::{
    check::has_no_size,
    errors::Errors,
    lifetimes,
    model::{Callable, DefaultValue, Parameter, Place, Root, Source, names_deprecated, plain},
};

/// A function whose body was not looked at: one that is half typed gets rustc's own message.
pub(crate) struct Function {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    signature: Signature,
    body: TokenStream,
    is_tool: bool,
    /// The replacement of the function, if its signature is half typed.
    stub: Option<TokenStream>,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attributes: input.call(Attribute::parse_outer)?,
            visibility: input.parse()?,
            signature: input.parse()?,
            body: input.parse()?,
            is_tool: true,
            stub: None,
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
            body: body(input)?,
            is_tool: false,
            stub: None,
        })
    }

    /// Reads a function that the compiler reads and syn does not, as far as it can be read. `None` if it
    /// has no name.
    pub(crate) fn half_typed(tokens: TokenStream) -> Option<Self> {
        let half = half_typed::read(tokens)?;
        Some(Self {
            attributes: half.attributes,
            visibility: half.visibility,
            signature: half.signature,
            body: TokenStream::new(),
            is_tool: false,
            stub: Some(half.stub),
        })
    }

    pub(super) fn ident(&self) -> &Ident {
        &self.signature.ident
    }

    pub(super) fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Returns true if the signature is half typed.
    pub(crate) fn is_half_typed(&self) -> bool {
        self.stub.is_some()
    }
}

impl Function {
    /// Returns true if the function has no body, as in a trait or an `extern` block, where no type can be declared
    /// next to it.
    pub(crate) fn is_declared_only(&self) -> bool {
        self.body.to_string() == ";"
    }

    /// A tool does something.
    pub(crate) fn has_body(&self, errors: &mut Errors) {
        if self.is_declared_only() {
            errors.at(&self.body, NO_BODY);
        }
    }

    /// Reads the tool of a function in a module. The attributes that are ours are taken away from
    /// the function.
    pub(crate) fn tool(&mut self, arguments: TokenStream, errors: &mut Errors) -> Callable {
        let mut keys = Keys::new(Position::FUNCTION);
        keys.read(arguments, errors);
        let root = keys.root(errors);
        for again in self
            .attributes
            .extract_if(.., |attribute| is_mark(attribute, &root))
        {
            errors.at(again, TWICE);
        }
        let type_ident = keys.type_ident(errors);
        let place = Place::Module {
            type_ident: type_ident.unwrap_or_else(|| self.signature.ident.clone()),
            visibility: self.visibility.clone(),
            deprecated: self
                .attributes
                .iter()
                .filter(|attribute| attribute.path().is_ident("deprecated"))
                .cloned()
                .collect(),
        };
        self.callable(keys, root, place, errors)
    }

    /// Reads the tool of a method, if it is one.
    pub(super) fn method(&mut self, root: &Root, errors: &mut Errors) -> Option<Callable> {
        let marks: Vec<_> = self
            .attributes
            .extract_if(.., |attribute| is_mark(attribute, root))
            .collect();
        for again in marks.iter().skip(1) {
            errors.at(again, TWICE);
        }
        let mut is_tool = !marks.is_empty();
        // The mark would be there after the block has been read.
        let conditional =
            |attribute: &mut Attribute| misspelled::is_conditional_mark(attribute, root);
        for mark in self.attributes.extract_if(.., conditional) {
            errors.at(
                mark,
                "write `#[tool]` without `cfg_attr`, and `#[cfg(…)]` on the method",
            );
            is_tool = true;
        }
        if !is_tool {
            return None;
        }
        let keys = Keys::of_marks(Position::METHOD, &marks, errors);
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
        let (attributes, signature) = (&self.attributes, &self.signature);
        let names_deprecated = names_deprecated(quote!(#(#attributes)* #signature));
        let ident = self.signature.ident.clone();
        let tool = declaration::tool(ident, plain, &self.attributes, &mut keys, root, errors);
        let inputs = self.signature.inputs.iter_mut().enumerate();
        let parameters = inputs
            .filter_map(|(place, input)| parameter(input, place, errors))
            .collect::<Vec<_>>();
        self.replace_unsized();
        let signature = with_names(self.signature.clone(), &parameters);
        Callable {
            tool,
            signature,
            parameters,
            place,
            names_deprecated,
        }
    }
}

impl Function {
    /// A function that takes or returns what has no size is an error of the compiler at many places: it is
    /// replaced, and a rule says it once.
    fn replace_unsized(&mut self) {
        let is_unsized =
            |input: &FnArg| matches!(input, FnArg::Typed(typed) if has_no_size(&typed.ty));
        let returns_unsized =
            matches!(&self.signature.output, ReturnType::Type(_, ty) if has_no_size(ty));
        if returns_unsized || self.signature.inputs.iter().any(is_unsized) {
            let inputs = self.signature.inputs.iter();
            let known: Vec<_> = inputs
                .map(|input| (!is_unsized(input)).then(|| input.clone()))
                .collect();
            self.stub = Some(half_typed::stub(&self.visibility, &self.signature, &known));
        }
    }
}

/// The body of a method, or the `;` in its place.
fn body(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    if input.peek(syn::token::Brace) || input.peek(syn::Token![;]) {
        return input.parse::<TokenTree>().map(Into::into);
    }
    Err(input.error("a body is missing"))
}

const TWICE: &str = "`#[tool]` stands here twice: write all keys into one";

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            attributes,
            visibility,
            signature,
            body,
            is_tool,
            stub,
        } = self;
        // A tool owns its arguments, whether it needs to or not, `async` says where it runs, whether it waits or not,
        // and no tool is `const`.
        let quiet =
            is_tool.then(|| quote!(#[allow(clippy::missing_const_for_fn, clippy::needless_pass_by_value, clippy::too_many_arguments, clippy::unused_async)]));
        let function = stub
            .as_ref()
            .map_or_else(|| quote!(#visibility #signature #body), Clone::clone);
        tokens.extend(quote! {
            #(#attributes)*
            #quiet
            #function
        });
    }
}

/// Reads a parameter. One that has no name is left to the rules, which see the signature.
fn parameter(input: &mut FnArg, place: usize, errors: &mut Errors) -> Option<Parameter> {
    let attributes = match input {
        FnArg::Receiver(receiver) => &mut receiver.attrs,
        FnArg::Typed(typed) => &mut typed.attrs,
    };
    let ours = take_ours(attributes);
    let misspelled = misspelled::take(attributes, errors);
    let FnArg::Typed(PatType { pat, ty, .. }) = input else {
        for attribute in ours {
            let message = "`self` is the value of the block, and no argument: remove the attribute";
            errors.at(attribute, message);
        }
        return None;
    };
    for attribute in &ours {
        if attribute.path().is_ident("doc") && !matches!(attribute.meta, Meta::NameValue(_)) {
            let message = "a parameter is described by `/// …` or `#[doc = \"…\"]`: write one of them, or \
                           remove the attribute";
            errors.at(attribute, message);
        }
    }
    let mut is_doubtful = misspelled.is_conditional;
    let mut keys = Keys::of(Position::PARAMETER, &ours, errors);
    let default = keys.default(errors);
    let mut foreign = None;
    let is_read = errors.none_by(|errors| foreign = keys.schemars(errors));
    is_doubtful |= keys.means("schemars") || !is_read && foreign.is_none();
    let mut contexts = ours
        .iter()
        .filter(|attribute| attribute.path().is_ident("context"));
    let source = match contexts.next() {
        None if misspelled.context => Source::Context,
        None => {
            let constraints = keys.constraints(format_ident!("__Constraints{place}"), errors);
            if let DefaultValue::Expression { value, .. } = &default {
                pattern::check(&constraints, "default", value, errors);
            }
            Source::Argument {
                default,
                constraints,
            }
        }
        Some(context) => {
            let why = "a `#[context]` parameter comes from the program: remove one of them";
            is_doubtful |= !errors.none_by(|errors| keys.nothing_sent(why, errors));
            if !matches!(context.meta, Meta::Path(_)) {
                errors.at(context, "`#[context]` takes no keys: write `#[context]`");
            }
            if foreign.is_some() {
                let message = "a `#[context]` parameter has no schema: remove `#[context]` or \
                               `schemars`";
                errors.at(context, message);
                is_doubtful = true;
            }
            if !matches!(default, DefaultValue::None) {
                let message = "a `#[context]` parameter has no default: the context always has \
                               it; remove `#[context]` or the default";
                errors.at(context, message);
                is_doubtful = true;
            }
            Source::Context
        }
    };
    let description = declaration::description(&mut keys, &ours, errors);
    if let Some(again) = contexts.next() {
        errors.at(again, "`#[context]` is given twice: keep one");
    }
    let ident = match &**pat {
        Pat::Ident(name) => name.ident.clone(),
        // The model never sees its name: `Extension(user)` takes the value apart.
        Pat::Struct(_) | Pat::Tuple(_) | Pat::TupleStruct(_)
            if matches!(source, Source::Context) =>
        {
            context_ident(place)
        }
        _ => return None,
    };
    Some(Parameter {
        ident,
        ty: lifetimes::elided(ty),
        description,
        source,
        foreign,
        is_doubtful,
    })
}

/// Gives the `#[context]` parameters that are patterns their names.
fn with_names(mut signature: Signature, parameters: &[Parameter]) -> Signature {
    for (place, input) in signature.inputs.iter_mut().enumerate() {
        let name = context_ident(place);
        if let FnArg::Typed(typed) = input
            && parameters.iter().any(|parameter| parameter.ident == name)
        {
            *typed.pat = parse_quote!(#name);
        }
    }
    signature
}

/// The name of a `#[context]` parameter that is a pattern.
fn context_ident(place: usize) -> Ident {
    format_ident!("__context{place}")
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
