//! JSON as a tree over its text, read in one pass: each value is the part of the text where it stands.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::{string::unescaped, tokens::Tokens};

/// The maximum depth to which a JSON text is parsed: the limit of decoding.
const MAX_DEPTH: usize = 128;

/// The position of a value in its tree.
pub type NodeId = usize;

/// All values of a JSON text. The first is the whole.
#[derive(Debug)]
pub struct Nodes<'t>(Vec<Node<'t>>);

/// One value.
#[derive(Debug)]
pub struct Node<'t> {
    /// As it was written.
    pub text: &'t str,
    /// The parts that are values of their own.
    pub content: Content<'t>,
}

/// The content of a value.
#[derive(Debug)]
pub enum Content<'t> {
    /// No values of its own: null, a boolean, a number, a string, or a value that is nested too deep.
    Nothing,
    /// The items, in order.
    List(Vec<NodeId>),
    /// The members.
    Object(Parts<'t>),
}

/// The members of an object, in order. A key may be there more than once.
#[derive(Debug)]
pub struct Parts<'t> {
    /// The keys and their values, in order.
    pub all: Vec<(Cow<'t, str>, NodeId)>,
    /// Places in `all`, by key.
    by_key: Vec<usize>,
    /// True if a key occurs more than once.
    pub repeats: bool,
}

impl<'t> Parts<'t> {
    fn new(all: Vec<(Cow<'t, str>, NodeId)>) -> Self {
        let mut by_key: Vec<usize> = (0..all.len()).collect();
        by_key.sort_by(|&one, &other| all[one].0.cmp(&all[other].0));
        let repeats = by_key
            .windows(2)
            .any(|pair| all[pair[0]].0 == all[pair[1]].0);
        Self {
            all,
            by_key,
            repeats,
        }
    }

    /// Finds the value of a key.
    pub fn get(&self, key: &str) -> Option<NodeId> {
        let place = self
            .by_key
            .binary_search_by(|&place| (*self.all[place].0).cmp(key));
        place.ok().map(|place| self.all[self.by_key[place]].1)
    }
}

impl<'t> Nodes<'t> {
    /// Reads a text; `None` if it is not JSON, or has a key that is no text to Rust.
    pub fn read(text: &'t str) -> Option<Self> {
        // Whatever follows may take it for granted that the text is JSON.
        let json: &RawValue = serde_json::from_str(text).ok()?;
        let mut reader = Reader {
            text: json.get(),
            tokens: Tokens::new(json.get()),
            nodes: Vec::new(),
        };
        let first = reader.tokens.next()?;
        reader.value(first, 0)?;
        Some(Self(reader.nodes))
    }

    /// Counts the values.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Gives a value of this text.
    ///
    /// # Panics
    ///
    /// Panics if the value belongs to another text that has more values.
    pub fn get(&self, node: NodeId) -> &Node<'t> {
        &self.0[node]
    }

    /// The members of an object.
    pub fn object(&self, node: NodeId) -> Option<&Parts<'t>> {
        match &self.0[node].content {
            Content::Object(parts) => Some(parts),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn list(&self, node: NodeId) -> Option<&[NodeId]> {
        match &self.0[node].content {
            Content::List(items) => Some(items),
            _ => None,
        }
    }

    /// A text, if it is one.
    pub fn string(&self, node: NodeId) -> Option<Cow<'t, str>> {
        unescaped(self.0[node].text)
    }
}

struct Reader<'t> {
    text: &'t str,
    tokens: Tokens<'t>,
    nodes: Vec<Node<'t>>,
}

impl<'t> Reader<'t> {
    /// Reads a value whose first token has been read.
    fn value(&mut self, first: &'t str, depth: usize) -> Option<NodeId> {
        let start = self.tokens.at() - first.len();
        let node = self.nodes.len();
        self.nodes.push(Node {
            text: "",
            content: Content::Nothing,
        });
        let content = match first {
            "{" | "[" if depth >= MAX_DEPTH => {
                self.tokens.skip_rest();
                Content::Nothing
            }
            "{" => self.object(depth + 1)?,
            "[" => self.list(depth + 1)?,
            _ => Content::Nothing,
        };
        self.nodes[node] = Node {
            text: &self.text[start..self.tokens.at()],
            content,
        };
        Some(node)
    }

    fn object(&mut self, depth: usize) -> Option<Content<'t>> {
        let mut all = Vec::new();
        while let Some(key) = self.tokens.part() {
            let first = self.tokens.part()?;
            all.push((unescaped(key)?, self.value(first, depth)?));
        }
        Some(Content::Object(Parts::new(all)))
    }

    fn list(&mut self, depth: usize) -> Option<Content<'t>> {
        let mut items = Vec::new();
        while let Some(first) = self.tokens.part() {
            items.push(self.value(first, depth)?);
        }
        Some(Content::List(items))
    }
}

#[cfg(test)]
mod tests {
    use super::{Content, NodeId, Nodes};

    /// The text again, put together of its parts.
    fn again(nodes: &Nodes<'_>, node: NodeId) -> String {
        let all = |parts: Vec<String>| parts.join(",");
        match &nodes.get(node).content {
            Content::Nothing => nodes.get(node).text.to_owned(),
            Content::List(items) => {
                let items = items.iter().map(|&item| again(nodes, item));
                format!("[{}]", all(items.collect()))
            }
            Content::Object(parts) => {
                let parts = parts.all.iter();
                let parts = parts.map(|(key, value)| format!("{key:?}:{}", again(nodes, *value)));
                format!("{{{}}}", all(parts.collect()))
            }
        }
    }

    #[test]
    fn a_text_is_read_once_and_whole() {
        for (text, expected) in [
            (" 1.50 ", "1.50"),
            ("[ ]", "[]"),
            ("{ }", "{}"),
            (r#"[1 , "a,]\"\\" ,[] ]"#, r#"[1,"a,]\"\\",[]]"#),
            (
                r#"{ "a" : {"b":[true,null]}, "\n\"":-1e3 }"#,
                r#"{"a":{"b":[true,null]},"\n\"":-1e3}"#,
            ),
        ] {
            let nodes = Nodes::read(text).expect("it is JSON");
            assert_eq!(again(&nodes, 0), expected);
        }
        for text in ["", "{", "[1,]", "{\"a\":1}}", r#"{"\ud800":1}"#] {
            assert!(Nodes::read(text).is_none(), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        let nodes = Nodes::read(&deep).expect("it is JSON");
        assert_eq!(again(&nodes, 0), deep);
        assert!(nodes.0.len() < 200);
    }

    #[test]
    fn members_are_found_by_key() {
        let nodes = Nodes::read(r#"{"b":1,"a":2,"b":3}"#).expect("it is JSON");
        let parts = nodes.object(0).expect("it is an object");
        assert!(parts.repeats && parts.get("c").is_none());
        let a = parts.get("a").expect("it is there");
        assert_eq!(nodes.get(a).text, "2");
    }
}
