use toolwright::Tool;

/// Search the documentation, best first.
#[derive(Tool)]
struct SearchDocs {
    words: Vec<str>,
}

fn main() {}
