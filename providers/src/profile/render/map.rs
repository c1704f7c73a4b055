//! Objects of any keys.

use std::borrow::Cow;

use toolwright_json::tree::{Json, Object};

use super::{
    super::{Closing, Maps, Untyped},
    At, Fault, Renderer, Sent, form,
};
use crate::profile::restore::{KEEP, Members, Step, StepId};

/// The rule of an object for members that are not declared.
pub(super) enum Others<'s> {
    /// Nothing: they are not read.
    Unsaid,
    /// There are none.
    None,
    /// They are welcome.
    Any,
    /// They have this schema.
    Of(Cow<'s, Json>),
}

impl Others<'_> {
    /// The schema of one of them.
    pub(super) fn schema(&self) -> Json {
        match self {
            Others::Of(values) => values.clone().into_owned(),
            Others::Any | Others::Unsaid | Others::None => Json::Bool(true),
        }
    }
}

/// Returns the rule of an object for members that are not declared.
pub(super) fn others(schema: &Object) -> Others<'_> {
    let is_any = |values: &Json| {
        matches!(values, Json::Bool(true)) || values.as_object().is_some_and(Object::is_empty)
    };
    if let Some(Json::Object(patterns)) = schema.get("patternProperties")
        && !patterns.is_empty()
    {
        return match one_pattern(schema) {
            Some((_, values)) if !is_any(values) => Others::Of(Cow::Borrowed(values)),
            _ => Others::Of(Cow::Owned(Json::Bool(true))),
        };
    }
    match schema.get("additionalProperties") {
        None => Others::Unsaid,
        Some(Json::Bool(false)) => Others::None,
        Some(values) if is_any(values) => Others::Any,
        Some(values) => Others::Of(Cow::Borrowed(values)),
    }
}

/// The only pattern of keys and the schema of its values, where no others are welcome.
fn one_pattern(schema: &Object) -> Option<(&str, &Json)> {
    let others = schema.get("additionalProperties");
    let mut all = schema.get("patternProperties")?.as_object()?.iter();
    let first = all.next()?;
    let is_one = all.next().is_none() && others.is_none_or(|others| *others == Json::Bool(false));
    is_one.then_some(first)
}

impl Renderer<'_> {
    /// An object of any keys and values.
    pub(super) fn any_object(&mut self, schema: &Object, at: &At) -> Result<Sent, Fault> {
        let is_said = self.profile.closing == Closing::OnlyOpen;
        if self.profile.untyped == Untyped::JsonString && !is_said {
            return self.map(schema, &Json::Bool(true), at);
        }
        let mut sent = form::of_type("object");
        if is_said {
            sent.push("additionalProperties", Json::Bool(true));
        }
        let used: &[_] = match self.profile.closing {
            Closing::Never => &["type"],
            _ => &["type", "additionalProperties"],
        };
        Ok(self.words(sent, schema, used, &[], KEEP, at))
    }

    /// An object of any keys.
    pub(super) fn map(&mut self, schema: &Object, values: &Json, at: &At) -> Result<Sent, Fault> {
        let mut sent = form::of_type("object");
        let mut notes = Vec::new();
        let mut used = vec!["type"];
        match one_pattern(schema) {
            Some((pattern, _)) => {
                used.extend(["patternProperties", "additionalProperties"]);
                let told = self.told("patternProperties", pattern, at);
                notes.extend(told.map(|_| format!("keys: {pattern}")));
            }
            None if !schema.contains("patternProperties") => used.push("additionalProperties"),
            None => {}
        }
        let step = match self.profile.maps {
            Maps::AsIs => {
                let inner = self.level(at)?.inner(".*");
                let values = self.place(values, &inner)?;
                sent.push("additionalProperties", values.schema);
                self.plan.add(Step::Object(Members {
                    others: values.step,
                    ..Members::default()
                }))
            }
            Maps::Described => {
                let values = self.place(values, &at.inner(".*"))?;
                let values = Json::from(values.schema).to_string();
                notes.extend(self.told("additionalProperties", &values, at));
                KEEP
            }
            Maps::Pairs => {
                let (pairs, step) = self.pairs(values, &at.inner(".*"))?;
                sent = pairs;
                self.plan.add(Step::Pairs(step))
            }
        };
        Ok(self.words(sent, schema, &used, &notes, step, at))
    }

    /// A list of pairs, and what is done to each value.
    pub(super) fn pairs(&mut self, values: &Json, at: &At) -> Result<(Object, StepId), Fault> {
        let at = self.level(at)?;
        let values = self.place(values, &at.inner(""))?;
        self.cost.properties += 2;
        self.cost.chars += "keyvalue".len();
        let key = form::of_type("string");
        let members = [("key", key.into()), ("value", values.schema.into())];
        let mut pair = form::record(members.into_iter().collect());
        self.close(&mut pair);
        let mut pairs = form::of_type("array");
        pairs.push("items", pair);
        Ok((pairs, values.step))
    }
}
