#![allow(dead_code, unused_variables)]

use std::rc::Rc;
use toolwright::{ToolContext, ToolError, tool, tools, tool::CancellationToken, tool::Extension, tool::ExtensionRef, tool::FromContext};

struct Pool;

/// Get the current weather for a city.
#[tool]
async fn get_weather(#[context] pool: Pool) {}

/// Get the current weather for a city.
#[tool]
async fn context_option_of_another_type(#[context] stop: Option<CancellationToken>) {}

struct Db;

/// Get the weather in a city.
#[tool]
fn context_borrows_another_type(#[context] _db: &Db) {}

struct ContextExtensionWithoutClone;

/// Get the weather in a city.
#[tool]
fn context_extension_without_clone(#[context] _db: Extension<ContextExtensionWithoutClone>) {}

/// Get the weather in a city.
#[tool]
fn context_extension_of_one_thread(#[context] _db: ExtensionRef<'_, Rc<u8>>) {}

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

struct ContextAmongMany;

/// Get the weather in a city.
#[tool]
fn context_among_many(#[context] _db: ContextAmongMany) {}

struct User;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    async fn find(&self, #[context] user: User) {}
}

fn main() {}
