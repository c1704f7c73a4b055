//! Re-exports toolwright, as a framework on top of it would, and writes tools.

pub use toolwright;

/// A text, as the tools of this crate take it.
pub type Text = String;

/// Words that a tool repeats.
pub const TIMES: u8 = 2;

/// Writes tools that are deprecated: what they name is found in this crate.
#[macro_export]
macro_rules! old_tools {
    ($say:ident, $later:ident, $Words:ident, $Speaker:ident) => {
        /// Say a text again.
        #[deprecated(note = "say nothing")]
        #[$crate::toolwright::tool(crate = $crate::toolwright)]
        pub fn $say(
            text: $crate::Text,
            #[tool(default = $crate::TIMES)] times: u8,
        ) -> $crate::Text {
            text.repeat(times.into())
        }

        /// Says texts.
        #[derive(Debug)]
        pub struct $Speaker;

        #[$crate::toolwright::tools(crate = $crate::toolwright)]
        impl $Speaker {
            /// Speak a text aloud.
            #[deprecated]
            #[tool]
            fn speak(&self, text: $crate::Text) -> $crate::Text {
                text.to_uppercase()
            }
        }

        /// Words with a field that is deprecated. serde's derive would name it in the words of the macro.
        #[derive(Debug, $crate::toolwright::ToolInput)]
        #[tool(crate = $crate::toolwright)]
        pub struct $Words {
            /// The text.
            #[deprecated]
            pub text: $crate::Text,
        }

        impl<'de> serde::Deserialize<'de> for $Words {
            #[expect(deprecated, reason = "it is read here")]
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = serde::Deserialize::deserialize(deserializer)?;
                Ok(Self { text })
            }
        }

        /// Say a text again, later.
        #[deprecated]
        #[$crate::toolwright::tool(crate = $crate::toolwright)]
        pub async fn $later(words: $Words, all: Vec<$crate::Text>) -> $crate::Text {
            std::future::ready((words, all.len())).await;
            $crate::Text::new()
        }
    };
}
