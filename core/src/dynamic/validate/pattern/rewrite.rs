//! Look-around and references to groups, written as groups that every parser of regular expressions
//! reads. What a group stands for is known by its place among all groups.

/// The role of a group in the rewritten pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A group of the pattern itself, and which one.
    Group(usize),
    /// A look-ahead: the content of the group has to follow, or must not.
    Ahead { holds: bool },
    /// A look-behind: the content of the group has to come before, or must not.
    Behind { holds: bool },
    /// A reference to the match of a group of the pattern. The group itself is empty.
    Reference(usize),
}

/// The pattern without look-around and references, and what each of its groups stands for.
pub(super) fn rewrite(pattern: &str) -> (String, Vec<Role>) {
    // A reference may come before its group.
    let (_, _, names) = scan(pattern, &[]);
    let (written, roles, _) = scan(pattern, &names);
    (written, roles)
}

/// Rewrites a pattern whose groups have these names, and gives the names of its groups in the order in which they open.
fn scan<'p>(pattern: &'p str, names: &[Option<&str>]) -> (String, Vec<Role>, Vec<Option<&'p str>>) {
    let mut written = String::with_capacity(pattern.len());
    let (mut roles, mut found) = (Vec::new(), Vec::new());
    let mut rest = pattern;
    let mut in_class = false;
    while let Some(first) = rest.chars().next() {
        let (token, role) = match first {
            '\\' if !in_class => escape(rest, names),
            '\\' => (escaped(rest), None),
            '[' if !in_class => {
                in_class = true;
                (1, None)
            }
            ']' => {
                in_class = false;
                (1, None)
            }
            '(' if !in_class => opening(rest, found.len() + 1),
            other => (other.len_utf8(), None),
        };
        if let Some(Role::Group(_)) = role {
            let name = rest.split_once('<').filter(|_| is_named(rest));
            found.push(name.and_then(|(_, rest)| Some(rest.split_once('>')?.0)));
        }
        match role {
            Some(Role::Ahead { .. } | Role::Behind { .. }) => written.push('('),
            Some(Role::Reference(_)) => written.push_str("()"),
            Some(Role::Group(_)) | None => written.push_str(&rest[..token]),
        }
        roles.extend(role);
        rest = &rest[token..];
    }
    (written, roles, found)
}

/// Returns the length of the opening of a group, and the role of the group if it counts, the next of this number.
fn opening(rest: &str, group: usize) -> (usize, Option<Role>) {
    for (text, role) in [
        ("(?=", Role::Ahead { holds: true }),
        ("(?!", Role::Ahead { holds: false }),
        ("(?<=", Role::Behind { holds: true }),
        ("(?<!", Role::Behind { holds: false }),
    ] {
        if rest.starts_with(text) {
            return (text.len(), Some(role));
        }
    }
    if rest.starts_with("(?") && !is_named(rest) {
        return (1, None);
    }
    (1, Some(Role::Group(group)))
}

fn is_named(rest: &str) -> bool {
    rest.starts_with("(?<") || rest.starts_with("(?P<")
}

/// Returns the length of an escape, and the group that it refers to, if it does.
fn escape(rest: &str, names: &[Option<&str>]) -> (usize, Option<Role>) {
    let after = &rest[1..];
    let digits = after.len()
        - after
            .trim_start_matches(|char: char| char.is_ascii_digit())
            .len();
    if !after.starts_with('0')
        && let Ok(group) = after[..digits].parse::<usize>()
        && group <= names.len()
    {
        return (1 + digits, Some(Role::Reference(group)));
    }
    if let Some((name, _)) = after
        .strip_prefix("k<")
        .and_then(|rest| rest.split_once('>'))
        && let Some(index) = names.iter().position(|known| *known == Some(name))
    {
        return ("\\k<>".len() + name.len(), Some(Role::Reference(index + 1)));
    }
    (escaped(rest), None)
}

/// Returns the length of a backslash and the character after it.
fn escaped(rest: &str) -> usize {
    let mut chars = rest.chars();
    chars.nth(1).map_or(1, |char| 1 + char.len_utf8())
}
