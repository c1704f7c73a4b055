//! Differences between what was sent and what we send that are allowed, each with its reason.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::{reasons, record::Record};

/// A difference that is allowed.
pub(crate) struct Allowed {
    pub(crate) reason: &'static str,
    in_both: bool,
    /// The conversations that it is allowed in; in all if there are none.
    only: &'static [&'static str],
    rewrite: Rewrite,
}

enum Rewrite {
    Any(fn(&mut Value)),
    Of(fn(&mut Value, &Record)),
}

impl Allowed {
    /// We write otherwise what was sent: `rewrite` makes ours of a recorded body.
    pub(crate) const fn written(reason: &'static str, rewrite: fn(&mut Value)) -> Self {
        Self {
            reason,
            in_both: false,
            only: &[],
            rewrite: Rewrite::Any(rewrite),
        }
    }

    /// The same, where it depends on whose server it is.
    pub(crate) const fn written_for(
        reason: &'static str,
        rewrite: fn(&mut Value, &Record),
    ) -> Self {
        Self {
            reason,
            in_both: false,
            only: &[],
            rewrite: Rewrite::Of(rewrite),
        }
    }

    /// It is not compared: `rewrite` takes it out of both bodies.
    pub(crate) const fn left_out(reason: &'static str, rewrite: fn(&mut Value)) -> Self {
        Self {
            reason,
            in_both: true,
            only: &[],
            rewrite: Rewrite::Any(rewrite),
        }
    }

    /// The same, in these conversations alone.
    pub(crate) const fn only_in(self, conversations: &'static [&'static str]) -> Self {
        Self {
            only: conversations,
            ..self
        }
    }

    fn apply(&self, record: &Record, recorded: &mut Value, ours: &mut Value) {
        if !self.only.is_empty() && !self.only.contains(&record.conversation.as_str()) {
            return;
        }
        let rewrite = |body: &mut Value| match self.rewrite {
            Rewrite::Any(rewrite) => rewrite(body),
            Rewrite::Of(rewrite) => rewrite(body, record),
        };
        let change = |body: &mut Value| {
            let before = body.clone();
            rewrite(body);
            if *body != before {
                reasons::need(record.folder(), self.reason);
            }
        };
        change(recorded);
        if self.in_both {
            change(ours);
        }
    }
}

/// A body of ours says what was sent, field by field, but for what is allowed.
pub(crate) fn assert_same<'a>(
    record: &Record,
    ours: &[u8],
    allowed: impl IntoIterator<Item = &'a Allowed>,
) {
    let recorded = record.body().expect("it was recorded").clone();
    let ours = serde_json::from_slice(ours).expect("what we send is JSON");
    assert_value_same(record, recorded, ours, allowed);
}

/// Two values say the same, field by field, but for what is allowed.
pub(crate) fn assert_value_same<'a>(
    record: &Record,
    mut recorded: Value,
    mut ours: Value,
    allowed: impl IntoIterator<Item = &'a Allowed>,
) {
    for allowed in allowed {
        allowed.apply(record, &mut recorded, &mut ours);
    }
    let mut differences = Vec::new();
    compare("", &recorded, &ours, &mut differences);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Lists the places where two values differ.
fn compare(at: &str, recorded: &Value, ours: &Value, differences: &mut Vec<String>) {
    match (recorded, ours) {
        (Value::Object(recorded), Value::Object(ours)) => {
            let names: BTreeSet<_> = recorded.keys().chain(ours.keys()).collect();
            let field = |fields: &Map<String, Value>, name: &str| fields.get(name).cloned();
            for name in names {
                let at = format!("{at}.{name}");
                match (field(recorded, name), field(ours, name)) {
                    (Some(recorded), Some(ours)) => compare(&at, &recorded, &ours, differences),
                    (Some(recorded), None) => {
                        differences.push(format!("{at}: {recorded} was sent, and we leave it out"));
                    }
                    (None, ours) => {
                        let ours = ours.unwrap_or_default();
                        differences.push(format!("{at}: nothing was sent, and we send {ours}"));
                    }
                }
            }
        }
        (Value::Array(recorded), Value::Array(ours)) if recorded.len() == ours.len() => {
            for (index, (recorded, ours)) in recorded.iter().zip(ours).enumerate() {
                compare(&format!("{at}[{index}]"), recorded, ours, differences);
            }
        }
        _ if recorded == ours => {}
        _ => differences.push(format!("{at}: {recorded} was sent, and we send {ours}")),
    }
}

/// Changes every text in a value.
pub(crate) fn each_text(value: &mut Value, change: fn(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(values) => values.iter_mut().for_each(|value| each_text(value, change)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|value| each_text(value, change)),
        _ => {}
    }
}
