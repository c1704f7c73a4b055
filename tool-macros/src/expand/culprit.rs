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
    /// What the model sends.
    whole: &'t Type,
    inside: Vec<Suspect<'t>>,
    /// Tells the constants of one type from those of another.
    id: String,
}

struct Suspect<'t> {
    ty: &'t Type,
    reason: Reason,
    /// The places of those inside of it.
    inside: Vec<usize>,
}

/// How a value of some type is computed where types of the user are named.
pub(super) type Computed<'c> = &'c dyn Fn(&TokenStream, &TokenStream) -> TokenStream;

impl<'t> Suspected<'t> {
    /// None if nothing inside of it may be the reason. What borrows is asked otherwise.
    pub(super) fn of(ty: &'t Type, id: String) -> Option<Self> {
        let whole = lent(ty);
        if borrows(whole) {
            return None;
        }
        let mut inside = Vec::new();
        for part in advice::parts(whole) {
            suspects(part, &mut inside);
        }
        (!inside.is_empty()).then_some(Self { whole, inside, id })
    }

    /// The type itself among them, where it is one whose reason is known.
    pub(super) fn or_itself(ty: &'t Type, id: String) -> Option<Self> {
        Self::of(ty, id.clone()).or_else(|| {
            if borrows(ty) {
                return None;
            }
            let suspect = Suspect {
                ty,
                reason: advice::known_reason(ty)?,
                inside: Vec::new(),
            };
            let inside = vec![suspect];
            Some(Self {
                whole: ty,
                inside,
                id,
            })
        })
    }

    /// The constant that says whether one of them is the reason.
    pub(super) fn is_found(&self) -> Ident {
        format_ident!("__FOUND_{}", self.id)
    }

    fn reason(&self, place: usize) -> Ident {
        format_ident!("__REASON_{}_{place}", self.id)
    }

    fn fits(&self, place: usize) -> Ident {
        format_ident!("__FITS_{}_{place}", self.id)
    }

    /// The type that is asked in the place of the whole.
    pub(super) fn gated(&self, ty: &Type, p: &TokenStream) -> TokenStream {
        let found = self.is_found();
        gated(ty, &quote!(#found), p)
    }

    /// The constants, and the checks of the types inside.
    pub(super) fn asked(&self, computed: Computed<'_>, p: &TokenStream) -> TokenStream {
        let bool = quote!(::core::primitive::bool);
        let fits = |ty: &Type| {
            let fits = quote!({
                #[allow(unused_imports)]
                use #p::FitsNot as _;
                #p::Fits::<#ty>::IS
            });
            computed(&bool, &fits)
        };
        let (found, whole) = (self.is_found(), fits(self.whole));
        let all: Vec<_> = (0..self.inside.len())
            .map(|place| self.fits(place))
            .collect();
        let suspects = self.inside.iter().enumerate().map(|(place, suspect)| {
            let Suspect { ty, reason, inside } = suspect;
            let (fit, why) = (self.fits(place), self.reason(place));
            let inside = inside.iter().map(|place| self.fits(*place));
            let u8 = quote!(::core::primitive::u8);
            let by_type = quote!({
                #[allow(unused_imports)]
                use #p::NoReason as _;
                #p::Reason::<#ty>::IS
            });
            let (is_fit, by_type) = (fits(ty), computed(&u8, &by_type));
            let checks: Vec<_> = reason
                .checks()
                .iter()
                .map(|(number, check)| {
                    let check = Ident::new(check, Span::call_site());
                    let asked = gated(ty, &quote!(#why != #number), p);
                    let nothing = TokenStream::new();
                    let check = spans::generic_call_as(
                        ty,
                        &asked,
                        &nothing,
                        &quote!(#p::#check),
                        nothing.clone(),
                    );
                    computed(&quote!(()), &check)
                })
                .collect();
            let seen = reason.number();
            quote! {
                const #fit: #bool = #is_fit;
                const #why: #u8 = #p::culprit(#found, #fit, &[#(#inside),*], #by_type, #seen);
                #(const _: () = #checks;)*
            }
        });
        quote! {
            const #found: #bool = !(#whole || (#(#all) && *));
            #(#suspects)*
        }
    }
}

/// A type that is not asked if this holds.
fn gated(ty: &Type, is_found: &TokenStream, p: &TokenStream) -> TokenStream {
    let (first, last) = spans::ends(ty);
    let gate = spans::respan(quote!(#p::Gate), first);
    let gated = spans::respan(quote!(#p::Gated), first);
    let open = spans::respan(quote!(<), first);
    let name = Ident::new("Type", last);
    quote!(#open #gate<{ #is_found }> as #gated<#ty>>::#name)
}

impl Reason {
    /// What stands for it among the constants of `runtime/src/schema/culprit.rs`, where that knows no better one.
    fn number(self) -> u8 {
        match self {
            Self::OfType => 3,
            Self::Tuple => 4,
            Self::Feature => 5,
        }
    }

    /// The checks that say it, each with the number of its reason.
    fn checks(self) -> &'static [(u8, &'static str)] {
        match self {
            Self::Tuple => &[(4, "check_tuple")],
            Self::Feature => &[(5, "check_feature")],
            Self::OfType => &[(1, "check_wide"), (2, "check_map"), (3, "check_own")],
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

/// What is lent, if a type borrows it.
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
