//! What a tool says of itself beside its description.

use serde_json::json;
use toolwright::{
    Execute, Tool, ToolContext, ToolDefinition, ToolError, Toolset, tool,
    tool::{Effects, ToolHints, ToolPolicy},
    tools, toolset,
};

/// Look something up on the web.
#[tool(title = "Look up", read_only, open_world)]
fn look_up() {}

/// Set the temperature of a room.
#[tool(idempotent, destructive = false)]
async fn set_temperature(degrees: u8) -> u8 {
    degrees
}

/// Say nothing of itself.
#[tool]
fn silent() {}

/// Say only what changes no rule.
#[tool(read_only = false, destructive)]
fn delete_all() {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(title = "Find", read_only)]
    fn find() {}

    /// Buy a product for the user.
    #[tool(destructive = false)]
    fn buy() {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
#[tool(title = "Search", idempotent, open_world = false)]
struct Search {}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn tools() -> Toolset {
    toolset![look_up, set_temperature, silent, delete_all, Search]
        .merge(Shop.into_tools())
        .expect("the names differ")
}

#[track_caller]
fn check(name: &str, title: Option<&str>, hints: ToolHints, effects: Effects) {
    let tools = tools();
    let tool = tools.find(name).expect("it is there");
    let definition = tool.definition();
    assert_eq!(definition.title.as_deref(), title);
    assert_eq!(definition.hints, hints);
    assert_eq!(tool.policy(), ToolPolicy::default().with_effects(effects));
}

#[test]
fn every_form_says_it() {
    let none = ToolHints::NONE;
    let read_only = none.with_read_only(true);
    check(
        "look_up",
        Some("Look up"),
        read_only.with_open_world(true),
        Effects::ReadOnly,
    );
    check(
        "set_temperature",
        None,
        none.with_idempotent(true).with_destructive(false),
        Effects::Idempotent,
    );
    check("silent", None, none, Effects::Write);
    check(
        "delete_all",
        None,
        none.with_read_only(false).with_destructive(true),
        Effects::Write,
    );
    check("find", Some("Find"), read_only, Effects::ReadOnly);
    check("buy", None, none.with_destructive(false), Effects::Write);
    check(
        "search",
        Some("Search"),
        none.with_idempotent(true).with_open_world(false),
        Effects::Idempotent,
    );
}

#[test]
fn it_survives_being_stored() {
    let tools = tools();
    for definition in tools.definitions() {
        let stored = serde_json::to_string(definition).expect("it serialises");
        let again: ToolDefinition = serde_json::from_str(&stored).expect("it is one");
        assert_eq!(*definition, again);
    }
    let stored = serde_json::to_value(tools.definitions().next()).expect("it serialises");
    assert_eq!(stored["title"], "Look up");
    assert_eq!(
        stored["hints"],
        json!({"read_only": true, "open_world": true})
    );
    let silent = serde_json::to_value(tools.definitions().nth(2)).expect("it serialises");
    assert!(silent.get("title").is_none() && silent.get("hints").is_none());
}
