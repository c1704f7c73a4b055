use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
struct Days {
    #[tool(rnage(1..=14))]
    count: u8,
}

fn forecast(days: Days, city: City) -> Weather {
    predict(days, city)
}

fn main() {}
