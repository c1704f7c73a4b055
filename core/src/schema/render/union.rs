//! Enums with data, in serde's four representations.

use super::{Writer, object::Tag};
use crate::schema::{Choice, Kind, Node, Tagging, Variant};

impl Writer<'_> {
    /// Writes what the variants have in common, without the braces.
    pub(super) fn union(&mut self, tagging: Tagging, variants: &[Variant]) {
        self.member("anyOf", "[");
        let is_text =
            |variant: &&Variant| matches!(tagging, Tagging::External) && variant.content.is_none();
        // Variants without data are texts, which stand together.
        let texts: Vec<_> = variants.iter().filter(is_text).map(choice).collect();
        if !texts.is_empty() {
            self.text.push_str(r#"{"type":"string""#);
            self.choices(&texts);
            self.text.push('}');
        }
        for variant in variants.iter().filter(|variant| !is_text(variant)) {
            self.separate();
            self.variant(tagging, variant);
        }
        self.text.push(']');
    }

    fn variant(&mut self, tagging: Tagging, variant: &Variant) {
        let content = variant.content.map(|link| link());
        match tagging {
            Tagging::External => {
                self.text.push_str(r#"{"type":"object","properties":{"#);
                self.member(variant.name, "");
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
                self.member(tag, "");
                self.constant(variant.name);
                if content.is_some() {
                    self.member(key, "");
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
