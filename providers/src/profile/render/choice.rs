//! `enum` and `const`.

use std::collections::HashSet;

use toolwright_json::tree::{Json, Object};

use super::{
    super::{Enums, Reason},
    At, Fault, Renderer, Sent, form,
};
use crate::profile::restore::Step;

/// The values of a schema that lists them, each with what is said of it: an `enum`, a `const`, or
/// several `const`s.
pub(super) fn values(schema: &Object) -> Option<Vec<(Json, String)>> {
    if let Some(Json::List(values)) = schema.get("enum") {
        let values = values.iter().map(|value| (value.clone(), String::new()));
        return Some(values.collect());
    }
    if let Some(value) = schema.get("const") {
        return Some(vec![(value.clone(), String::new())]);
    }
    let several = match (schema.get("anyOf"), schema.get("oneOf")) {
        (Some(Json::List(all)), None) | (None, Some(Json::List(all))) if !all.is_empty() => all,
        _ => return None,
    };
    let mut all = Vec::new();
    for one in several {
        let one = one.as_object()?;
        let is_known = |key| matches!(key, "const" | "enum" | "type" | "title" | "description");
        let has_values = one.contains("const") || one.contains("enum");
        if !has_values || !one.keys().all(is_known) {
            return None;
        }
        let said = one
            .text("description")
            .or(one.text("title"))
            .unwrap_or_default();
        let values = values(one)?;
        all.extend(
            values
                .into_iter()
                .map(|(value, _)| (value, said.to_owned())),
        );
    }
    Some(all)
}

impl Renderer<'_> {
    pub(super) fn choice(
        &mut self,
        schema: &Object,
        values: &[(Json, String)],
        at: &At,
    ) -> Result<Sent, Fault> {
        if values.is_empty() {
            return Err(at.fault(Reason::Nothing));
        }
        let (mut texts, mut numbers, mut flags) = (Vec::new(), Vec::new(), Vec::new());
        // Values that are sent as texts.
        let mut written = Vec::new();
        // Each once, however often it is listed.
        let mut known = HashSet::new();
        for (value, _) in values {
            let text = value.to_string();
            self.spend(text.len());
            if !known.insert(text) {
                continue;
            }
            let enums = self.profile.enums;
            match value {
                Json::String(text) if text.is_empty() && !self.profile.empty_texts_in_enums => {
                    written.push(("(empty)".to_owned(), value.to_string()));
                }
                Json::String(_) => texts.push(value.clone()),
                Json::Number(_) if enums != Enums::Strings => numbers.push(value.clone()),
                Json::Bool(_) if matches!(enums, Enums::All | Enums::Primitives) => {
                    flags.push(value.clone());
                }
                _ => written.push((value.to_string(), value.to_string())),
            }
        }
        self.check_size(at)?;
        let own = texts.iter().filter_map(Json::as_str);
        let mut taken: HashSet<_> = own.map(str::to_owned).collect();
        for (text, _) in &written {
            if !taken.insert(text.clone()) {
                return Err(at.fault(Reason::EnumTexts));
            }
            texts.push(text.as_str().into());
        }
        self.count(&texts, &numbers, &flags, at)?;
        let used = match () {
            () if matches!(schema.get("enum"), Some(Json::List(_))) => ["type", "enum", "enum"],
            () if schema.contains("const") => ["type", "const", "const"],
            () => ["type", "anyOf", "oneOf"],
        };
        let is_const = used[1] == "const" && self.profile.constants;
        let is_whole = |value: &Json| value.to_string().parse::<i128>().is_ok();
        let of_numbers = if numbers.iter().all(is_whole) {
            "integer"
        } else {
            "number"
        };
        let groups = [("string", texts), (of_numbers, numbers), ("boolean", flags)];
        let groups = groups.into_iter().filter(|(_, values)| !values.is_empty());
        let mut groups: Vec<_> = groups
            .map(|(name, values)| group(name, values, is_const))
            .collect();
        let sent = if groups.len() == 1 {
            groups.remove(0)
        } else {
            self.cost.unions += 1;
            let groups = groups.into_iter().map(Json::from).collect();
            Object::from_iter([("anyOf", Json::List(groups))])
        };
        let said = values.iter().filter(|(_, said)| !said.is_empty());
        let said = said.map(|(value, said)| match value {
            Json::String(name) => format!("{name}: {said}"),
            value => format!("{value}: {said}"),
        });
        let said: Vec<_> = said.collect();
        let step = self.plan.add(Step::Texts(written));
        Ok(self.words(sent, schema, &used, &said, step, at))
    }

    fn count(
        &mut self,
        texts: &[Json],
        numbers: &[Json],
        flags: &[Json],
        at: &At,
    ) -> Result<(), Fault> {
        let values = texts.len() + numbers.len() + flags.len();
        let texts = texts.iter().filter_map(Json::as_str);
        let chars: usize = texts.map(|text| text.chars().count()).sum();
        self.cost.enum_values += values;
        self.cost.chars += chars;
        match self.profile.large_enum {
            Some((many, limit)) if values > many && chars > limit => {
                Err(at.fault(Reason::LargeEnum { limit }))
            }
            _ => Ok(()),
        }
    }
}

fn group(name: &str, mut values: Vec<Json>, is_const: bool) -> Object {
    let mut group = form::of_type(name);
    if is_const && values.len() == 1 {
        group.push("const", values.remove(0));
    } else {
        group.push("enum", Json::List(values));
    }
    group
}
