use toolwright::tool;

/// # Errors
///
/// Never, it cannot fail.
#[tool]
fn get_weather() {}

fn main() {}
