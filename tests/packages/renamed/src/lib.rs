//! Every form of a tool, in a package where no crate is called `toolwright`.

#![deny(warnings, clippy::pedantic)]
#![allow(clippy::must_use_candidate)]

pub mod forbidden;

/// Under another name.
pub mod direct {
    use tw::{Execute, Tool, ToolContext, ToolError, ToolInput, Toolset, tool, tools, toolset};

    /// A text in a wrapper.
    #[derive(Debug, serde::Deserialize, ToolInput)]
    #[tool(crate = tw)]
    pub struct Wrapper<T> {
        text: String,
        times: T,
    }

    /// Say the text again.
    #[tool(crate = tw)]
    pub async fn echo(wrapper: Wrapper<u8>, #[tool(default)] loud: bool) -> String {
        std::future::ready(()).await;
        let text = wrapper.text.repeat(wrapper.times.into());
        if loud { text.to_uppercase() } else { text }
    }

    /// Say a text of the struct.
    #[derive(Debug, serde::Deserialize, Tool)]
    #[tool(crate = tw)]
    pub struct Say {
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
    }

    /// All of them.
    ///
    /// # Errors
    ///
    /// None.
    pub fn all() -> Result<Toolset, toolset::ToolsetError> {
        toolset![echo, Say].merge(Counter(1).into_tools())
    }
}

/// Through another crate.
pub mod reexported {
    use third::toolwright::{ToolInput, tool, toolset};

    /// A text in a wrapper.
    #[derive(Debug, serde::Deserialize, ToolInput)]
    #[tool(crate = third::toolwright)]
    pub struct Wrapper {
        text: String,
    }

    /// Say the text again.
    #[tool(crate = third::toolwright, name = "echo_again")]
    pub fn echo(wrapper: Wrapper) -> String {
        wrapper.text
    }

    /// All of them.
    pub fn all() -> third::toolwright::Toolset {
        toolset![echo]
    }
}

/// Written by a macro of another crate, and deprecated.
pub mod of_a_macro {
    third::old_tools!(say_old, say_later, Words, Speaker);
}

#[cfg(test)]
mod tests {
    /// What is deprecated is named in `$crate` of the macro that wrote it.
    #[test]
    #[expect(deprecated, reason = "it is what is looked at")]
    fn a_deprecated_tool_of_a_macro_is_a_tool() {
        use super::of_a_macro::{Speaker, say_later, say_old};
        use third::toolwright::toolset;

        let tools = toolset![say_old, say_later];
        let tools = tools.merge(Speaker.into_tools()).unwrap();
        let names: Vec<_> = tools.names().collect();
        assert_eq!(names, ["say_old", "say_later", "speak"]);
    }

    #[test]
    fn every_form_is_a_tool() {
        let tools = super::direct::all().unwrap();
        let tools = tools.merge(super::reexported::all()).unwrap();
        let names: Vec<_> = tools.names().collect();
        assert_eq!(names, ["echo", "say", "add", "echo_again"]);
    }

    #[test]
    fn tools_need_no_lint_to_be_allowed() {
        assert_eq!(super::forbidden::all().unwrap().len(), 5);
    }
}
