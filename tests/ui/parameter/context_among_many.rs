use toolwright::{ToolContext, ToolError, tool, tool::FromContext};

macro_rules! take {
    ($($name:ident)*) => {$(
        struct $name;
        impl<'cx> FromContext<'cx> for $name {
            fn from_context(_: &'cx ToolContext) -> Result<Self, ToolError> {
                Ok(Self)
            }
        }
    )*};
}

take!(A B C D E F G H I J);

struct Db;

/// Get the weather in a city.
#[tool]
fn get_weather(#[context] _db: Db) {}

fn main() {}
