//! `strict` and `max_depth`: what a tool asks for beyond the rules for all.

use std::collections::HashMap;

use toolwright::{
    Execute, Tool, ToolContext, ToolDefinition, ToolError, ToolInput, Toolset, tool, tool::Strict,
    tools, toolset,
};

/// Look something up on the web.
#[tool(strict = "openai", max_depth = 2)]
fn look_up(
    labels: HashMap<String, u8>, pair: (u8, serde_json::Value), größe: Option<u8>
) -> usize {
    labels.len() + usize::from(pair.0) + usize::from(größe.unwrap_or(0))
}

/// Take the most levels that go.
#[tool(strict = "portable")]
fn dig(deep: HashMap<String, HashMap<String, (HashMap<String, u8>,)>>) -> usize {
    deep.len()
}

/// Take lists inside lists, which are no objects.
#[tool(strict = "portable")]
#[expect(clippy::type_complexity, reason = "that is the point")]
fn list(deep: Vec<Vec<Vec<Vec<Vec<Vec<u8>>>>>>) -> usize {
    deep.len()
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(strict = "anthropic", read_only)]
    fn find(#[tool(default)] word: String) -> String {
        word
    }

    /// Buy a product for the user.
    #[tool(max_depth = 1)]
    fn buy() {}
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Shape {
    Circle { radius: f64 },
    Named(Named),
}

#[derive(serde::Deserialize, ToolInput)]
struct Named {
    name: String,
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(strict = "portable", max_depth = 2)]
struct Search {
    shapes: Vec<Shape>,
    #[serde(flatten)]
    named: Named,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        let shapes = self.shapes.into_iter().map(|shape| match shape {
            Shape::Circle { radius } => radius.to_string(),
            Shape::Named(named) => named.name,
        });
        Ok(shapes.chain([self.named.name]).collect())
    }
}

/// Say nothing of itself.
#[tool]
fn silent() {}

fn definition(tools: &Toolset, name: &str) -> ToolDefinition {
    let tool = tools.find(name).expect("the set has the tool");
    tool.definition().clone()
}

#[test]
fn a_definition_says_whose_rules_it_follows() {
    let tools = toolset![look_up, dig, list, Search, silent];
    let tools = tools.merge(Shop.into_tools()).expect("the names differ");
    for (name, strict) in [
        ("look_up", Some(Strict::OpenAi)),
        ("dig", Some(Strict::Portable)),
        ("list", Some(Strict::Portable)),
        ("search", Some(Strict::Portable)),
        ("silent", None),
        ("find", Some(Strict::Anthropic)),
        ("buy", None),
    ] {
        assert_eq!(definition(&tools, name).strict, strict, "{name}");
    }
}

#[test]
fn it_is_stored_by_the_name_of_the_key() {
    let tools = toolset![look_up, silent];
    let stored = |name| serde_json::to_value(definition(&tools, name)).expect("it is JSON");
    assert_eq!(stored("look_up")["strict"], "openai");
    assert!(stored("silent").get("strict").is_none());
    let text = serde_json::to_string(&definition(&tools, "look_up")).expect("it is JSON");
    let read: ToolDefinition = serde_json::from_str(&text).expect("it is read");
    assert_eq!(read, definition(&tools, "look_up"));
}
