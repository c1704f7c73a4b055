//! The keys that guard and bound the calls of a tool, and say how they run.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{
    Expr, Lit, LitBool, LitInt, LitStr, Path, Token, parenthesized,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
    token::Paren,
};

use super::{Keys, quantity};
use crate::{
    errors::Errors,
    model::{Capability, Given, Named, Policy, Rate},
    suggest::is_near,
};

/// The maximum number of retries of a call.
const MAX_RETRIES: u32 = 10;

impl Keys {
    /// The keys that guard and bound the calls of a tool, and say how they run.
    pub(in crate::parse) fn policy(&mut self, errors: &mut Errors) -> Policy {
        // Whether the tool may be run again is then not known.
        let is_doubtful = self.means("read_only") || self.means("idempotent");
        let retries = self.given("retries", errors, Self::retries);
        Policy {
            timeout: self.given("timeout", errors, Self::timeout),
            retries: retries.filter(|_| !is_doubtful),
            rate_limit: self.given("rate_limit", errors, Self::rate_limit),
            requires: self.requires(errors),
            approval: self.word("approval", errors),
            sequential: self.word("sequential", errors),
            max_output: self.max_output(errors),
            polls: self.word("polls", errors),
            ends_run: self.word("ends_run", errors),
            external: self.word("external", errors),
            spawn: self.word("spawn", errors),
            inline: self.word("inline", errors),
        }
    }

    fn given<T>(
        &mut self,
        name: &str,
        errors: &mut Errors,
        read: fn(&mut Self, &mut Errors) -> Option<T>,
    ) -> Option<Given<T>> {
        let key = self.found.iter().find(|key| key.name == name)?.name.clone();
        let value = read(self, errors)?;
        Some(Given { key, value })
    }

    fn timeout(&mut self, errors: &mut Errors) -> Option<std::time::Duration> {
        let text: LitStr = self.value("timeout", "timeout = \"5s\"", errors)?;
        or_at(&text, quantity::duration(&text.value()), errors)
    }

    fn retries(&mut self, errors: &mut Errors) -> Option<u32> {
        let number: LitInt = self.value("retries", "retries = 3", errors)?;
        let message = match number.base10_parse() {
            Ok(retries) if retries <= MAX_RETRIES => return Some(retries),
            Ok(_) => {
                "no call gets more than 10 attempts beside the first: write a number from 0 to 10"
            }
            Err(_) => "this is no number of attempts: write one from 0 to 10",
        };
        errors.at(number, message);
        None
    }

    fn rate_limit(&mut self, errors: &mut Errors) -> Option<Rate> {
        let example = "rate_limit = \"30/min\"";
        let WrittenRate { rate, excess } = self.value("rate_limit", example, errors)?;
        let fails = match excess.as_ref().map(Ident::to_string).as_deref() {
            None | Some("wait") => false,
            Some("fail") => true,
            Some(word) => {
                let message = format!(
                    "`{word}` is not what becomes of a call that comes too early: write `wait`, as \
                     it does by default, or `fail`"
                );
                errors.at(&excess, message);
                false
            }
        };
        let (calls, per) = or_at(&rate, quantity::rate(&rate.value()), errors)?;
        Some(Rate { calls, per, fails })
    }

    fn requires(&mut self, errors: &mut Errors) -> Vec<Capability> {
        let Some(list) = self.value::<List>("requires", "requires(network)", errors) else {
            return Vec::new();
        };
        if list.entries.is_empty() {
            errors.at_span(
                list.parentheses.span.join(),
                "`requires` names what the application has to grant: write `requires(network)`, or \
                 remove it",
            );
        }
        let mut before = Vec::new();
        let mut all = Vec::new();
        for entry in &list.entries {
            let Expr::Path(path) = entry else {
                errors.at(entry, format!("this is no capability: write {}", known()));
                continue;
            };
            let path = &path.path;
            let written = path.to_token_stream().to_string();
            if before.contains(&written) {
                errors.at(path, "this capability is named twice: keep one");
                continue;
            }
            before.push(written);
            all.extend(capability(path, errors));
        }
        all
    }

    fn max_output(&mut self, errors: &mut Errors) -> Option<u32> {
        let size: Lit = self.value("max_output", "max_output = \"32KiB\"", errors)?;
        let text = match &size {
            Lit::Str(text) => text.value(),
            Lit::Int(number) if number.suffix().is_empty() => number.base10_digits().to_owned(),
            _ => {
                let message = "this is no value for `max_output`: write `max_output = \"32KiB\"`";
                errors.at(size, message);
                return None;
            }
        };
        or_at(&size, quantity::bytes(&text), errors)
    }

    /// A key that is all there is to say: `key`, or `key = true`, and `key = false` where it is not meant.
    pub(in crate::parse) fn word(&mut self, name: &str, errors: &mut Errors) -> Option<Ident> {
        let key = self.take(name)?;
        let Some(value) = key.value else {
            return Some(key.name);
        };
        let Ok(word) = syn::parse2::<LitBool>(value.clone()) else {
            let message = format!(
                "`{name}` takes no value but `true` and `false`: write `{name}`, or remove it"
            );
            errors.at(value, message);
            return None;
        };
        word.value.then_some(key.name)
    }
}

/// A word in lower case is one of ours, or one that is almost one of ours and not in upper case;
/// everything else is a constant.
fn capability(path: &Path, errors: &mut Errors) -> Option<Capability> {
    let Some(word) = path.get_ident().map(Ident::to_string) else {
        return Some(Capability::Own(path.clone()));
    };
    if let Some(named) = Named::ALL.into_iter().find(|named| named.name() == word) {
        return Some(Capability::Named(named));
    }
    let lower = word.to_lowercase();
    let near = Named::ALL
        .iter()
        .find(|named| is_near(&lower, named.name()));
    if word != lower && (near.is_none() || word == word.to_uppercase()) {
        return Some(Capability::Own(path.clone()));
    }
    let hint = near.map_or(String::new(), |near| {
        format!(", did you mean `{}`?", near.name())
    });
    let separator = if hint.is_empty() { ":" } else { "" };
    let message = format!(
        "unknown capability `{word}`{hint}{separator} write {}",
        known()
    );
    errors.at(path, message);
    None
}

fn known() -> String {
    let names = Named::ALL.map(Named::name).join("`, `");
    format!("`{names}`, or a constant of yours of the type `Capabilities`, such as `PAYMENTS`")
}

/// The value, or the mistake in these tokens.
fn or_at<T>(tokens: &impl ToTokens, value: Result<T, String>, errors: &mut Errors) -> Option<T> {
    value.map_err(|message| errors.at(tokens, message)).ok()
}

/// `"30/min"`, or `("30/min", fail)`.
struct WrittenRate {
    rate: LitStr,
    excess: Option<Ident>,
}

impl Parse for WrittenRate {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(Paren) {
            let (rate, excess) = (input.parse()?, None);
            return Ok(Self { rate, excess });
        }
        let inner;
        parenthesized!(inner in input);
        let rate = inner.parse()?;
        let mut excess = None;
        if inner.parse::<Option<Token![,]>>()?.is_some() && !inner.is_empty() {
            excess = Some(inner.parse()?);
            inner.parse::<Option<Token![,]>>()?;
        }
        if !inner.is_empty() {
            return Err(inner.error("not a rate"));
        }
        Ok(Self { rate, excess })
    }
}

/// `(network, PAYMENTS)`.
struct List {
    parentheses: Paren,
    entries: Punctuated<Expr, Token![,]>,
}

impl Parse for List {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let inner;
        let parentheses = parenthesized!(inner in input);
        let entries = Punctuated::parse_terminated(&inner)?;
        Ok(Self {
            parentheses,
            entries,
        })
    }
}
