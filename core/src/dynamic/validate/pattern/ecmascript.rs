//! What patterns of ECMAScript (ECMA-262) mean in another way than those of `regex`, and `jsonschema-regex` leaves.

/// The characters that `.` does not match.
const NO_LINE_ENDS: &str = r"[^\n\r\u{2028}\u{2029}]";
/// Longer patterns are not read: a class of Unicode is a thousand times as large when it is parsed.
const MAX_TEXT: usize = 1 << 14;

/// Rewrites a pattern so that `regex` reads it as ECMAScript does: borders of words are those of ASCII, `.` ends at
/// every end of a line, `\<` is the character, and a hyphen after a class such as `\w` is one. It gives `None` for a
/// pattern that is too long, and for what has no form there: an empty class (`[]`, `[^]`), a flag that changes what `.`
/// takes.
pub(super) fn rewritten(text: &str) -> Option<String> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    let mut is_in_class = false;
    while let Some(next) = rest.next() {
        match next {
            '\\' => {
                let Some(escaped) = rest.next() else {
                    out.push('\\');
                    break;
                };
                match escaped {
                    '<' | '>' => out.push(escaped),
                    'b' if !is_in_class => out.push_str(r"(?-u:\b)"),
                    'B' if !is_in_class => out.push_str(r"(?-u:\B)"),
                    _ => out.extend(['\\', escaped]),
                }
                if is_in_class && "dDwWsS".contains(escaped) && begins_range(rest.as_str()) {
                    rest.next();
                    out.push_str(r"\-");
                    // What stands behind it is the end of the range: a hyphen behind that is a character as well.
                    let mut behind = rest.clone();
                    if behind.next() == Some('\\') {
                        behind.next();
                    }
                    if begins_range(behind.as_str()) {
                        return None;
                    }
                    if begins_range(rest.as_str()) {
                        rest.next();
                        out.push_str(r"\-");
                    }
                }
            }
            '[' if !is_in_class => {
                if rest.as_str().starts_with(']') || rest.as_str().starts_with("^]") {
                    return None;
                }
                is_in_class = true;
                out.push('[');
            }
            '(' if !is_in_class => {
                if changes_dots_or_spaces(rest.as_str()) {
                    return None;
                }
                out.push('(');
            }
            '.' if !is_in_class => out.push_str(NO_LINE_ENDS),
            _ => {
                is_in_class &= next != ']';
                out.push(next);
            }
        }
    }
    Some(out)
}

/// Returns true if a hyphen is next that is not the last character of its class.
fn begins_range(rest: &str) -> bool {
    rest.starts_with('-') && !rest.starts_with("-]")
}

/// Returns true if a group sets a flag by which `.` takes ends of lines, or spaces mean nothing.
fn changes_dots_or_spaces(group: &str) -> bool {
    let flags = group.strip_prefix('?').unwrap_or_default();
    let flags = flags.split(|c: char| !c.is_ascii_alphabetic() && c != '-');
    flags.take(1).any(|flags| flags.contains(['s', 'x']))
}

/// The work that it is to translate a pattern, in bytes that are read: the translation begins anew for each escape.
pub(super) fn work(text: &str) -> usize {
    let is_read_again = |two: &&[u8]| two[0] == b'\\' && b"dDwWsSc".contains(&two[1]);
    let again = text.as_bytes().windows(2).filter(is_read_again).count();
    text.len().saturating_mul(1 + again)
}
