use toolwright::{ToolError, tool::Extension, tools};

struct Opaque;
struct Db;
struct Desk;

#[tools]
impl Desk {
    #[tool]
    fn get_weather(
        &mut self,
        _city: Opaque,
        #[tool(length(1..=3))] _days: u8,
        #[tool(default = "five")] _hours: u8,
        #[context] _db: Extension<Db>,
    ) -> Result<Opaque, ToolError> {
        Ok(Opaque)
    }
}

fn main() {}
