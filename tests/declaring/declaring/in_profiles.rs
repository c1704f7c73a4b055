//! The arguments of every tool that a test of this folder calls, or whose schema it reads, in the form
//! of each provider: a type that is tested at all cannot be forgotten here.
//!
//! Whether serde accepts what the schema accepts is the subject of `parity`. So the tool's own schema
//! says here which values are good, and nothing is decoded.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
    thread::{self, ThreadId},
};

use jsonschema::Validator;
use serde_json::Value;
use toolwright::{
    ToolDefinition, Toolset,
    profile::{LossKind, Optional, Profile, Reason, Rendered},
};

use super::parity::{
    generate::{Random, allowed},
    profiles::{
        encode::{Encode, readable, without_nulls},
        profiles,
    },
};

/// How many calls of a test with the same schema are looked at.
const CALLS: usize = 10;

/// How many values are made of each schema.
const ROUNDS: usize = 10;

/// How many values there may be in such a value, itself included.
const LARGEST: usize = 200;

/// The longest schema that is looked at, in bytes: some tests have types that grow without end when
/// they are written out.
const LONGEST: usize = 30_000;

/// A schema that is met again is not made anew, whichever test has it.
static SEEN: LazyLock<Mutex<HashMap<String, Arc<Type>>>> = LazyLock::new(Mutex::default);

/// The type of a tool's arguments.
#[derive(Default)]
pub(super) struct Type {
    forms: OnceLock<Forms>,
    /// How many calls of each test were looked at: which come first does not depend on other tests.
    calls: Mutex<HashMap<ThreadId, usize>>,
}

/// The schema of a tool, and what each provider is sent of it.
struct Forms {
    own: Value,
    validator: Validator,
    sent: Vec<Form>,
}

/// What a provider is sent.
struct Form {
    profile: Profile,
    rendered: Rendered,
    schema: Value,
    validator: Validator,
}

/// Checks the arguments of a call that was successful, and values that the schema allows.
pub(super) fn check_call(tools: &Toolset, name: &str, arguments: &str) {
    let definition = tools.definitions().find(|tool| tool.name == name);
    let seen = check_type(definition.expect("the set has the tool"));
    {
        let mut calls = seen.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let count = calls.entry(thread::current().id()).or_default();
        if *count == CALLS {
            return;
        }
        *count += 1;
    }
    if let (Some(forms), Ok(value)) = (seen.forms.get(), serde_json::from_str(arguments)) {
        forms.check(&value);
    }
}

/// Checks values that the schema allows, when it is first met.
pub(super) fn check_type(definition: &ToolDefinition) -> Arc<Type> {
    let seen = {
        let mut all = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        let text = definition.input_schema.as_str();
        match all.get(text) {
            Some(seen) => Arc::clone(seen),
            None => Arc::clone(all.entry(text.to_owned()).or_default()),
        }
    };
    seen.forms.get_or_init(|| {
        let forms = Forms::new(definition);
        forms.check_values();
        forms
    });
    seen
}

impl Forms {
    fn new(definition: &ToolDefinition) -> Self {
        let own = definition.input_schema.to_value();
        Self {
            validator: validator(&own),
            sent: profiles()
                .into_iter()
                .filter_map(|profile| Form::new(profile, definition))
                .collect(),
            own,
        }
    }

    /// Checks values at random: those of the tool's own schema, and those of what is sent.
    fn check_values(&self) {
        let mut random = Random::new(1);
        let mut value = |schema: &Value| {
            random.limit(LARGEST);
            let value = allowed(schema, schema, &mut random);
            (!random.is_spent()).then_some(value)
        };
        for _ in 0..ROUNDS {
            if let Some(value) = value(&self.own) {
                self.check(&value);
            }
        }
        for form in self.sent.iter().filter(|form| form.is_exact()) {
            for _ in 0..ROUNDS {
                let Some(sent) = value(&form.schema) else {
                    continue;
                };
                if form.validator.is_valid(&sent) {
                    let own = form.back(&sent);
                    let error = self.validator.validate(&own).err();
                    let name = &form.profile.name;
                    assert!(error.is_none(), "{name}: {sent} as {own}: {error:?}");
                }
            }
        }
    }

    /// A value that the schema allows can be sent in each form, and comes back from it as it was.
    fn check(&self, value: &Value) {
        if !value.is_object() || !self.validator.is_valid(value) {
            return;
        }
        for form in &self.sent {
            let (profile, own) = (&form.profile, &self.own);
            let encode = Encode { profile, root: own };
            let redone = form
                .rendered
                .mapping
                .to_provider(&value.to_string())
                .into_owned();
            let again = serde_json::from_str(&redone).expect("it is JSON");
            form.comes_back(&again, value, own);
            // Of members that are not declared, a provider may be told nothing.
            let Ok(encoded) = encode.arguments(value) else {
                continue;
            };
            form.is_sent(&encoded, own);
            form.comes_back(&encoded, value, own);
            // A null that means that a member is left out stays null, also where none is asked for.
            if profile.optional != Optional::NeverNull {
                form.is_sent(&again, own);
            }
        }
    }
}

impl Form {
    /// `None` if the provider takes no such type, which is the subject of other tests.
    fn new(profile: Profile, definition: &ToolDefinition) -> Option<Self> {
        let rendered = match profile.render(definition) {
            Ok(rendered) => rendered,
            Err(refusal) => {
                let is_known = match &refusal.reason {
                    // The portable profile has room for five levels, and `schema::shared` has a type
                    // that grows without end where references are written out, or counted.
                    Reason::Levels { .. } | Reason::TooLarge { .. } | Reason::TooMuch { .. } => {
                        true
                    }
                    // `constraints::agreement` has a type with two patterns, of which a profile
                    // could tell one in words.
                    Reason::AllOf { keyword } => keyword == "pattern",
                    _ => false,
                };
                assert!(is_known, "{refusal}");
                return None;
            }
        };
        let sent = rendered.parameters.as_ref();
        if sent.is_some_and(|sent| sent.as_str().len() > LONGEST) {
            return None;
        }
        let schema = sent.map_or(Value::Bool(true), |sent| readable(&sent.to_value()));
        Some(Self {
            validator: validator(&schema),
            profile,
            rendered,
            schema,
        })
    }

    /// Whether what the provider may send is what the tool takes: nothing is told in words only.
    fn is_exact(&self) -> bool {
        let mut losses = self.rendered.losses.iter();
        self.profile.strict && losses.all(|loss| loss.kind == LossKind::NullAsAbsent)
    }

    fn is_sent(&self, sent: &Value, own: &Value) {
        let error = self.validator.validate(sent).err();
        let Self {
            profile, schema, ..
        } = self;
        assert!(
            error.is_none(),
            "{}: {sent}: {error:?}\n{schema}\n{own}",
            profile.name
        );
    }

    fn comes_back(&self, sent: &Value, value: &Value, own: &Value) {
        let back = self.back(sent);
        assert_eq!(
            without_nulls(&back),
            without_nulls(value),
            "{}: {sent}\n{own}",
            self.profile.name
        );
    }

    fn back(&self, sent: &Value) -> Value {
        let text = sent.to_string();
        serde_json::from_str(&self.rendered.mapping.to_tool(&text)).expect("it is JSON")
    }
}

fn validator(schema: &Value) -> Validator {
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    options.build(schema).expect("it is a schema")
}
