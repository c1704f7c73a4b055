//! Tools that are known only at run time: one that is put together, and those of another program,
//! which come and go.
//!
//! ```text
//! cargo run -p examples --example dynamic_tool
//! ```

use serde::Deserialize;
use toolwright::{
    Dispatch, Tool, ToolCall, ToolContext, ToolDefinition, ToolError,
    dynamic::{DynamicTool, Parameter},
    schema::Schema,
    toolset::ToolRegistry,
};

/// What another program says of its tools, as an MCP server lists them.
const LISTED: &str = r##"[
    {
        "name": "geo.find_city",
        "description": "Find a city by its name.",
        "inputSchema": {
            "type": "object",
            "properties": {"name": {"$ref": "#/definitions/name"}},
            "required": ["name", "country"]
        }
    },
    {
        "name": "geo.distance",
        "description": "Distance between two cities in kilometres.",
        "inputSchema": {
            "type": "object",
            "properties": {"from": {"$ref": "#/definitions/city"}, "to": {"$ref": "#/definitions/city"}},
            "required": ["from", "to"],
            "definitions": {"city": {"type": "string", "minLength": 2}}
        }
    }
]"##;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: String,
    description: String,
    input_schema: Schema,
}

fn dice() -> Result<DynamicTool, Box<dyn std::error::Error>> {
    #[derive(Deserialize)]
    struct Roll {
        dice: Option<u32>,
        sides: u32,
    }
    let tool = DynamicTool::builder("roll_dice", "Roll dice and say what they show together.")
        .required("sides", Parameter::integer().range(2..=100))
        .optional("dice", Parameter::integer().range(1..=10).default(1))
        .build(async |call: ToolCall, _cx| {
            let roll: Roll = call.decode()?;
            // Fair enough for an example.
            Ok::<_, ToolError>(roll.dice.unwrap_or(1) * roll.sides.div_ceil(2))
        })?;
    Ok(tool)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = ToolRegistry::new();
    registry.insert(dice()?)?;
    for listed in serde_json::from_str::<Vec<Listed>>(LISTED)? {
        let definition = ToolDefinition::new(listed.name, listed.description, listed.input_schema);
        let tool = DynamicTool::foreign(definition, async |call: ToolCall, _cx| {
            // Here a client would send the call to the other program.
            Ok::<_, ToolError>(format!("{} got {}", call.name, call.arguments))
        });
        match tool {
            Ok(tool) => {
                println!(
                    "{} is shown as {}",
                    tool.original_name(),
                    tool.definition().name
                );
                registry.insert(tool)?;
            }
            Err(error) => println!("{error}"),
        }
    }

    for (name, arguments) in [
        ("roll_dice", r#"{"sides": 6, "dice": 2}"#),
        ("geo_distance--d", r#"{"from": "Oslo", "to": "Bergen"}"#),
    ] {
        let call = ToolCall::new("call_1", name, arguments);
        let result = registry
            .snapshot()
            .call(&call, &ToolContext::default())
            .await;
        println!("\n{name} {arguments}\n  {}", result.to_model_text());
    }
    println!("\nShown: tools that no type declares; one of them was refused with the reasons.");
    Ok(())
}
