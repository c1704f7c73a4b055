//! Constraints and annotations: sent where the provider accepts them, written into the description
//! elsewhere.

use toolwright_json::{
    schema_draft::remarks::SILENT,
    tree::{Json, Object},
};

use super::{At, Renderer, Sent, form};
use crate::profile::{
    LossKind, PatternSupport,
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
            if !is_other_form && self.sends(key, value, kind, &sent) {
                self.spend(key.len() + form::size(value));
                sent.push(key, value.clone());
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

    /// Returns true if the provider accepts a keyword with this value.
    fn sends(&self, key: &str, value: &Json, kind: Option<&str>, sent: &Object) -> bool {
        let profile = self.profile;
        let is_known = profile.keywords.iter().any(|keyword| keyword == key);
        if !is_known || !form::is_right(key, value) {
            return false;
        }
        let bound = value.as_count();
        match key {
            "format" => {
                let name = value.as_str().unwrap_or_default();
                let is_taken = profile.formats.iter().any(|format| format == name);
                is_taken && form::is_format_of(name, kind, sent)
            }
            "pattern" => {
                let pattern = value.as_str().unwrap_or_default();
                match profile.patterns {
                    PatternSupport::All => true,
                    PatternSupport::Plain => is_plain(pattern),
                    PatternSupport::Anchored => is_plain(pattern) && form::is_anchored(pattern),
                }
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
                !profile.integer_ranges_only || kind == Some("integer")
            }
            _ => true,
        }
    }
}

/// Returns true if a pattern has no lookaround, back reference or word boundary.
fn is_plain(pattern: &str) -> bool {
    let mut chars = pattern.chars();
    let mut last = ' ';
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let next = chars.next().unwrap_or(' ');
                if matches!(next, '1'..='9' | 'b' | 'B' | 'k') {
                    return false;
                }
                last = ' ';
                continue;
            }
            '?' if last == '(' => {
                let next = chars.next().unwrap_or(' ');
                if next != ':' {
                    return false;
                }
            }
            _ => {}
        }
        last = c;
    }
    true
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
