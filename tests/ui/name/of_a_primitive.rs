use toolwright::tool;

/// Look up a character by its name.
#[tool]
fn char(_name: String) {}

fn first(text: &str) -> Option<char> {
    text.chars().next()
}

fn main() {}
