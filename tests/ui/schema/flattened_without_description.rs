use toolwright::ToolInput;

struct Page {
    _page: u32,
}

#[derive(ToolInput)]
struct Search {
    _words: String,
    #[serde(flatten)]
    _page: Page,
}

fn main() {}
