//! What the program is told of a tool's calls, by the keys of every form.

use std::time::Duration;

use toolwright::{
    Execute, Tool, ToolCall, ToolContext, ToolError,
    dynamic::DynamicTool,
    rate_limit::{OnExcess, RateLimit},
    tool,
    tool::{Call, Capabilities, Effects, StaticTool, ToolHints, ToolPolicy},
    tools, toolset,
};

const PAYMENTS: Capabilities = Capabilities::application(0);

mod own {
    pub(super) const MAIL: toolwright::tool::Capabilities =
        toolwright::tool::Capabilities::application(1);
}

/// Everything that the keys of all forms say here.
fn all() -> ToolPolicy {
    ToolPolicy::of(ToolHints::NONE.with_idempotent(true))
        .with_timeout(Duration::from_millis(1500))
        .with_retries(3)
        .with_rate_limit(RateLimit::per_minute(30).with_on_excess(OnExcess::Fail))
        .with_requires(Capabilities::NETWORK | Capabilities::SHELL | PAYMENTS | own::MAIL)
        .with_approval()
        .with_sequential()
        .with_max_output(32 * 1024)
        .with_polls()
        .with_spawn()
}

/// Pay for what the user has chosen.
#[tool(
    idempotent,
    timeout = "1500ms",
    retries = 3,
    rate_limit("30/min", fail),
    requires(network, shell, PAYMENTS, own::MAIL),
    approval,
    sequential,
    max_output = "32KiB",
    polls,
    spawn
)]
async fn pay() {}

struct Shop {
    open: bool,
}

impl Shop {
    const OWN: Capabilities = PAYMENTS;
}

#[tools]
impl Shop {
    /// Pay for what the user has chosen.
    #[tool(
        name = "pay_by_method",
        idempotent,
        timeout = "1500ms",
        retries = 3,
        rate_limit("30/min", fail),
        requires(network, shell, Self::OWN, own::MAIL),
        approval,
        sequential,
        max_output = 32768,
        polls,
        spawn
    )]
    async fn pay(&self) -> bool {
        self.open
    }

    /// Tell whether the shop is open.
    #[tool(inline, read_only, rate_limit = "2/s")]
    fn is_open(&self) -> bool {
        self.open
    }
}

/// Pay for what the user has chosen.
#[derive(serde::Deserialize, Tool)]
#[tool(
    name = "pay_by_struct",
    idempotent,
    timeout = "1500ms",
    retries = 3,
    rate_limit("30/min", fail),
    requires(network, shell, PAYMENTS, own::MAIL)
)]
#[tool(approval, sequential, max_output = 32_768, polls, spawn)]
struct Pay {}

impl Execute for Pay {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

#[test]
fn each_key_says_the_same_in_every_form() {
    let tools = toolset![pay, Pay]
        .merge(Shop { open: true }.into_tools())
        .unwrap();
    for name in ["pay", "pay_by_method", "pay_by_struct"] {
        assert_eq!(tools.find(name).unwrap().policy(), all(), "{name}");
        assert_eq!(tools.policy(name), all(), "{name}");
    }
    assert_eq!(<pay as StaticTool>::POLICY, all());
}

#[test]
fn a_dynamic_tool_says_the_same() {
    let run = async |_: ToolCall, _cx| Ok::<_, ToolError>(());
    let built = DynamicTool::builder("pay", "Pay for what the user has chosen.")
        .policy(all())
        .build(run)
        .unwrap();
    assert_eq!(built.policy(), all());
    assert_eq!(
        built.with_policy(ToolPolicy::default()).policy(),
        ToolPolicy::default()
    );
}

/// Wait as long as it takes.
#[tool(timeout = "2h", rate_limit = "10/s", requires(filesystem, database))]
fn wait() {}

/// Repeat what was said before.
#[tool(read_only, retries = 0, rate_limit("500/h", wait), max_output = "1MiB")]
fn repeat() {}

#[test]
fn each_key_stands_alone() {
    let tools = toolset![wait, repeat]
        .merge(Shop { open: true }.into_tools())
        .unwrap();
    assert_eq!(
        tools.policy("wait"),
        ToolPolicy::default()
            .with_timeout(Duration::from_hours(2))
            .with_rate_limit(RateLimit::per_second(10))
            .with_requires(Capabilities::FILESYSTEM | Capabilities::DATABASE)
    );
    assert_eq!(
        tools.policy("repeat"),
        ToolPolicy::default()
            .with_effects(Effects::ReadOnly)
            .with_retries(0)
            .with_rate_limit(RateLimit::per_hour(500))
            .with_max_output(1 << 20)
    );
    assert_eq!(
        tools.policy("is_open"),
        ToolPolicy::default()
            .with_effects(Effects::ReadOnly)
            .with_rate_limit(RateLimit::per_second(2))
    );
}

/// Add two numbers, as they are.
#[tool(inline)]
fn add(a: i64, b: i64, #[context] cx: &ToolContext) -> String {
    format!("{} for {}", a + b, cx.call_id())
}

#[test]
fn an_inline_function_runs_where_it_is_polled() {
    let tools = toolset![add]
        .merge(Shop { open: true }.into_tools())
        .unwrap();
    let text = |name, arguments| {
        super::run(&tools, name, arguments).map(|output| output.to_text().into_owned())
    };
    assert_eq!(text("add", r#"{"a":1,"b":2}"#).unwrap(), "3 for call_1");
    assert!(text("add", r#"{"a":1}"#).unwrap_err().message.contains('b'));
    assert_eq!(text("is_open", "{}").unwrap(), "true");
    let call = ToolCall::new("", "add", "{}");
    let add = tools.find("add").unwrap();
    assert!(matches!(
        add.call(&call, &ToolContext::default()),
        Call::Async(_)
    ));
}
