//! Enums with data. An enum without a tag has no constraints: what its value is would be a guess.

use toolwright_json::{path::Step, string::unescaped};

use super::{members, node, pairs};
use crate::{
    arguments::explain::fault::Fault,
    schema::{Kind, Tagging, Variant},
};

/// Looks into the variant that the text is. False if it is not written as the schema says.
pub(super) fn variant(
    tagging: Tagging,
    variants: &'static [Variant],
    text: &str,
    faults: &mut Vec<Fault>,
) -> bool {
    match tagging {
        Tagging::External => {
            for (name, value) in pairs(text) {
                let variant = variants.iter().find(|variant| variant.is_called(&name));
                content(variant, &name, value, faults);
            }
            text.starts_with(['{', '"'])
        }
        Tagging::Internal { tag } => {
            let Some(variant) = tagged(tag, variants, text) else {
                return false;
            };
            if let Some(content) = variant.content {
                let content = content();
                // The keys stand beside the tag, also those of a type around one.
                match content.kind {
                    Kind::Object { .. } | Kind::Map(_) => members(content, Some(tag), text, faults),
                    _ => node(content, text, faults),
                }
            }
            true
        }
        Tagging::Adjacent { tag, content: key } => {
            let Some(variant) = tagged(tag, variants, text) else {
                return false;
            };
            for (name, value) in pairs(text) {
                if name == key {
                    content(Some(variant), &name, value, faults);
                }
            }
            true
        }
        Tagging::Untagged => true,
    }
}

fn content(variant: Option<&Variant>, key: &str, text: &str, faults: &mut Vec<Fault>) {
    if let Some(link) = variant.and_then(|variant| variant.content) {
        super::inside(link, text, || Step::Key(key.to_owned()), faults);
    }
}

/// The variant that a tag names. serde takes the place of a variant for its name, here and there.
fn tagged(tag: &str, variants: &'static [Variant], text: &str) -> Option<&'static Variant> {
    let named = |(key, value): (_, &str)| {
        let name = unescaped(value).filter(|_| key == tag)?;
        Some(variants.iter().find(|variant| variant.is_called(&name)))
    };
    pairs(text).into_iter().filter_map(named).next_back()?
}
