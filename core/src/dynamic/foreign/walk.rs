//! Walks what a schema stands for: every place of the arguments, through every `$ref`.
//!
//! A place is described by several schemas at once: the one that stands there, what it refers to,
//! and the branches of both. They are looked at together, since a branch may require what another
//! one describes.

use std::{collections::HashSet, ptr};

use serde_json::{Map, Value};
use toolwright_json::{
    path::cut,
    schema_draft::{
        keywords::{Part, REFERENCES, Relation, parts},
        references::{Problem, Reference, References},
    },
};

use super::{MAX_INSIDE, MAX_SCHEMA_PARTS, MAX_UNEVALUATED};
use crate::{
    dynamic::{
        argument_path::ArgumentPath,
        finding::{Finding, NO_PATTERN},
        validate::Patterns,
        violation::Violations,
    },
    schema::MAX_DEPTH,
};

/// The greatest number of keywords, keys and names that are visited. This limit stops a walk where few schemas count
/// as many, each with many keys.
const MAX_STEPS: usize = 2_000_000;
/// The greatest number of findings that are kept.
const MAX_FINDINGS: usize = 100;

/// Returns true if an object has no keys but those that its schema names.
fn is_closed(keywords: &Map<String, Value>) -> bool {
    ["additionalProperties", "unevaluatedProperties"]
        .iter()
        .any(|keyword| keywords.get(*keyword) == Some(&Value::Bool(false)))
}

/// Checks the places of a schema, and counts the schemas that it stands for, where the target of each `$ref` counts
/// each time.
///
/// # Errors
///
/// The reason why arguments cannot be checked by it.
pub(super) fn walk(
    root: &Value,
    references: &References<'_>,
    patterns: &Patterns,
    violations: &mut Violations,
    findings: &mut Vec<Finding>,
) -> Result<usize, String> {
    let mut walker = Walker {
        references,
        patterns,
        violations,
        told: HashSet::new(),
        parts: 0,
        steps: 0,
        is_over: false,
        active: Vec::new(),
        unevaluated: 0,
        may_exclude: false,
        unchecked: None,
        findings,
    };
    walker.place(root, ArgumentPath::Arguments, 0, false);
    walker.unchecked.map_or(Ok(walker.parts / 2), Err)
}

struct Walker<'s, 'v> {
    references: &'v References<'s>,
    patterns: &'v Patterns,
    violations: &'v mut Violations,
    /// The errors that were reported, each with its schema: a schema that is referred to twice has one error. A rule
    /// may report several names.
    told: HashSet<(*const Value, &'static str, &'s str)>,
    parts: usize,
    steps: usize,
    /// True if the schema exceeds a limit.
    is_over: bool,
    /// The schemas around the one that is looked at.
    active: Vec<*const Value>,
    /// The number of schemas whose checks take more time the more of them there are.
    unevaluated: usize,
    /// True inside of `not`, `oneOf`, `if` and `contains`, where fitting may exclude a value: a pattern that is not checked
    /// leaves open there which values are allowed.
    may_exclude: bool,
    unchecked: Option<String>,
    findings: &'v mut Vec<Finding>,
}

/// The combined statements of all schemas of a place.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Here<'s> {
    names: HashSet<&'s str>,
    is_object: bool,
    is_list: bool,
    /// True if keys that have no name here are described.
    is_map: bool,
    /// True if there are no keys that have no name here.
    is_closed: bool,
}

impl<'s> Walker<'s, '_> {
    /// Looks at a place, which is inside of so many levels.
    fn place(&mut self, top: &'s Value, at: ArgumentPath<'_>, levels: u16, in_list: bool) {
        let mut here = Here::default();
        self.gather(top, at, &mut here, true);
        let is_object = here.is_object && (!here.names.is_empty() || !here.is_map);
        let is_level = levels == 0 || is_object || (in_list && (here.is_list || here.is_map));
        let levels = levels + u16::from(is_level);
        if levels > MAX_DEPTH {
            return self.tell(top, at, "levels", || {
                format!(
                    "the arguments have more than {MAX_DEPTH} levels: flatten the objects on the way"
                )
            });
        }
        self.inside(top, at, &here, levels);
    }

    /// Collects what the schemas of a place say. What one of several branches says may not be so.
    fn gather(
        &mut self,
        schema: &'s Value,
        at: ArgumentPath<'_>,
        here: &mut Here<'s>,
        is_sure: bool,
    ) {
        if !self.enter(schema, at) {
            return;
        }
        if let Value::Object(keywords) = schema {
            let is = |name: &str| match keywords.get("type") {
                // There are seven types.
                Some(Value::Array(types)) => types.iter().take(7).any(|one| one == name),
                Some(one) => one == name,
                None => false,
            };
            here.is_object |= is("object") || keywords.contains_key("properties");
            here.is_list |= is("array") || keywords.contains_key("items");
            here.is_list |= keywords.contains_key("prefixItems");
            here.is_closed |= is_sure && is_closed(keywords);
            for part in parts(keywords) {
                self.steps += 1;
                match part.relation {
                    Relation::Same => {
                        let is_sure = is_sure && part.keyword == "allOf";
                        self.gather(part.schema, at, here, is_sure);
                    }
                    Relation::Property => {
                        here.names.extend(part.key);
                    }
                    Relation::Value => here.is_map |= part.schema.is_object(),
                    Relation::Not | Relation::Item | Relation::Name | Relation::Definition => {}
                }
            }
            for reference in self.references.of(schema) {
                if let Some(target) = self.target(schema, reference, at) {
                    self.gather(target, at, here, is_sure);
                }
            }
        }
        self.active.pop();
    }

    /// Looks at what a schema requires, and at the places in it.
    fn inside(&mut self, schema: &'s Value, at: ArgumentPath<'_>, here: &Here<'s>, levels: u16) {
        if !self.enter(schema, at) {
            return;
        }
        let outside = self.unevaluated;
        if let Value::Object(keywords) = schema {
            self.unevaluated(keywords, at);
            self.pattern(schema, keywords, at);
            if !here.is_map {
                self.required(schema, keywords, at, here);
            }
            let in_list = here.is_list || here.is_map;
            for part in parts(keywords) {
                self.steps += 1;
                let inner = part.schema;
                if part.keyword == "patternProperties" {
                    self.key_pattern(part.key, at);
                }
                let outside = self.may_exclude;
                self.may_exclude |= matches!(part.keyword, "not" | "oneOf" | "if" | "contains");
                match (part.relation, part.key) {
                    (Relation::Same, _) => self.inside(inner, at, here, levels),
                    // What must not fit may name what it likes.
                    (Relation::Not, _) => {
                        let not = Here {
                            is_map: true,
                            ..Here::default()
                        };
                        self.inside(inner, at, &not, levels);
                    }
                    (Relation::Property, Some(key)) => {
                        self.place(inner, ArgumentPath::Key(&at, key), levels, false);
                    }
                    (Relation::Value | Relation::Property, _) => {
                        self.place(inner, ArgumentPath::Value(&at), levels, in_list);
                    }
                    (Relation::Item, _) => {
                        self.place(inner, ArgumentPath::Item(&at), levels, in_list);
                    }
                    (Relation::Name, _) => {
                        self.place(inner, ArgumentPath::Value(&at), levels, false);
                    }
                    (Relation::Definition, _) => {}
                }
                self.may_exclude = outside;
            }
            let references = self.references.of(schema).iter();
            for target in references.filter_map(|reference| reference.target.ok()) {
                self.inside(target, at, here, levels);
            }
        }
        self.unevaluated = outside;
        self.active.pop();
    }

    fn required(
        &mut self,
        schema: &'s Value,
        keywords: &'s Map<String, Value>,
        at: ArgumentPath<'_>,
        here: &Here<'s>,
    ) {
        let Some(Value::Array(required)) = keywords.get("required") else {
            return;
        };
        self.steps += required.len();
        for name in required.iter().filter_map(Value::as_str) {
            if here.names.contains(name) || !self.is_new(schema, "required", name) {
                continue;
            }
            let name = cut(name);
            if here.is_closed || is_closed(keywords) {
                let message = format!(
                    "`{name}` is required but not declared, and no other properties are allowed: declare it"
                );
                self.violations.add(at, message);
            } else if self.findings.len() < MAX_FINDINGS {
                self.findings.push(Finding::Undescribed {
                    path: at.to_string(),
                    name,
                });
            }
        }
    }

    /// Looks whether the pattern of a schema can be checked.
    fn pattern(
        &mut self,
        schema: &'s Value,
        keywords: &'s Map<String, Value>,
        at: ArgumentPath<'_>,
    ) {
        let pattern = keywords.get("pattern").and_then(Value::as_str);
        let Some(pattern) = pattern.filter(|pattern| !self.patterns.takes(pattern)) else {
            return;
        };
        let text = cut(pattern);
        if self.may_exclude {
            self.unchecked.get_or_insert_with(|| {
                format!(
                    "{at}: the pattern `{text}`, by which others of its schemas fit or not, {NO_PATTERN}"
                )
            });
        } else if self.findings.len() < MAX_FINDINGS && self.is_new(schema, "pattern", "") {
            self.findings.push(Finding::UncheckedPattern {
                path: at.to_string(),
                pattern: text,
            });
        }
    }

    /// Looks whether a pattern of keys can be checked. It decides which keys are others, too.
    fn key_pattern(&mut self, pattern: Option<&str>, at: ArgumentPath<'_>) {
        if let Some(pattern) = pattern
            && !self.patterns.takes(pattern)
        {
            self.unchecked.get_or_insert_with(|| {
                format!("{at}: the pattern `{}` of keys {NO_PATTERN}", cut(pattern))
            });
        }
    }

    /// Counts a schema that asks again what was looked at, which takes twice the time and more for
    /// each one inside another.
    fn unevaluated(&mut self, keywords: &Map<String, Value>, at: ArgumentPath<'_>) {
        let has = |keyword: &&str| keywords.contains_key(*keyword);
        let is_asked_again = |part: &Part<'_>| {
            matches!(part.relation, Relation::Same | Relation::Not) || part.keyword == "contains"
        };
        let asks = ["unevaluatedProperties", "unevaluatedItems"]
            .iter()
            .any(has);
        if !asks || !(REFERENCES.iter().any(has) || parts(keywords).iter().any(is_asked_again)) {
            return;
        }
        self.unevaluated += 1;
        if self.unevaluated > MAX_UNEVALUATED && self.unchecked.is_none() {
            self.unchecked = Some(format!(
                "{at}: schemas with `unevaluatedProperties` or `unevaluatedItems` are nested more than {MAX_UNEVALUATED} deep, which takes too long to check"
            ));
        }
    }

    /// Returns the target of a reference. If there is no target, that is reported.
    fn target(
        &mut self,
        schema: &'s Value,
        reference: &Reference<'s>,
        at: ArgumentPath<'_>,
    ) -> Option<&'s Value> {
        if self.references.is_unclear(reference) && self.unchecked.is_none() {
            let text = cut(reference.text);
            self.unchecked = Some(format!(
                "{at}: the target of `{text}` depends on the path to it"
            ));
        }
        let problem = match reference.target {
            Ok(target) => return Some(target),
            Err(problem) => problem,
        };
        if self.is_new(schema, "reference", reference.text) {
            let text = cut(reference.text);
            let message = match problem {
                Problem::Missing => format!("`{text}` has no target: define it under `$defs`"),
                Problem::Remote => format!(
                    "`{text}` points outside the schema, and remote schemas are not fetched: copy its target to `$defs`"
                ),
            };
            self.violations.add(at, message);
        }
        None
    }

    /// Steps into a schema, unless it has no end. One that was entered is the last active one.
    fn enter(&mut self, schema: &'s Value, at: ArgumentPath<'_>) -> bool {
        self.parts += 1;
        // Each is entered twice: what a place says is gathered before it is looked into.
        if self.parts > 2 * MAX_SCHEMA_PARTS || self.steps > MAX_STEPS {
            if !self.is_over {
                self.is_over = true;
                let message = format!(
                    "the schema expands to more than {MAX_SCHEMA_PARTS} schemas, with the target of each `$ref` counted at each use: make it smaller"
                );
                self.violations.add(ArgumentPath::Arguments, message);
            }
            return false;
        }
        match schema {
            Value::Object(keywords) => self.steps += keywords.len(),
            Value::Bool(_) => {}
            other => {
                self.tell(other, at, "schema", || {
                    let shown = cut(&other.to_string());
                    format!("expected a schema, which is an object or a boolean, got {shown}")
                });
                return false;
            }
        }
        let address = ptr::from_ref(schema);
        if self.active.contains(&address) {
            self.tell(schema, at, "recursion", || {
                "contains itself: arguments must end, so take a flat list whose entries name each \
                 other"
                    .to_owned()
            });
            return false;
        }
        if self.active.len() >= MAX_INSIDE {
            self.tell(schema, at, "inside", || {
                format!("schemas are nested more than {MAX_INSIDE} deep: flatten them")
            });
            return false;
        }
        self.active.push(address);
        true
    }

    fn tell(
        &mut self,
        schema: &'s Value,
        at: ArgumentPath<'_>,
        rule: &'static str,
        message: impl FnOnce() -> String,
    ) {
        if self.is_new(schema, rule, "") {
            self.violations.add(at, message());
        }
    }

    /// Returns true if the rule has not reported the name in this schema yet.
    fn is_new(&mut self, schema: &Value, rule: &'static str, name: &'s str) -> bool {
        self.told.insert((ptr::from_ref(schema), rule, name))
    }
}
