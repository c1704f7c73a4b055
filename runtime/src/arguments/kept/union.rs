//! Enums with data. An enum without a tag has no constraints: what its value is would be a guess.

use super::{each_pair, members, node, parts::with_string};
use crate::{
    arguments::{fault::Fault, step::Step},
    schema::{Kind, Tagging, Variant},
};

/// Looks into the variant that the text is.
pub(super) fn variant(
    tagging: Tagging,
    variants: &'static [Variant],
    text: &str,
    faults: &mut Vec<Fault>,
) {
    match tagging {
        Tagging::External => each_pair(text, |name, value| {
            let variant = variants.iter().find(|variant| variant.is_called(name));
            content(variant, name, value, faults);
        }),
        Tagging::Internal { tag } => {
            if let Some(content) = tagged(tag, variants, text).and_then(|found| found.content) {
                let content = content();
                // The keys stand beside the tag, also those of a type around one.
                match content.kind {
                    Kind::Object { .. } | Kind::Map(_) => members(content, text, faults),
                    _ => node(content, text, faults),
                }
            }
        }
        Tagging::Adjacent { tag, content: key } => {
            let variant = tagged(tag, variants, text);
            each_pair(text, |name, value| {
                if name == key {
                    content(variant, name, value, faults);
                }
            });
        }
        Tagging::Untagged => {}
    }
}

fn content(variant: Option<&Variant>, key: &str, text: &str, faults: &mut Vec<Fault>) {
    if let Some(link) = variant.and_then(|variant| variant.content) {
        super::inside(link, text, || Step::Key(key.to_owned()), faults);
    }
}

/// The variant that a tag names.
fn tagged(tag: &str, variants: &'static [Variant], text: &str) -> Option<&'static Variant> {
    let mut found = None;
    each_pair(text, |key, value| {
        if key == tag {
            found = variants
                .iter()
                .find(|variant| with_string(value, |name| variant.is_called(name)));
        }
    });
    found
}
