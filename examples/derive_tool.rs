//! A tool that is a struct: its fields are the arguments, `Execute` says what it does.
//!
//! ```text
//! cargo run -p examples --example derive_tool
//! ```

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::{Execute, Tool, ToolContext, ToolError, testing, toolset};

/// Convert an amount of money from one currency to another.
#[derive(Deserialize, Tool)]
#[tool(read_only)]
#[serde(deny_unknown_fields)]
struct ConvertMoney {
    /// The amount, in the currency `from`.
    amount: f64,
    /// The code of a currency, such as EUR.
    from: String,
    /// The code of another currency.
    #[serde(default = "dollars")]
    to: String,
}

fn dollars() -> String {
    "USD".to_owned()
}

impl Execute for ConvertMoney {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        let rate = rate(&self.to)? / rate(&self.from)?;
        Ok(format!("{:.2} {}", self.amount * rate, self.to))
    }
}

/// How much of a currency a dollar is.
fn rate(currency: &str) -> Result<f64, ToolError> {
    match currency {
        "USD" => Ok(1.0),
        "EUR" => Ok(0.9),
        "NOK" => Ok(10.5),
        other => Err(ToolError::invalid_arguments(format!(
            "there is no rate for {other}"
        ))),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = toolset![ConvertMoney];
    for definition in tools.definitions() {
        println!("{}: {}", definition.name, definition.description);
        let schema: Value = serde_json::from_str(definition.input_schema.as_str())?;
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            println!(
                "  {name}: {}, {}",
                property["type"], property["description"]
            );
        }
        println!();
    }
    for arguments in [
        json!({"amount": 90, "from": "EUR"}),
        json!({"amount": 90, "from": "ABC"}),
        json!({"amount": "ninety", "from": "EUR"}),
    ] {
        print!("{arguments} -> ");
        match testing::call(&tools, "convert_money", arguments).await {
            Ok(output) => println!("{}", output.to_text()),
            Err(error) => println!("{error}"),
        }
    }
    println!("\nShown: the fields of a struct are the arguments of a tool.");
    Ok(())
}
