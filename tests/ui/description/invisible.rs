use toolwright::tool;

#[tool(description = "\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}")]
fn zero_width() {}

#[tool(description = "\u{3164}\u{3164}\u{a0}\u{a0}\u{2003}\u{2003}\u{2800}\u{2800}\u{feff}\u{feff}a")]
fn almost() {}

const MARKS: &str = "\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}";

#[tool(description = MARKS)]
fn marks() {}

/// Get the current weather for a city.
#[tool(title = "\u{200b}")]
fn title() {}

fn main() {}
