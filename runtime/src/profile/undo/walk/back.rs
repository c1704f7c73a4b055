//! From the form of the provider to that of the tool.

use serde_json::value::RawValue;

use super::{
    super::{
        Fits, Members, StepId, WRAPPER,
        parts::{Writer, items, pairs},
    },
    Json, Step, Walk,
};

impl Walk<'_> {
    /// What a value of the provider becomes; `None` if it has another form than the step expects.
    pub(super) fn back(
        &mut self,
        step: &Step,
        text: &str,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        match step {
            Step::Object(members) => self.object_back(members, text, out, depth),
            Step::Pairs(of_values) => {
                let mut object = Writer::open(out, '{');
                for (key, value) in keys_and_values(text)? {
                    object.key(&key);
                    self.write(*of_values, &value, object.out, depth);
                }
                object.close('}');
                Some(())
            }
            Step::Tuple(places) => {
                let members = pairs(text)?;
                let mut list = Writer::open(out, '[');
                for (index, step) in places.iter().enumerate() {
                    let key = index.to_string();
                    let (_, item) = members.iter().find(|(name, _)| *name == key)?;
                    list.separate();
                    self.write(*step, item.get(), list.out, depth);
                }
                list.close(']');
                Some(())
            }
            Step::Text => {
                let text: String = serde_json::from_str(text).ok()?;
                // A text that holds no JSON is meant as itself.
                let json: &RawValue = serde_json::from_str(&text).ok()?;
                out.push_str(json.get());
                Some(())
            }
            Step::Texts(texts) => {
                let text: String = serde_json::from_str(text).ok()?;
                let (_, json) = texts.iter().find(|(sent, _)| *sent == text)?;
                out.push_str(json);
                Some(())
            }
            Step::Wrapped(inner) => {
                let members = pairs(text)?;
                let [(key, value)] = members.as_slice() else {
                    return None;
                };
                if key != WRAPPER {
                    return None;
                }
                self.write(*inner, value.get(), out, depth);
                Some(())
            }
            Step::Union(variants) => self.union_back(variants, text, out, depth),
            Step::Keep | Step::Same(_) | Step::Map(_) | Step::List(_) | Step::Places(_) => None,
        }
    }

    fn union_back(
        &mut self,
        variants: &[(StepId, Json)],
        text: &str,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let start = out.len();
        for (step, schema) in variants {
            if self.try_write(*step, text, out, depth).is_some()
                && Fits::new(self.schema, &mut self.left).check(schema, &out[start..])
            {
                return Some(());
            }
            out.truncate(start);
        }
        None
    }

    fn object_back(
        &mut self,
        object: &Members,
        text: &str,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let mut written = Writer::open(out, '{');
        for (key, value) in pairs(text)? {
            let value = value.get();
            if let Some((name, of_rest)) = &object.rest
                && *name == key
            {
                for (key, value) in keys_and_values(value)? {
                    written.key(&key);
                    self.write(*of_rest, &value, written.out, depth);
                }
                continue;
            }
            match object.declared.get(&key) {
                Some(member) if member.is_null_when_absent && value == "null" => {}
                Some(member) => {
                    written.key(&key);
                    self.write(member.step, value, written.out, depth);
                }
                None => {
                    written.key(&key);
                    self.write(object.others, value, written.out, depth);
                }
            }
        }
        written.close('}');
        Some(())
    }
}

/// What a list of objects with `key` and `value` says; `None` for another value.
fn keys_and_values(text: &str) -> Option<Vec<(String, String)>> {
    let pair = |item: &RawValue| {
        let members = pairs(item.get())?;
        let [(a, first), (b, second)] = members.as_slice() else {
            return None;
        };
        let (key, value) = match (a.as_str(), b.as_str()) {
            ("key", "value") => (first, second),
            ("value", "key") => (second, first),
            _ => return None,
        };
        Some((
            serde_json::from_str(key.get()).ok()?,
            value.get().to_owned(),
        ))
    };
    items(text)?.into_iter().map(pair).collect()
}
