//! Tools that a provider ran itself and sources that it cites, for display.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// An activity of the provider during a response, for display: a tool that it ran, or a source that it cites.
///
/// It is sent to no model. The data that the provider needs back is an [`Opaque`](super::Opaque) part beside it.
/// Elsewhere called annotations, citations or grounding.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ProviderActivity {
    /// A tool that the provider runs itself.
    Tool(ToolActivity),
    /// A source of the text.
    Citation(Citation),
}

/// A tool that a provider runs itself. It is reported again, with the same id, when it has its result.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ToolActivity {
    /// The kind of tool: `web_search`, `code_execution`, `file_search`, `tool_search`, or else the provider's own word.
    pub kind: String,
    /// The name of the tool, if its kind has several: that of a tool of an MCP server, or that of the server whose tools
    /// are listed; else empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The provider's id; empty if it gave none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The query, the code, the commands or the arguments, up to 16 KiB; empty if the provider does not report it. Several
    /// queries are lines.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub input: String,
    /// The output of code or of an MCP server, up to 16 KiB; empty if there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// The sources that a search has found, up to 100.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// True if it has its result.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_over: bool,
    /// True if the provider says that it failed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// The provider's word for the error, or the exit code of a program other than 0; else empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub error: String,
}

/// A page or a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Source {
    /// The address; empty for a file that has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// The title of a page, or the name of a file; empty if it is unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
}

/// A source of the text before it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Citation {
    /// The source.
    pub source: Source,
    /// The bytes of [`ModelResponse::text`](crate::ModelResponse::text) that the source is for, if the provider reports
    /// them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range<usize>>,
    /// The cited text of the source, up to 16 KiB; empty if it is unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub quote: String,
}

impl ProviderActivity {
    /// The size of its texts, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let of = |source: &Source| source.url.len() + source.title.len();
        match self {
            Self::Tool(tool) => {
                let sources: usize = tool.sources.iter().map(of).sum();
                tool.input.len() + tool.output.len() + tool.error.len() + sources
            }
            Self::Citation(citation) => of(&citation.source) + citation.quote.len(),
        }
    }
}

impl ToolActivity {
    /// A tool of a kind that has begun.
    pub fn new(kind: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            ..Self::default()
        }
    }
}

impl Source {
    /// A source with an address.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            title: String::new(),
        }
    }

    /// Sets the title.
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }
}

impl Citation {
    /// A citation of a source.
    pub fn new(source: Source) -> Self {
        Self {
            source,
            ..Self::default()
        }
    }

    /// Returns the citations of a response, or of a message, in order.
    ///
    /// ```
    /// use toolwright::{ModelResponse, message::{Citation, Part, ProviderActivity, Source}};
    ///
    /// let mut citation = Citation::new(Source::new("https://rust-lang.org").with_title("Rust"));
    /// citation.range = Some(0..4);
    /// let response = ModelResponse::new(vec![
    ///     Part::Text("Rust 1.95.".to_owned()),
    ///     Part::Activity(Box::new(ProviderActivity::Citation(citation))),
    /// ]);
    /// for citation in Citation::all(&response.parts) {
    ///     let range = citation.range.clone().unwrap_or_default();
    ///     assert_eq!(response.text.get(range), Some("Rust"));
    /// }
    /// ```
    pub fn all(parts: &[super::Part]) -> impl Iterator<Item = &Self> {
        parts.iter().filter_map(|part| match part {
            super::Part::Activity(activity) => match &**activity {
                ProviderActivity::Citation(citation) => Some(citation),
                ProviderActivity::Tool(_) => None,
            },
            _ => None,
        })
    }
}
