use toolwright::ToolInput;

#[derive(ToolInput)]
struct City {
    #[serde(with = "module")]
    name: String,
}

fn main() {}
