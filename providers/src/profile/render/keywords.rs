//! Constraints and annotations: sent where the provider accepts them, written into the description
//! elsewhere.

use toolwright_json::{
    schema_draft::remarks::SILENT,
    tree::{Json, Object},
};

use std::borrow::Cow;

use super::{At, Renderer, Sent, form, pattern};
use crate::profile::{
    LossKind,
    restore::{KEEP, StepId},
};

/// The longest value that is written into a description, in bytes. A longer one is reported as a
/// loss and not written.
const MAX_WORDS: usize = 400;

impl Renderer<'_> {
    /// Adds the constraints and remarks of a schema to what is `sent` of its structure, and the description with
    /// `notes` and all that is not sent. `step` is what is done to the values on the way back. Of
    /// the structure `used` is in `sent` already: what is not is told like any other keyword.
    pub(super) fn words(
        &mut self,
        mut sent: Object,
        schema: &Object,
        used: &[&str],
        notes: &[String],
        step: StepId,
        at: &At,
    ) -> Sent {
        let mut notes = notes.to_vec();
        let mut description = schema.text("description").unwrap_or_default().to_owned();
        let kind = sent.text("type").map(str::to_owned);
        let kind = kind.as_deref();
        for (key, value) in schema.iter() {
            let is_used = used.contains(&key) && form::is_right(key, value);
            if is_used || SILENT.contains(&key) || says_nothing(key, value, schema) {
                continue;
            }
            if key == "description" {
                if value.as_str().is_none() {
                    self.lose(at, key, LossKind::Dropped);
                }
                continue;
            }
            // What is sent in another form has other constraints, and no default in its own form.
            let is_value = matches!(key, "default" | "example" | "examples");
            let about = form::kind_of(key).filter(|about| kind.map(family) != Some(about));
            let is_other_form = step != KEEP && is_value || about.is_some();
            if !is_other_form && let Some(value) = self.sent(key, schema, kind, &sent) {
                self.spend(key.len() + form::size(&value));
                sent.push(key, value.into_owned());
                continue;
            }
            if key == "title"
                && description.is_empty()
                && let Some(title) = value.as_str()
            {
                title.clone_into(&mut description);
                self.lose(at, key, LossKind::InDescription);
                continue;
            }
            let told = match (key, value) {
                (
                    "title" | "deprecated" | "readOnly" | "writeOnly" | "nullable"
                    | "propertyOrdering",
                    _,
                ) => None,
                (
                    "pattern" | "format" | "contentEncoding" | "contentMediaType",
                    Json::String(text),
                ) => Some(text.clone()),
                _ => Some(value.to_string()),
            };
            match told {
                Some(told) => notes.extend(self.told(key, &told, at)),
                None => self.lose(at, key, LossKind::Dropped),
            }
        }
        if !notes.is_empty() {
            if !description.is_empty() {
                description.push(' ');
            }
            description.push('(');
            description.push_str(&notes.join("; "));
            description.push(')');
        }
        if !description.is_empty() {
            self.spend(description.len());
            sent.push("description", description.as_str());
        }
        Sent { schema: sent, step }
    }

    /// A note for the description, unless it is too long.
    pub(super) fn told(&mut self, key: &str, words: &str, at: &At) -> Option<String> {
        if words.len() > MAX_WORDS {
            self.lose(at, key, LossKind::Dropped);
            return None;
        }
        self.lose(at, key, LossKind::InDescription);
        Some(format!("{key}: {words}"))
    }

    /// The value with which the provider accepts a keyword of a schema, if it does.
    fn sent<'v>(
        &self,
        key: &str,
        schema: &'v Object,
        kind: Option<&str>,
        sent: &Object,
    ) -> Option<Cow<'v, Json>> {
        let profile = self.profile;
        let value = schema.get(key)?;
        let is_first = |other: &&str| self.sent(other, schema, kind, sent).is_some();
        if profile.one_constraint && before(key).iter().any(is_first) {
            return None;
        }
        let is_known = profile.keywords.iter().any(|keyword| keyword == key);
        if !is_known || !form::is_right(key, value) {
            return None;
        }
        let bound = value.as_count();
        let is_taken = match key {
            "format" => {
                let name = value.as_str().unwrap_or_default();
                let is_taken = profile.formats.iter().any(|format| format == name);
                is_taken && form::is_format_of(name, kind, sent)
            }
            "pattern" => {
                let own = value.as_str().unwrap_or_default();
                let written = pattern::sent(profile.patterns, own, profile.max_bound)?;
                if written != own {
                    return Some(Cow::Owned(Json::from(&*written)));
                }
                true
            }
            "minItems" | "maxItems" | "minLength" | "maxLength" => {
                let most = match (key, profile.max_bound, profile.max_min_items) {
                    ("minItems", Some(one), Some(other)) => Some(one.min(other)),
                    ("minItems", None, Some(most)) => Some(most),
                    (_, most, _) => most,
                };
                most.is_none_or(|most| bound.is_some_and(|bound| bound <= most))
            }
            key if form::kind_of(key) == Some("number") => {
                let is_whole = |bound: f64| bound.fract() == 0.0 && bound.abs() < 1e15;
                let is_taken = kind == Some("integer") && value.as_f64().is_some_and(is_whole);
                !profile.integer_ranges_only || is_taken
            }
            _ => true,
        };
        is_taken.then_some(Cow::Borrowed(value))
    }
}

/// The keywords that count alone, where a provider enforces one about the same: the first that it finds.
fn before(key: &str) -> &'static [&'static str] {
    match key {
        "format" => &["pattern"],
        "minLength" | "maxLength" => &["pattern", "format"],
        "exclusiveMinimum" => &["minimum"],
        "exclusiveMaximum" => &["maximum"],
        _ => &[],
    }
}

/// The type under which the keywords about a type stand.
fn family(kind: &str) -> &str {
    if kind == "integer" { "number" } else { kind }
}

/// Returns true if a keyword changes nothing here: a minimum length of zero, or a keyword for other types.
fn says_nothing(key: &str, value: &Json, schema: &Object) -> bool {
    let is_none = match key {
        "minLength" | "minItems" | "minProperties" => value.as_count() == Some(0),
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" | "nullable" => {
            value == &Json::Bool(false)
        }
        "required" | "prefixItems" | "examples" => value == &Json::List(Vec::new()),
        "properties" | "patternProperties" => value == &Json::from(Object::new()),
        "default" => value == &Json::Null,
        _ => false,
    };
    // What the schema itself says of types counts: a map may be sent as a list, and where no type is
    // named each word counts.
    let own = schema.text("type").filter(|own| form::is_type(own));
    let own = own.map(family);
    is_none || own.is_some_and(|own| form::kind_of(key).is_some_and(|about| about != own))
}
