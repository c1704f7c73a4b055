use toolwright::ToolInput;

#[derive(ToolInput)]
struct Query {
    text: String,
    since: std::time::Instant,
}

fn main() {}
