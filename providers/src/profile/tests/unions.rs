//! The variants of unions: which are wrapped, and the way there and back.

use super::back::undo;
use crate::profile::Profile;

#[test]
fn a_definition_that_changes_nothing_wraps_no_variant() {
    for profile in [Profile::openai_strict(), Profile::anthropic_strict()] {
        let undo = undo(
            &profile,
            r##"{"anyOf":[
                {"type":"object","properties":{"w":{"type":"array","items":{"$ref":"#/properties/a/$defs/W"}}},"required":["w"]},
                {"type":"object","properties":{"w":{"type":"array","items":{"type":"string"}}},"required":["w"]}],
                "$defs":{"W":{"enum":["Yes","No"]}}}"##,
        );
        assert!(undo.is_empty(), "{}: {undo:?}", profile.name);
    }
}
