//! The call of a tool: decode the arguments, ask the context, run the function, take the result.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Index, ReceiverKind, ReturnType, Type, spanned::Spanned};

use super::{
    advice,
    argument::Argument,
    output, sent,
    spans::{self, respan},
};
use crate::{
    lifetimes,
    model::{Callable, DefaultValue, Parameter, Source},
};

/// The function that a call runs.
pub(super) struct Callee {
    /// The path of the function.
    pub(super) function: TokenStream,
    /// The function that gives the schema tree.
    pub(super) input: TokenStream,
    /// The variable that holds what a method stands on.
    pub(super) state: Option<Ident>,
}

/// The work of a call, where `__call` and `__cx` are what the tool is called with.
pub(super) fn work(
    callable: &Callable,
    arguments: &[Argument<'_>],
    callee: &Callee,
) -> TokenStream {
    let root = &callable.tool.root;
    let p = quote!(#root::__private);
    let body = body(callable, arguments, callee, &p);
    if callable.signature.asyncness.is_some() || callable.tool.policy.inline.is_some() {
        // A future that is not `Send` is shown at the name of the function.
        let span = callable.tool.ident.span();
        let future = quote_spanned!(span=> async move { #body });
        let path = respan(sent::call(callable, &p), span);
        return quote_spanned!(span=> #path(#future));
    }
    // It may outlive the caller, so that it has the state for itself.
    let shared = callee.state.iter();
    quote! {
        #(let #shared = #p::share(#shared);)*
        #p::Call::blocking(__call, __cx, move |__call: &#p::ToolCall, __cx: &#p::ToolContext| {
            #body
        })
    }
}

fn body(
    callable: &Callable,
    arguments: &[Argument<'_>],
    callee: &Callee,
    p: &TokenStream,
) -> TokenStream {
    let Callee {
        function,
        input,
        state,
    } = callee;
    let names = arguments.iter().map(|argument| argument.parameter.name());
    let slots = arguments.iter().map(|argument| slot(argument, p));
    let all = if arguments.is_empty() {
        quote!(())
    } else {
        quote!(__slots)
    };
    // The slots stand until the function is done: it may borrow from them.
    let declared = (!arguments.is_empty()).then(|| quote!(let mut __slots = (#(#slots,)*);));
    let lent = arguments.iter().enumerate().map(|(slot, argument)| {
        let (local, slot) = (local(argument.place), Index::from(slot));
        quote!(let #local = #p::lend(&mut __slots.#slot);)
    });
    let parameters = callable.parameters.iter().enumerate();
    let contexts = parameters
        .filter(|(_, parameter)| matches!(parameter.source, Source::Context))
        .map(|(place, parameter)| context(place, parameter, p));
    let state = state.iter().map(|state| received(callable, state, p));
    let passed =
        state.chain((0..callable.parameters.len()).map(|place| local(place).into_token_stream()));
    let wait = callable.signature.asyncness.map(|_| quote!(.await));
    let returned = Ident::new("__returned", output_span(callable.output()));
    let result = result(callable, &returned, p);
    quote! {
        use #p::{NoSlot as _, NotAResult as _, SlotFor as _, Unclassified as _};
        let __rewritten = <#p::Rewritten as #p::Default>::default();
        #declared
        #p::decode_parameters(__call, &__rewritten, #input, &[#(#names),*], &mut #all)?;
        #(#lent)*
        #(#contexts)*
        #[allow(clippy::let_unit_value)]
        let #returned = #function(#(#passed),*)#wait;
        #result
    }
}

/// Creates the expression of a method's receiver. A type that is written out may be an alias, or a reference to the
/// `Arc`.
fn received(callable: &Callable, state: &Ident, p: &TokenStream) -> TokenStream {
    let kind = callable.signature.receiver().map(|receiver| &receiver.kind);
    if let Some(ReceiverKind::Typed(_, ty)) = kind {
        let ty = lifetimes::elided(ty);
        return spans::generic_call_with(&ty, &quote!(, _), &quote!(#p::received), quote!(&#state));
    }
    quote!(&#state)
}

/// Creates code by which the type system checks the parts of a tool that cannot be called: its defaults, the values
/// it takes from the context, and the value it returns.
pub(super) fn unfinished(
    callable: &Callable,
    arguments: &[Argument<'_>],
    is_sound: impl Fn(&Parameter) -> bool,
    is_known: impl Fn(&Type) -> bool,
) -> TokenStream {
    let root = &callable.tool.root;
    let p = quote!(#root::__private);
    let slots = arguments.iter().map(|argument| slot(argument, &p));
    let parameters = callable.parameters.iter().enumerate();
    let contexts = parameters
        .filter(|(_, parameter)| matches!(parameter.source, Source::Context))
        .filter(|(_, parameter)| is_sound(parameter))
        .map(|(place, parameter)| context(place, parameter, &p));
    let (name, lifetimes) = (
        spans::like(callable, "__unfinished"),
        spans::lifetimes(callable),
    );
    let returned = Ident::new("__returned", output_span(callable.output()));
    let returned = match callable.output() {
        ReturnType::Type(_, ty) if output::can_be_named(callable) && is_known(ty) => {
            let ty = lifetimes::elided(ty);
            let result = result(callable, &returned, &p);
            quote! {
                let #returned: #ty = ::core::unreachable!();
                #result
            }
        }
        _ => quote!(::core::unreachable!()),
    };
    let asyncness = &callable.signature.asyncness;
    quote! {
        #[allow(unused, clippy::all)]
        #asyncness fn #name #lifetimes(__cx: &#p::ToolContext) -> #p::Result<#p::ToolOutput, #p::ToolError> {
            use #p::{NoSlot as _, NotAResult as _, SlotFor as _, Unclassified as _};
            #(let _ = #slots;)*
            #(#contexts)*
            #returned
        }
    }
}

/// The variable that holds what a parameter is given. It is called by its place: a name could be
/// that of another variable here.
fn local(place: usize) -> Ident {
    format_ident!("__{place}")
}

fn slot(argument: &Argument<'_>, p: &TokenStream) -> TokenStream {
    let ty = &argument.parameter.ty;
    let default = match argument.default {
        DefaultValue::None => quote!(#p::Option::None),
        DefaultValue::OfType => {
            let value = spans::call(ty, quote!(#p::default_value), TokenStream::new());
            quote!(#p::Option::Some(|| -> #ty { #value }))
        }
        DefaultValue::Expression { .. } => {
            let default = argument.default_closure();
            quote!(#p::Option::Some(#default))
        }
    };
    let probe = if argument.parameter.foreign.is_some() {
        quote!(ForeignProbe)
    } else {
        quote!(Probe)
    };
    // The type stands there as it does in the signature: so one that is not found is one mistake.
    quote!(#p::#probe::of(|_: #ty| {}).slot(#default))
}

fn context(place: usize, parameter: &Parameter, p: &TokenStream) -> TokenStream {
    let (local, ty) = (local(place), &parameter.ty);
    let cx = Ident::new("__cx", Span::call_site());
    let function = Ident::new(advice::context(ty), Span::call_site());
    let path = spans::path(ty, quote!(#p::#function));
    let value = quote_spanned!(ty.span()=> #path(#cx));
    quote!(let #local: #ty = #value?;)
}

/// The checks of what is taken from the context.
pub(super) fn context_checks<'c>(
    callable: &'c Callable,
    is_sound: impl Fn(&Parameter) -> bool + 'c,
    p: &'c TokenStream,
) -> impl Iterator<Item = TokenStream> + 'c {
    contexts(callable, is_sound).map(move |ty| {
        let asked = quote!({
            use #p::NoReference as _;
            #p::Taking::<#ty>::A_REFERENCE
        });
        let asked = spans::in_function(callable, ty, &quote!(::core::primitive::bool), &asked);
        spans::call(ty, quote!(#p::check_extension), asked)
    })
}

/// The types of the extensions that the tool asks the context for, as an expression; `None` if nothing is taken from it.
pub(super) fn extensions(
    callable: &Callable,
    is_sound: impl Fn(&Parameter) -> bool,
    p: &TokenStream,
) -> Option<TokenStream> {
    let of = quote!(#p::Option<fn() -> #p::ExtensionType>);
    let asked = contexts(callable, is_sound).map(|ty| {
        let asked = quote!({
            use #p::NotInContext as _;
            #p::Taking::<#ty>::EXTENSION
        });
        spans::in_function(callable, ty, &of, &asked)
    });
    let mut asked = asked.peekable();
    asked.peek()?;
    Some(quote!(#p::extensions(&[#(#asked),*])))
}

/// The types of what is taken from the context, where something can be asked of them.
fn contexts<'c>(
    callable: &'c Callable,
    is_sound: impl Fn(&Parameter) -> bool + 'c,
) -> impl Iterator<Item = &'c Type> + 'c {
    let parameters = callable.parameters.iter();
    let contexts = parameters.filter(move |parameter| {
        // Who writes `'static` means a reference that lives forever.
        let is_checked = matches!(parameter.ty, Type::Path(_)) && !names_static(&parameter.ty);
        matches!(parameter.source, Source::Context) && is_checked && is_sound(parameter)
    });
    contexts.map(|parameter| &parameter.ty)
}

fn names_static(ty: &Type) -> bool {
    quote!(#ty).to_string().contains("'static")
}

/// Returns the span of the returned type, where an error in that type is shown. The variables that hold the value
/// have this span too.
fn output_span(output: &ReturnType) -> Span {
    match output {
        ReturnType::Type(_, ty) => ty.span(),
        ReturnType::Default => Span::call_site(),
    }
}

/// Takes a `Result` apart and makes an output of the rest, each at the type that is written for it. Only what
/// waits can give several outputs.
fn result(callable: &Callable, returned: &Ident, p: &TokenStream) -> TokenStream {
    let [mut outer_error, mut inner_error, mut success] = [returned.span(); 3];
    if let ReturnType::Type(_, ty) = callable.output() {
        let (outer, inner) = output::levels(ty);
        outer_error = outer.error.span();
        inner_error = inner.error.span();
        success = inner.success.span();
    }
    let value = Ident::new("__value", success);
    let classified = |value: &Ident, error: Span| {
        let p = respan(p.clone(), error);
        quote_spanned!(error=> #p::Returned(#value).outcome().classified())
    };
    let (outer, inner) = (
        classified(returned, outer_error),
        classified(&value, inner_error),
    );
    let p = respan(p.clone(), success);
    let output = if callable.signature.asyncness.is_some() {
        let cx = Ident::new("__cx", Span::call_site());
        quote_spanned!(success=> #p::deliver(#value, #cx).await)
    } else {
        quote_spanned!(success=> #p::into_output(#value))
    };
    quote! {
        #[allow(clippy::let_unit_value)]
        let #value = #outer?;
        // A `Result` in a `Result`, as of a task that was awaited: its error, taken for a value,
        // would show a model what is for the log.
        #[allow(clippy::let_unit_value)]
        let #value = #inner?;
        #output
    }
}
