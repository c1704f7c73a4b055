//! Types that are met more than once.

use toolwright::ToolInput;

use super::{super::schema, of};

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Page<T, const N: usize = 1> {
    items: Vec<T>,
}

/// A place.
#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Place {
    name: String,
}

mod other {
    #[derive(serde::Deserialize, toolwright::ToolInput)]
    #[allow(dead_code)]
    pub(super) struct Place {
        code: u8,
    }
}

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Trip {
    from: Place,
    /// Where to.
    to: Place,
    stops: Vec<other::Place>,
    last: Option<other::Place>,
    numbers: Page<u8>,
    names: Page<String>,
}

#[test]
fn a_type_that_is_met_twice_is_written_once() {
    assert_eq!(
        of::<Trip>(),
        concat!(
            r##"{"type":"object","properties":{"from":{"$ref":"#/$defs/Place"},"##,
            r##""to":{"$ref":"#/$defs/Place","description":"Where to."},"##,
            r##""stops":{"type":"array","items":{"$ref":"#/$defs/Place_2"}},"##,
            r##""last":{"anyOf":[{"$ref":"#/$defs/Place_2"},{"type":"null"}]},"##,
            r#""numbers":{"type":"object","properties":{"items":{"type":"array","items":"#,
            r#"{"type":"integer","minimum":0,"maximum":255}}},"required":["items"]},"#,
            r#""names":{"type":"object","properties":{"items":{"type":"array","items":"#,
            r#"{"type":"string"}}},"required":["items"]}},"#,
            r#""required":["from","to","stops","numbers","names"],"#,
            r#""$defs":{"Place":{"type":"object","properties":{"name":{"type":"string"}},"#,
            r#""required":["name"],"description":"A place."},"#,
            r#""Place_2":{"type":"object","properties":{"code":{"type":"integer","minimum":0,"maximum":255}},"#,
            r#""required":["code"]}}}"#
        )
    );
}

/// Types that share parts eight-fold on nine levels: 134 million paths.
mod levels {
    macro_rules! level {
        ($name:ident of $part:ty) => {
            #[derive(serde::Deserialize, toolwright::ToolInput)]
            #[allow(dead_code)]
            pub(super) struct $name {
                a: $part,
                b: $part,
                c: Option<$part>,
                d: Vec<$part>,
                e: $part,
                f: $part,
                g: $part,
                h: $part,
            }
        };
    }

    level!(L1 of u8);
    level!(L2 of L1);
    level!(L3 of L2);
    level!(L4 of L3);
    level!(L5 of L4);
    level!(L6 of L5);
    level!(L7 of L6);
    level!(L8 of L7);
    level!(L9 of L8);
}

/// Take a type of nine levels, which makes ten.
#[toolwright::tool]
fn deepest(value: levels::L9) {
    drop(value);
}

#[test]
fn shared_parts_do_not_multiply() {
    let tools = toolwright::toolset![deepest];
    assert!(schema(&tools).len() < 10_000);
}
