//! An argument of a tool, as the expansion names it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, Type};

use super::{
    advice, constraint,
    culprit::{self, Found, Suspected},
    spans, strict, texts,
};
use crate::{
    lifetimes,
    model::{Callable, Constraints, DefaultValue, Parameter, Root, Rule, Source, Tool},
};

/// An argument, and the constant that describes it.
pub(super) struct Argument<'t> {
    pub(super) parameter: &'t Parameter,
    pub(super) default: &'t DefaultValue,
    constraints: &'t Constraints,
    callable: &'t Callable,
    /// Its place among the parameters.
    pub(super) place: usize,
    ident: Ident,
}

/// The arguments of a tool, in order.
pub(super) fn arguments(callable: &Callable) -> impl Iterator<Item = Argument<'_>> {
    let parameters = callable.parameters.iter().enumerate();
    parameters.filter_map(|(place, parameter)| match &parameter.source {
        Source::Context => None,
        Source::Argument {
            default,
            constraints,
        } => Some(Argument {
            parameter,
            default,
            constraints,
            callable,
            place,
            ident: format_ident!("__PARAMETER_{place}"),
        }),
    })
}

/// The schema tree of the arguments, as an expression.
pub(super) fn input(arguments: &[Argument<'_>], p: &TokenStream) -> TokenStream {
    let idents: Vec<_> = arguments.iter().map(|argument| &argument.ident).collect();
    quote! {
        const {
            &#p::Node::arguments(
                &[#(#idents.property),*],
                #p::Parameter::facts_of(&[#(#idents),*]),
            )
        }
    }
}

/// The check of all the arguments together.
pub(super) fn check_of_all(
    tool: &Tool,
    arguments: &[Argument<'_>],
    p: &TokenStream,
) -> Option<TokenStream> {
    let idents = arguments.iter().map(|argument| &argument.ident);
    let facts: Vec<_> = idents.map(|ident| quote!(#ident.facts())).collect();
    strict::properties_check(tool, &facts, p)
}

impl Argument<'_> {
    /// The one place where the type is asked for anything.
    pub(super) fn constant(&self, root: &Root) -> TokenStream {
        let ident = &self.ident;
        let name = self.parameter.name();
        let ty = &self.parameter.ty;
        let description = texts::expression(&self.parameter.description, root);
        let has_default = !matches!(self.default, DefaultValue::None);
        let p = quote!(#root::__private);
        let told = quote!(#name, #description, #has_default);
        let suspected = self.suspected();
        let asked = suspected
            .as_ref()
            .map_or_else(|| quote!(#ty), |suspected| suspected.gated(ty, &p));
        let described = if let Some(depth) = self.parameter.foreign {
            let function = quote!(#p::foreign_parameter);
            spans::generic_call_with(ty, &quote!(, #depth), &function, told)
        } else if !self.constraints.all.is_empty() {
            let constraints = &self.constraints.ident;
            let function = quote!(#p::constrained_parameter);
            spans::generic_call_as(ty, &asked, &quote!(, _, #constraints), &function, told)
        } else {
            let function = advice::advising(ty);
            match advice::inner(ty) {
                Some(inner) if function == "parameter" && names_no_lifetime(inner) => {
                    let function = quote!(#p::inner_parameter);
                    spans::generic_call_as(ty, &asked, &quote!(, _, #inner), &function, told)
                }
                _ => {
                    let function = Ident::new(function, Span::call_site());
                    let function = quote!(#p::#function);
                    spans::generic_call_as(ty, &asked, &quote!(, _), &function, told)
                }
            }
        };
        let constraints = constraint::holder(self.constraints, &p);
        let default = self.default_constant(&p);
        let function = self.default_function(&p);
        let written = self.default_json(&p);
        let described = quote!(#described #written);
        let described = spans::in_function(self.callable, ty, &quote!(#p::Parameter), &described);
        let inside = suspected.map(|suspected| {
            let array = &self.found().array;
            let checks = suspected.checks(&p);
            let (of, search) = culprit::array(&[suspected], &p);
            let search = spans::in_function(self.callable, ty, &of, &search);
            let checks = spans::never_called(self.callable, ty, &checks);
            quote!(const #array: #of = #search; #checks)
        });
        quote! {
            #inside
            #constraints
            #default
            #function
            const #ident: #p::Parameter = #described;
        }
    }

    /// The check of its depth, and that it ends, and those of its constraints.
    pub(super) fn checks(&self, root: &Root) -> Vec<TokenStream> {
        let (ident, p) = (&self.ident, quote!(#root::__private));
        let ty = &self.parameter.ty;
        let mut checks = vec![match strict::rules(&self.callable.tool, &p) {
            None => spans::call(ty, quote!(#ident.check), quote!()),
            Some(rules) => spans::call(ty, quote!(#ident.check_by), rules),
        }];
        let bare = quote!(#ident.bare());
        checks.extend(constraint::checks(self.constraints, &bare, &p));
        let default = match self.default {
            DefaultValue::None | DefaultValue::OfType => None,
            DefaultValue::Expression { value, .. } => {
                let constant = self.default_holder();
                let of_type = lifetimes::static_everywhere(quote!(#ty));
                let constant = constant.map(|holder| {
                    let example = constraint::example_of(&holder, &of_type, &p);
                    let of = quote!(#p::Option<#p::Example>);
                    spans::in_function(self.callable, ty, &of, &example)
                });
                constraint::default_check(self.constraints, &bare, (value, constant), &p)
            }
        };
        checks.extend(default);
        if let Some(suspected) = self.suspected() {
            let is_free = suspected.is_free();
            for check in &mut checks {
                *check = quote!(if #is_free { #check });
            }
        }
        checks.extend(texts::check(&self.parameter.description, root));
        checks
    }

    /// The types inside that may be the reason if it does not fit.
    fn suspected(&self) -> Option<Suspected<'_>> {
        let is_asked = self.parameter.foreign.is_none();
        let of = || Suspected::of(&self.parameter.ty, self.found());
        is_asked.then(of).flatten()
    }

    fn found(&self) -> Found {
        Found {
            array: format_ident!("__FOUND_{}", self.place),
            start: 0,
        }
    }

    /// The type that holds the default, if the default is a constant that only the compiler knows.
    fn default_holder(&self) -> Option<Ident> {
        let DefaultValue::Expression {
            value,
            is_free: true,
        } = self.default
        else {
            return None;
        };
        let is_asked = self.constraints.all.iter().any(|constraint| {
            matches!(
                constraint.rule,
                Rule::Range(_) | Rule::Length(_) | Rule::Format { .. }
            )
        });
        (is_asked && is_constant(value)).then(|| format_ident!("__Default{}", self.place))
    }

    /// The function that makes a default that means the same outside of the function that decodes.
    fn default_ident(&self) -> Option<Ident> {
        let is_free = matches!(self.default, DefaultValue::Expression { is_free: true, .. });
        is_free.then(|| {
            let name = format!("__default_{}", self.place);
            spans::declared_ident(self.callable, &self.parameter.ty, &name)
        })
    }

    /// The closure that makes a default that is an expression.
    pub(super) fn default_closure(&self) -> Option<TokenStream> {
        let DefaultValue::Expression { value, .. } = self.default else {
            return None;
        };
        let ty = &self.parameter.ty;
        let closure = self.default_ident().map_or_else(
            || quote!(|| -> #ty { #value }),
            |ident| quote!(|| #ident(&())),
        );
        Some(closure)
    }

    /// A mistake in the default is one, whoever uses it. What is elided in the type is `'static`: so it is with
    /// a parameter of this lifetime.
    fn default_function(&self, p: &TokenStream) -> Option<TokenStream> {
        let (ident, DefaultValue::Expression { value, .. }) = (self.default_ident()?, self.default)
        else {
            return None;
        };
        let ty = &self.parameter.ty;
        let value = if let Some(holder) = self.default_holder() {
            let of_type = lifetimes::static_everywhere(quote!(#ty));
            quote!(<#holder as #p::ConstDefault<#of_type>>::VALUE)
        } else {
            quote!(#value)
        };
        let generics = spans::lifetimes(self.callable);
        let may_be_elided = quote!(#ty).to_string().contains(['<', '&']);
        let elided =
            may_be_elided.then(|| quote!(#[allow(unknown_lints, mismatched_lifetime_syntaxes)]));
        Some(quote! {
            #elided
            #[allow(clippy::extra_unused_lifetimes, clippy::unnecessary_wraps)]
            fn #ident #generics(_: &'static ()) -> #ty {
                #value
            }
        })
    }

    /// The default as JSON, for tests.
    fn default_json(&self, p: &TokenStream) -> Option<TokenStream> {
        let ty = &self.parameter.ty;
        let default = match self.default {
            DefaultValue::None => return None,
            DefaultValue::OfType => quote!(#p::DefaultOf::<#ty>::NEW),
            DefaultValue::Expression { .. } => {
                let ident = self.default_ident()?;
                quote!(#p::DefaultFn(|| #ident(&())))
            }
        };
        Some(with_default(&default, p))
    }

    /// The type that holds the default, and the constant in it.
    fn default_constant(&self, p: &TokenStream) -> Option<TokenStream> {
        let (holder, DefaultValue::Expression { value, .. }) =
            (self.default_holder()?, self.default)
        else {
            return None;
        };
        let ty = &self.parameter.ty;
        let of_type = lifetimes::static_everywhere(quote!(#ty));
        // As in a function of ours, a type parameter could be declared behind the name of the user's.
        let implements = spans::declared_ident(self.callable, ty, "__implements").span();
        let implements = quote_spanned!(implements=> impl);
        let generics = spans::lifetimes(self.callable);
        Some(quote! {
            struct #holder;
            #[automatically_derived]
            #[allow(clippy::extra_unused_lifetimes)]
            #implements #generics #p::ConstDefault<#of_type> for #holder {
                const VALUE: #of_type = #value;
            }
        })
    }
}

/// Says of a key what it is when it is left out.
pub(super) fn with_default(default: &TokenStream, p: &TokenStream) -> TokenStream {
    quote!(.with_default(|| {
        use #p::NotWritten as _;
        #default.json()
    }))
}

/// Returns true if an expression is certainly a constant: a path, or an expression around a path that is no operator.
fn is_constant(value: &Expr) -> bool {
    match value {
        Expr::Path(_) => true,
        Expr::Paren(inner) => is_constant(&inner.expr),
        Expr::Group(inner) => is_constant(&inner.expr),
        Expr::Cast(cast) => is_constant(&cast.expr) || matches!(*cast.expr, Expr::Lit(_)),
        Expr::Call(call) => {
            let is_some = matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Some"));
            is_some && call.args.len() == 1 && call.args.iter().all(is_constant)
        }
        _ => false,
    }
}

/// A lifetime that is written in a type stands there for itself only.
fn names_no_lifetime(ty: &Type) -> bool {
    !quote!(#ty).to_string().contains(['\'', '&'])
}
