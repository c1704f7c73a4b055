//! The keys that need schemars: `schemars` and `json_schema`.

use proc_macro2::{Ident, TokenStream};
use syn::{LitInt, Token, parse::ParseStream};

use super::Keys;
use crate::errors::Errors;

/// The number of levels that a type of another crate counts as by default.
const DEPTH: u16 = 3;

/// True if the facade was built with the feature `schemars`.
const ENABLED: bool = cfg!(feature = "schemars");

impl Keys {
    /// `schemars` or `schemars(depth = …)`: how many levels the type counts as.
    pub(in crate::parse) fn schemars(&mut self, errors: &mut Errors) -> Option<u16> {
        let key = self.take("schemars")?;
        enabled(&key.name, errors)?;
        let why = "a type that schemars describes says itself what it takes: remove one of them";
        self.no_constraints(why, errors);
        let Some(value) = key.value else {
            return Some(DEPTH);
        };
        let Ok(depth) = syn::parse2::<Depth>(value.clone()) else {
            let message = "this is no value for `schemars`: write `schemars`, or \
                           `schemars(depth = 4)` with the levels that the type has, 0 to 9";
            errors.at(value, message);
            return None;
        };
        Some(depth.0)
    }

    /// `json_schema`: whether the type gets `schemars::JsonSchema`.
    pub(in crate::parse) fn json_schema(&mut self, errors: &mut Errors) -> bool {
        let Some(key) = self.take("json_schema") else {
            return false;
        };
        if let Some(value) = key.value {
            errors.at(value, "`json_schema` takes no value: write `json_schema`");
            return false;
        }
        enabled(&key.name, errors).is_some()
    }
}

fn enabled(key: &Ident, errors: &mut Errors) -> Option<()> {
    if !ENABLED {
        let message = format!(
            "`{key}` needs the feature `schemars`: write `toolwright = {{ …, features = \
             [\"schemars\"] }}` in Cargo.toml"
        );
        errors.at(key, message);
    }
    ENABLED.then_some(())
}

/// `(depth = 3)`.
struct Depth(u16);

impl syn::parse::Parse for Depth {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let inner;
        syn::parenthesized!(inner in input);
        let name: Ident = inner.parse()?;
        inner.parse::<Token![=]>()?;
        let depth: LitInt = inner.parse()?;
        let rest: TokenStream = inner.parse()?;
        let number = depth.base10_parse()?;
        if name != "depth" || !rest.is_empty() || number > 9 {
            return Err(inner.error("not a depth"));
        }
        Ok(Self(number))
    }
}
