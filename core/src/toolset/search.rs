//! A search among tools: the trait for any, and ours by what the definitions say.
//!
//! In ours the rank of a tool is its score by BM25, with a weight for each field: names say most, descriptions of parameters
//! least. See Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", section 3.6.

mod index;
mod words;

use std::{sync::Arc, time::Duration};

pub(super) use index::SearchIndex;

use super::Toolset;
use crate::{
    ToolError,
    tool::{BoxFuture, ToolDefinition},
};

/// A search among deferred tools, for the tool `search_tools` of a runner. Set it by
/// [`Toolset::with_search`]; the default is [`WordSearch`].
///
/// ```
/// use toolwright::{ToolError, Toolset, tool::BoxFuture, toolset::ToolSearch};
///
/// /// Asks a service that compares embeddings.
/// struct Embeddings;
///
/// # async fn ask_service(_: &str) -> Result<Vec<String>, std::io::Error> { Ok(Vec::new()) }
/// impl ToolSearch for Embeddings {
///     fn search<'a>(
///         &'a self,
///         tools: &'a Toolset,
///         query: &'a str,
///         limit: usize,
///     ) -> BoxFuture<'a, Result<Vec<String>, ToolError>> {
///         Box::pin(async move {
///             match ask_service(query).await {
///                 Ok(names) => Ok(names),
///                 // Without the service, the words of the definitions have to do.
///                 Err(_) => {
///                     let found = tools.search(query, limit).into_iter();
///                     Ok(found.map(|tool| tool.name.to_string()).collect())
///                 }
///             }
///         })
///     }
/// }
/// ```
pub trait ToolSearch: Send + Sync + 'static {
    /// Returns the names of the tools that fit a query best, the best first. `tools` has the deferred tools of the run.
    /// Names that are not in it are left out of the result, as are those beyond `limit`.
    ///
    /// # Errors
    ///
    /// When it cannot search. The model reads the error as the result of its call, as it does that of any tool.
    ///
    /// # Cancel safety
    ///
    /// The future is dropped when the run is cancelled, and when the [time limit](Self::time_limit) is over.
    fn search<'a>(
        &'a self,
        tools: &'a Toolset,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<String>, ToolError>>;

    /// The time limit of a search; 10 seconds by default. The model reads an error when it is over.
    fn time_limit(&self) -> Duration {
        Toolset::SEARCH_TIME
    }
}

/// The search by [words](Toolset::search).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WordSearch;

impl ToolSearch for WordSearch {
    fn search<'a>(
        &'a self,
        tools: &'a Toolset,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<String>, ToolError>> {
        let found = tools.search(query, limit).into_iter();
        let names = found.map(|tool| tool.name.to_string()).collect();
        Box::pin(std::future::ready(Ok(names)))
    }
}

impl Toolset {
    /// The default time limit of a [`ToolSearch`].
    pub const SEARCH_TIME: Duration = Duration::from_secs(10);

    /// Sets the search among the [deferred](Self::deferred) tools. It is used in the place of the provider's search, too.
    ///
    /// Sets that are made of this one have it as well; [`merge`](Self::merge) takes that of the first set that has one.
    pub fn with_search(mut self, search: impl ToolSearch) -> Self {
        Arc::make_mut(&mut self.inner).search = Some(Arc::new(search));
        self
    }

    /// The search that was set.
    #[doc(hidden)]
    pub fn own_search(&self) -> Option<&Arc<dyn ToolSearch>> {
        self.inner.search.as_ref()
    }

    /// Returns the definitions that fit a text best, the best first: by the words of their names, titles, descriptions and
    /// parameters, and by words that begin alike. Definitions that have none of them are left out. Equal ones stay in the
    /// order of the set.
    ///
    /// The set is indexed at the first search. What is searched for is the beginning of the text, up to 64 different
    /// words.
    ///
    /// ```
    /// use toolwright::{tool, toolset};
    ///
    /// /// Convert an amount of money to another currency.
    /// #[tool(read_only)]
    /// fn convert_currency(amount: f64, to: String) -> f64 {
    ///     amount
    /// }
    ///
    /// /// Get the weather of a city.
    /// #[tool(read_only)]
    /// fn get_weather(city: String) -> String {
    ///     city
    /// }
    ///
    /// let tools = toolset![get_weather, convert_currency];
    /// let found = tools.search("Which currencies can I convert?", 5);
    /// assert_eq!(found.len(), 1);
    /// assert_eq!(found[0].name, "convert_currency");
    /// ```
    pub fn search(&self, text: &str, limit: usize) -> Vec<&ToolDefinition> {
        let index = self
            .inner
            .index
            .get_or_init(|| SearchIndex::of(self.definitions()));
        let found = index.search(text, limit).into_iter();
        found
            .map(|place| self.inner.tools[place].definition())
            .collect()
    }
}
