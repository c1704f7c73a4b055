use toolwright::{ToolError, tool, tool::Extension};

struct Opaque;
struct Db;

/// Short.
#[tool(nmae = "weather")]
fn get_weather(
    _city: Opaque,
    #[tool(length(1..=3))] _days: u8,
    #[tool(default = "five")] _hours: u8,
    #[context] _db: Extension<Db>,
) -> Result<Opaque, ToolError> {
    Ok(Opaque)
}

fn main() {}
