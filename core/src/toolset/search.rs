//! A search among tools, by what their definitions say.
//!
//! The rank of a tool is its score by BM25, with a weight for each field: names say most, descriptions of parameters
//! least. See Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", section 3.6.

mod index;
mod words;

pub(super) use index::SearchIndex;

use super::Toolset;
use crate::tool::ToolDefinition;

impl Toolset {
    /// Returns the definitions that fit a text best, the best first: by the words of their names, titles, descriptions and
    /// parameters. Definitions that have none of the words are left out. Equal ones stay in the order of the set.
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
