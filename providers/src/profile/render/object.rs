//! Objects of known members.

use std::collections::{HashMap, HashSet};

use toolwright_json::tree::{Json, Object};

use super::{
    super::{Closing, LossKind, Maps, Optional, Reason},
    At, Fault, Renderer, Sent, form,
    map::{Others, others},
    null, root,
};
use crate::profile::restore::{KEEP, Member, Members, Step, StepId};

/// The words of structure that an object has; the last is written into the description where it
/// cannot be sent.
const OBJECT: [&str; 4] = ["type", "properties", "required", "additionalProperties"];

impl Renderer<'_> {
    pub(super) fn object(&mut self, schema: &Object, at: &At) -> Result<Sent, Fault> {
        let empty = Object::new();
        let properties = schema.get("properties").and_then(Json::as_object);
        let properties = properties.unwrap_or(&empty);
        let required = schema.get("required").and_then(Json::as_list);
        let required: Vec<_> = required
            .unwrap_or_default()
            .iter()
            .filter_map(Json::as_str)
            .collect();
        let others = others(schema);
        if properties.is_empty() && required.is_empty() {
            match &others {
                Others::Of(values) => return self.map(schema, values, at),
                Others::Any => return self.any_object(schema, at),
                Others::Unsaid if at.level > 0 => return self.any_object(schema, at),
                Others::Unsaid | Others::None => {}
            }
        }
        let at = &self.level(at)?;
        let is_required: HashSet<_> = required.iter().copied().collect();
        let mut sent_properties = Object::new();
        let mut sent_required = Vec::new();
        let (mut members, mut nulls) = (HashMap::new(), Vec::new());
        // What is required and not declared is one of the others.
        let any = others.schema();
        // Each once, however often it is required.
        let mut known: HashSet<_> = properties.keys().collect();
        let undeclared: Vec<_> = required.iter().filter(|name| known.insert(name)).collect();
        let all = properties
            .iter()
            .chain(undeclared.into_iter().map(|&name| (name, &any)));
        for (name, schema) in all {
            if at.level == 1 && !self.profile.parameter_names.accepts(name) {
                let allowed = self.profile.parameter_names.to_string();
                let name = name.to_owned();
                return Err(at
                    .inner(&format!(".{name}"))
                    .fault(Reason::Name { name, allowed }));
            }
            let is_required = is_required.contains(name);
            let mut at = at.inner(&format!(".{name}"));
            at.is_below_optional |= !is_required;
            if schema == &Json::Bool(false) && !is_required {
                continue; // It may not be there, and is not asked for.
            }
            let (sent, member) = self.member(schema, is_required, &at)?;
            members.insert(name.to_owned(), member);
            if member.is_null_when_absent {
                nulls.push(name.to_owned());
            }
            self.cost.properties += 1;
            self.cost.chars += name.chars().count();
            self.spend(2 * name.len());
            sent_properties.push(name, sent);
            if is_required || self.profile.optional == Optional::Null {
                sent_required.push(Json::from(name));
            } else {
                self.cost.optional += 1;
            }
        }
        let rest = self.rest(&others, &mut sent_properties, &mut sent_required, at)?;
        if sent_properties.is_empty() && at.level > 1 && self.profile.omit_empty {
            return Ok(self.empty_as_text(schema, at));
        }
        let mut sent = form::of_type("object");
        sent.push("properties", sent_properties);
        if !sent_required.is_empty() || self.profile.optional == Optional::Null {
            sent.push("required", Json::List(sent_required));
        }
        let mut notes = Vec::new();
        let mut others_step = KEEP;
        let rest = match rest {
            Rest::Closed => {
                self.close_by(&others, &mut sent, at);
                None
            }
            Rest::LossKind(values) => {
                sent.push("additionalProperties", values.schema);
                others_step = values.step;
                None
            }
            Rest::Described(values) => {
                let values = Json::from(values).to_string();
                notes.extend(self.told("additionalProperties", &values, at));
                None
            }
            Rest::Pairs(name, step) => {
                self.close(&mut sent);
                Some((name, step))
            }
        };
        let members = Members {
            declared: members,
            nulls,
            rest,
            others: others_step,
        };
        let step = self.plan.add(Step::Object(members.needed()));
        let used = self.used(schema, &others);
        Ok(self.words(sent, schema, used, &notes, step, at))
    }

    /// The keywords of a schema that the form of an object expresses.
    fn used(&self, schema: &Object, others: &Others<'_>) -> &'static [&'static str] {
        let is_told = match others {
            // Patterns of keys are written into the description, and so are their siblings.
            Others::Of(_) => schema.contains("patternProperties"),
            Others::Any => self.profile.closing == Closing::Never,
            Others::None | Others::Unsaid => false,
        };
        let count = OBJECT.len() - usize::from(is_told);
        &OBJECT[..count]
    }

    /// An object without members, where none is taken: the text `{}`.
    fn empty_as_text(&mut self, schema: &Object, at: &At) -> Sent {
        let mut sent = form::of_type("string");
        sent.push("enum", Json::List(vec!["{}".into()]));
        let step = self.plan.add(Step::Texts(vec![("{}".into(), "{}".into())]));
        self.words(sent, schema, &OBJECT, &[], step, at)
    }

    /// Returns the position inside an object: one level deeper.
    pub(super) fn level(&mut self, at: &At) -> Result<At, Fault> {
        let mut at = at.clone();
        at.level += 1;
        self.deepest = self.deepest.max(at.level);
        match self.profile.max_levels {
            Some(limit) if at.level > limit => Err(at.fault(Reason::Levels { limit })),
            _ => Ok(at),
        }
    }

    fn member(
        &mut self,
        schema: &Json,
        is_required: bool,
        at: &At,
    ) -> Result<(Object, Member), Fault> {
        let how = self.profile.optional;
        let member = |Sent { schema, step }, is_null_when_absent| {
            let member = Member {
                step,
                is_null_when_absent,
            };
            (schema, member)
        };
        if is_required || how == Optional::LeftOut {
            return Ok(member(self.place(schema, at)?, false));
        }
        // Null alone stays what it is: there is nothing else to send.
        let not_null = schema.as_object().and_then(null::without_null);
        let is_same = how == Optional::Null && self.takes_null(schema, 0, &mut 200);
        if not_null.is_some() || null::is_null(schema) || is_same {
            self.lose(at, "null", LossKind::NullAsAbsent);
        }
        let schema = not_null.map_or_else(|| schema.clone(), Json::from);
        let sent = self.place(&schema, at)?;
        Ok(match how {
            Optional::Null => member(self.or_null(sent), true),
            _ => member(sent, false),
        })
    }

    /// Decides the form of the members that are not declared, sent together with the declared ones.
    fn rest(
        &mut self,
        others: &Others<'_>,
        properties: &mut Object,
        required: &mut Vec<Json>,
        at: &At,
    ) -> Result<Rest, Fault> {
        let Others::Of(values) = others else {
            return Ok(Rest::Closed);
        };
        let at = at.inner(".*");
        match self.profile.maps {
            Maps::AsIs => Ok(Rest::LossKind(self.place(values, &at)?)),
            Maps::Described => Ok(Rest::Described(self.place(values, &at)?.schema)),
            Maps::Pairs => {
                let mut name = "other_members".to_owned();
                while properties.contains(&name) {
                    name.push('_');
                }
                let (pairs, step) = self.pairs(values, &at)?;
                self.cost.properties += 1;
                self.cost.chars += name.len();
                properties.push(name.as_str(), pairs);
                required.push(name.as_str().into());
                Ok(Rest::Pairs(name, step))
            }
        }
    }

    /// Says whether there may be other members.
    fn close_by(&mut self, others: &Others<'_>, sent: &mut Object, at: &At) {
        match (self.profile.closing, others) {
            (Closing::Always, others) => {
                sent.push("additionalProperties", Json::Bool(false));
                if matches!(others, Others::Any) {
                    self.lose(at, "additionalProperties", LossKind::Dropped);
                }
            }
            (Closing::AsWritten, Others::None) => {
                sent.push("additionalProperties", Json::Bool(false));
            }
            (Closing::Never, Others::None) => {
                self.lose(at, "additionalProperties", LossKind::ImpliedClosed);
            }
            (Closing::AsWritten | Closing::OnlyOpen, Others::Any) => {
                sent.push("additionalProperties", Json::Bool(true));
            }
            _ => {}
        }
    }

    /// Arguments that are no object, as the only member of one.
    pub(super) fn wrapped(&mut self, value: Sent) -> Sent {
        let step = self.plan.root(value.step, Some(&value.schema));
        let properties = Object::from_iter([(root::WRAPPER, Json::from(value.schema))]);
        let mut sent = form::record(properties);
        self.close(&mut sent);
        self.cost.properties += 1;
        self.cost.chars += root::WRAPPER.len();
        Sent { schema: sent, step }
    }
}

enum Rest {
    Closed,
    LossKind(Sent),
    Described(Object),
    Pairs(String, StepId),
}
