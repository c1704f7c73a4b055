//! The macros, documented where doctests can use the whole crate.

/// Makes a function a tool that a model may call.
///
/// The doc comment above the function tells the model what it does and when to call it, those of the
/// parameters what to send. The schema of the arguments follows from the types.
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
/// It stays an ordinary function, callable and testable as written. Beside it stands a hidden type
/// of the same name, which is what [`toolset!`](macro@crate::toolset) takes and what `use` brings along.
///
/// It may be `async` or not. One that is not blocks its thread and runs where that is allowed, unless
/// it is `inline`.
///
/// # Parameters
///
/// A parameter is an argument that the model sends: any type that is
/// [`ToolInput`](trait@crate::ToolInput) and `serde::Deserialize`. There may be 16.
///
/// - It may be borrowed: `&T`, `&[T]`, `&str`, `&Path`, and an `Option` of these, for as long as the
///   function runs. `&str`, `Cow<str>` and `&Path` stand in the call's text where it has no escapes.
/// - An `Option` may be left out, and is `None` then.
/// - `#[tool(default)]` puts in the default of the type, `#[tool(default = 5)]` a value.
/// - Its doc comment is what the model is told of it, or `#[tool(description = …)]`.
/// - `range`, `length`, `pattern`, `format` and `example` constrain it, as in
///   `#[tool(range(1..=20))]`: [Constraints](crate#constraints).
/// - `#[tool(schemars)]` takes a type that has `schemars::JsonSchema` instead of `ToolInput`, with the
///   feature `schemars`. It counts as 3 levels, or as `schemars(depth = …)` says.
/// - `#[context]` marks a parameter that the model does not see: anything that is
///   [`FromContext`](crate::tool::FromContext).
///
/// # Return types
///
/// Anything that is [`IntoToolOutput`](crate::tool::IntoToolOutput): every `Serialize` type, text as it
/// is and the rest as JSON, [`Json`](crate::tool::Json) with a schema, images. An `async fn` may also return
/// [`Updates`](crate::tool::Updates), a stream of partial results. A `Result`, under any alias, is a success or an error. An error that is
/// `Into<ToolError>` decides what the model reads. An error that is a text (`String`, `&str`,
/// `Cow<str>`) is read by the model as it is. Of any other the model reads a fixed text, and the log
/// reads the error.
///
/// # Keys
///
/// | Key | Meaning |
/// | --- | --- |
/// | `name = "…"` | the name that the model calls; by default the function's |
/// | `description = …` | instead of the doc comment: a text, a constant, `concat!`, `include_str!` |
/// | `title = "…"` | a name for people |
/// | `read_only` | it changes nothing |
/// | `idempotent` | a second call with the same arguments changes nothing more |
/// | `destructive` | it may delete or overwrite; `destructive = false`: it only adds |
/// | `open_world` | it reaches things outside, such as the web; `open_world = false`: it does not |
/// | `timeout = "5s"` | how long an attempt may take: a whole number and `ms`, `s`, `m` or `h` |
/// | `retries = 3` | how many more attempts a call gets that failed for a reason that may pass, 0 to 10; for a tool that is `read_only` or `idempotent` |
/// | `rate_limit = "30/min"` | how often calls may start, a `/s`, `/min` or `/h`; one that comes too early waits, or fails with `rate_limit("30/min", fail)` |
/// | `requires(…)` | what the application has to grant: `network`, `filesystem`, `database`, `shell`, and constants of the type [`Capabilities`](crate::tool::Capabilities) |
/// | `approval` | somebody has to approve each call |
/// | `sequential` | a call runs alone |
/// | `max_output = "32KiB"` | how much text an output may have: bytes, `KiB` or `MiB` |
/// | `polls` | the same call with the same result is to be expected |
/// | `spawn` | an `async` function computes rather than waits, and gets a task of its own |
/// | `inline` | a function that is not `async` is done at once, and runs where it is polled |
/// | `strict = "…"` | providers are to enforce the schema, by the rules of `"openai"`, `"anthropic"` or `"portable"`: [what they take](crate#schemas-that-a-provider-enforces) |
/// | `max_depth = …` | the most levels that the arguments have, from 1 to 10 |
/// | `type = …` | the name of the hidden type, where another item has the function's name |
/// | `crate = …` | where this crate is, for one that re-exports it |
///
/// `title` and the four keys after it describe the tool to programs and people
/// ([`ToolDefinition`](crate::ToolDefinition)); the four have the meaning that the Model Context
/// Protocol gives them, and what is left out is not said. `read_only` and `idempotent` also say what
/// a runner may do again ([`ToolPolicy::effects`](crate::tool::ToolPolicy::effects)). A contradiction is an
/// error. The keys from `timeout` to `spawn` are what the program that runs the tool is told of it: its
/// [`ToolPolicy`](crate::tool::ToolPolicy). The model is not told.
///
/// # Rules
///
/// Checked when the program is compiled, all at once, at the place of the mistake:
///
/// - A name is `[a-z][a-z0-9_]*`, of 1 to 64 characters.
/// - A description has 10 to 500 characters. The doc comment counts up to its first heading.
/// - The arguments have at most 10 levels. The arguments object is the first, an object inside it
///   is one more, and so is a list directly inside a list.
/// - No type contains itself.
/// - An example, and a default that is a literal or a constant, keeps its `range`, `length` and `format`. Of
///   other defaults [`testing::check`](crate::testing::check) tells in a test.
/// - The function has no generics but lifetimes, no patterns, no `self`, and is not `unsafe`.
pub use toolwright_macros::tool;

/// Makes methods tools that share the value they stand on.
///
/// It stands on an `impl` block, and `#[tool]` on each method that a model may call. The block gets
/// one more function, `into_tools`, which makes a [`Toolset`](crate::Toolset) of them.
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
/// They stay ordinary methods. One takes `&self`, because calls run side by side, or nothing to
/// stand on. Everything else is as for a function marked [`#[tool]`](macro@crate::tool), also
/// `#[cfg(…)]`, above or below the mark. Two tools of one name are an error when the program is
/// compiled.
///
/// # The block
///
/// The value is `Send + Sync + 'static`. The block may be generic, if no argument of a tool names
/// its parameters: the model is told the same for every type.
///
/// # Keys
///
/// | Key | Meaning |
/// | --- | --- |
/// | `fn = …` | what the function is called, for a second block of one type; `into_tools` by default |
/// | `crate = …` | where this crate is, for one that re-exports it |
///
/// On a method `#[tool]` knows the keys of a function, without `type` and `crate`.
pub use toolwright_macros::tools;

/// Makes a struct a tool: its fields are the arguments, and [`Execute`](crate::Execute) says what it
/// does.
///
/// Derive it together with `serde::Deserialize`. serde's attributes are read as by
/// [`ToolInput`](derive@crate::ToolInput), which this derive includes; a field with
/// `#[serde(default)]` may be left out.
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
/// They stand in `#[tool(…)]` below the derive.
///
/// | Key | Meaning |
/// | --- | --- |
/// | `name = "…"` | the name that the model calls; by default the struct's in snake case |
/// | `description = …` | instead of the doc comment: a text, a constant, `concat!`, `include_str!` |
/// | `title = "…"` | a name for people |
/// | `read_only` | it changes nothing |
/// | `idempotent` | a second call with the same arguments changes nothing more |
/// | `destructive` | it may delete or overwrite; `destructive = false`: it only adds |
/// | `open_world` | it reaches things outside, such as the web; `open_world = false`: it does not |
/// | `timeout`, `retries`, `rate_limit`, `requires`, `approval`, `sequential`, `max_output`, `polls`, `spawn` | how calls are guarded, bounded and run, as for [functions](macro@tool#keys) |
/// | `strict = "…"` | providers are to enforce the schema, by the rules of `"openai"`, `"anthropic"` or `"portable"`: [what they take](crate#schemas-that-a-provider-enforces) |
/// | `max_depth = …` | the most levels that the arguments have, from 1 to 10 |
/// | `json_schema` | the struct also gets `schemars::JsonSchema`, with the feature `schemars` |
/// | `crate = …` | where this crate is, for one that re-exports it |
///
/// The rules for a function marked [`#[tool]`](macro@crate::tool) hold here too.
pub use toolwright_macros::Tool;

/// Describes a type that may stand inside arguments: a struct or an enum, with type parameters or
/// without.
///
/// Derive it together with `serde::Deserialize`. serde's attributes are reflected in the schema:
/// `rename`, `rename_all`, `rename_all_fields`, `default`, `skip`, `alias`, `flatten`, `transparent`,
/// `deny_unknown_fields`, and the four representations of an enum (`tag`, `content`, `untagged`). One
/// that the schema cannot show is an error. Doc comments tell the model what the type, its fields and
/// its variants mean. `range`, `length`, `pattern`, `format` and `example` in `#[tool(…)]` constrain a
/// field: [Constraints](crate#constraints).
///
/// | Declared | Sent as |
/// | --- | --- |
/// | `struct` with named fields | an object |
/// | `struct` around one value | that value |
/// | `struct` with several unnamed fields | a list of them |
/// | `struct` without fields | `null` |
/// | `enum` | what serde makes of it: a text where there is no data, an object where there is |
///
/// An enum with data counts as one level, an untagged one as its deepest variant.
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
/// `#[tool(crate = …)]` on the type says where this crate is, for one that re-exports it.
/// `#[tool(json_schema)]` on the type gives it `schemars::JsonSchema` too, with the same schema, and
/// `#[tool(schemars)]` on a field takes a type that only has that trait; both need the feature
/// `schemars`.
pub use toolwright_macros::ToolInput;

/// Makes a [`Toolset`](crate::Toolset) of declared tools, functions and structs, in order.
///
/// Two tools of one name are an error when the program is compiled. `#[cfg(…)]` may stand before an
/// entry.
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
/// When a type marked `#[tool(schemars)]` cannot be an argument, which only its schema could tell:
/// [`ToolsetError::ForeignType`](crate::toolset::ToolsetError::ForeignType).
#[macro_export]
macro_rules! toolset {
    ($($entries:tt)*) => {
        $crate::__private::__toolset! { ($crate) $($entries)* }
    };
}
