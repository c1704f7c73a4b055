use toolwright::{ToolInput, tool};

macro_rules! declare {
    ($($name:ident)*) => {$(
        #[derive(serde::Deserialize, ToolInput)]
        struct $name {}
    )*};
}

declare!(A B C D E F G H I J);

struct Opaque;

/// Get the weather in a city.
#[tool]
fn get_weather(_city: Vec<Option<Opaque>>) {}

fn main() {}
