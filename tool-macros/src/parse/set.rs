//! The entries of `toolset!`.

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, Expr, Token, parenthesized,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

use crate::{
    errors::Errors,
    model::{Entry, Set},
};

/// Reads the entries. `None` if they are no list at all.
pub(crate) fn set(tokens: TokenStream, errors: &mut Errors) -> Option<Set> {
    let List { root, entries } = errors.ok(syn::parse2(tokens))?;
    let entries = entries
        .into_iter()
        .filter_map(|entry| entry.checked(errors))
        .collect();
    Some(Set { root, entries })
}

/// `($crate) first, second, …`
struct List {
    root: TokenStream,
    entries: Punctuated<Written, Token![,]>,
}

impl Parse for List {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let root;
        parenthesized!(root in input);
        Ok(Self {
            root: root.parse()?,
            entries: input.parse_terminated(Written::parse, Token![,])?,
        })
    }
}

/// An entry as it is written.
struct Written {
    attributes: Vec<Attribute>,
    tool: Expr,
}

impl Parse for Written {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attributes: input.call(Attribute::parse_outer)?,
            tool: if input.fork().parse::<Expr>().is_ok() {
                input.parse()?
            } else {
                Expr::Verbatim(up_to_comma(input)?)
            },
        })
    }
}

impl Written {
    fn checked(self, errors: &mut Errors) -> Option<Entry> {
        let (conditions, others): (Vec<_>, Vec<_>) = self
            .attributes
            .into_iter()
            .partition(|attribute| attribute.path().is_ident("cfg"));
        for other in others {
            let message = "an entry of `toolset!` may have `#[cfg(…)]` only: remove this attribute";
            errors.at(other, message);
        }
        match ungrouped(self.tool) {
            Expr::Path(path) if path.qself.is_none() => Some(Entry {
                conditions,
                tool: path.path,
            }),
            Expr::Call(call) if call.args.is_empty() => {
                let message = "`toolset!` names a tool and does not call it: remove the `()`";
                errors.at(call, message);
                None
            }
            other => {
                let message = "an entry of `toolset!` is the path of a tool: write \
                               `weather::get_weather`; a tool that is a value joins with \
                               `Toolset::with`";
                errors.at(other, message);
                None
            }
        }
    }
}

/// What stands before the next comma.
fn up_to_comma(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}

/// Removes the group that a `macro_rules!` puts around an expression passed on as `$tool:path` or `$tool:expr`.
fn ungrouped(mut expression: Expr) -> Expr {
    while let Expr::Group(group) = expression {
        expression = *group.expr;
    }
    expression
}
