//! Every form of a tool where nothing may be allowed. serde's derive allows `unused_qualifications` and
//! `non_camel_case_types` itself, so that these are forbidden for functions only.

#![forbid(
    deprecated,
    dead_code,
    missing_debug_implementations,
    missing_docs,
    single_use_lifetimes,
    unknown_lints,
    unreachable_pub,
    unused_imports,
    unused_variables,
    clippy::as_conversions,
    clippy::clone_on_ref_ptr,
    clippy::dbg_macro,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::todo,
    clippy::unreachable,
    clippy::unwrap_used
)]
#![deny(clippy::nursery, clippy::pedantic)]

use tw::{Execute, Tool, ToolContext, ToolError, ToolInput, Toolset, tools, toolset};

/// The default of a parameter.
pub const FEW: u8 = 2;

/// A text in a wrapper.
#[derive(Debug, serde::Deserialize, ToolInput)]
#[tool(crate = tw)]
pub struct Wrapper<T> {
    #[tool(length(1..=5))]
    text: String,
    times: T,
}

/// Either of two.
#[derive(Debug, serde::Deserialize, ToolInput)]
#[serde(untagged)]
#[tool(crate = tw)]
pub enum Either {
    /// A number.
    Number(u8),
    /// A text.
    Text(String),
}

/// Functions, in the stricter module.
pub mod functions {
    #![forbid(non_camel_case_types, unused_qualifications)]

    use tw::{ToolContext, ToolError, tool};

    use super::{Either, FEW, Wrapper};

    /// Say the text again.
    ///
    /// # Errors
    ///
    /// If there is nothing to say.
    #[tool(crate = tw, timeout = "5s")]
    pub async fn echo(
        wrapper: Wrapper<u8>,
        either: Vec<Either>,
        #[tool(default = FEW, range(1..=9))] times: u8,
        #[context] cx: &ToolContext,
    ) -> Result<String, ToolError> {
        std::future::ready((cx, either.len())).await;
        Ok(wrapper.text.repeat((wrapper.times + times).into()))
    }

    /// Borrow a text and count it.
    #[tool(crate = tw)]
    pub fn count(text: &str, more: Option<&str>, all: &[u8]) -> usize {
        text.len() + more.map_or(0, str::len) + all.len()
    }
}

/// Say a text of the struct.
#[derive(Debug, serde::Deserialize, Tool)]
#[tool(crate = tw)]
pub struct Say {
    #[tool(length(1..=5))]
    text: String,
}

impl Execute for Say {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(self.text)
    }
}

/// Counts.
#[derive(Debug)]
pub struct Counter(pub u8);

#[tools(crate = tw)]
impl Counter {
    /// Add to the count.
    #[tool]
    fn add(&self, n: u8) -> u8 {
        self.0 + n
    }

    /// Add to the count, later.
    #[tool]
    async fn later(&self, n: Option<Either>) -> u8 {
        std::future::ready(self.0 + u8::from(n.is_some())).await
    }
}

/// All of them.
///
/// # Errors
///
/// None.
pub fn all() -> Result<Toolset, toolset::ToolsetError> {
    toolset![functions::echo, functions::count, Say].merge(Counter(1).into_tools())
}

/// What is deprecated, which nobody of this package uses.
pub mod outdated {
    use tw::{ToolInput, tool, tools};

    /// A text with a deprecated field.
    #[derive(Debug, serde::Deserialize, ToolInput)]
    #[tool(crate = tw)]
    pub struct Note {
        /// The text.
        pub text: String,
        /// Who wrote it.
        #[deprecated]
        #[serde(default)]
        pub author: Option<String>,
    }

    /// Say the text again, as before.
    #[deprecated(note = "use `echo`")]
    #[tool(crate = tw, name = "echo_as_before")]
    #[must_use]
    pub fn echo(note: Note, #[tool(default = super::FEW, range(1..=9))] times: u8) -> String {
        note.text.repeat(times.into())
    }

    /// Say the text again, later.
    #[deprecated(note = "use `echo`")]
    #[tool(crate = tw)]
    pub async fn echo_later(note: Option<Note>, text: &str) -> String {
        std::future::ready(note.map_or(text.len(), |note| note.text.len()))
            .await
            .to_string()
    }

    /// Counts down.
    #[derive(Debug)]
    pub struct Down(pub u8);

    #[tools(crate = tw)]
    impl Down {
        /// Take from the count.
        #[deprecated]
        #[tool]
        fn take(&self, n: u8) -> u8 {
            self.0.saturating_sub(n)
        }

        /// Take from the count, later.
        #[deprecated]
        #[tool]
        async fn take_later(&self, n: u8) -> u8 {
            std::future::ready(self.0.saturating_sub(n)).await
        }
    }
}
