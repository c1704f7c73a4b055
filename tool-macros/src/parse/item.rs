//! Kind of the item below an attribute, by its first words. The rest of the item may be unreadable.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::{
    Attribute, Visibility,
    parse::{ParseStream, Parser},
};

/// An item, as far as it was looked at.
pub(super) struct Item {
    pub(super) attributes: Vec<Attribute>,
    pub(super) kind: Kind,
    /// The word that says what it is.
    pub(super) at: Span,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Function,
    Impl,
    Struct,
    /// An `enum` or a `union`.
    Enum,
    Trait,
    Module,
    /// A `const` or a `static`.
    Value,
    Use,
    Type,
    /// The declaration of a macro, or the call of one.
    Macro,
    /// `extern "C" { … }`.
    ForeignBlock,
    ForeignCrate,
}

/// Returns the attributes and the kind of an item. `None` if the tokens are no item, or one that is not written yet.
pub(super) fn item(tokens: &TokenStream) -> Option<Item> {
    let read = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        Ok((attributes, input.parse::<TokenStream>()?))
    };
    let (attributes, rest) = read.parse2(tokens.clone()).ok()?;
    let rest: Vec<_> = rest.into_iter().collect();
    let (kind, at) = kind(&rest)?;
    Some(Item {
        attributes,
        kind,
        at,
    })
}

fn kind(tokens: &[TokenTree]) -> Option<(Kind, Span)> {
    let start = tokens.first()?.span();
    let mut place = 0;
    // What may stand in front of a `fn`, or be the word itself.
    let mut word = String::new();
    while let Some(token) = tokens.get(place) {
        let next = match token {
            TokenTree::Ident(ident) => ident.to_string(),
            TokenTree::Literal(_) if word == "extern" => word.clone(),
            _ => break,
        };
        match next.as_str() {
            "const" | "async" | "unsafe" | "safe" | "extern" | "default" | "auto" => word = next,
            "fn" => return Some((Kind::Function, token.span())),
            _ => break,
        }
        place += 1;
    }
    let next = tokens.get(place)?;
    let after = tokens.get(place + 1);
    let name = match next {
        TokenTree::Ident(ident) => ident.to_string(),
        TokenTree::Group(group) if word == "extern" => {
            let is_block = group.delimiter() == Delimiter::Brace;
            return is_block.then_some((Kind::ForeignBlock, start));
        }
        TokenTree::Punct(_) => return is_call(tokens).then_some((Kind::Macro, start)),
        _ => return None,
    };
    let kind = match name.as_str() {
        "impl" => Kind::Impl,
        "struct" => Kind::Struct,
        "enum" => Kind::Enum,
        "union" if matches!(after, Some(TokenTree::Ident(_))) => Kind::Enum,
        "trait" => Kind::Trait,
        "mod" => Kind::Module,
        "static" => Kind::Value,
        "use" => Kind::Use,
        "type" => Kind::Type,
        "macro" if matches!(after, Some(TokenTree::Ident(_))) => Kind::Macro,
        "crate" if word == "extern" => Kind::ForeignCrate,
        _ if word == "const" => return after.is_some().then_some((Kind::Value, start)),
        _ => return is_call(tokens).then_some((Kind::Macro, start)),
    };
    Some((kind, next.span()))
}

/// Returns true if the tokens begin with a path and a `!` after it.
fn is_call(tokens: &[TokenTree]) -> bool {
    let path = tokens.iter().take_while(|token| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(mark) => mark.as_char() == ':',
        // `$crate`, or a path that another macro passed on.
        TokenTree::Group(group) => group.delimiter() == Delimiter::None,
        TokenTree::Literal(_) => false,
    });
    let length = path.count();
    let mark = tokens.get(length);
    length > 0 && matches!(mark, Some(TokenTree::Punct(mark)) if mark.as_char() == '!')
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;

    use super::{Kind, item};

    #[test]
    fn every_item_is_known_by_its_first_words() {
        for (kind, items) in [
            (
                Kind::Function,
                "fn a() {}; pub(crate) const async unsafe extern \"C\" fn a(); safe fn a(); \
                 default fn a() {}; #[a] async fn a() {}; extern fn a() {}",
            ),
            (
                Kind::Impl,
                "impl A {}; unsafe impl A for B {}; default impl A for B {}",
            ),
            (Kind::Struct, "pub struct A;"),
            (Kind::Enum, "enum A {}; union A { a: u8 }"),
            (Kind::Trait, "trait A {}; pub unsafe auto trait A {}"),
            (Kind::Module, "mod a; mod a {}; unsafe mod a {}"),
            (
                Kind::Value,
                "const A: u8 = 1; const _: () = (); static A: u8 = 1; static mut A: u8 = 1; \
                 unsafe static A: u8",
            ),
            (Kind::Use, "use a::b; pub use ::a"),
            (Kind::Type, "type A = B"),
            (
                Kind::Macro,
                "macro_rules! a { () => {} }; a! {}; a::b!(c); ::a::b![]; union!(a); macro a() {}",
            ),
            (
                Kind::ForeignBlock,
                "extern {}; extern \"C\" {}; unsafe extern \"C\" {}",
            ),
            (Kind::ForeignCrate, "extern crate a"),
        ] {
            for text in items.split("; ") {
                let tokens: TokenStream = text.parse().expect("these are tokens");
                let found = item(&tokens).map(|item| item.kind);
                assert!(found == Some(kind), "{text}");
            }
        }
        for text in [
            "",
            "pub",
            "async",
            "const",
            "a",
            "a b",
            "extern",
            "{}",
            "a: u8",
            "let a = b",
        ] {
            let tokens: TokenStream = text.parse().expect("these are tokens");
            assert!(item(&tokens).is_none(), "{text}");
        }
    }
}
