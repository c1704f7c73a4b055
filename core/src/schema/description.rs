//! Descriptions that are known only when the program is compiled: constants and included files.
//!
//! The macros do the same to doc comments, whose text they see.

/// A description without the white space around it.
pub const fn description(text: &'static str) -> &'static str {
    text.trim_ascii()
}

/// Documentation up to its first heading.
pub const fn documentation(text: &'static str) -> &'static str {
    let bytes = text.as_bytes();
    // The mark and the length of the code fence that is open; no length if none is.
    let (mut mark, mut open) = (0, 0);
    let mut line = 0;
    while line < bytes.len() {
        let start = skip(bytes, line, b' ');
        let first = if start < bytes.len() { bytes[start] } else { 0 };
        let after = skip(bytes, start, first);
        let length = after - start;
        if matches!(first, b'`' | b'~') && length >= 3 {
            if open == 0 {
                (mark, open) = (first, length);
            } else if first == mark && length >= open && ends_line(bytes, after) {
                open = 0;
            }
        } else if open == 0 && first == b'#' && after < bytes.len() && bytes[after] == b' ' {
            return text.split_at(line).0.trim_ascii();
        }
        while line < bytes.len() && bytes[line] != b'\n' {
            line += 1;
        }
        line += 1;
    }
    text.trim_ascii()
}

/// The place after a run of one byte.
const fn skip(bytes: &[u8], mut index: usize, byte: u8) -> usize {
    while index < bytes.len() && bytes[index] == byte {
        index += 1;
    }
    index
}

/// Returns true if there are only spaces before the end of the line.
const fn ends_line(bytes: &[u8], index: usize) -> bool {
    let end = skip(bytes, index, b' ');
    end >= bytes.len() || matches!(bytes[end], b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::documentation;

    #[test]
    fn documentation_ends_at_its_first_heading() {
        assert_eq!(documentation("a\n\nb\n # Errors\nc"), "a\n\nb");
        assert_eq!(
            documentation("a #1\n```\n# code\n```\nb"),
            "a #1\n```\n# code\n```\nb"
        );
        for fenced in ["a\n~~~\n# b\n~~~", "a\n````\n```\n# b\n```\n````"] {
            assert_eq!(documentation(fenced), fenced);
        }
        assert_eq!(documentation("~~~\n# b\n~~~\n# c"), "~~~\n# b\n~~~");
        assert_eq!(documentation("# only"), "");
        assert_eq!(documentation("#hash"), "#hash");
    }
}
