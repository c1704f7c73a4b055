use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
enum Shape {
    #[tool(schemars)]
    Circle(u8),
}

fn main() {}
