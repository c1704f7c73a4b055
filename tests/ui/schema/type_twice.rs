use toolwright::ToolInput;

#[derive(ToolInput)]
struct Place {
    city: String,
}

#[derive(ToolInput)]
struct Place {
    country: String,
}

fn main() {}
