//! Constraints: the constant that holds them, and the checks at their tokens.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprLit, Lit, spanned::Spanned};

use super::spans;
use crate::model::{Constraint, Constraints, Limits, Rule, Written, seen};

/// The type that holds the constraints of one place, if there are any.
pub(super) fn holder(constraints: &Constraints, p: &TokenStream) -> TokenStream {
    if constraints.all.is_empty() {
        return TokenStream::new();
    }
    let ident = &constraints.ident;
    let rules = constraints.all.iter().map(|one| rule(&one.rule, p));
    quote! {
        struct #ident;
        #[automatically_derived]
        impl #p::Constraints for #ident {
            const ALL: &'static [#p::Constraint] = &[#(#p::Constraint::#rules),*];
        }
    }
}

/// The checks, each at its token, where `facts` says what the type is.
pub(super) fn checks(
    constraints: &Constraints,
    facts: &TokenStream,
    p: &TokenStream,
) -> Vec<TokenStream> {
    let ident = &constraints.ident;
    let mut checks = Vec::new();
    for Constraint { key, rule } in &constraints.all {
        let at_key = |name: &str| {
            let name = Ident::new(name, key.span());
            spans::call(key, quote!(#p::#name), facts.clone())
        };
        match rule {
            Rule::Range(limits) => {
                checks.push(at_key("check_range"));
                let ends = [(&limits.start, false), (&limits.end, limits.is_half_open)];
                for (limit, is_half_open_end) in ends {
                    checks.extend(limit.as_ref().map(|limit| {
                        let number = number(limit, p);
                        let arguments = quote!(#facts, #number, #is_half_open_end);
                        spans::call(limit, quote!(#p::check_limit), arguments)
                    }));
                }
                let range = range(limits, p);
                let check = quote!(#p::check_range_limits);
                checks.push(spans::call(&limits.from, check, quote!(#facts, #range)));
            }
            Rule::Length(limits) => {
                checks.push(at_key("check_length"));
                let check = quote!(#p::check_length_limits);
                let length = length(limits, p);
                checks.push(spans::call(&limits.from, check, quote!(#facts, #length)));
            }
            Rule::Pattern { .. } => checks.push(at_key("check_pattern")),
            Rule::Format { .. } => checks.push(at_key("check_format")),
            Rule::Example(value) => {
                let example = example(value, p);
                let all = quote!(<#ident as #p::Constraints>::ALL);
                let arguments = quote!(#facts, #all, #example);
                checks.push(spans::call(value, quote!(#p::check_example), arguments));
            }
        }
    }
    checks
}

/// The check of a default that is written out, or that a constant holds.
pub(super) fn default_check(
    constraints: &Constraints,
    facts: &TokenStream,
    (value, constant): (&Expr, Option<TokenStream>),
    p: &TokenStream,
) -> Option<TokenStream> {
    let default = match (seen(value), constant) {
        (Some(seen), _) => {
            let example = example(seen, p);
            quote!(#p::Option::Some(#example))
        }
        (None, Some(constant)) => constant,
        (None, None) => return None,
    };
    let all = all(constraints, p);
    let arguments = quote!(#facts, #all, #default);
    Some(spans::call(value, quote!(#p::check_default), arguments))
}

/// Creates the expression of a default as an example, as far as constants know the default.
pub(super) fn example_of(holder: &Ident, of_type: &TokenStream, p: &TokenStream) -> TokenStream {
    quote!({
        use #p::NoExample as _;
        #p::Constant::<#holder, #of_type>::EXAMPLE
    })
}

fn all(constraints: &Constraints, p: &TokenStream) -> TokenStream {
    if constraints.all.is_empty() {
        return quote!(&[]);
    }
    let ident = &constraints.ident;
    quote!(<#ident as #p::Constraints>::ALL)
}

fn rule(rule: &Rule, p: &TokenStream) -> TokenStream {
    match rule {
        Rule::Range(limits) => {
            let range = range(limits, p);
            quote!(Range(#range))
        }
        Rule::Length(limits) => {
            let length = length(limits, p);
            quote!(Length(#length))
        }
        Rule::Pattern { text, regex } => quote! {
            Pattern(#p::Pattern {
                text: #text,
                is_match: |__text| {
                    static __REGEX: #p::LazyLock<#p::Regex> =
                        #p::LazyLock::new(|| #p::compiled(#regex));
                    __REGEX.is_match(__text)
                },
            })
        },
        Rule::Format { variant } => quote!(Format(#p::Format::#variant)),
        Rule::Example(value) => {
            let example = example(value, p);
            quote!(Example(#example))
        }
    }
}

fn range(limits: &Limits, p: &TokenStream) -> TokenStream {
    let is_half_open = limits.is_half_open && limits.end.is_some();
    let limit = |limit: &Option<Expr>| option(limit.as_ref().map(|limit| number(limit, p)), p);
    let (start, end) = (limit(&limits.start), limit(&limits.end));
    quote!(#p::Range { start: #start, end: #end, is_half_open: #is_half_open })
}

fn length(limits: &Limits, p: &TokenStream) -> TokenStream {
    let limit = |limit: &Option<Expr>| option(limit.as_ref().map(|limit| quote!(#limit)), p);
    let start = limit(&limits.start);
    match &limits.end {
        Some(end) if limits.is_half_open => quote!(#p::Length::before(#start, #end)),
        end => {
            let end = limit(end);
            quote!(#p::Length { minimum: #start, maximum: #end })
        }
    }
}

fn option(value: Option<TokenStream>, p: &TokenStream) -> TokenStream {
    if let Some(value) = value {
        quote!(#p::Option::Some(#value))
    } else {
        quote!(#p::Option::None)
    }
}

fn number(value: &Expr, p: &TokenStream) -> TokenStream {
    match Written::of(value) {
        Some(Written::Integer) => quote!(#p::Number::Integer(#value)),
        Some(Written::Float) => quote!(#p::Number::Float(#value)),
        None => typed(value, "number", p),
    }
}

/// Creates the call of a method that the type system chooses by the type of a constant.
fn typed(value: &Expr, method: &str, p: &TokenStream) -> TokenStream {
    let span = value.span();
    let p = spans::respan(p.clone(), span);
    let method = Ident::new(method, span);
    quote_spanned!(span=> #p::Typed(#value).#method())
}

fn example(value: &Expr, p: &TokenStream) -> TokenStream {
    if Written::of(value).is_some() {
        let number = number(value, p);
        return quote!(#p::Example::Number(#number));
    }
    match value {
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Str(text) => quote!(#p::Example::Text(#text)),
            Lit::Char(char) => quote!(#p::Example::Character(#char)),
            Lit::Bool(value) => quote!(#p::Example::Boolean(#value)),
            _ => typed(value, "example", p),
        },
        Expr::Reference(reference) if matches!(*reference.expr, Expr::Array(_)) => {
            example(&reference.expr, p)
        }
        Expr::Array(array) => {
            let items = array.elems.iter().map(|item| example(item, p));
            quote!(#p::Example::List(&[#(#items),*]))
        }
        Expr::Group(inner) => example(&inner.expr, p),
        _ => typed(value, "example", p),
    }
}
