use toolwright::{ToolError, tool, tool::Extension};

struct Opaque;
struct Db;

#[tool]
const fn get_weather(
    _: u8,
    _city: Opaque,
    #[tool(length(1..=3))] _days: u8,
    #[tool(default = "five")] _hours: u8,
    #[context] _db: Extension<Db>,
) -> Result<Opaque, ToolError> {
    Ok(Opaque)
}

fn main() {}
