use toolwright::tool;

type T = u8;

/// Get the weather at some times.
#[tool]
fn get_weather(_at: (T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T)) {}

fn main() {}
