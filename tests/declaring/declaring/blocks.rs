//! Tools that are methods.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::json;
use toolwright::{Tool as _, ToolCall, ToolContext, ToolError, tool::Call, tools, toolset};

use super::{run_in, schema, text};

#[derive(Default)]
struct Shop {
    asked: AtomicUsize,
    sold: Mutex<Vec<String>>,
}

#[tools]
impl Shop {
    /// A constant may stand between the tools.
    const OPEN: &'static str = "9 to 17";

    /// Find products by a word in their name.
    #[tool]
    async fn find_products(
        &self,
        /// A part of the name.
        word: String,
        #[tool(default = 3)] limit: usize,
        #[context] cx: &ToolContext,
    ) -> Result<Vec<String>, ToolError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        std::future::ready(()).await;
        let all = ["tea pot", "tea cup", "coffee pot"];
        let found = all.into_iter().filter(|name| name.contains(&word));
        let found = found.map(|name| format!("{name} for {}", cx.call_id()));
        Ok(found.take(limit).collect())
    }

    /// Sell a product, which blocks.
    #[tool(name = "sell")]
    fn sell_product(&self, name: String) -> usize {
        let mut sold = self.sold.lock().expect("no call panics");
        sold.push(name);
        sold.len()
    }

    /// Tell when the shop is open.
    #[tool]
    fn opening_hours() -> &'static str {
        Self::OPEN
    }

    /// Not there, with the condition above.
    #[cfg(any())]
    #[tool]
    fn condition_above(&self, value: NoSuchType) {}

    /// Not there, with the condition below.
    #[tool]
    #[cfg(any())]
    fn condition_below(&self, value: NoSuchType) {}

    /// There, under a condition.
    #[cfg(not(any()))]
    #[tool]
    fn on_a_condition() {}

    fn not_a_tool(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// Another name for the function, and a mark by its path.
#[toolwright::tools(fn = admin_tools)]
impl Shop {
    /// Tell how many were sold today.
    #[toolwright::tool]
    fn count_sold(&self) -> usize {
        self.sold.lock().expect("no call panics").len()
    }
}

#[test]
fn methods_are_tools_in_order_and_conditions_hold() {
    let tools = Shop::default().into_tools();
    assert_eq!(
        tools.names().collect::<Vec<_>>(),
        ["find_products", "sell", "opening_hours", "on_a_condition"]
    );
    let definition = tools.definitions().next().expect("there is one");
    assert_eq!(
        definition.description,
        "Find products by a word in their name."
    );
    assert_eq!(
        definition.input_schema.to_value()["properties"]["word"],
        json!({"type": "string", "description": "A part of the name."})
    );
}

#[test]
fn methods_stay_methods() {
    let shop = Shop::default();
    assert_eq!(shop.sell_product("tea pot".to_owned()), 1);
    assert_eq!(shop.not_a_tool(), 0);
    assert_eq!(Shop::opening_hours(), "9 to 17");
}

#[test]
fn calls_share_the_value() {
    let tools = Shop::default().into_tools();
    let cx = ToolContext::new("call_7");
    let output = run_in(&tools, "find_products", r#"{"word":"tea","limit":1}"#, &cx);
    assert_eq!(
        output.expect("it succeeds").to_text(),
        r#"["tea pot for call_7"]"#
    );
    assert_eq!(text(&tools, "sell", r#"{"name":"a"}"#), "1");
    assert_eq!(text(&tools, "sell", r#"{"name":"b"}"#), "2");
    assert_eq!(text(&tools, "opening_hours", "{}"), "9 to 17");
    assert_eq!(
        text(&tools, "sell", r#"{"name":1}"#),
        "arguments.name: expected a string, got 1"
    );
}

#[test]
fn a_blocking_call_outlives_the_tools() {
    let tools = Shop::default().into_tools();
    let call = ToolCall::new("call_1", "sell", r#"{"name":"a"}"#);
    let Call::Blocking(work) = tools
        .find("sell")
        .expect("it is there")
        .call(&call, &ToolContext::default())
    else {
        panic!("it is not async");
    };
    drop((tools, call));
    assert_eq!(work().expect("it succeeds").to_text(), "1");
}

#[test]
fn a_second_block_has_tools_of_its_own() {
    let tools = Shop::default()
        .into_tools()
        .merge(Shop::default().admin_tools());
    assert_eq!(
        tools.expect("names differ").names().last(),
        Some("count_sold")
    );
}

trait Numbers: Send + Sync + 'static {
    fn next(&self) -> u32;
}

struct Fixed(u32);

impl Numbers for Fixed {
    fn next(&self) -> u32 {
        self.0
    }
}

struct Dice<N, const SIDES: u32>(N);

#[tools]
impl<N, const SIDES: u32> Dice<N, SIDES>
where
    N: Numbers,
{
    /// Throw a die several times.
    #[tool]
    async fn throw(&self, times: u8) -> Vec<u32> {
        (0..times).map(|_| self.0.next() % SIDES + 1).collect()
    }
}

#[test]
fn a_block_may_be_generic() {
    let tools = Dice::<_, 6>(Fixed(9)).into_tools();
    assert_eq!(
        schema(&tools),
        schema(&Dice::<_, 20>(Fixed(9)).into_tools())
    );
    assert_eq!(text(&tools, "throw", r#"{"times":2}"#), "[4,4]");
    let other = toolset![].merge(Dice::<_, 20>(Fixed(9)).into_tools());
    assert_eq!(
        text(&other.expect("one tool"), "throw", r#"{"times":1}"#),
        "[10]"
    );
}

mod inside {
    pub(super) struct Clock;

    #[toolwright::tools]
    impl Clock {
        /// Tell the time of the day.
        #[tool]
        pub(super) fn now(&self) -> &'static str {
            let Self = self;
            "noon"
        }
    }
}

#[test]
fn a_block_stands_in_any_module_or_body() {
    struct Local(String);
    #[tools]
    impl Local {
        /// Borrow the answer from the value.
        #[tool]
        async fn borrowed(&self) -> &str {
            &self.0
        }
    }
    assert_eq!(
        text(&Local("yes".to_owned()).into_tools(), "borrowed", ""),
        "yes"
    );
    assert_eq!(inside::Clock.now(), "noon");
    assert_eq!(text(&inside::Clock.into_tools(), "now", ""), "noon");
}

struct Counter(AtomicUsize);

type Me = Counter;
type Shared<'a> = &'a Counter;

macro_rules! shared {
    ($ty:ty) => {
        &$ty
    };
}

#[tools]
#[allow(clippy::needless_arbitrary_self_type)]
impl Counter {
    /// Count up, with the type written out.
    #[tool]
    fn plain(self: &Self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst)
    }

    /// Count up, with a lifetime that is left open.
    #[tool]
    async fn open(self: &'_ Self) -> usize {
        self.plain()
    }

    /// Count up, with a lifetime of a name.
    #[tool]
    async fn named<'a>(self: &'a Self, #[tool(default = "x")] _word: &'a str) -> usize {
        self.plain()
    }

    /// Count up, with the name of the type.
    #[tool]
    fn by_name(self: &Counter) -> usize {
        self.plain()
    }

    /// Count up, under an alias.
    #[tool]
    fn by_alias(self: &Me) -> usize {
        self.plain()
    }

    /// Count up, under an alias of the whole.
    #[tool]
    async fn by_alias_of_all(self: Shared<'_>) -> usize {
        self.plain()
    }

    /// Count up, by a name that may change.
    #[tool]
    fn rebound(mut self: &Self) -> usize {
        static OTHER: Counter = Counter(AtomicUsize::new(0));
        let count = self.plain();
        self = &OTHER;
        count + self.plain()
    }

    /// Count up, with the shared value itself.
    #[tool]
    fn in_an_arc(self: &Arc<Self>) -> usize {
        assert!(Arc::strong_count(self) > 1, "the tools share it");
        self.plain()
    }

    /// Count up, out of a macro.
    #[tool]
    async fn by_macro(self: shared!(Self)) -> usize {
        self.plain()
    }
}

#[test]
fn a_shared_receiver_may_be_written_out() {
    let tools = Counter(AtomicUsize::new(0)).into_tools();
    let names: Vec<_> = tools.names().map(str::to_owned).collect();
    assert_eq!(names.len(), 9);
    for (count, name) in names.iter().enumerate() {
        assert_eq!(text(&tools, name, "{}"), count.to_string(), "{name}");
    }
}

struct Pair<T>(T);

#[tools]
impl<T: Clone + Into<u32> + Send + Sync + 'static> Pair<T> {
    /// Give the value, of whatever type it is.
    #[tool]
    fn value(self: &Pair<T>) -> u32 {
        self.0.clone().into()
    }
}

#[test]
fn a_receiver_may_name_a_generic_type() {
    assert_eq!(text(&Pair(7_u8).into_tools(), "value", "{}"), "7");
}
