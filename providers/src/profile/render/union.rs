//! One of several schemas.

use toolwright_json::{
    schema_draft::remarks::is_remark,
    tree::{Json, Object},
};

use super::{super::LossKind, At, Fault, Renderer, Sent, form, merge::merge};

impl Renderer<'_> {
    /// Writes a schema with `anyOf` or `oneOf`.
    pub(super) fn union(&mut self, schema: &Object, at: &At) -> Result<Sent, Fault> {
        let key = if schema.contains("anyOf") {
            "anyOf"
        } else {
            "oneOf"
        };
        let mut base = schema.clone();
        let variants = base.remove(key);
        let variants = variants
            .as_ref()
            .and_then(Json::as_list)
            .unwrap_or_default();
        self.spend(form::size_of_object(&base).saturating_mul(variants.len()));
        self.check_size(at)?;
        let shares: Vec<_> = base.keys().filter(|key| !is_remark(key)).collect();
        let merged: Option<Vec<_>> = match variants {
            [] => None,
            _ if !shares.is_empty() && variants.iter().all(only_constrains) => None,
            all => all.iter().map(|one| with(&base, one)).collect(),
        };
        let Some(merged) = merged else {
            // The variants say nothing of the form: words say it.
            let told = self.told(key, &Json::List(variants.to_vec()).to_string(), at);
            let base = noted(base, told.as_slice());
            return self.not_null(&base, &at.inner(""));
        };
        let count = merged.len();
        let (sent, sent_count) = self.variants(merged, at)?;
        if key == "oneOf" && !self.profile.one_of {
            // Those that are sent alike are sent once.
            let is_each_sent = sent_count == count;
            if !is_each_sent || count > 1 && !self.are_apart(&sent.schema) {
                self.lose(at, key, LossKind::Dropped);
            }
        }
        let mut remarks = Object::new();
        for (key, value) in base.iter().filter(|(key, _)| is_remark(key)) {
            remarks.push(key, value.clone());
        }
        Ok(self.described(sent, &remarks, at))
    }

    /// Returns true if nothing that is sent fits two variants of a union.
    fn are_apart(&mut self, sent: &Object) -> bool {
        let mut forms = Vec::new();
        let variants = sent.get("anyOf").and_then(Json::as_list).into_iter();
        let mut variants = variants.flatten().filter_map(Json::as_object);
        variants.all(|variant| {
            let form = self.plan.sent_as(variant);
            let is_apart = self.plan.is_apart(form, &forms);
            forms.push(form);
            is_apart
        })
    }

    /// Writes a schema of several types.
    pub(super) fn several(
        &mut self,
        schema: &Object,
        names: &[&str],
        at: &At,
    ) -> Result<Sent, Fault> {
        let of = |name: &&str| {
            let about = |key: &str| {
                form::kind_of(key)
                    .is_none_or(|about| about == *name || about == "number" && *name == "integer")
            };
            let own = schema
                .iter()
                .filter(|(key, _)| about(key) && !is_remark(key) && *key != "type");
            let own = own.map(|(key, value)| (key, value.clone()));
            std::iter::once(("type", Json::from(*name)))
                .chain(own)
                .collect::<Object>()
                .into()
        };
        let (sent, _) = self.variants(names.iter().map(of).collect(), at)?;
        let remarks = schema.iter().filter(|(key, _)| is_remark(key));
        let remarks = remarks.map(|(key, value)| (key, value.clone())).collect();
        Ok(self.described(sent, &remarks, at))
    }

    /// Adds remarks to a union. The description of the only variant gives way.
    fn described(&mut self, mut sent: Sent, remarks: &Object, at: &At) -> Sent {
        let mut all = remarks.clone();
        if let Some(own) = sent.schema.remove("description")
            && !all.contains("description")
        {
            all.push("description", own);
        }
        self.words(sent.schema, &all, &[], &[], sent.step, at)
    }
}

/// A variant with what all have in common; `None` if both disagree.
fn with(base: &Object, variant: &Json) -> Option<Json> {
    let mut shared = base.clone();
    for key in base.keys().filter(|key| is_remark(key)) {
        shared.remove(key);
    }
    match variant {
        Json::Object(variant) => merge(&shared, variant).map(Json::from),
        other if shared.is_empty() => Some(other.clone()),
        Json::Bool(false) => Some(Json::Bool(false)),
        _ => Some(shared.into()),
    }
}

/// Returns true if a variant only says which members are present, or which values are not allowed.
fn only_constrains(variant: &Json) -> bool {
    let form = [
        "type",
        "properties",
        "items",
        "prefixItems",
        "$ref",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
    ];
    match variant {
        Json::Object(variant) => !form.iter().any(|key| variant.contains(key)),
        _ => true,
    }
}

/// A schema with more in its description.
pub(super) fn noted(mut schema: Object, notes: &[String]) -> Object {
    if notes.is_empty() {
        return schema;
    }
    let note = notes.join("; ");
    let description = match schema.text("description") {
        Some(description) if !description.is_empty() => format!("{description} ({note})"),
        _ => format!("({note})"),
    };
    schema.set("description", description.as_str());
    schema
}
