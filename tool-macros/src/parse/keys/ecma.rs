//! Regular expressions of JSON Schema (ECMA-262), for the engine that runs them.
//!
//! What both know and mean alike is kept. What they mean differently is translated: to a schema `\d`,
//! `\w` and `\b` are about ASCII, and `.` matches no end of a line. What only one of them knows is
//! refused.

use regex_syntax::ast::{
    AssertionKind, Ast, ClassPerl, ClassPerlKind, ClassSet, ClassSetItem, ClassUnicode,
    ClassUnicodeKind, GroupKind, HexLiteralKind, Literal, LiteralKind, Repetition, Span,
    SpecialLiteralKind, parse::Parser,
};

const DIGIT: &str = "0-9";
const WORD: &str = "0-9A-Za-z_";
const SPACE: &str = r"\t\n\x0B\x0C\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";

/// The same expression for the engine.
///
/// # Errors
///
/// When it is not valid, or not the same to both.
pub(super) fn translated(text: &str) -> Result<String, String> {
    let ast = Parser::new().parse(text).map_err(|error| {
        format!(
            "this is no regular expression that can be checked: {}; write another one, or remove `pattern`",
            error.kind()
        )
    })?;
    let mut translation = Translation {
        text,
        edits: Vec::new(),
    };
    translation.expression(&ast).map_err(|(span, instead)| {
        let part = &text[span.start.offset..span.end.offset];
        format!("`{part}` does not mean the same in JSON Schema: {instead}")
    })?;
    let regex = translation.edited();
    match regex::Regex::new(&regex) {
        Ok(_) => Ok(regex),
        Err(regex::Error::CompiledTooBig(_)) => {
            Err("this expression is too large: write fewer or smaller repetitions".to_owned())
        }
        Err(_) => Err("this is no regular expression that can be checked: write another one, or remove `pattern`".to_owned()),
    }
}

struct Translation<'t> {
    text: &'t str,
    /// The replacements of parts, in the order of the expression.
    edits: Vec<(Span, String)>,
}

/// The place of a part that has no translation, and the advice on what to write instead.
type Refused = (Span, &'static str);

impl Translation<'_> {
    fn edited(&self) -> String {
        let (mut text, mut end) = (String::new(), 0);
        for (span, new) in &self.edits {
            text.push_str(&self.text[end..span.start.offset]);
            text.push_str(new);
            end = span.end.offset;
        }
        text.push_str(&self.text[end..]);
        text
    }

    fn expression(&mut self, ast: &Ast) -> Result<(), Refused> {
        match ast {
            Ast::Empty(_) => Ok(()),
            Ast::Flags(flags) => Err((flags.span, "write both cases, `[Aa]`")),
            Ast::Literal(one) => outside(one),
            Ast::Dot(span) => {
                self.edits
                    .push((**span, r"[^\n\r\x{2028}\x{2029}]".to_owned()));
                Ok(())
            }
            Ast::Assertion(assertion) => match assertion.kind {
                AssertionKind::StartLine | AssertionKind::EndLine => Ok(()),
                AssertionKind::WordBoundary => {
                    self.edits.push((assertion.span, r"(?-u:\b)".to_owned()));
                    Ok(())
                }
                AssertionKind::StartText => Err((assertion.span, "write `^`")),
                AssertionKind::EndText => Err((assertion.span, "write `$`")),
                _ => Err((assertion.span, "write which characters may stand there")),
            },
            Ast::ClassUnicode(class) => unicode(class),
            Ast::ClassPerl(class) => {
                self.class(class, false);
                Ok(())
            }
            Ast::ClassBracketed(class) => match &class.kind {
                ClassSet::Item(item) => self.item(item),
                ClassSet::BinaryOp(operation) => {
                    Err((operation.span, "write the characters that remain"))
                }
            },
            Ast::Repetition(repetition) => self.repetition(repetition),
            Ast::Group(group) => {
                match &group.kind {
                    GroupKind::CaptureName {
                        starts_with_p: true,
                        name,
                    } => return Err((name.span, "write `(?<name>…)`, or a group without a name")),
                    GroupKind::CaptureName { name, .. } if !is_plain(&name.name) => {
                        return Err((name.span, "name a group with letters, digits and `_`"));
                    }
                    GroupKind::NonCapturing(flags) if !flags.items.is_empty() => {
                        return Err((flags.span, "write both cases, `[Aa]`"));
                    }
                    _ => {}
                }
                self.expression(&group.ast)
            }
            Ast::Alternation(all) => all.asts.iter().try_for_each(|ast| self.expression(ast)),
            Ast::Concat(all) => all.asts.iter().try_for_each(|ast| self.expression(ast)),
        }
    }

    fn repetition(&mut self, repetition: &Repetition) -> Result<(), Refused> {
        let span = repetition.op.span;
        let written = &self.text[span.start.offset..span.end.offset];
        if written.starts_with("{,") || written.contains(char::is_whitespace) {
            return Err((span, "write both numbers, without spaces: `{0,5}`"));
        }
        if matches!(*repetition.ast, Ast::Repetition(_) | Ast::Assertion(_)) {
            return Err((
                repetition.span,
                "put what is repeated into a group, `(?:…)`",
            ));
        }
        self.expression(&repetition.ast)
    }

    /// Translates an item in brackets.
    fn item(&mut self, item: &ClassSetItem) -> Result<(), Refused> {
        let inside = |one: &Literal| match (&one.kind, one.c) {
            (LiteralKind::Verbatim, '[' | ']') => Err((one.span, "write a backslash before it")),
            _ => literal(one),
        };
        match item {
            ClassSetItem::Empty(_) => Ok(()),
            ClassSetItem::Literal(one) => inside(one),
            ClassSetItem::Range(range) => {
                inside(&range.start)?;
                inside(&range.end)
            }
            ClassSetItem::Ascii(class) => Err((class.span, "write the characters, `a-z`")),
            ClassSetItem::Unicode(class) => unicode(class),
            ClassSetItem::Perl(class) => {
                self.class(class, true);
                Ok(())
            }
            ClassSetItem::Bracketed(class) => Err((class.span, "write one pair of brackets")),
            ClassSetItem::Union(union) => union.items.iter().try_for_each(|item| self.item(item)),
        }
    }

    fn class(&mut self, class: &ClassPerl, in_brackets: bool) {
        let members = match class.kind {
            ClassPerlKind::Digit => DIGIT,
            ClassPerlKind::Word => WORD,
            ClassPerlKind::Space => SPACE,
        };
        let new = match (class.negated, in_brackets) {
            (true, _) => format!("[^{members}]"),
            (false, true) => members.to_owned(),
            (false, false) => format!("[{members}]"),
        };
        self.edits.push((class.span, new));
    }
}

/// A character that does not stand in brackets.
fn outside(one: &Literal) -> Result<(), Refused> {
    match (&one.kind, one.c) {
        (LiteralKind::Verbatim, ']' | '}') => Err((one.span, "write a backslash before it")),
        (LiteralKind::Meta | LiteralKind::Superfluous, '-') => {
            Err((one.span, "write it without the backslash"))
        }
        _ => literal(one),
    }
}

fn is_plain(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn literal(one: &Literal) -> Result<(), Refused> {
    let is_shared = match &one.kind {
        LiteralKind::Verbatim => true,
        LiteralKind::Meta | LiteralKind::Superfluous => r"^$\.*+?()[]{}|/-".contains(one.c),
        LiteralKind::HexFixed(kind) => {
            matches!(kind, HexLiteralKind::X | HexLiteralKind::UnicodeShort)
        }
        LiteralKind::HexBrace(kind) => matches!(kind, HexLiteralKind::UnicodeShort),
        LiteralKind::Special(kind) => {
            !matches!(kind, SpecialLiteralKind::Bell | SpecialLiteralKind::Space)
        }
        LiteralKind::Octal => false,
    };
    if is_shared {
        Ok(())
    } else {
        Err((
            one.span,
            "write the character itself, or `\\u{…}` with its number",
        ))
    }
}

fn unicode(class: &ClassUnicode) -> Result<(), Refused> {
    match &class.kind {
        ClassUnicodeKind::Named(name)
            if name.len() <= 2 && name.starts_with(|char: char| char.is_ascii_uppercase()) =>
        {
            Ok(())
        }
        _ => Err((
            class.span,
            "name a general category in braces, such as `\\p{L}`",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn what_both_know_is_kept() {
        for same in [
            "",
            "^[a-z]+$",
            "a|b",
            r"\.\/-[a\-]",
            "(?:ab){2,3}",
            "(?<n>a)",
            r"\u{1F600}",
        ] {
            assert_eq!(translated(same).as_deref(), Ok(same));
        }
    }

    #[test]
    fn what_differs_is_translated() {
        assert_eq!(translated(r"^\d\D$").as_deref(), Ok("^[0-9][^0-9]$"));
        assert_eq!(translated(r"[\w-]").as_deref(), Ok("[0-9A-Za-z_-]"));
        assert_eq!(translated(r"\ba").as_deref(), Ok(r"(?-u:\b)a"));
        assert!(translated(r"\s.[^\S]").is_ok());
    }

    #[test]
    fn what_one_does_not_know_is_refused() {
        for other in [
            "(",
            "[a",
            "a**",
            "(?i)a",
            "(?i:a)",
            "(?P<n>a)",
            r"\Aa\z",
            r"\B",
            "[[:alpha:]]",
            "[a&&b]",
            "[]a]",
            "[a[b]]",
            r"\pL",
            r"\p{Greek}",
            r"\x{41}",
            r"\a",
            "a{,3}",
            "(?=a)",
            r"(a)\1",
            r"\#",
            r"a\-b",
            "a]",
            "a}",
            "(?<a.b>c)",
            "(?:(?:a{1000}){1000}){1000}",
            "^*",
        ] {
            assert!(translated(other).is_err(), "{other}");
        }
    }
}
