//! The macros, documented where doctests can use the whole crate.

/// Makes a function a tool that a model may call.
///
/// The doc comment of the function tells the model what the tool does and when to call it. The doc comments of
/// the parameters describe the arguments. The schema of the arguments follows from the types.
///
/// ```
/// use toolwright::{ToolContext, ToolError, ToolInput, tool, toolset};
///
/// #[derive(Debug, Default, serde::Deserialize, ToolInput)]
/// #[serde(rename_all = "lowercase")]
/// enum Unit {
///     #[default]
///     Celsius,
///     Fahrenheit,
/// }
///
/// /// Get the current weather for a city.
/// #[tool]
/// async fn get_weather(
///     /// City and country, for example "Oslo, Norway".
///     city: String,
///     /// Unit of the temperature.
///     #[tool(default)]
///     unit: Unit,
///     #[context] cx: &ToolContext,
/// ) -> Result<String, ToolError> {
///     if cx.is_cancelled() {
///         return Err(ToolError::cancelled("stopped"));
///     }
///     Ok(format!("11 degrees {unit:?} in {city}"))
/// }
///
/// let tools = toolset![get_weather];
/// let definition = tools.definitions().next().unwrap();
/// assert_eq!(definition.name, "get_weather");
/// assert_eq!(definition.description, "Get the current weather for a city.");
/// assert_eq!(definition.input_schema.to_value()["required"], serde_json::json!(["city"]));
/// ```
///
/// # The function
///
/// The function stays an ordinary function, which can be called and tested. The macro adds a hidden type of the
/// same name, which [`toolset!`](macro@crate::toolset) takes and `use` imports with the function.
///
/// The function may be `async`. Otherwise it runs on a thread that may block, unless it is `inline`.
///
/// # Parameters
///
/// A parameter is an argument that the model sends. Its type implements
/// [`ToolInput`](trait@crate::ToolInput) and `serde::Deserialize`. A function has at most 16 of them.
///
/// - A parameter may borrow while the function runs: `&T`, `&[T]`, `&str`, `&Path`, and an `Option` of
///   these. `&str`, `Cow<str>` and `&Path` borrow from the JSON of the call if the string has no escapes.
/// - An `Option` may be omitted, and is `None` then.
/// - `#[tool(default)]` supplies the default of the type, `#[tool(default = 5)]` a value.
/// - The doc comment or `#[tool(description = …)]` describes the parameter to the model.
/// - `range`, `length`, `pattern`, `format` and `example` constrain the parameter, as in
///   `#[tool(range(1..=20))]`: [Constraints](crate::guide::types#constraints).
/// - `#[tool(schemars)]` accepts a type that implements `schemars::JsonSchema` instead of `ToolInput`, with
///   the feature `schemars`. It counts as 3 levels, or as many as `schemars(depth = …)` says.
/// - `#[context]` marks a parameter that the model does not see, of any type that implements
///   [`FromContext`](crate::tool::FromContext).
///
/// # Return types
///
/// A tool returns any type that implements [`IntoToolOutput`](crate::tool::IntoToolOutput): a string, which is
/// sent as it is, another `Serialize` type, which is sent as JSON, [`Json`](crate::tool::Json) with a schema,
/// or an image. An `async fn` may also return [`Updates`](crate::tool::Updates), a stream of partial results.
///
/// A `Result`, under any alias, is a success or an error. An error that is `Into<ToolError>` decides what the
/// model reads. The model reads a string (`String`, `&str`, `Cow<str>`) as it is. For any other error it reads
/// a fixed text, and the log gets the error.
///
/// # Keys
///
/// | Key | Meaning |
/// | --- | --- |
/// | `name = "…"` | the name that the model calls; the function's by default |
/// | `description = …` | the description instead of the doc comment: a string, a constant, `concat!`, `include_str!` |
/// | `title = "…"` | a name for people |
/// | `read_only` | the tool changes nothing |
/// | `idempotent` | a second call with the same arguments changes nothing more |
/// | `destructive` | the tool may delete or overwrite; `destructive = false`: it only adds |
/// | `open_world` | the tool reaches things outside, such as the web; `open_world = false`: it does not |
/// | `timeout = "5s"` | time limit of an attempt: a whole number and `ms`, `s`, `m` or `h` |
/// | `retries = 3` | number of further attempts after a failure that may pass, 0 to 10; for a tool that is `read_only` or `idempotent` |
/// | `rate_limit = "30/min"` | limit on the starts of calls, per `/s`, `/min` or `/h`; a call beyond it waits, or fails with `rate_limit("30/min", fail)` |
/// | `requires(…)` | capabilities that the application must grant: `network`, `filesystem`, `database`, `shell`, and constants of the type [`Capabilities`](crate::tool::Capabilities) |
/// | `approval` | each call needs an approval |
/// | `sequential` | a call runs alone |
/// | `max_output = "32KiB"` | limit on the text of an output: bytes, `KiB` or `MiB` |
/// | `polls` | calls may repeat with the same result |
/// | `ends_run` | a result is the answer of the run, which ends with it |
/// | `deferred` | the model reads the definition only when it has looked for it: [tools on demand](crate::guide::tools_on_demand) |
/// | `spawn` | an `async` function that computes gets a task of its own |
/// | `inline` | a function that is not `async` returns at once, and runs where it is polled |
/// | `strict = "…"` | providers enforce the schema, by the rules of `"openai"`, `"anthropic"` or `"portable"`: [strict tools](crate::guide::profiles#strict-tools) |
/// | `max_depth = …` | maximum number of levels of the arguments, from 1 to 10 |
/// | `type = …` | the name of the hidden type, where another item has the function's name |
/// | `crate = …` | the path of this crate, for a crate that re-exports it |
///
/// `title` and the next four keys describe the tool to programs and people
/// ([`ToolDefinition`](crate::ToolDefinition)). The four have their meaning in the Model Context Protocol; without
/// a key, the definition says nothing about it. `read_only` and `idempotent` also decide if a runner may repeat a
/// call ([`ToolPolicy::effects`](crate::tool::ToolPolicy::effects)). A contradiction is an error. The keys from
/// `timeout` to `spawn`, without `deferred`, are the [`ToolPolicy`](crate::tool::ToolPolicy), for the program that runs the tool. The
/// model does not see it.
///
/// # Rules
///
/// The compiler checks these rules and reports all mistakes at once, each at its place:
///
/// - A name is `[a-z][a-z0-9_]*`, of 1 to 64 characters.
/// - A description has 10 to 500 characters. The doc comment counts up to its first heading.
/// - The arguments have at most 10 levels. The arguments object is the first. An object inside it is one more, and
///   so is an array directly inside an array.
/// - No type contains itself.
/// - An example, and a default that is a literal or a constant, fits its `range`, `length` and `format`.
///   [`testing::check`](crate::testing::check) checks other defaults in a test.
/// - The function has no generics except lifetimes, no patterns, no `self`, and is not `unsafe`.
pub use toolwright_macros::tool;

/// Makes methods tools that share their value.
///
/// `#[tools]` marks an `impl` block, and `#[tool]` each method that a model may call. The macro adds the function
/// `into_tools`, which returns a [`Toolset`](crate::Toolset) of them.
///
/// ```
/// use toolwright::{ToolError, tools, toolset};
///
/// struct Shop {
///     products: Vec<&'static str>,
/// }
///
/// #[tools]
/// impl Shop {
///     /// Find products by a word in their name.
///     #[tool]
///     async fn find_products(&self, word: String) -> Vec<&'static str> {
///         self.products.iter().copied().filter(|name| name.contains(&word)).collect()
///     }
///
///     /// Tell when the shop is open.
///     #[tool]
///     fn opening_hours() -> &'static str {
///         "9 to 17, every day"
///     }
///
///     fn not_a_tool(&self) -> usize {
///         self.products.len()
///     }
/// }
///
/// let shop = Shop { products: vec!["tea pot", "coffee pot"] };
/// assert_eq!(shop.not_a_tool(), 2);
/// let tools = toolset![].merge(shop.into_tools())?;
/// assert_eq!(tools.names().collect::<Vec<_>>(), ["find_products", "opening_hours"]);
/// # Ok::<(), toolwright::toolset::ToolsetError>(())
/// ```
///
/// # The methods
///
/// They stay ordinary methods. A method takes `&self`, because calls run in parallel, or no receiver. All rules of
/// [`#[tool]`](macro@crate::tool) on a function apply. `#[cfg(…)]` may be above or below `#[tool]`. Two tools with
/// one name are a compile error.
///
/// # The block
///
/// The value is `Send + Sync + 'static`. The block may be generic, if no argument of a tool names its type
/// parameters: the schema is the same for every type.
///
/// # Keys
///
/// | Key | Meaning |
/// | --- | --- |
/// | `fn = …` | the name of the function, for a second block of one type; `into_tools` by default |
/// | `crate = …` | the path of this crate, for a crate that re-exports it |
///
/// `#[tool]` on a method accepts the keys of a function, except `type` and `crate`.
pub use toolwright_macros::tools;

/// Makes a struct a tool: its fields are the arguments, and [`Execute`](crate::Execute) runs the call.
///
/// Derive it together with `serde::Deserialize`. This derive includes [`ToolInput`](derive@crate::ToolInput) and
/// reads serde's attributes in the same way; a field with `#[serde(default)]` may be omitted.
///
/// ```
/// use toolwright::{Execute, Tool, ToolContext, ToolError, toolset};
///
/// /// Search the documentation and return the best passages.
/// #[derive(serde::Deserialize, Tool)]
/// #[tool(name = "search_docs")]
/// struct Search {
///     /// What to look for.
///     query: String,
///     /// How many passages to return.
///     #[serde(default = "three")]
///     limit: u8,
/// }
///
/// fn three() -> u8 {
///     3
/// }
///
/// impl Execute for Search {
///     type Output = Vec<String>;
///
///     async fn execute(self, cx: &ToolContext) -> Result<Vec<String>, ToolError> {
///         Ok((1..=self.limit).map(|rank| format!("{} ({rank})", self.query)).collect())
///     }
/// }
///
/// let tools = toolset![Search];
/// assert_eq!(tools.names().collect::<Vec<_>>(), ["search_docs"]);
/// ```
///
/// # Keys
///
/// Keys are in `#[tool(…)]` below the derive.
///
/// | Key | Meaning |
/// | --- | --- |
/// | `name = "…"` | the name that the model calls; the struct's in snake case by default |
/// | `description = …` | the description instead of the doc comment: a string, a constant, `concat!`, `include_str!` |
/// | `title = "…"` | a name for people |
/// | `read_only` | the tool changes nothing |
/// | `idempotent` | a second call with the same arguments changes nothing more |
/// | `destructive` | the tool may delete or overwrite; `destructive = false`: it only adds |
/// | `open_world` | the tool reaches things outside, such as the web; `open_world = false`: it does not |
/// | `timeout`, `retries`, `rate_limit`, `requires`, `approval`, `sequential`, `max_output`, `polls`, `ends_run`, `spawn` | the policy of the tool, as for [functions](macro@tool#keys) |
/// | `deferred` | the model reads the definition only when it has looked for it: [tools on demand](crate::guide::tools_on_demand) |
/// | `external` | the application answers the calls: a run waits for the answer, and is suspended meanwhile; `timeout`, `retries`, `rate_limit` and `spawn` are errors beside it |
/// | `strict = "…"` | providers enforce the schema, by the rules of `"openai"`, `"anthropic"` or `"portable"`: [strict tools](crate::guide::profiles#strict-tools) |
/// | `max_depth = …` | maximum number of levels of the arguments, from 1 to 10 |
/// | `json_schema` | the struct also implements `schemars::JsonSchema`, with the feature `schemars` |
/// | `crate = …` | the path of this crate, for a crate that re-exports it |
///
/// The rules for functions marked [`#[tool]`](macro@crate::tool) apply here too.
pub use toolwright_macros::Tool;

/// Gives a schema to a type inside arguments: a struct or an enum, with or without type parameters.
///
/// Derive it together with `serde::Deserialize`. The schema follows serde's attributes: `rename`, `rename_all`,
/// `rename_all_fields`, `default`, `skip`, `alias`, `flatten`, `transparent`, `deny_unknown_fields`, and the four
/// representations of an enum (`tag`, `content`, `untagged`). An attribute that a schema cannot express is an
/// error. Doc comments describe the type, its fields and its variants to the model. `range`, `length`, `pattern`,
/// `format` and `example` in `#[tool(…)]` constrain a field: [Constraints](crate::guide::types#constraints).
///
/// | Declaration | JSON |
/// | --- | --- |
/// | `struct` with named fields | an object |
/// | `struct` around one value | that value |
/// | `struct` with several unnamed fields | an array of them |
/// | `struct` without fields | `null` |
/// | `enum` | serde's form: a string without data, an object with data |
///
/// An enum with data counts as one level, an untagged enum as its deepest variant.
///
/// ```
/// use toolwright::{ToolInput, tool, toolset};
///
/// /// A span of days.
/// #[derive(serde::Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Span {
///     /// The first day, such as 2026-03-01.
///     from: String,
///     #[serde(default)]
///     days: u8,
/// }
///
/// /// List what is in the calendar.
/// #[tool]
/// fn list_events(span: Span) -> Vec<String> {
///     vec![format!("{} and {} more days", span.from, span.days)]
/// }
///
/// let tools = toolset![list_events];
/// assert_eq!(
///     tools.definitions().next().unwrap().input_schema.as_str(),
///     concat!(
///         r#"{"type":"object","properties":{"span":{"type":"object","properties":{"#,
///         r#""from":{"type":"string","description":"The first day, such as 2026-03-01."},"#,
///         r#""days":{"type":"integer","minimum":0,"maximum":255}},"required":["from"],"#,
///         r#""additionalProperties":false,"description":"A span of days."}},"#,
///         r#""required":["span"],"additionalProperties":false}"#,
///     )
/// );
/// ```
///
/// `#[tool(crate = …)]` on the type is the path of this crate, for a crate that re-exports it.
/// `#[tool(json_schema)]` on the type also implements `schemars::JsonSchema`, with the same schema.
/// `#[tool(schemars)]` on a field accepts a type that implements only that trait. Both need the feature
/// `schemars`.
pub use toolwright_macros::ToolInput;

/// Creates a [`Toolset`](crate::Toolset) of declared tools, functions and structs, in order.
///
/// Two tools with one name are a compile error. `#[cfg(…)]` may be before an entry.
///
/// ```
/// use toolwright::{tool, toolset};
///
/// mod text {
///     /// Count the words of a text.
///     #[toolwright::tool]
///     pub fn count_words(text: String) -> usize {
///         text.split_whitespace().count()
///     }
/// }
///
/// /// Add two numbers exactly.
/// #[tool]
/// fn add(a: i64, b: i64) -> Option<i64> {
///     a.checked_add(b)
/// }
///
/// let tools = toolset![text::count_words, add, #[cfg(windows)] open_registry];
/// assert_eq!(tools.names().collect::<Vec<_>>(), ["count_words", "add"]);
/// ```
///
/// # Panics
///
/// Panics if a type marked `#[tool(schemars)]` cannot be an argument, which only its schema shows:
/// [`ToolsetError::ForeignType`](crate::toolset::ToolsetError::ForeignType).
#[macro_export]
macro_rules! toolset {
    ($($entries:tt)*) => {
        $crate::__private::__toolset! { ($crate) $($entries)* }
    };
}
