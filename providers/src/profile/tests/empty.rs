//! Objects without members.

use super::tool;
use crate::profile::Profile;

#[test]
fn an_empty_object_comes_back_from_its_text() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"object","properties":{},
        "additionalProperties":false},"b":{"anyOf":[{"type":"integer"},{"type":"object","properties":{},
        "additionalProperties":false}]}},"required":["a","b"]}"#;
    let undo = Profile::gemini()
        .render(&tool(schema))
        .expect("it can be sent")
        .mapping;
    for (sent, own) in [
        (r#"{"a":"{}","b":"{}"}"#, r#"{"a":{},"b":{}}"#),
        (r#"{"a":"{}","b":3}"#, r#"{"a":{},"b":3}"#),
    ] {
        assert_eq!(undo.to_tool(sent), own);
        assert_eq!(undo.to_provider(own), sent);
    }
}
