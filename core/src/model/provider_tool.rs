//! Tools that the provider runs itself.

use serde::{Deserialize, Serialize};

/// A tool that the provider runs itself, as a part of its response. No call of it comes to the program.
///
/// It is a setting of a request, since a toolset holds what the program runs. A provider that has no such tool leaves it out,
/// and its responses have the warning `provider_tool_ignored`.
///
/// ```
/// use toolwright::model::{FileSearch, ModelSettings, ProviderTool, WebSearch};
///
/// let settings = ModelSettings::new()
///     .with_provider_tool(WebSearch::new().with_max_uses(3).with_allowed_domains(["rust-lang.org"]))
///     .with_provider_tool(FileSearch::new(["vs_123"]))
///     .with_provider_tool(ProviderTool::CodeExecution);
/// assert_eq!(settings.provider_tools.len(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ProviderTool {
    /// A search of the web.
    WebSearch(WebSearch),
    /// Code that the model writes and the provider runs, in a container without access to the program.
    CodeExecution,
    /// A search of files that were uploaded to the provider before.
    FileSearch(FileSearch),
}

/// A search of the web. Bounds that a provider does not know are left out, with the warning `provider_tool_changed`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct WebSearch {
    /// The limit on the searches for one response; none by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_uses: Option<u32>,
    /// The only domains that are searched; all by default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed_domains: Vec<String>,
    /// Domains that are not searched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocked_domains: Vec<String>,
}

/// A search of files that were uploaded to the provider before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FileSearch {
    /// The provider's names of the stores that are searched.
    pub stores: Vec<String>,
    /// The limit on the passages that are found; the provider's by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_results: Option<u32>,
}

impl ProviderTool {
    /// Returns the name of the kind of tool, as it is stored.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::WebSearch(_) => "web_search",
            Self::CodeExecution => "code_execution",
            Self::FileSearch(_) => "file_search",
        }
    }
}

impl WebSearch {
    /// A search of the whole web.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the limit on the searches for one response.
    pub fn with_max_uses(mut self, uses: u32) -> Self {
        self.max_uses = Some(uses);
        self
    }

    /// Sets the only domains that are searched, such as `rust-lang.org`.
    pub fn with_allowed_domains<D: Into<String>>(
        mut self,
        domains: impl IntoIterator<Item = D>,
    ) -> Self {
        self.allowed_domains = domains.into_iter().map(Into::into).collect();
        self
    }

    /// Sets domains that are not searched.
    pub fn with_blocked_domains<D: Into<String>>(
        mut self,
        domains: impl IntoIterator<Item = D>,
    ) -> Self {
        self.blocked_domains = domains.into_iter().map(Into::into).collect();
        self
    }
}

impl FileSearch {
    /// A search of these stores.
    pub fn new<S: Into<String>>(stores: impl IntoIterator<Item = S>) -> Self {
        Self {
            stores: stores.into_iter().map(Into::into).collect(),
            max_results: None,
        }
    }

    /// Sets the limit on the passages that are found.
    pub fn with_max_results(mut self, results: u32) -> Self {
        self.max_results = Some(results);
        self
    }
}

impl From<WebSearch> for ProviderTool {
    fn from(search: WebSearch) -> Self {
        Self::WebSearch(search)
    }
}

impl From<FileSearch> for ProviderTool {
    fn from(search: FileSearch) -> Self {
        Self::FileSearch(search)
    }
}
