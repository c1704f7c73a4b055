//! Enums with data.

use std::borrow::Cow;

use toolwright_json::{
    path::Step,
    raw::Raw,
    reader::{Reader, Unexpected},
};

use super::{
    Fit, Stop, fault_of, pairs,
    scalar::{is_string, string},
};
use crate::{
    arguments::explain::{choices::Choices, expectation, fault::Fault},
    schema::{Kind, Node, Tagging, Variant},
};

impl<'t> Fit<'t> {
    /// Checks the value of an enum. False if nothing can be reported but what is expected.
    pub(super) fn union(
        &mut self,
        tagging: Tagging,
        variants: &'static [Variant],
        text: &'t str,
    ) -> Result<bool, Stop> {
        match tagging {
            Tagging::External => self.external(variants, text),
            Tagging::Internal { tag } => self.internal(tag, variants, text),
            Tagging::Adjacent { tag, content } => self.adjacent(tag, content, variants, text),
            Tagging::Untagged => self.untagged(variants, text),
        }
    }

    fn external(&mut self, variants: &'static [Variant], text: &'t str) -> Result<bool, Stop> {
        if is_string(text) {
            let name = string(Raw::new(text))?;
            let mut without_data = variants.iter().filter(|variant| variant.content.is_none());
            return Ok(without_data.any(|variant| variant.is_called(&name)));
        }
        if !text.starts_with('{') {
            return Ok(false);
        }
        let Ok([(name, text)]) = <[_; 1]>::try_from(pairs(text)?) else {
            return Ok(false);
        };
        let Some(variant) = variants.iter().find(|variant| variant.is_called(&name)) else {
            return Ok(false);
        };
        match self.content(variant, text)? {
            Some(fault) => Err(fault.inside(Step::Key(name.into_owned())).into()),
            None => Ok(true),
        }
    }

    fn internal(
        &mut self,
        tag: &'static str,
        variants: &'static [Variant],
        text: &'t str,
    ) -> Result<bool, Stop> {
        if !text.starts_with('{') {
            return Ok(false);
        }
        let variant = named(tag, variants, &pairs(text)?)?;
        if let Some(content) = variant.content {
            self.members(content(), Some(tag), &mut Reader::new(text), false)?;
        }
        Ok(true)
    }

    fn adjacent(
        &mut self,
        tag: &'static str,
        content: &'static str,
        variants: &'static [Variant],
        text: &'t str,
    ) -> Result<bool, Stop> {
        if !text.starts_with('{') {
            return Ok(false);
        }
        let pairs = pairs(text)?;
        let variant = named(tag, variants, &pairs)?;
        let mut given = false;
        for (key, text) in pairs {
            if key == content {
                if std::mem::replace(&mut given, true) {
                    return Err(Fault::twice(&key).into());
                }
                if let Some(fault) = self.content(variant, text)? {
                    return Err(fault.inside(Step::Key(key.into_owned())).into());
                }
            } else if key != tag {
                return Err(Fault::unknown(&key, vec![tag, content]).into());
            }
        }
        match variant.content {
            Some(link) if !given && !link().is_optional() => {
                Err(Fault::missing(content, expectation::of_node(link())).into())
            }
            _ => Ok(true),
        }
    }

    /// The first variant that fits is taken. If none does and only one is of this kind of JSON, the
    /// mistake is in that one.
    fn untagged(&mut self, variants: &'static [Variant], text: &'t str) -> Result<bool, Stop> {
        let (before, mut faults) = (self.edits.len(), Vec::new());
        for variant in variants {
            match self.content(variant, text)? {
                None => return Ok(true),
                Some(fault) if fault.is_inside() => faults.push(fault),
                Some(_) => {}
            }
            self.edits.truncate(before);
        }
        match <[_; 1]>::try_from(faults) {
            Ok([fault]) => Err(fault.into()),
            Err(_) => Ok(false),
        }
    }

    /// Checks the data of a variant.
    fn content(&mut self, variant: &Variant, text: &'t str) -> Result<Option<Fault>, Unexpected> {
        let nothing = &Node::new(Kind::Null);
        let node = variant.content.map_or(nothing, |content| content());
        fault_of(self.node(node, &mut Reader::new(text), false))
    }
}

/// The variant that a tag names.
fn named(
    tag: &'static str,
    variants: &'static [Variant],
    pairs: &[(Cow<'_, str>, &str)],
) -> Result<&'static Variant, Fault> {
    let names = || variants.iter().map(|variant| variant.name);
    let mut tags = pairs.iter().filter(|(key, _)| key == tag);
    let Some((_, text)) = tags.next() else {
        return Err(Fault::missing(tag, expectation::one_of(names())));
    };
    if tags.next().is_some() {
        return Err(Fault::twice(tag));
    }
    let name = string(Raw::new(text)).ok();
    let variant = variants
        .iter()
        .find(|variant| name.as_ref().is_some_and(|name| variant.is_called(name)));
    variant.ok_or_else(|| {
        Fault::one_of(Choices::of_names(names()))
            .with_text(text)
            .inside(Step::Key(tag.to_owned()))
    })
}
