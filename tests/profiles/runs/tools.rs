//! The tools of the runs.

use toolwright::{Toolset, message::Image, tool, toolset};

/// Get the weather in a city as it is now.
#[tool(read_only, strict = "portable")]
fn get_weather(
    /// The city, for example "Oslo".
    city: String,
) -> String {
    format!("rain in {city}")
}

/// Show a place as it looks now, in a picture.
#[tool(read_only)]
fn show_place(
    /// The place, for example "Oslo harbour".
    place: Option<String>,
) -> Image {
    let _ = place;
    Image::from_bytes("image/png", b"\x89PNG")
}

/// Describe a place as it looks now.
#[tool(read_only)]
fn describe_place(
    /// The place, for example "Oslo harbour".
    place: Option<String>,
) -> String {
    format!("{place:?} is grey")
}

pub(super) fn with_images() -> Toolset {
    toolset![get_weather, show_place]
}

/// The double knows images of Ollama by the type that they have in the SDK before it writes them.
pub(super) fn without_images() -> Toolset {
    toolset![get_weather, describe_place]
}
