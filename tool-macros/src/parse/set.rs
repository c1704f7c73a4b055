//! The entries of `toolset!`.

use quote::ToTokens;
use syn::{
    Attribute, Expr, Token, parenthesized,
    parse::{Parse, ParseStream},
};

use crate::model::{Entry, Set};

impl Parse for Set {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let root;
        parenthesized!(root in input);
        let root = root.parse()?;
        let entries = input.parse_terminated(Entry::parse, Token![,])?;
        Ok(Self {
            root,
            entries: entries.into_iter().collect(),
        })
    }
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let conditions = input.call(Attribute::parse_outer)?;
        if let Some(other) = conditions
            .iter()
            .find(|attribute| !attribute.path().is_ident("cfg"))
        {
            let message = "an entry of `toolset!` may have `#[cfg(…)]` and no other attribute";
            return Err(syn::Error::new_spanned(other, message));
        }
        match input.parse::<Expr>()? {
            Expr::Path(path) if path.qself.is_none() => Ok(Self {
                conditions,
                tool: path.path,
            }),
            other => Err(syn::Error::new_spanned(
                other.to_token_stream(),
                "an entry of `toolset!` is the path of a tool: write `weather::get_weather`; a \
                 tool that is a value joins with `Toolset::with`",
            )),
        }
    }
}
