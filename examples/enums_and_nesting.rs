//! Arguments that are more than scalars: enums with data, nested and flattened structs, lists.
//!
//! ```text
//! cargo run -p examples --example enums_and_nesting
//! ```

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::{ToolInput, testing, tool, toolset};

/// What to search for.
#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Condition {
    /// The title has these words.
    Title { words: Vec<String> },
    /// It was published in these years.
    Published(Years),
    /// It can be borrowed now.
    Available,
}

#[derive(Deserialize, ToolInput)]
struct Years {
    /// The first year.
    from: u16,
    /// The last year. Without it, until today.
    to: Option<u16>,
}

/// How to sort, the most important first.
#[derive(Debug, Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Order {
    Title,
    Year,
}

#[derive(Deserialize, ToolInput)]
struct Paging {
    /// How many books to return.
    limit: u8,
    #[serde(default)]
    offset: u32,
}

#[derive(Deserialize, ToolInput)]
struct Search {
    /// All of them must hold.
    conditions: Vec<Condition>,
    #[serde(default)]
    order: Vec<Order>,
    #[serde(flatten)]
    paging: Paging,
}

/// Find books in the catalogue of the library.
#[tool]
fn find_books(search: Search) -> String {
    let conditions = search.conditions.iter().map(|condition| match condition {
        Condition::Title { words } => format!("titled {}", words.join(" ")),
        Condition::Published(years) => match years.to {
            Some(to) => format!("from {} to {to}", years.from),
            None => format!("since {}", years.from),
        },
        Condition::Available => "on the shelf".to_owned(),
    });
    let conditions = conditions.collect::<Vec<_>>().join(", ");
    let Paging { limit, offset } = search.paging;
    format!(
        "{limit} books after {offset}, {conditions}, by {:?}",
        search.order
    )
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = toolset![find_books];

    // What the model is told of one of the three conditions.
    for tool in tools.definitions() {
        let schema: Value = serde_json::from_str(tool.input_schema.as_str())?;
        let search = &schema["properties"]["search"]["properties"];
        let condition = &search["conditions"]["items"]["anyOf"][0];
        println!(
            "one of the conditions: {}\n",
            serde_json::to_string_pretty(condition)?
        );
    }

    // What it may send, ...
    let arguments = json!({"search": {
        "conditions": [
            {"kind": "title", "words": ["rust"]},
            {"kind": "published", "from": 2015},
            {"kind": "available"},
        ],
        "order": ["year"],
        "limit": 5,
    }});
    let output = testing::call(&tools, "find_books", arguments).await?;
    println!("it found: {}\n", output.to_text());

    // ... and what it reads if it gets that wrong.
    let arguments = json!({"search": {
        "conditions": [{"kind": "published", "from": "2015"}],
        "limit": 5,
    }});
    if let Err(error) = testing::call(&tools, "find_books", arguments).await {
        println!("what the model reads of a mistake:\n  {error}");
    }
    println!("\nShown: enums and nested structs arrive as they are declared.");
    Ok(())
}
