//! Enums with data, in serde's four representations.

use super::{Writer, object::Tag};
use crate::schema::{Choice, Kind, Node, Tagging, Variant};

impl Writer<'_> {
    /// Writes what the variants have in common, without the braces.
    pub(super) fn union(&mut self, tagging: Tagging, variants: &[Variant]) {
        self.text.push_str(r#""anyOf":["#);
        let mut written = 0;
        if matches!(tagging, Tagging::External) {
            // Variants without data are texts, which stand together.
            let names = variants.iter().filter(|variant| variant.content.is_none());
            let names: Vec<_> = names.map(choice).collect();
            if !names.is_empty() {
                self.text.push_str(r#"{"type":"string","#);
                self.choices(&names);
                self.text.push('}');
                written = 1;
            }
        }
        for variant in variants {
            if matches!(tagging, Tagging::External) && variant.content.is_none() {
                continue;
            }
            self.separate(written);
            written += 1;
            self.variant(tagging, variant);
        }
        self.text.push(']');
    }

    fn variant(&mut self, tagging: Tagging, variant: &Variant) {
        let content = variant.content.map(|link| link());
        match tagging {
            Tagging::External => {
                self.text.push_str(r#"{"type":"object","properties":{"#);
                self.member(variant.name);
                self.content(content);
                self.text.push('}');
                self.required(std::iter::once(variant.name));
                self.closed();
            }
            Tagging::Internal { tag } => {
                self.text.push('{');
                let tag = Tag {
                    key: tag,
                    name: variant.name,
                };
                self.object(Some(tag), content.unwrap_or(&Node::new(Kind::Null)));
            }
            Tagging::Adjacent { tag, content: key } => {
                self.text.push_str(r#"{"type":"object","properties":{"#);
                self.member(tag);
                self.constant(variant.name);
                if content.is_some() {
                    self.text.push(',');
                    self.member(key);
                    self.content(content);
                }
                self.text.push('}');
                let needed = content.filter(|content| !content.is_optional());
                self.required(std::iter::once(tag).chain(needed.map(|_| key)));
                self.closed();
            }
            Tagging::Untagged => {
                match content {
                    Some(content) => self.node(content, variant.description),
                    None => self.inline(&Node::new(Kind::Null), variant.description),
                }
                return;
            }
        }
        self.described(variant.description);
        self.text.push('}');
    }

    fn content(&mut self, content: Option<&'static Node>) {
        if let Some(content) = content {
            self.node(content, "");
        }
    }
}

fn choice(variant: &Variant) -> Choice {
    Choice {
        name: variant.name,
        aliases: variant.aliases,
        description: variant.description,
    }
}
