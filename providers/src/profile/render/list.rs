//! Lists and tuples.

use std::collections::HashSet;

use toolwright_json::tree::{Json, Object};

use super::{
    super::{LossKind, Tuples, Untyped},
    At, Fault, Renderer, Sent, form,
};
use crate::profile::restore::{KEEP, Step};

impl Renderer<'_> {
    pub(super) fn list(&mut self, schema: &Object, at: &At) -> Result<Sent, Fault> {
        if let Some(Json::List(places)) = schema.get("prefixItems")
            && !places.is_empty()
        {
            return self.tuple(schema, places, at);
        }
        let any = Json::Bool(true);
        let items = schema.get("items").unwrap_or(&any);
        let is_empty = items == &Json::Bool(false);
        let items = if is_empty { &any } else { items };
        let items = self.place(items, &at.inner("[]"))?;
        let mut sent = form::of_type("array");
        sent.push("items", items.schema);
        let step = self.plan.add(Step::List(Vec::new(), items.step));
        let notes = if is_empty {
            self.lose(at, "items", LossKind::InDescription);
            vec!["an empty list".to_owned()]
        } else {
            Vec::new()
        };
        Ok(self.words(sent, schema, &["type", "items"], &notes, step, at))
    }

    fn tuple(&mut self, schema: &Object, places: &[Json], at: &At) -> Result<Sent, Fault> {
        let count = places.len() as u64;
        let limit = |key| schema.get(key).and_then(Json::as_count);
        let is_closed = schema.get("items") == Some(&Json::Bool(false));
        let has_all = limit("minItems") == Some(count);
        let is_fixed = has_all && (is_closed || limit("maxItems") == Some(count));
        match self.profile.tuples {
            Tuples::AsIs => self.kept_tuple(schema, places, at),
            Tuples::Object if is_fixed => self.tuple_as_object(schema, places, at),
            Tuples::Object | Tuples::Items => self.tuple_as_list(schema, places, is_closed, at),
        }
    }

    fn kept_tuple(&mut self, schema: &Object, places: &[Json], at: &At) -> Result<Sent, Fault> {
        let (mut all, mut steps) = (Vec::new(), Vec::new());
        for (index, place) in places.iter().enumerate() {
            let item = self.place(place, &at.inner(&format!("[{index}]")))?;
            all.push(item.schema.into());
            steps.push(item.step);
        }
        let mut sent = form::of_type("array");
        sent.push("prefixItems", Json::List(all));
        let mut others = KEEP;
        match schema.get("items") {
            Some(Json::Bool(any)) => sent.push("items", Json::Bool(*any)),
            Some(own) => {
                let items = self.place(own, &at.inner("[]"))?;
                sent.push("items", items.schema);
                others = items.step;
            }
            None => {}
        }
        let step = self.plan.add(Step::List(steps, others));
        let used = ["type", "prefixItems", "items"];
        Ok(self.words(sent, schema, &used, &[], step, at))
    }

    /// An object with the places for keys.
    fn tuple_as_object(
        &mut self,
        schema: &Object,
        places: &[Json],
        at: &At,
    ) -> Result<Sent, Fault> {
        let names = (0..places.len()).map(|index| index.to_string());
        let mut object = form::record(names.zip(places.iter().cloned()).collect());
        object.push("additionalProperties", Json::Bool(false));
        // The names of parameters are those at the top: a tuple is never there.
        let sent = self.object(&object, at)?;
        let steps = self.plan.members(sent.step, places.len());
        let step = self.plan.add(Step::Tuple(steps));
        let mut rest = schema.clone();
        rest.remove("minItems");
        rest.remove("maxItems");
        rest.remove("items"); // There are none.
        let used = ["type", "prefixItems"];
        Ok(self.words(sent.schema, &rest, &used, &[], step, at))
    }

    /// A list of any of the types.
    fn tuple_as_list(
        &mut self,
        schema: &Object,
        places: &[Json],
        is_closed: bool,
        at: &At,
    ) -> Result<Sent, Fault> {
        let (mut all, mut steps) = (Vec::<Json>::new(), Vec::new());
        let mut in_order = Vec::new();
        let mut known = HashSet::new();
        for (index, place) in places.iter().enumerate() {
            let item = self.place(place, &at.inner(&format!("[{index}]")))?;
            steps.push(item.step);
            let item = Json::from(item.schema);
            let text = item.to_string();
            if known.insert(text.clone()) {
                all.push(item);
            }
            in_order.push(text);
        }
        let count = places.len() as u64;
        let most = schema.get("maxItems").and_then(Json::as_count);
        let is_open = !is_closed && most.is_none_or(|most| most > count);
        let mut schema = schema.clone();
        let mut others = KEEP;
        let mut is_any = false;
        if is_closed {
            let most = most.map_or(count, |most| most.min(count));
            schema.set("maxItems", Json::Number(most.to_string()));
        } else if is_open {
            let any = Json::Bool(true);
            let own = schema.get("items").unwrap_or(&any);
            is_any = self.profile.untyped == Untyped::AsIs && is_any_value(own);
            let items = self.place(&own.clone(), &at.inner("[]"))?;
            others = items.step;
            let item = Json::from(items.schema);
            let text = item.to_string();
            in_order.push(format!("then {text} each"));
            if is_any {
                all = vec![Object::new().into()];
            } else if known.insert(text) {
                all.push(item);
            }
        }
        let mut sent = form::of_type("array");
        let mut notes = Vec::new();
        if all.len() == 1 && !is_any {
            sent.push("items", all.remove(0));
        } else {
            let items = match <[Json; 1]>::try_from(all) {
                Ok([one]) => one,
                Err(all) => {
                    self.cost.unions += 1;
                    Object::from_iter([("anyOf", Json::List(all))]).into()
                }
            };
            sent.push("items", items);
            notes.extend(self.told("prefixItems", &in_order.join(", "), at));
        }
        let step = self.plan.add(Step::List(steps, others));
        let used = ["type", "prefixItems", "items"];
        Ok(self.words(sent, &schema, &used, &notes, step, at))
    }
}

/// Returns true if any value fits.
fn is_any_value(schema: &Json) -> bool {
    match schema {
        Json::Object(schema) => schema.is_empty(),
        other => *other == Json::Bool(true),
    }
}
