//! From the form of the tool to that of the provider.

use std::collections::HashSet;

use serde_json::{Value, value::RawValue};

use super::{
    super::{
        Fits, Members, StepId, WRAPPER,
        parts::{Writer, items, pairs},
    },
    Json, Step, Walk,
};
use crate::profile::json::quoted;

impl Walk<'_> {
    /// What a value of the tool is for the provider; `None` if it is none of the tool.
    pub(super) fn again(
        &mut self,
        step: &Step,
        text: &str,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        match step {
            Step::Object(members) => self.object_again(members, text, out, depth),
            Step::Pairs(of_values) => {
                self.write_pairs(pairs(text)?, *of_values, out, depth);
                Some(())
            }
            Step::Tuple(places) => {
                let all = items(text)?;
                if all.len() != places.len() {
                    return None;
                }
                let mut object = Writer::open(out, '{');
                for (index, (item, step)) in all.into_iter().zip(places).enumerate() {
                    object.key(&index.to_string());
                    self.write(*step, item.get(), object.out, depth);
                }
                object.close('}');
                Some(())
            }
            Step::Text => {
                out.push_str(&quoted(text));
                Some(())
            }
            Step::Texts(texts) => {
                let (sent, _) = texts.iter().find(|(_, own)| is_same(own, text))?;
                out.push_str(&quoted(sent));
                Some(())
            }
            Step::Wrapped(inner) => {
                let mut object = Writer::open(out, '{');
                object.key(WRAPPER);
                self.write(*inner, text, object.out, depth);
                object.close('}');
                Some(())
            }
            Step::Union(variants) => self.union_again(variants, text, out, depth),
            Step::Keep | Step::Same(_) | Step::Map(_) | Step::List(_) | Step::Places(_) => None,
        }
    }

    fn union_again(
        &mut self,
        variants: &[(StepId, Json)],
        text: &str,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let start = out.len();
        for (step, schema) in variants {
            if Fits::new(self.schema, &mut self.left).check(schema, text)
                && self.try_write(*step, text, out, depth).is_some()
            {
                return Some(());
            }
            out.truncate(start);
        }
        None
    }

    fn object_again(
        &mut self,
        object: &Members,
        text: &str,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let all = pairs(text)?;
        let names: HashSet<&str> = if object.nulls.is_empty() {
            HashSet::new()
        } else {
            all.iter().map(|(name, _)| name.as_str()).collect()
        };
        let absent = object.nulls.iter();
        let absent: Vec<_> = absent.filter(|name| !names.contains(&***name)).collect();
        let mut rest = Vec::new();
        let mut written = Writer::open(out, '{');
        for (key, value) in all {
            let step = match object.declared.get(&key) {
                Some(member) => member.step,
                None if object.rest.is_some() => {
                    rest.push((key, value));
                    continue;
                }
                None => object.others,
            };
            written.key(&key);
            self.write(step, value.get(), written.out, depth);
        }
        for name in absent {
            written.key(name);
            written.out.push_str("null");
        }
        if let Some((name, of_rest)) = &object.rest {
            written.key(name);
            self.write_pairs(rest, *of_rest, written.out, depth);
        }
        written.close('}');
        Some(())
    }

    fn write_pairs(
        &mut self,
        pairs: Vec<(String, &RawValue)>,
        of_values: StepId,
        out: &mut String,
        depth: usize,
    ) {
        let mut list = Writer::open(out, '[');
        for (key, value) in pairs {
            list.separate();
            let mut pair = Writer::open(list.out, '{');
            pair.key("key");
            pair.out.push_str(&quoted(&key));
            pair.key("value");
            self.write(of_values, value.get(), pair.out, depth);
            pair.close('}');
        }
        list.close(']');
    }
}

/// Whether two JSON texts are one value: `1.0` is `1`.
fn is_same(own: &str, text: &str) -> bool {
    if own == text {
        return true;
    }
    let number = |text: &str| text.parse::<f64>().ok();
    match own.as_bytes().first() {
        Some(b'-' | b'0'..=b'9') => number(own).is_some_and(|own| number(text) == Some(own)),
        Some(b'[' | b'{') if own.get(..1) == text.get(..1) => {
            let value = |text| serde_json::from_str::<Value>(text).ok();
            value(own).is_some_and(|own| value(text) == Some(own))
        }
        _ => false,
    }
}
