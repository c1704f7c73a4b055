use toolwright::tool;

#[derive(serde::Deserialize)]
struct Place;

/// Get the current weather at a place.
#[tool]
fn get_weather(#[tool(schemar)] place: Place) {
    drop(place);
}

fn main() {}
