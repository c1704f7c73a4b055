//! `#[tool(schemars)]`: types that only schemars describes.

#![allow(dead_code, reason = "only the schemas of some types are asked for")]

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use toolwright::{
    Execute, Tool, ToolContext, ToolInput, Toolset, tool, tools, toolset, toolset::ToolsetError,
};

use super::super::{schema, text};

/// What another crate has.
mod other {
    use schemars::JsonSchema;
    use serde::Deserialize;

    /// A point on a map.
    #[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
    pub(super) struct Point {
        pub(super) x: f64,
        #[serde(default)]
        pub(super) y: f64,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    pub(super) struct Line {
        pub(super) from: Point,
        pub(super) to: Point,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub(super) enum Unit {
        Metre,
        Mile,
    }

    pub(super) type MaybePoint = Option<Point>;

    #[derive(Debug, Deserialize, JsonSchema)]
    pub(super) struct Tree {
        pub(super) children: Vec<Tree>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    pub(super) struct Deep {
        pub(super) lines: Vec<Vec<Line>>,
    }

    pub(super) mod again {
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
        pub(in super::super) struct Point {
            pub(in super::super) z: u8,
        }
    }
}

/// Ours, of the same name.
#[derive(Debug, Deserialize, ToolInput)]
struct Point {
    w: u8,
}

/// Draw a line on the map.
#[tool]
fn draw(
    /// Where.
    #[tool(schemars)]
    line: other::Line,
    #[tool(schemars)] marks: Vec<other::Point>,
    #[tool(schemars)] centre: Option<other::Point>,
    #[tool(schemars)] corner: other::MaybePoint,
    #[tool(schemars, default = other::Unit::Mile)] unit: other::Unit,
    #[tool(schemars)] first: other::again::Point,
    second: Point,
    third: Point,
) -> String {
    format!(
        "{:?} {:?} {} {centre:?} {corner:?} {unit:?} {} {}",
        line.from,
        line.to,
        marks.len(),
        first.z,
        second.w + third.w
    )
}

const GOOD: &str = r#"{"line":{"from":{"x":1},"to":{"x":2,"y":3}},"marks":[{"x":4}],"first":{"z":5},"second":{"w":6},"third":{"w":7}}"#;

#[test]
fn definitions_join_ours() {
    let tools = toolset![draw];
    let schema: Value = serde_json::from_str(schema(&tools)).unwrap();
    assert!(jsonschema::meta::is_valid(&schema), "{schema}");
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    assert!(validator.is_valid(&serde_json::from_str(GOOD).unwrap()));
    let definitions = schema["$defs"].as_object().unwrap();
    let mut keys: Vec<_> = definitions.keys().map(String::as_str).collect();
    keys.sort_unstable();
    // Ours, that of `other`, that of `other::again`, as schemars calls it.
    assert_eq!(keys, ["Line", "Point", "Point2", "Point_2", "Unit"]);
    assert_eq!(definitions["Point"]["required"], serde_json::json!(["w"]));
    assert_eq!(definitions["Point_2"]["required"], serde_json::json!(["x"]));
    assert_eq!(definitions["Point2"]["required"], serde_json::json!(["z"]));
    assert_eq!(
        definitions["Line"]["properties"]["from"]["$ref"],
        "#/$defs/Point_2"
    );
    assert_eq!(
        schema["properties"]["line"],
        serde_json::json!({"$ref": "#/$defs/Line", "description": "Where."})
    );
    assert_eq!(
        schema["required"],
        serde_json::json!(["line", "marks", "first", "second", "third"])
    );
}

#[test]
fn values_are_decoded_by_the_type() {
    let tools = toolset![draw];
    assert_eq!(
        text(&tools, "draw", GOOD),
        "Point { x: 1.0, y: 0.0 } Point { x: 2.0, y: 3.0 } 1 None None Mile 5 13"
    );
    for (from, to, expected) in [
        (
            r#"{"x":4}"#,
            r#"{"x":"far"}"#,
            r#"arguments.marks[0].x: expected a number, got "far""#,
        ),
        (r#"{"x":1}"#, "{}", "arguments.line.from.x: missing"),
        (
            r#""first""#,
            r#""unit":"foot","first""#,
            r#"arguments.unit: expected one of "metre", "mile", got "foot""#,
        ),
        (
            r#""first":{"z":5},"#,
            "",
            "arguments.first: missing, expected a value of `Point`",
        ),
        (
            r#"{"w":6}"#,
            r#"{"w":"x"}"#,
            r#"arguments.second.w: expected an integer from 0 to 255, got "x""#,
        ),
    ] {
        let arguments = GOOD.replacen(from, to, 1);
        assert_eq!(text(&tools, "draw", &arguments), expected);
    }
}

/// A route, with points of another crate in every place.
#[derive(Debug, Deserialize, Tool)]
#[tool(name = "find_route")]
struct FindRoute {
    /// Where it starts.
    #[tool(schemars)]
    start: other::Point,
    #[tool(schemars)]
    end: Option<other::Point>,
    #[serde(default)]
    #[tool(schemars(depth = 2))]
    over: BTreeMap<String, other::Point>,
    way: Way<other::Unit>,
    kind: Kind,
}

#[derive(Debug, Deserialize, ToolInput)]
struct Way<T> {
    #[tool(schemars)]
    value: T,
    #[serde(skip)]
    _nothing: std::marker::PhantomData<T>,
}

#[derive(Debug, Deserialize, ToolInput)]
enum Kind {
    Near(#[tool(schemars)] other::Point),
    Between(#[tool(schemars)] other::Point, u8),
    At {
        #[tool(schemars)]
        point: other::Point,
    },
}

impl Execute for FindRoute {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, toolwright::ToolError> {
        let kind = match &self.kind {
            Kind::Near(point) | Kind::Between(point, _) | Kind::At { point } => point.x,
        };
        Ok(format!(
            "{} {} {} {:?} {kind}",
            self.start.x,
            self.end.is_some(),
            self.over.len(),
            self.way.value
        ))
    }
}

struct Map;

#[tools]
impl Map {
    /// Say where a point is.
    #[tool]
    #[expect(clippy::unused_self, reason = "a method is what is tested")]
    fn locate(
        &self,
        #[tool(schemars, default = other::Point { x: 9.0, y: 9.0 })] point: other::Point,
    ) -> f64 {
        point.x
    }
}

#[test]
fn they_stand_in_every_form() {
    let tools = toolset![FindRoute].merge(Map.into_tools()).unwrap();
    let arguments = r#"{"start":{"x":1},"over":{"a":{"x":2}},"way":{"value":"mile"},"kind":{"Between":[{"x":3},4]}}"#;
    assert_eq!(text(&tools, "find_route", arguments), "1 false 1 Mile 3");
    let arguments = arguments.replace(r#"{"x":2}"#, r#"{"x":null}"#);
    assert_eq!(
        text(&tools, "find_route", &arguments),
        "arguments.over.a.x: expected a number, got null"
    );
    assert_eq!(text(&tools, "locate", "{}"), "9.0");
    let schema: Value = serde_json::from_str(schema(&tools)).unwrap();
    assert!(jsonschema::meta::is_valid(&schema), "{schema}");
    assert_eq!(
        schema["required"],
        serde_json::json!(["start", "way", "kind"])
    );
}

/// Grow a tree without an end.
#[tool]
fn grow(#[tool(schemars)] tree: other::Tree) -> usize {
    tree.children.len()
}

/// Set a size.
#[tool]
fn size(#[tool(schemars)] size: other::again::Point, n: u8) -> u8 {
    size.z + n
}

#[test]
fn whole_numbers_are_integers_there_too() {
    let tools = toolset![size];
    for (arguments, expected) in [
        (r#"{"size":{"z":1.0},"n":2.0}"#, "3"),
        (
            r#"{"size":{"z":500},"n":2}"#,
            "arguments.size.z: expected an integer from 0 to 255, got 500",
        ),
        (
            r#"{"size":{"z":1.5},"n":2}"#,
            "arguments.size.z: expected an integer from 0 to 255, got 1.5",
        ),
        (
            r#"{"size":null,"n":2}"#,
            "arguments.size: expected an object, got null",
        ),
    ] {
        assert_eq!(text(&tools, "size", arguments), expected);
    }
}

/// Draw lines in a list of lists.
#[tool]
fn draw_all(#[tool(schemars)] deep: other::Deep) -> usize {
    deep.lines.len()
}

/// Draw lines in a list of lists.
#[tool]
fn draw_deep(#[tool(schemars(depth = 4))] deep: other::Deep) -> usize {
    deep.lines.len()
}

#[test]
fn what_they_say_of_themselves_is_checked_when_the_toolset_is_built() {
    fn refused<T: tool::StaticTool>() -> String {
        let error = Toolset::new().with_shared(T::tool()).unwrap_err();
        assert!(matches!(error, ToolsetError::ForeignType { .. }));
        error.to_string()
    }
    assert_eq!(
        refused::<grow>(),
        "`grow` cannot be a tool: `Tree` contains itself: `Tree` is inside `Tree`; arguments must end"
    );
    assert_eq!(
        refused::<draw_all>(),
        "`draw_all` cannot be a tool: `Deep` has 4 levels and counts as 3: write `#[tool(schemars(depth = 4))]`"
    );
    assert_eq!(toolset![draw_deep].len(), 1);
}

#[test]
#[should_panic(expected = "`Tree` contains itself")]
fn a_set_of_declared_tools_does_not_take_them() {
    let _ = toolset![grow];
}
