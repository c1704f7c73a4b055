//! Runners with tools that take what nobody puts into the context.

use std::sync::Arc;

use toolwright::{
    Execute, ModelResponse, Runner, Tool, ToolContext, ToolError, Toolset,
    dispatch::CallOptions,
    middleware::{self, Next},
    runner::{BuildError, RunnerBuilder},
    testing::ScriptedModel,
    tool,
    tool::{Extension, ExtensionRef, ExtensionType, FromContext, Strict},
    tools, toolset,
    toolset::ToolRegistry,
};

#[derive(Clone)]
struct Db;

#[derive(Clone)]
struct User;

/// Its name says nothing of what it is.
type Pool = Extension<Arc<Db>>;

/// Count the rows of a table.
#[tool(read_only)]
fn cloned(#[context] pool: Pool, table: String) -> usize {
    let _ = pool;
    table.len()
}

/// Count the columns of a table.
#[tool(read_only)]
async fn borrowed(#[context] user: ExtensionRef<'_, User>, #[context] cx: &ToolContext) -> bool {
    let _ = user;
    cx.is_cancelled()
}

/// Say who asks, if that is known.
#[tool(read_only)]
fn optional(#[context] user: Option<Extension<User>>, #[context] cx: ToolContext) -> bool {
    let _ = cx;
    user.is_some()
}

/// What an application takes from the context by itself.
struct Name<'cx>(&'cx User);

impl<'cx> FromContext<'cx> for Name<'cx> {
    const EXTENSION: Option<fn() -> ExtensionType> = Some(ExtensionType::of::<User>);

    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        cx.require::<User>().map(Self)
    }
}

/// Say the name of who asks.
#[tool(read_only)]
fn extracted(#[context] name: Name<'_>) -> bool {
    let Name(User) = name;
    true
}

/// Close the shop.
#[derive(serde::Deserialize, Tool)]
struct Close {
    /// True to close it today.
    now: bool,
}

impl Execute for Close {
    type Output = bool;

    fn extensions() -> Vec<ExtensionType> {
        vec![ExtensionType::of::<User>()]
    }

    async fn execute(self, cx: &ToolContext) -> Result<bool, ToolError> {
        cx.require::<User>().map(|_| self.now)
    }
}

struct Shop;

#[tools]
impl Shop {
    /// Open the shop.
    #[tool]
    #[expect(clippy::unused_self, reason = "a tool of a block takes `self`")]
    fn open(&self, #[context] user: Extension<User>) -> bool {
        let _ = user;
        true
    }

    /// Look at the shop.
    #[tool(read_only)]
    #[expect(clippy::unused_self, reason = "a tool of a block takes `self`")]
    fn look(&self) -> bool {
        true
    }
}

/// A model that nobody asks.
fn silent() -> ScriptedModel {
    ScriptedModel::new([ModelResponse::from_text("")])
}

fn builder(tools: Toolset) -> RunnerBuilder {
    Runner::builder(silent()).tools(tools)
}

fn missing(built: Result<Runner, BuildError>) -> (String, &'static str) {
    match built {
        Err(BuildError::NoExtension { name, extension }) => (name, extension),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was built"),
    }
}

#[test]
fn a_tool_says_what_it_takes() {
    let user = std::any::type_name::<User>();
    for (tools, name) in [
        (toolset![optional, borrowed], "borrowed"),
        (toolset![extracted], "extracted"),
        (toolset![Close], "close"),
        (Shop.into_tools(), "open"),
    ] {
        let of_all = tools.iter().flat_map(Tool::extensions);
        assert_eq!(of_all.collect::<Vec<_>>(), [ExtensionType::of::<User>()]);
        let built = builder(tools.clone()).build();
        assert_eq!(missing(built), (name.to_owned(), user));
        let given = CallOptions::new().with_extension(User);
        assert!(builder(tools.clone()).calls(given).build().is_ok());
        assert!(builder(tools).request_extension::<User>().build().is_ok());
    }
    let (name, extension) = missing(builder(toolset![cloned]).build());
    assert_eq!(
        (&*name, extension),
        ("cloned", std::any::type_name::<Arc<Db>>())
    );
    let other = CallOptions::new().with_extension(Db);
    missing(builder(toolset![cloned]).calls(other).build());
    assert!(builder(toolset![optional]).build().is_ok());
}

#[test]
fn a_message_says_what_to_do() {
    let error = builder(toolset![borrowed]).build().unwrap_err().to_string();
    for part in [
        "`borrowed`",
        "::User`",
        "CallOptions::with_extension",
        "request_extension::<",
    ] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn what_is_around_a_tool_hides_nothing() {
    let pass = middleware::around(async |call, cx, next: Next| next.run(call, cx).await);
    let tools = toolset![borrowed].strict(Strict::OpenAi);
    let tools = tools.layer(pass).prefixed("crm_").unwrap();
    assert_eq!(missing(builder(tools).build()).0, "crm_borrowed");
    // A tool that is not offered is not asked.
    let tools = toolset![borrowed, optional].only(["optional"]).unwrap();
    assert!(builder(tools).build().is_ok());
}

#[test]
fn a_registry_is_checked_as_it_is_when_the_runner_is_built() {
    let registry = ToolRegistry::from(toolset![borrowed]);
    let runner = || Runner::builder(silent()).registry(registry.clone());
    assert_eq!(missing(runner().build()).0, "borrowed");
    assert!(runner().request_extension::<User>().build().is_ok());
    registry.remove("borrowed").unwrap();
    assert!(runner().build().is_ok());
}

#[test]
fn a_sub_agent_takes_what_its_own_runner_lacks() {
    let agent = builder(toolset![borrowed]).request_extension::<User>();
    let agent = agent.build().unwrap();
    let tools = |agent: &Runner| {
        let agent = agent.as_tool("ask", "Asks somebody else.").unwrap();
        Toolset::new().with(agent).unwrap()
    };
    assert_eq!(missing(builder(tools(&agent)).build()).0, "ask");
    let asked = builder(tools(&agent)).request_extension::<User>();
    assert!(asked.build().is_ok());
    let agent = agent.with_extension(User);
    assert!(builder(tools(&agent)).build().is_ok());
}
