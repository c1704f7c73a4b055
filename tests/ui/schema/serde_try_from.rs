use toolwright::ToolInput;

#[derive(ToolInput)]
#[serde(try_from = "u8")]
struct Even(u8);

fn main() {}
