#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

#[derive(serde::Deserialize)]
struct Opaque;

/// Do something with a value.
#[tool]
fn act(#[tool(schemars)] _value: Option<Opaque>, #[tool(schemars, default = 3)] _times: u8) {}

#[derive(schemars::JsonSchema)]
struct NoDeserialize {
    value: u8,
}

/// Do something with a value.
#[tool]
fn no_deserialize(#[tool(schemars)] _value: NoDeserialize) {}

#[derive(serde::Deserialize)]
struct NoJsonSchemaInAMethod;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(schemars)] value: NoJsonSchemaInAMethod) {}
}

#[derive(serde::Deserialize)]
struct NoJsonSchemaInAStruct;

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[tool(schemars)]
    value: NoJsonSchemaInAStruct,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

#[derive(serde::Deserialize)]
struct FieldWithoutJsonSchema;

#[derive(serde::Deserialize, ToolInput)]
struct Holder {
    #[tool(schemars)]
    value: FieldWithoutJsonSchema,
}

/// Do something with a value.
#[tool]
fn field_without_json_schema(_holder: Holder) {}

fn main() {}
