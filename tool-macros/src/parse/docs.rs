//! Doc comments as descriptions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::model::Text;

/// The documentation up to its first heading, with its paragraphs.
pub(crate) fn text(attributes: &[Attribute]) -> Text {
    let (mut pieces, mut from, mut all_known) = (Vec::new(), TokenStream::new(), true);
    for attribute in attributes {
        let Meta::NameValue(meta) = &attribute.meta else {
            continue;
        };
        if !attribute.path().is_ident("doc") {
            continue;
        }
        attribute.to_tokens(&mut from);
        if let Expr::Lit(ExprLit {
            lit: Lit::Str(line),
            ..
        }) = &meta.value
        {
            let line = line.value();
            pieces.push(Piece::Known(unindented(&line)));
        } else {
            all_known = false;
            pieces.push(Piece::Expression(meta.value.clone()));
        }
    }
    if all_known {
        let lines: Vec<_> = pieces
            .into_iter()
            .map(|piece| match piece {
                Piece::Known(line) => line,
                Piece::Expression(_) => unreachable!("all pieces are known"),
            })
            .collect();
        let text = until_heading(&lines.join("\n"));
        return if text.is_empty() {
            Text::Missing
        } else {
            Text::Known { text, from }
        };
    }
    let pieces = pieces.iter().map(|piece| match piece {
        Piece::Known(line) => quote!(#line, "\n"),
        Piece::Expression(expression) => quote!(#expression, "\n"),
    });
    Text::Documentation(quote!(::core::concat!(#(#pieces),*)))
}

enum Piece {
    Known(String),
    Expression(Expr),
}

/// A doc comment has one space after its slashes. A block comment may have a column of stars; if it
/// has none, its lines share an indentation.
fn unindented(comment: &str) -> String {
    let (first, rest) = comment.split_once('\n').unwrap_or((comment, ""));
    let rest: Vec<_> = rest.lines().collect();
    let written = || rest.iter().filter(|line| !line.trim().is_empty());
    let starred = written().all(|line| line.trim_start().starts_with('*'));
    let indentation = written()
        .map(|line| line.len() - line.trim_start().len())
        .min();
    let rest = rest.iter().map(|line| {
        if starred {
            let line = line.trim_start().trim_start_matches('*');
            line.strip_prefix(' ').unwrap_or(line)
        } else {
            line.get(indentation.unwrap_or(0)..).unwrap_or("")
        }
    });
    let lines = std::iter::once(first.strip_prefix(' ').unwrap_or(first)).chain(rest);
    lines.map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn until_heading(text: &str) -> String {
    let mut fence: Option<(char, usize)> = None;
    let kept = text.lines().take_while(|line| {
        let line = line.trim_start();
        fence = match (fence, fence_of(line)) {
            (None, Some((mark, length, _))) => Some((mark, length)),
            (Some((open, least)), Some((mark, length, true)))
                if mark == open && length >= least =>
            {
                None
            }
            (open, _) => open,
        };
        let after = line.trim_start_matches('#');
        fence.is_some() || after.len() == line.len() || !after.starts_with(' ')
    });
    kept.collect::<Vec<_>>().join("\n").trim_ascii().to_owned()
}

/// The mark of a code fence, how often it stands there, and whether nothing follows, so that it may
/// close one.
fn fence_of(line: &str) -> Option<(char, usize, bool)> {
    let mark = line
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let after = line.trim_start_matches(mark);
    let length = line.len() - after.len();
    (length >= 3).then_some((mark, length, after.trim().is_empty()))
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    fn check(item: &syn::ItemFn, expected: &str) {
        match text(&item.attrs) {
            Text::Known { text, .. } => assert_eq!(text, expected),
            Text::Missing => assert_eq!("", expected),
            _ => panic!("the text is known"),
        }
    }

    #[test]
    fn paragraphs_are_kept_up_to_the_first_heading() {
        check(
            &parse_quote! {
                /// First line,
                /// second line.
                ///
                /// - a list
                ///   goes on
                ///
                /// # Errors
                ///
                /// Not for the model.
                fn f() {}
            },
            "First line,\nsecond line.\n\n- a list\n  goes on",
        );
    }

    #[test]
    fn an_attribute_between_the_lines_does_not_end_the_text() {
        check(
            &parse_quote! {
                /// First.
                #[inline]
                /// Second.
                fn f() {}
            },
            "First.\nSecond.",
        );
    }

    #[test]
    fn a_block_comment_keeps_its_lists() {
        check(
            &parse_quote!(
                #[doc = " Pick one of\n     * a hat\n     * a coat"]
                fn f() {}
            ),
            "Pick one of\na hat\na coat",
        );
        check(
            &parse_quote!(
                #[doc = " Pick one of\n\n    - a hat\n      in red\n    - a coat"]
                fn f() {}
            ),
            "Pick one of\n\n- a hat\n  in red\n- a coat",
        );
    }

    #[test]
    fn a_fence_ends_with_its_own_mark() {
        for text in ["a\n~~~\n# b\n~~~", "a\n````\n```\n# b\n```\n````"] {
            assert_eq!(until_heading(&format!("{text}\n# c")), text);
        }
    }

    #[test]
    fn code_is_not_a_heading_and_blank_lines_are_no_text() {
        check(
            &parse_quote!(
                #[doc = "a\n```\n# b\n```"]
                fn f() {}
            ),
            "a\n```\n# b\n```",
        );
        check(
            &parse_quote!(
                #[doc = "  "]
                #[doc = ""]
                fn f() {}
            ),
            "",
        );
        check(
            &parse_quote!(
                #[doc(hidden)]
                fn f() {}
            ),
            "",
        );
    }
}
