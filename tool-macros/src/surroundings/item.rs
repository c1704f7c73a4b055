//! Items, as far as they can be read without knowing what they mean.

use proc_macro2::{TokenStream, TokenTree};
use syn::{ItemUse, UseTree};

use super::reader::Reader;

/// An attribute as it is written, from bracket to bracket.
pub(super) struct Attribute(String);

/// An item as it is written.
pub(super) struct Item {
    pub(super) attributes: Vec<Attribute>,
    /// Its text without attributes, up to its first brace or its end.
    head: String,
    /// The same without what stands in parentheses.
    words: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The items from a place to the end of the block or file that it is in.
pub(super) fn items(text: &str, start: usize) -> Option<Vec<Item>> {
    let mut reader = Reader::new(text, start);
    let mut items = Vec::new();
    let mut attributes = Vec::new();
    let (mut item, mut head) = (None, None);
    while let Some(next) = reader.rest.chars().next() {
        if reader.skip_comment()? || reader.skip_literal()? {
            reader.head.push(' ');
            continue;
        }
        let place = reader.place();
        if !next.is_whitespace() && next != '}' {
            item.get_or_insert(place);
        }
        if next == '#' && (reader.rest.starts_with("#[") || reader.rest.starts_with("#![")) {
            let is_inner = reader.rest.starts_with("#!");
            reader.rest = &reader.rest[if is_inner { 2 } else { 1 }..];
            let written = reader.skip_group()?;
            if is_inner {
                item = None;
            } else {
                attributes.push(Attribute(written.to_owned()));
            }
            continue;
        }
        if !next.is_whitespace() {
            head.get_or_insert(place);
        }
        let is_end = match next {
            '(' | '[' => {
                reader.skip_group()?;
                reader.head.push(' ');
                continue;
            }
            // The list of an import, and a value among the parameters of a type.
            '{' if is_import(&reader.head) || is_in_parameters(&reader.head) => {
                reader.skip_group()?;
                continue;
            }
            '{' => {
                reader.skip_group()?;
                Some(text.get(head.unwrap_or(place)..place)?.to_owned())
            }
            '}' if start > 0 => return Some(items),
            ')' | ']' | '}' => return None,
            ';' => {
                reader.rest = &reader.rest[1..];
                Some(text.get(head.unwrap_or(place)..place)?.to_owned())
            }
            other => {
                reader.rest = &reader.rest[other.len_utf8()..];
                reader.head.push(other);
                None
            }
        };
        if let Some(written) = is_end {
            items.push(Item {
                attributes: std::mem::take(&mut attributes),
                head: written,
                words: std::mem::take(&mut reader.head),
                start: item.take().unwrap_or(place),
                end: reader.place(),
            });
            head = None;
        }
    }
    (start == 0).then_some(items)
}

impl Item {
    /// Returns the keyword and the name of the item that it declares.
    pub(super) fn declared<'a>(&'a self) -> Option<(&'static str, &'a str)> {
        // A path or a call may begin with such a word as well, and has no space behind it.
        let mut words = self.words.split_whitespace();
        let name_in = |text: &'a str| {
            let text = text.strip_prefix("r#").unwrap_or(text);
            let is_part = |char: char| char.is_alphanumeric() || char == '_';
            let name = text.split(|char| !is_part(char)).next();
            name.filter(|name| !name.is_empty())
        };
        let before = [
            "pub", "async", "const", "unsafe", "safe", "extern", "default",
        ];
        let kind = words.find(|word| !before.contains(word))?;
        let kind = KINDS.iter().find(|(word, _)| *word == kind)?;
        let name = words.next().and_then(name_in)?;
        let renamed = (kind.0 == "crate" && words.next() == Some("as")).then(|| words.next());
        Some((kind.1, renamed.flatten().and_then(name_in).unwrap_or(name)))
    }

    /// Returns the path that the item binds to a name, if the item is an import of that name.
    pub(super) fn imported(&self, name: &str) -> Option<Vec<String>> {
        if !is_import(&self.words) {
            return None;
        }
        let import: ItemUse = syn::parse_str(&format!("{};", self.head)).ok()?;
        bound(&import.tree, name)
    }

    pub(super) fn is_tool(&self) -> bool {
        self.attributes
            .iter()
            .any(|attribute| attribute.is_called("tool"))
    }

    /// The name of the type beside a tool.
    pub(super) fn type_of_tool(&self) -> Option<String> {
        let (_, name) = self.declared().filter(|(kind, _)| *kind == "fn")?;
        let mut marks = self.attributes.iter();
        let mark = marks.find(|attribute| attribute.is_called("tool"))?;
        Some(mark.value_of("type").unwrap_or_else(|| name.to_owned()))
    }

    /// Returns true if the item may be absent: it is below `#[cfg(…)]`, or below an attribute that may be a macro.
    pub(super) fn is_conditional(&self) -> bool {
        let is_plain = |attribute: &Attribute| PLAIN.contains(&attribute.name());
        !self.attributes.iter().all(is_plain)
    }

    pub(super) fn plain_head(&self) -> String {
        self.head.split_whitespace().collect()
    }
}

/// The words of items, and what they are called in a message.
const KINDS: [(&str, &str); 8] = [
    ("fn", "fn"),
    ("mod", "module"),
    ("struct", "struct"),
    ("enum", "enum"),
    ("union", "union"),
    ("trait", "trait"),
    ("type", "type"),
    ("crate", "crate"),
];

fn is_import(words: &str) -> bool {
    let mut words = words.split_whitespace().skip_while(|word| *word == "pub");
    words.next() == Some("use")
}

/// Returns true if the words are an `impl` whose type parameters are still open.
fn is_in_parameters(words: &str) -> bool {
    let mut first = words
        .split_whitespace()
        .skip_while(|word| *word == "unsafe");
    let is_impl = first
        .next()
        .is_some_and(|word| word.split('<').next() == Some("impl"));
    let closed = words.matches('>').count() - words.matches("->").count();
    is_impl && words.matches('<').count() > closed
}

/// The path that an import binds to a name.
fn bound(tree: &UseTree, name: &str) -> Option<Vec<String>> {
    match tree {
        UseTree::Path(path) => {
            let first = path.ident.to_string();
            match &*path.tree {
                UseTree::Name(last) if last.ident == "self" && path.ident == name => {
                    Some(vec![first])
                }
                rest => bound(rest, name).map(|rest| std::iter::once(first).chain(rest).collect()),
            }
        }
        UseTree::Name(last) => (last.ident == name).then(|| vec![name.to_owned()]),
        UseTree::Rename(last) => (last.rename == name).then(|| vec![last.ident.to_string()]),
        UseTree::Group(group) => group.items.iter().find_map(|tree| bound(tree, name)),
        UseTree::Glob(_) => None,
    }
}

/// The attributes that leave an item what it is.
const PLAIN: [&str; 15] = [
    "allow",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "inline",
    "must_use",
    "repr",
    "schemars",
    "serde",
    "tool",
    "tools",
    "track_caller",
    "warn",
];

impl Attribute {
    /// The last word of its path.
    fn name(&self) -> &str {
        let is_path = |char: char| char.is_alphanumeric() || matches!(char, '_' | ':' | '#');
        let path = self.0.trim_start_matches(['[', ' ']);
        let path = path.split(|char| !is_path(char)).next().unwrap_or_default();
        path.rsplit(':').next().unwrap_or_default()
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name() == name
    }

    /// Returns the identifier after `key = ` in the attribute.
    pub(super) fn value_of(&self, key: &str) -> Option<String> {
        let tokens: TokenStream = self.0.parse().ok()?;
        let keys = group(group(tokens)?)?;
        let mut tokens = keys.into_iter();
        tokens.find(|token| matches!(token, TokenTree::Ident(word) if word == key))?;
        match (tokens.next()?, tokens.next()?) {
            (TokenTree::Punct(equals), TokenTree::Ident(value)) if equals.as_char() == '=' => {
                Some(value.to_string())
            }
            _ => None,
        }
    }
}

/// Returns the tokens inside the first delimiters.
fn group(tokens: TokenStream) -> Option<TokenStream> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    })
}
