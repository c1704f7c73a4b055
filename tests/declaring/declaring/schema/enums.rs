//! Enums with data, and structs around values.

use toolwright::ToolInput;

use super::of;

/// A place on the map.
#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Point {
    x: f64,
}

const POINT: &str = concat!(
    r#"{"type":"object","properties":{"x":{"type":"number"}},"required":["x"],"#,
    r#""description":"A place on the map."}"#
);

#[derive(serde::Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum External {
    Nothing,
    /// Everything there is.
    All,
    /// Around a point.
    Around(Point),
    Square {
        /// How wide it is.
        side: Option<u8>,
    },
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Internal {
    Nothing,
    /// Around a point.
    Around(Point),
    Square {
        side: Option<u8>,
    },
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(tag = "kind", content = "data")]
#[allow(dead_code)]
enum Adjacent {
    Nothing,
    Around(Box<Point>),
    Line(bool, bool),
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(untagged)]
#[allow(dead_code)]
enum Untagged {
    /// A name.
    Name(String),
    Around(Point),
    /// No place.
    Nothing,
}

#[test]
fn the_four_representations() {
    assert_eq!(
        of::<External>(),
        [
            r#"{"anyOf":[{"type":"string","oneOf":[{"const":"nothing"},"#,
            r#"{"const":"all","description":"Everything there is."}]},"#,
            r#"{"type":"object","properties":{"around":"#,
            POINT,
            r#"},"required":["around"],"additionalProperties":false,"description":"Around a point."},"#,
            r#"{"type":"object","properties":{"square":{"type":"object","properties":{"side":"#,
            r#"{"type":["integer","null"],"minimum":0,"maximum":255,"description":"How wide it is."}}}},"#,
            r#""required":["square"],"additionalProperties":false}]}"#,
        ]
        .concat()
    );
    assert_eq!(
        of::<Internal>(),
        concat!(
            r#"{"anyOf":[{"type":"object","properties":{"kind":{"const":"Nothing"}},"required":["kind"]},"#,
            r#"{"type":"object","properties":{"kind":{"const":"Around"},"x":{"type":"number"}},"#,
            r#""required":["kind","x"],"description":"Around a point."},"#,
            r#"{"type":"object","properties":{"kind":{"const":"Square"},"#,
            r#""side":{"type":["integer","null"],"minimum":0,"maximum":255}},"required":["kind"]}]}"#,
        )
    );
    assert_eq!(
        of::<Adjacent>(),
        [
            r#"{"anyOf":[{"type":"object","properties":{"kind":{"const":"Nothing"}},"#,
            r#""required":["kind"],"additionalProperties":false},"#,
            r#"{"type":"object","properties":{"kind":{"const":"Around"},"data":"#,
            POINT,
            r#"},"required":["kind","data"],"additionalProperties":false},"#,
            r#"{"type":"object","properties":{"kind":{"const":"Line"},"data":{"type":"array","#,
            r#""prefixItems":[{"type":"boolean"},{"type":"boolean"}],"minItems":2,"maxItems":2}},"#,
            r#""required":["kind","data"],"additionalProperties":false}]}"#,
        ]
        .concat()
    );
    assert_eq!(
        of::<Untagged>(),
        [
            r#"{"anyOf":[{"type":"string","description":"A name."},"#,
            POINT,
            r#",{"type":"null","description":"No place."}]}"#,
        ]
        .concat()
    );
}

/// The name of a city.
#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct City(String);

#[derive(serde::Deserialize, ToolInput)]
#[serde(transparent)]
#[allow(dead_code)]
struct Inner {
    point: Option<Point>,
}

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Holder {
    city: City,
    /// Where it was founded.
    founded: City,
    inner: Inner,
    pair: Pair,
    nothing: Nothing,
    from: Internal,
    to: Internal,
}

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Pair(bool, #[serde(skip)] bool, City);

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Nothing;

#[test]
fn a_struct_around_a_value_is_the_value() {
    let schema: serde_json::Value = serde_json::from_str(&of::<Holder>()).unwrap();
    let properties = &schema["properties"];
    let check = |name: &str, expected: &str| assert_eq!(properties[name].to_string(), expected);
    check(
        "city",
        r#"{"description":"The name of a city.","type":"string"}"#,
    );
    check(
        "founded",
        r#"{"description":"Where it was founded.","type":"string"}"#,
    );
    assert_eq!(properties["inner"]["anyOf"][1]["type"], "null");
    assert_eq!(properties["pair"]["maxItems"], 2);
    check("nothing", r#"{"type":"null"}"#);
    check("from", r##"{"$ref":"#/$defs/Internal"}"##);
    check("to", r##"{"$ref":"#/$defs/Internal"}"##);
    // What is transparent around an `Option` may be left out.
    let required = schema["required"].to_string();
    assert_eq!(
        required,
        r#"["city","founded","pair","nothing","from","to"]"#
    );
}
