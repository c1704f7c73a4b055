use toolwright::ToolInput;

#[derive(ToolInput)]
enum Unit {
    Celsius,
    #[serde(other)]
    Unknown,
}

fn main() {}
