//! Types whose keys stand among those of another.

use std::collections::HashMap;

use toolwright::ToolInput;

use super::of;

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Page {
    /// How many to return.
    limit: u8,
    #[serde(default)]
    after: Option<String>,
}

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Search {
    query: String,
    #[serde(flatten)]
    page: Page,
    exact: bool,
}

#[test]
fn the_keys_stand_where_the_field_does() {
    let keys = concat!(
        r#"{"type":"object","properties":{"query":{"type":"string"},"#,
        r#""limit":{"type":"integer","minimum":0,"maximum":255,"description":"How many to return."},"#,
        r#""after":{"type":["string","null"]},"exact":{"type":"boolean"}},"#,
        r#""required":["query","limit","exact"]"#,
    );
    assert_eq!(of::<Search>(), format!("{keys}}}"));
}

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Open {
    #[serde(flatten)]
    page: Page,
    #[serde(flatten)]
    others: HashMap<String, String>,
}

#[test]
fn a_flattened_map_is_every_other_key() {
    assert_eq!(
        of::<Open>(),
        concat!(
            r#"{"type":"object","properties":{"#,
            r#""limit":{"type":"integer","minimum":0,"maximum":255,"description":"How many to return."},"#,
            r#""after":{"type":["string","null"]}},"required":["limit"],"#,
            r#""additionalProperties":{"type":"string"}}"#,
        )
    );
}
