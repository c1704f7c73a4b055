//! The keys of `#[tool(…)]`.

mod constraint;
#[cfg(feature = "regex")]
mod ecma;
mod on;
pub(super) mod pattern;
mod policy;
mod quantity;
mod schemars;
mod strict;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Expr, LitBool, LitStr, Meta, ext::IdentExt, parse::ParseStream};

pub(super) use on::On;

use crate::{
    errors::Errors,
    model::{DefaultValue, Hint, Hints, Root},
};

/// The keys that were found.
pub(super) struct Keys {
    place: On,
    found: Vec<Key>,
}

struct Key {
    name: Ident,
    value: Option<TokenStream>,
    /// Whether the name was left out.
    is_bare_text: bool,
}

impl Keys {
    pub(super) fn new(place: On) -> Self {
        let found = Vec::new();
        Self { place, found }
    }

    /// Reads the keys of every `#[tool(…)]` among the attributes.
    pub(super) fn of(place: On, attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut keys = Self::new(place);
        for attribute in attributes {
            if !attribute.path().is_ident("tool") {
                continue;
            }
            match &attribute.meta {
                Meta::List(list) => keys.read(list.tokens.clone(), errors),
                _ => errors.at(
                    attribute,
                    format!("`#[tool]` on {} needs a key", place.what),
                ),
            }
        }
        keys
    }

    /// Reads the keys of the marks of a method, which need none.
    pub(super) fn of_marks(place: On, marks: &[Attribute], errors: &mut Errors) -> Self {
        let mut keys = Self::new(place);
        for mark in marks {
            match &mark.meta {
                Meta::Path(_) => {}
                Meta::List(list) => keys.read(list.tokens.clone(), errors),
                Meta::NameValue(_) => errors.at(mark, "write `#[tool(…)]`"),
            }
        }
        keys
    }

    /// Reads `key, key = value`, reporting each key that is unknown or repeated.
    pub(super) fn read(&mut self, tokens: TokenStream, errors: &mut Errors) {
        let mut written = Vec::new();
        let parsed = |input: ParseStream<'_>| keys(input, &mut written);
        errors.ok(syn::parse::Parser::parse2(parsed, tokens));
        for key in written {
            let name = key.name.to_string();
            if key.is_bare_text {
                errors.at(
                    &key.name,
                    "a text needs its key: write `description = \"…\"`",
                );
            }
            if !self.place.known.contains(&name.as_str()) {
                errors.at(&key.name, self.place.unknown(&name));
            } else if name != "example" && self.found.iter().any(|known| known.name == key.name) {
                errors.at(&key.name, format!("`{name}` is given twice: keep one"));
            } else {
                self.found.push(key);
            }
        }
    }

    fn take(&mut self, name: &str) -> Option<Key> {
        let place = self.found.iter().position(|key| key.name == name)?;
        Some(self.found.remove(place))
    }

    /// The value of a key, which must have one.
    fn value<T: syn::parse::Parse>(
        &mut self,
        name: &str,
        example: &str,
        errors: &mut Errors,
    ) -> Option<T> {
        let key = self.take(name)?;
        let Some(value) = key.value else {
            errors.at(
                &key.name,
                format!("`{name}` needs a value: write `{example}`"),
            );
            return None;
        };
        let parsed = syn::parse2(value.clone());
        if parsed.is_err() {
            errors.at(
                value,
                format!("this is no value for `{name}`: write `{example}`"),
            );
        }
        parsed.ok()
    }

    /// `name = "…"`.
    pub(super) fn name(&mut self, errors: &mut Errors) -> Option<LitStr> {
        self.value("name", "name = \"get_weather\"", errors)
    }

    /// Whether there is a text without a key, which was reported.
    pub(super) fn has_bare_text(&self) -> bool {
        self.found.iter().any(|key| key.is_bare_text)
    }

    /// `description = …`.
    pub(super) fn description(&mut self, errors: &mut Errors) -> Option<Expr> {
        self.value("description", "description = \"…\"", errors)
    }

    /// `title = "…"`.
    pub(super) fn title(&mut self, errors: &mut Errors) -> Option<LitStr> {
        self.value("title", "title = \"Current weather\"", errors)
    }

    /// The keys that say what kind of tool it is.
    pub(super) fn hints(&mut self, errors: &mut Errors) -> Hints {
        Hints {
            read_only: self.hint("read_only", errors),
            destructive: self.hint("destructive", errors),
            idempotent: self.hint("idempotent", errors),
            open_world: self.hint("open_world", errors),
        }
    }

    /// `key`, `key = true` or `key = false`.
    fn hint(&mut self, name: &str, errors: &mut Errors) -> Option<Hint> {
        let Key {
            name: key, value, ..
        } = self.take(name)?;
        let Some(value) = value else {
            return Some(Hint { value: true, key });
        };
        let Ok(LitBool { value, .. }) = syn::parse2(value.clone()) else {
            let message =
                format!("this is no value for `{name}`: write `{name}` or `{name} = false`");
            errors.at(value, message);
            return None;
        };
        Some(Hint { value, key })
    }

    /// `type = …`.
    pub(super) fn type_ident(&mut self, errors: &mut Errors) -> Option<Ident> {
        self.value("type", "type = GetWeather", errors)
    }

    /// `fn = …`.
    pub(super) fn function(&mut self, errors: &mut Errors) -> Option<Ident> {
        self.value("fn", "fn = admin_tools", errors)
    }

    /// `crate = …`, or the name that the facade has by itself.
    pub(super) fn root(&mut self, errors: &mut Errors) -> Root {
        let path = self.value("crate", "crate = toolwright", errors);
        Root(path.unwrap_or_else(|| syn::parse_quote!(::toolwright)))
    }

    /// `default` or `default = …`.
    pub(super) fn default(&mut self, errors: &mut Errors) -> DefaultValue {
        let Some(key) = self.take("default") else {
            return DefaultValue::None;
        };
        match key.value.and_then(|value| errors.ok(syn::parse2(value))) {
            None => DefaultValue::OfType,
            Some(value) => DefaultValue::Expression {
                value: Box::new(value),
                is_free: true,
            },
        }
    }
}

/// Reads keys as far as they can be read: a mistake in one does not hide those before it.
fn keys(input: ParseStream<'_>, keys: &mut Vec<Key>) -> syn::Result<()> {
    while !input.is_empty() {
        // A text in the place of a key is a description that lost its name.
        if let Ok(Some(text)) = input.parse::<Option<LitStr>>() {
            keys.push(Key {
                name: Ident::new("description", text.span()),
                value: Some(text.into_token_stream()),
                is_bare_text: true,
            });
            input.parse::<Option<syn::Token![,]>>()?;
            continue;
        }
        let name = input.call(Ident::parse_any).map_err(|error| {
            syn::Error::new(error.span(), "a key is a word: write `key = value`")
        })?;
        let value = if input.peek(syn::Token![=]) {
            let equals = input.parse::<syn::Token![=]>()?;
            let value = value(input)?;
            if value.is_empty() {
                let message = format!("`{name}` needs a value after the `=`");
                return Err(syn::Error::new_spanned(equals, message));
            }
            Some(value)
        } else if input.peek(syn::token::Paren) {
            Some(input.parse::<TokenTree>()?.into_token_stream())
        } else {
            None
        };
        keys.push(Key {
            name,
            value,
            is_bare_text: false,
        });
        if !input.is_empty() {
            input
                .parse::<syn::Token![,]>()
                .map_err(|error| syn::Error::new(error.span(), "write `,` before the next key"))?;
        }
    }
    Ok(())
}

/// An expression, which may hold commas; else what stands before the next comma, whatever it is.
fn value(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    if input.fork().parse::<Expr>().is_ok() {
        return input.parse::<Expr>().map(Expr::into_token_stream);
    }
    let mut value = TokenStream::new();
    while !input.is_empty() && !input.peek(syn::Token![,]) {
        input.parse::<TokenTree>()?.to_tokens(&mut value);
    }
    Ok(value)
}
