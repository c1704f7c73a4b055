//! The question which type inside another is what a model cannot send.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericArgument, PathArguments, Type};

use super::{
    advice::{self, Reason},
    spans,
};

/// A type, and those inside of it that may be the reason if it does not fit.
pub(super) struct Suspected<'t> {
    /// The type that the model sends.
    whole: &'t Type,
    inside: Vec<Suspect<'t>>,
    found: Found,
}

struct Suspect<'t> {
    ty: &'t Type,
    reason: Reason,
    /// The places of those inside of it.
    inside: Vec<usize>,
}

/// The array of what is found: from `start` on whether the reason is inside, and of each type inside why it is the
/// reason. One constant for all of it, as each costs the compiler time.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) array: Ident,
    pub(super) start: usize,
}

impl<'t> Suspected<'t> {
    /// None if neither it nor anything inside of it may be the reason. What borrows is asked otherwise.
    pub(super) fn of(ty: &'t Type, found: Found) -> Option<Self> {
        let whole = lent(ty);
        if borrows(whole) {
            return None;
        }
        let mut inside = Vec::new();
        for part in advice::parts(whole) {
            suspects(part, &mut inside);
        }
        if let Some(reason) = advice::known_reason(ty) {
            let all = (0..inside.len()).collect();
            inside.push(Suspect {
                ty,
                reason,
                inside: all,
            });
        }
        (!inside.is_empty()).then_some(Self {
            whole,
            inside,
            found,
        })
    }

    /// Returns the number of values that it has in the array.
    pub(super) fn len(&self) -> usize {
        self.inside.len() + 1
    }

    fn value(&self, place: usize) -> TokenStream {
        let (array, place) = (&self.found.array, self.found.start + place);
        quote!(#array[#place])
    }

    /// Creates the expression that is true if none of the types inside is the reason.
    pub(super) fn is_free(&self) -> TokenStream {
        let found = self.value(0);
        quote!(#found == 0)
    }

    /// The type that is asked in the place of the whole.
    pub(super) fn gated(&self, ty: &Type, p: &TokenStream) -> TokenStream {
        let found = self.value(0);
        let gate = quote!(#p::Gate::<{ #found }>);
        projected(ty, &gate, &quote!(#p::Gated), "Type")
    }

    /// The values in the array, and the statements before them.
    pub(super) fn search(&self, p: &TokenStream) -> (TokenStream, TokenStream) {
        let fits = |ty: &Type| quote!(#p::Fits::<#ty>::__FITS);
        let local = |name: &str| format_ident!("__{name}_{}", self.found.start);
        let is_fit: Vec<_> = (0..self.inside.len())
            .map(|place| format_ident!("{}_{place}", local("fits")))
            .collect();
        let found = local("found");
        let (whole, parts) = (
            fits(self.whole),
            self.inside.iter().map(|suspect| fits(suspect.ty)),
        );
        let statements = quote! {
            #(let #is_fit = #parts;)*
            let #found = !(#whole || (#(#is_fit) && *));
        };
        let reasons = self.inside.iter().zip(&is_fit).map(|(suspect, fit)| {
            let Suspect { ty, reason, inside } = suspect;
            let inside = inside.iter().map(|place| &is_fit[*place]);
            let seen = reason.number();
            quote!(#p::culprit(#found, #fit, &[#(#inside),*], #p::Reason::<#ty>::__REASON, #seen))
        });
        (
            statements,
            quote!(#found as ::core::primitive::u8, #(#reasons),*),
        )
    }

    /// The checks of the types inside, as statements.
    pub(super) fn checks(&self, p: &TokenStream) -> TokenStream {
        let checks = self.inside.iter().enumerate().map(|(place, suspect)| {
            let why = self.value(place + 1);
            let calls = suspect.reason.checks().iter().map(|(check, part)| {
                let check = Ident::new(check, Span::call_site());
                let asked = projected(suspect.ty, &quote!(__Why), &quote!(#p::Why), part);
                let nothing = TokenStream::new();
                spans::generic_call_as(
                    suspect.ty,
                    &asked,
                    &nothing,
                    &quote!(#p::#check),
                    nothing.clone(),
                )
            });
            quote!({
                type __Why = #p::Because<{ #why }>;
                #(#calls;)*
            })
        });
        quote!(#(#checks)*)
    }
}

/// The search of some types whose values stand in one array.
pub(super) fn array(suspected: &[Suspected<'_>], p: &TokenStream) -> (TokenStream, TokenStream) {
    let length: usize = suspected.iter().map(Suspected::len).sum();
    let (statements, values): (Vec<_>, Vec<_>) = suspected.iter().map(|one| one.search(p)).unzip();
    let value = quote!({
        use #p::{FitsNot as _, NoReason as _};
        #(#statements)*
        [#(#values),*]
    });
    (quote!([::core::primitive::u8; #length]), value)
}

/// The type that is asked for its keys: where it has no description, which is said of it, one that has keys.
pub(super) fn keyed(ty: &Type, p: &TokenStream) -> TokenStream {
    // The trait `FitsNot` is imported around the description.
    let gate = quote!(#p::Gate::<{
        if #p::Fits::<#ty>::__FITS { 0 } else { 2 }
    }>);
    projected(ty, &gate, &quote!(#p::Gated), "Type")
}

/// A type that another one gives for this one, where this one is written.
fn projected(at: &Type, of: &TokenStream, by: &TokenStream, name: &str) -> TokenStream {
    let (first, last) = spans::ends(at);
    let of = spans::respan(of.clone(), first);
    let by = spans::respan(by.clone(), first);
    let open = spans::respan(quote!(<), first);
    let name = Ident::new(name, last);
    quote!(#open #of as #by<#at>>::#name)
}

impl Reason {
    /// Returns the number of the reason among the constants of `core/src/schema/culprit.rs`. It is used where
    /// these know no better one.
    fn number(self) -> u8 {
        match self {
            Self::OfType => 3,
            Self::Tuple => 4,
            Self::Feature => 5,
        }
    }

    /// The checks that say it, each with the name of the type that it is asked of.
    fn checks(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Tuple => &[("check_tuple", "Tuple")],
            Self::Feature => &[("check_feature", "Feature")],
            Self::OfType => &[
                ("check_wide", "Wide"),
                ("check_map", "Map"),
                ("check_own", "Own"),
            ],
        }
    }
}

fn suspects<'t>(ty: &'t Type, all: &mut Vec<Suspect<'t>>) {
    let before = all.len();
    for part in advice::parts(ty) {
        suspects(part, all);
    }
    if let Some(reason) = advice::reason(ty) {
        let inside = (before..all.len()).collect();
        all.push(Suspect { ty, reason, inside });
    }
}

fn borrows(ty: &Type) -> bool {
    quote!(#ty).to_string().contains(['\'', '&'])
}

/// Returns the borrowed type if a type is a reference or an optional one, and the items if that is a slice. Any other
/// type is returned as it is.
fn lent(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => lent(&group.elem),
        Type::Paren(paren) => lent(&paren.elem),
        Type::Reference(reference) => sized(&reference.elem),
        Type::Path(path) => {
            let last = path.path.segments.last();
            let only = last.filter(|last| last.ident == "Option").and_then(|last| {
                let PathArguments::AngleBracketed(generic) = &last.arguments else {
                    return None;
                };
                match generic.args.first() {
                    Some(GenericArgument::Type(Type::Reference(reference))) => Some(reference),
                    _ => None,
                }
            });
            only.map_or(ty, |reference| sized(&reference.elem))
        }
        _ => ty,
    }
}

/// The items of a slice.
fn sized(ty: &Type) -> &Type {
    match ty {
        Type::Slice(slice) => &slice.elem,
        _ => ty,
    }
}
