//! Each type in the form of each provider: what serde accepts can be sent and comes back as it was,
//! and what the provider may send, serde accepts.

#[path = "../../../profiles/encode.rs"]
pub(in crate::declaring) mod encode;

use serde_json::Value;
use toolwright::{
    Toolset,
    profile::{LossKind, Profile, Reason},
};

use super::{
    super::run,
    generate::{Random, allowed},
};
use encode::{Encode, readable, without_nulls};

/// How many values of each type go each way for each profile.
const ROUNDS: usize = 25;

/// Those that write something otherwise.
pub(in crate::declaring) fn profiles() -> [Profile; 8] {
    [
        Profile::openai_strict(),
        Profile::anthropic_strict(),
        Profile::gemini(),
        Profile::gemini_json_schema(),
        Profile::xai(),
        Profile::ollama(),
        Profile::grammar(),
        Profile::portable(),
    ]
}

/// Takes the only tool of a set through each profile.
pub(super) fn check(tools: &Toolset) {
    for profile in profiles() {
        check_profile(tools, &profile);
    }
}

fn check_profile(tools: &Toolset, profile: &Profile) {
    let definition = tools.definitions().next().expect("there is one tool");
    let name = &definition.name;
    let own = definition.input_schema.to_value();
    let rendered = match profile.render(definition) {
        Ok(rendered) => rendered,
        Err(refusal) => {
            // The portable profile has room for five levels.
            assert!(matches!(refusal.reason, Reason::Levels { .. }), "{refusal}");
            return;
        }
    };
    let sent = rendered
        .parameters
        .as_ref()
        .expect("the tool has parameters");
    let sent = readable(&sent.to_value());
    assert!(
        jsonschema::meta::is_valid(&sent),
        "{}: {sent}",
        profile.name
    );
    let validator = jsonschema::draft202012::new(&sent).expect("the schema is valid");
    let mut random = Random::new(profile.name.len() as u64);
    let mut back = 0;
    for _ in 0..ROUNDS {
        let value = allowed(&own, &own, &mut random);
        if run(tools, name, &value.to_string()).is_err() {
            continue;
        }
        let encode = Encode {
            profile,
            root: &own,
        };
        let Ok(encoded) = encode.arguments(&value) else {
            continue;
        };
        let error = validator.validate(&encoded).err();
        assert!(
            error.is_none(),
            "{}: {value}: {encoded}: {error:?}\n{sent}",
            profile.name
        );
        let text = encoded.to_string();
        let undone = rendered.mapping.to_tool(&text);
        let again: Value = serde_json::from_str(&undone).expect("it is JSON");
        // To `Option`, null and nothing are the same.
        assert_eq!(
            without_nulls(&again),
            without_nulls(&value),
            "{}: {text}\n{sent}",
            profile.name
        );
        let result = run(tools, name, &undone);
        assert!(result.is_ok(), "{}: {undone}: {result:?}", profile.name);
        back += 1;
    }
    assert!(
        back > ROUNDS / 10,
        "{}: {back} values of {own}",
        profile.name
    );
    // Where constraints are told in words only, the provider may send what does not fit.
    let is_told = |kind: LossKind| kind != LossKind::NullAsAbsent;
    if !profile.strict || rendered.losses.iter().any(|loss| is_told(loss.kind)) {
        return;
    }
    for _ in 0..ROUNDS {
        let text = allowed(&sent, &sent, &mut random).to_string();
        let undone = rendered.mapping.to_tool(&text);
        let result = run(tools, name, &undone);
        assert!(
            result.is_ok(),
            "{}: {text}: {undone}: {result:?}\n{sent}",
            profile.name
        );
    }
}
