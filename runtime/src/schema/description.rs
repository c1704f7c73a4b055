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
    let (mut index, mut line_start, mut in_code) = (0, true, false);
    while index < bytes.len() {
        if line_start && starts_with(bytes, index, b"```") {
            in_code = !in_code;
        }
        if line_start && !in_code && is_heading(bytes, index) {
            return text.split_at(index).0.trim_ascii();
        }
        line_start = bytes[index] == b'\n' || (line_start && bytes[index] == b' ');
        index += 1;
    }
    text.trim_ascii()
}

const fn is_heading(bytes: &[u8], mut index: usize) -> bool {
    let start = index;
    while index < bytes.len() && bytes[index] == b'#' {
        index += 1;
    }
    index > start && index < bytes.len() && bytes[index] == b' '
}

const fn starts_with(bytes: &[u8], start: usize, prefix: &[u8]) -> bool {
    let mut index = 0;
    while index < prefix.len() {
        if start + index >= bytes.len() || bytes[start + index] != prefix[index] {
            return false;
        }
        index += 1;
    }
    true
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
        assert_eq!(documentation("# only"), "");
        assert_eq!(documentation("#hash"), "#hash");
    }
}
