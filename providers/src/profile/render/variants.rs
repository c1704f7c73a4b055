//! The variants of a union, in forms that can be told apart when they come back.

use std::collections::{HashMap, HashSet};

use toolwright_json::tree::{Json, Object};

use super::{super::LossKind, At, Fault, Kind, Renderer, Sent, form, kind};
use crate::profile::restore::{FormId, KEEP, StepId, canonical};

/// The maximum number of names that are tried for the wrapper of a variant.
const NAMES: usize = 8;

/// A variant as it is sent.
struct Variant {
    sent: Object,
    step: StepId,
    /// The tool's own schema of it.
    own: Json,
    /// The number of levels of objects that it has reached.
    deepest: usize,
}

impl Renderer<'_> {
    /// Writes the variants, and how they come back.
    /// The number is that of the different ones that are sent.
    pub(super) fn variants(&mut self, all: Vec<Json>, at: &At) -> Result<(Sent, usize), Fault> {
        let mut variants = Vec::with_capacity(all.len());
        let mut met = HashSet::new();
        for own in all {
            if !met.insert(canonical(&own)) {
                continue;
            }
            let before = std::mem::replace(&mut self.deepest, at.level);
            let Sent { schema: sent, step } = self.place(&own, &at.inner(""))?;
            let deepest = std::mem::replace(&mut self.deepest, before);
            self.deepest = before.max(deepest);
            variants.push(Variant {
                sent,
                step,
                own,
                deepest,
            });
        }
        let mut step = KEEP;
        if variants.iter().any(|variant| variant.step != KEEP) {
            self.tell_apart(&mut variants, at)?;
            let variants = variants.iter();
            let variants = variants.map(|variant| (variant.step, &variant.sent, &variant.own));
            step = self.plan.union(variants);
        }
        let mut sent = Vec::<Json>::new();
        let mut known = HashSet::new();
        for variant in variants {
            let schema = Json::from(variant.sent);
            if known.insert(canonical(&schema)) {
                sent.push(schema);
            }
        }
        let count = sent.len();
        let schema = match <[Json; 1]>::try_from(sent) {
            Ok([Json::Object(one)]) => one,
            Ok(one) => Object::from_iter([("anyOf", Json::List(one.to_vec()))]),
            Err(sent) => {
                self.cost.unions += 1;
                let key = if self.profile.one_of {
                    "oneOf"
                } else {
                    "anyOf"
                };
                Object::from_iter([(key, Json::List(sent))])
            }
        };
        Ok((Sent { schema, step }, count))
    }

    /// Wraps the variants whose form changes, where a value may be sent that has the form of another one too.
    /// Those that are sent most like they are stay as they are.
    fn tell_apart(&mut self, variants: &mut [Variant], at: &At) -> Result<(), Fault> {
        let rank = |variant: &Variant| {
            let is_kept = variant.step == KEEP;
            (!is_kept, !self.plan.keeps_type(variant.step))
        };
        let mut order: Vec<usize> = (0..variants.len()).collect();
        order.sort_by_key(|&place| rank(&variants[place]));
        let mut accepted = Vec::with_capacity(variants.len());
        let mut names = HashMap::new();
        for place in order {
            let variant = &mut variants[place];
            let mut form = self.plan.sent_as(&variant.sent);
            if variant.step != KEEP && !self.plan.is_apart(form, &accepted) {
                form = self.wrap(variant, &accepted, &mut names, at)?;
            }
            accepted.push(form);
        }
        Ok(())
    }

    /// Sends a variant as the only member of an object.
    fn wrap(
        &mut self,
        variant: &mut Variant,
        accepted: &[FormId],
        names: &mut HashMap<&'static str, usize>,
        at: &At,
    ) -> Result<FormId, Fault> {
        let inside = At {
            level: at.level.max(variant.deepest),
            ..at.clone()
        };
        self.level(&inside)?;
        let what = what(&variant.own);
        let number = names.entry(what).or_insert(0);
        let last = *number + NAMES;
        loop {
            *number += 1;
            let name = match *number {
                1 => what.to_owned(),
                number => format!("{what}_{number}"),
            };
            let inner = Json::from(variant.sent.clone());
            let mut sent = form::record(Object::from_iter([(name.as_str(), inner)]));
            self.close(&mut sent);
            let step = self.plan.wrapped(&name, variant.step);
            let form = self.plan.sent_as(&sent);
            let is_free = self.plan.is_apart(form, accepted);
            if is_free || *number == last {
                if !is_free {
                    self.lose(at, "anyOf", LossKind::AmbiguousVariant);
                }
                self.cost.properties += 1;
                self.cost.chars += name.len();
                (variant.sent, variant.step) = (sent, step);
                return Ok(form);
            }
        }
    }
}

/// Names the values of a schema. The name is the key of the object that wraps them.
fn what(own: &Json) -> &'static str {
    let Json::Object(own) = own else {
        return "json";
    };
    let is_elsewhere = ["$ref", "anyOf", "oneOf", "allOf", "enum", "const"];
    match kind(own) {
        Some(Kind::One("object")) => "object",
        Some(Kind::One("array")) => "list",
        Some(Kind::One("string")) => "text",
        Some(Kind::One("number" | "integer")) => "number",
        None if !is_elsewhere.iter().any(|key| own.contains(key)) => "json",
        _ => "value",
    }
}
