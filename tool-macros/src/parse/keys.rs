//! The keys of `#[tool(…)]`: `keys/position.rs` has the list of all, and where each may stand.

mod constraint;
#[cfg(feature = "regex")]
mod ecma;
pub(super) mod pattern;
mod policy;
mod position;
mod quantity;
mod schemars;
mod strict;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Expr, LitBool, LitStr, Meta, ext::IdentExt, parse::ParseStream};

pub(super) use position::Position;

use crate::{
    errors::Errors,
    model::{DefaultValue, Hint, Hints, Root},
    suggest::nearest,
};

/// The keys that were found.
pub(super) struct Keys {
    place: Position,
    found: Vec<Key>,
    /// Those that are unknown, or have no value that can be read, which was reported.
    refused: Vec<String>,
}

struct Key {
    name: Ident,
    value: Option<TokenStream>,
    /// True if the value has no name before it.
    is_bare_text: bool,
    /// The reason why there is no value although something is written in its place.
    mistake: Option<syn::Error>,
}

impl Keys {
    pub(super) fn new(place: Position) -> Self {
        Self {
            place,
            found: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Reads the keys of every `#[tool(…)]` among the attributes.
    pub(super) fn of(place: Position, attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut keys = Self::new(place);
        for attribute in attributes {
            if !attribute.path().is_ident("tool") {
                continue;
            }
            match &attribute.meta {
                Meta::List(list) => keys.read(list.tokens.clone(), errors),
                _ => errors.at(
                    attribute,
                    format!(
                        "`#[tool]` on {} needs a key: write one, or remove it",
                        place.what
                    ),
                ),
            }
        }
        keys
    }

    /// Reads the keys of the marks of a method, which need none.
    pub(super) fn of_marks(place: Position, marks: &[Attribute], errors: &mut Errors) -> Self {
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
        let parsed = |input: ParseStream<'_>| keys(input, &mut written, errors);
        let parsed = syn::parse::Parser::parse2(parsed, tokens);
        errors.ok(parsed);
        for key in written {
            let name = key.name.to_string();
            if let Some(mistake) = key.mistake {
                if self.place.known().contains(&name.as_str()) {
                    errors.push(mistake);
                } else {
                    errors.at(&key.name, self.place.unknown(&name));
                }
                self.refused.push(name);
                continue;
            }
            if key.is_bare_text {
                errors.at(
                    &key.name,
                    "a string needs its key: write `description = \"…\"`",
                );
            }
            if !self.place.known().contains(&name.as_str()) {
                if !self.refused.contains(&name) {
                    errors.at(&key.name, self.place.unknown(&name));
                }
                self.refused.push(name);
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

    /// Returns true if a description was intended, as far as the reported errors show: a string without a key, or a
    /// key that is almost right.
    pub(super) fn means_description(&self) -> bool {
        self.found.iter().any(|key| key.is_bare_text) || self.means("description")
    }

    /// Returns true if the user intended this key, as far as the reported errors show.
    pub(super) fn means(&self, key: &str) -> bool {
        let mut refused = self.refused.iter();
        refused.any(|name| nearest(name, &self.place.known()) == Some(key))
    }

    /// `description = …`.
    ///
    /// # Errors
    ///
    /// When the key has no value that can be read, which was reported.
    pub(super) fn description(&mut self, errors: &mut Errors) -> Result<Option<Expr>, ()> {
        let is_given = self.found.iter().any(|key| key.name == "description");
        let value = self.value("description", "description = \"…\"", errors);
        if is_given && value.is_none() {
            return Err(());
        }
        Ok(value)
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
        match self.take("default").map(|key| key.value) {
            None => DefaultValue::None,
            Some(None) => DefaultValue::OfType,
            Some(Some(value)) => {
                errors
                    .ok(syn::parse2(value))
                    .map_or(DefaultValue::None, |value| DefaultValue::Expression {
                        value: Box::new(value),
                        is_free: true,
                    })
            }
        }
    }
}

/// Reads keys as far as they can be read: a mistake in one does not hide those beside it.
fn keys(input: ParseStream<'_>, keys: &mut Vec<Key>, errors: &mut Errors) -> syn::Result<()> {
    while !input.is_empty() {
        // A text in the place of a key is a description that lost its name.
        if let Ok(Some(text)) = input.parse::<Option<LitStr>>() {
            keys.push(Key {
                name: Ident::new("description", text.span()),
                value: Some(text.into_token_stream()),
                is_bare_text: true,
                mistake: None,
            });
            input.parse::<Option<syn::Token![,]>>()?;
            continue;
        }
        let is_path = input.peek2(syn::Token![::]);
        let Some(name) = (!is_path)
            .then(|| input.call(Ident::parse_any).ok())
            .flatten()
        else {
            let wrong = up_to_comma(input)?;
            errors.at(wrong, "a key is a word: write `key = value`");
            input.parse::<Option<syn::Token![,]>>()?;
            continue;
        };
        let (mut value, mut mistake) = (None, None);
        if input.peek(syn::Token![=]) {
            let equals = input.parse::<syn::Token![=]>()?;
            let written = self::value(input)?;
            if written.is_empty() {
                let message = format!(
                    "`{name}` needs a value: write `{name} = {}`",
                    example(&name)
                );
                mistake = Some(syn::Error::new_spanned(equals, message));
            }
            value = Some(written);
        } else if input.peek(syn::token::Paren) {
            value = Some(input.parse::<TokenTree>()?.into_token_stream());
        } else if !(input.is_empty() || input.peek(syn::Token![,]) || input.peek(Ident::peek_any)) {
            let message = format!("write `{}`", written_with_value(&name));
            mistake = Some(syn::Error::new_spanned(up_to_comma(input)?, message));
        }
        keys.push(Key {
            name,
            value,
            is_bare_text: false,
            mistake,
        });
        if !input.is_empty() && input.parse::<Option<syn::Token![,]>>()?.is_none() {
            errors.push(input.error("write `,` before the next key"));
            if !input.peek(Ident::peek_any) {
                up_to_comma(input)?;
                input.parse::<Option<syn::Token![,]>>()?;
            }
        }
    }
    Ok(())
}

/// Returns a value of a key.
fn example(name: &Ident) -> &'static str {
    match name.to_string().as_str() {
        "name" => "\"get_weather\"",
        "description" | "title" => "\"…\"",
        "timeout" => "\"5s\"",
        "rate_limit" => "\"30/min\"",
        "max_output" => "\"32KiB\"",
        "strict" => "\"openai\"",
        "format" => "\"email\"",
        "example" => "\"Oslo, Norway\"",
        "retries" | "max_depth" | "default" => "3",
        "type" => "GetWeather",
        "fn" => "admin_tools",
        "crate" => "toolwright",
        _ => "false",
    }
}

/// Returns the form of a key with a value.
fn written_with_value(name: &Ident) -> String {
    let is_called = ["range", "length", "pattern", "rate_limit", "requires"];
    if is_called.iter().any(|called| name == called) {
        format!("{name}(…)")
    } else {
        format!("{name} = …")
    }
}

fn up_to_comma(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(syn::Token![,]) {
        input.parse::<TokenTree>()?.to_tokens(&mut tokens);
    }
    Ok(tokens)
}

/// An expression, which may hold commas; else what stands before the next comma, whatever it is.
fn value(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    if input.fork().parse::<Expr>().is_ok() {
        return input.parse::<Expr>().map(Expr::into_token_stream);
    }
    up_to_comma(input)
}
