//! Fields whose types have others inside, of which one may be what a model cannot send.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Type, parse_quote};

use super::flatten::is_generic;
use crate::{
    expand::{
        culprit::{self, Found, Suspected},
        spans,
    },
    model::{Content, Input, Object, Shape, Tagging, is_foreign},
};

/// Puts what is asked in the place of such types, and gives the checks of those inside. Types that are chosen by who
/// uses the struct are asked there.
pub(in crate::expand) fn gate(input: &mut Input) -> TokenStream {
    if is_generic(input) {
        return TokenStream::new();
    }
    let p = {
        let root = &input.root;
        quote!(#root::__private)
    };
    let owner = input.ident.span();
    // Their names, and how they are written.
    let mut asked: Vec<(Ident, String)> = Vec::new();
    let mut names = TokenStream::new();
    let [mut shown, mut plain] = [("__FOUND", owner), ("__FOUND_AS_IT_IS", Span::call_site())]
        .map(|(array, span)| Group::new(array, span));
    let types = types(&mut input.shape);
    let written: Vec<Type> = types.iter().map(|(ty, _)| Type::clone(ty)).collect();
    for ((ty, is_free), written) in types.into_iter().zip(&written) {
        if is_foreign(ty) {
            continue;
        }
        let is_shown = spans::is_shown_as_parameter(ty);
        let text = quote!(#ty #is_free).to_string();
        // A type that stands twice is asked for the same.
        let known = asked.iter().find(|(_, known)| *known == text);
        let name = if let Some((name, _)) = known {
            name.clone()
        } else {
            let group = if is_shown { &mut shown } else { &mut plain };
            let Some(suspected) = Suspected::of(written, group.found.clone()) else {
                continue;
            };
            let name = format_ident!("__Field{}", asked.len());
            let alias = is_shown.then(|| format_ident!("__Written{}", asked.len(), span = owner));
            let of = alias.as_ref().map(|alias| {
                let quiet = spans::quiet();
                names.extend(quote!(#quiet type #alias = #ty;));
                parse_quote!(#alias)
            });
            names.extend(match (is_free, of) {
                (true, None) => {
                    let gated = suspected.gated(&parse_quote!(__T), &p);
                    quote!(type #name<__T> = #gated;)
                }
                (true, Some(of)) => {
                    let gated = suspected.gated(&of, &p);
                    quote!(type #name = #gated;)
                }
                (false, Some(of)) => quote!(type #name = #of;),
                (false, None) => continue,
            });
            if is_free {
                group.found.start += suspected.len();
                group.suspects.push(suspected);
            }
            asked.push((name.clone(), text));
            name
        };
        let itself = (!is_shown).then(|| ty.clone());
        *ty = named(&name, ty, itself.as_ref());
    }
    let groups = [shown, plain].map(|group| group.checks(&p));
    quote!(#(#groups)* #names)
}

/// Those whose values stand in one array.
///
/// A type that is not found is one mistake with that in the declaration if rustc says the same words of both: inside
/// another it shows where a type parameter could be declared, which is behind the name of the item.
struct Group<'t> {
    found: Found,
    suspects: Vec<Suspected<'t>>,
    span: Span,
}

impl Group<'_> {
    fn new(array: &str, span: Span) -> Self {
        let array = Ident::new(array, Span::call_site());
        Self {
            found: Found { array, start: 0 },
            suspects: Vec::new(),
            span,
        }
    }

    fn checks(&self, p: &TokenStream) -> Option<TokenStream> {
        if self.suspects.is_empty() {
            return None;
        }
        let (of, search) = culprit::array(&self.suspects, p);
        let checks = self.suspects.iter().map(|suspected| suspected.checks(p));
        let array = &self.found.array;
        let described = Ident::new("__described", self.span);
        let checked = Ident::new("__checked", self.span);
        Some(quote! {
            const #array: #of = {
                const fn #described() -> #of {
                    #search
                }
                #described()
            };
            const _: () = {
                fn #checked() {
                    #(#checks)*
                }
            };
        })
    }
}

/// A type by the name of ours, where it is written.
fn named(name: &Ident, ty: &Type, argument: Option<&Type>) -> Type {
    let (first, last) = spans::ends(ty);
    let name = Ident::new(&name.to_string(), first);
    let close = spans::respan(quote!(>), last);
    parse_quote!(#name<#argument #close)
}

/// The types, and whether each stands for itself: constraints would be checked on what stands in its place.
fn types(shape: &mut Shape) -> Vec<(&mut Type, bool)> {
    match shape {
        Shape::Null | Shape::Choice(_) => Vec::new(),
        Shape::Same {
            ty, constraints, ..
        } => vec![(&mut **ty, constraints.all.is_empty())],
        Shape::Tuple(types) => types.iter_mut().map(|ty| (ty, true)).collect(),
        Shape::Object(object) => of_object(object),
        Shape::Union { tagging, variants } => {
            let is_beside_a_tag = matches!(tagging, Tagging::Internal { .. });
            let contents = variants.iter_mut().map(|variant| &mut variant.content);
            let types = contents.flat_map(|content| match content {
                Content::Value(ty) => vec![(&mut **ty, !is_beside_a_tag)],
                Content::None => Vec::new(),
                Content::Tuple(types) => types.iter_mut().map(|ty| (ty, true)).collect(),
                Content::Object(object) => of_object(object),
            });
            types.collect()
        }
    }
}

fn of_object(object: &mut Object) -> Vec<(&mut Type, bool)> {
    let fields = object.fields.iter_mut().map(|field| {
        let is_free = !field.is_flattened && field.constraints.all.is_empty();
        (&mut field.ty, is_free)
    });
    fields.collect()
}
