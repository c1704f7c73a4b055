//! A text in which everything can be seen. The page of the server has the same function in `visible.ts`.

use std::fmt::Write as _;

/// The text with every character that cannot be seen written out, as `\u{…}`: a person who decides about a call must not
/// miss one. Lines stay, and so do spaces inside of them. No two texts become one: `\u{` itself is written
/// `\u{5c}u{`.
///
/// | Written out | Unicode |
/// | --- | --- |
/// | control characters but line ends and tabs | `Cc` |
/// | format characters, such as controls of the direction and zero-width joiners | `Cf` |
/// | separators of lines and paragraphs, and spaces other than that of ASCII | `Zl`, `Zp`, `Zs` |
/// | characters without a meaning: of private use, unassigned | `Co`, `Cn` |
/// | fillers, selectors of variants and tags, which have no form | `Default_Ignorable_Code_Point`, U+2800 |
/// | spaces and tabs at the end of a line | |
///
/// ```
/// use toolwright::approval::visible;
///
/// assert_eq!(visible(r#"{"path": "cod.exe"}"#), r#"{"path": "cod.exe"}"#);
/// // A terminal and a browser show this one as `exe.doc`.
/// assert_eq!(visible("\u{202e}cod.exe"), r"\u{202e}cod.exe");
/// ```
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(char) = rest.next() {
        let is_last = matches!(rest.peek(), None | Some('\n'));
        let hidden = match char {
            '\n' => false,
            ' ' | '\t' => is_last,
            '\\' => starts_an_escape(rest.clone()),
            char => is_hidden(char),
        };
        if hidden {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(char));
        } else {
            shown.push(char);
        }
    }
    shown
}

/// As [`visible`], in one line: line ends are written out too.
pub fn visible_line(text: &str) -> String {
    visible(text).replace('\n', "\\u{a}")
}

fn starts_an_escape(mut after_backslash: impl Iterator<Item = char>) -> bool {
    after_backslash.next() == Some('u') && after_backslash.next() == Some('{')
}

/// Returns true if a character leaves no mark.
fn is_hidden(char: char) -> bool {
    match char {
        ' '..='~' => false,
        // Fillers, joiners and selectors, which count as letters or marks.
        '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{ffa0}'
        | '\u{e0100}'..='\u{e01ef}' => true,
        // Behind another character a mark is no reason to escape; what does not print is.
        char => {
            let mut behind_another = [b'a'; 5];
            let length = char.encode_utf8(&mut behind_another[1..]).len();
            let text = str::from_utf8(&behind_another[..=length]).unwrap_or_default();
            text.escape_debug().nth(1) == Some('\\')
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{visible, visible_line};

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        for (text, shown) in [
            ("plain \"text\" 'so' \\d", "plain \"text\" 'so' \\d"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("a\r\nb", "a\\u{d}\nb"),
            ("ends. \nhere ", "ends.\\u{20}\nhere\\u{20}"),
            ("\u{3164}\u{115f}\u{2800}", "\\u{3164}\\u{115f}\\u{2800}"),
            ("ภาษา ที่ हिन्दी é e\u{301} 🦀", "ภาษา ที่ हिन्दी é e\u{301} 🦀"),
            ("\u{a0}", "\\u{a0}"),
        ] {
            assert_eq!(visible(text), shown, "{text:?}");
        }
        assert_eq!(visible_line("a\nb"), "a\\u{a}b");
    }

    #[test]
    fn no_two_texts_look_alike() {
        let texts = [
            "\u{202e}",
            "\\u{202e}",
            "\\u{5c}u{202e}",
            "\\\\u{202e}",
            "\r",
            "\\r",
            "\n",
            "\\n",
            "\\u{a}",
            "\\",
            "\\\\",
        ];
        let shown: HashSet<_> = texts.iter().map(|text| visible_line(text)).collect();
        assert_eq!(shown.len(), texts.len());
    }
}
