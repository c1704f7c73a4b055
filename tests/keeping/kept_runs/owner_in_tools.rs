//! Tools read the owner of their run, also when another process resumes it.

use std::sync::Mutex;

use toolwright::{
    ToolContext,
    run::Finish,
    runner::Agent,
    store::{InboxContent, InboxItem},
    tools,
};

use super::*;

/// Who has asked, in their order.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<Option<String>>>>);

#[tools]
impl Seen {
    /// Remember who asks.
    #[tool(approval)]
    fn remember(&self, #[context] cx: &ToolContext) {
        let mut all = self.0.lock().expect("no panic");
        all.push(cx.owner().map(str::to_owned));
    }
}

fn call(name: &str, arguments: &str) -> ModelResponse {
    ModelResponse::from_calls([ToolCall::new("1", name, arguments)])
}

fn says(responses: &[ModelResponse]) -> RunnerBuilder {
    let done = ModelResponse::from_text("done");
    let script = responses.iter().cloned().chain([done]);
    Runner::builder(ScriptedModel::new(script)).suspends()
}

/// The runners whose run comes to the tool: by itself, by a sub-agent, and by an agent that it hands over to. The model
/// of another process begins where the first one has stopped.
fn runner(kind: &str, seen: &Seen, begins: bool, store: &MemoryStore) -> Runner {
    let tools = seen.clone().into_tools();
    let remember = [call("remember", "{}")];
    let asks = if begins { &remember[..] } else { &[] };
    let builder = match kind {
        "itself" => says(asks).tools(tools),
        "a sub-agent" => {
            // Its own runner has another owner, which has no effect below a run.
            let below = says(asks).tools(tools).build().expect("it is right");
            let below = below.with_owner("eve").as_tool("ask", "Asks another one.");
            let tools = Toolset::new().with(below.expect("it is a tool"));
            let asks = begins.then(|| call("ask", r#"{"task": "Who am I?"}"#));
            says(asks.as_slice()).tools(tools.expect("it is one tool"))
        }
        _ => {
            let other = says(asks).tools(tools).build().expect("it is right");
            let hands_over = begins.then(|| call("transfer_to_other", "{}"));
            says(hands_over.as_slice()).agent(Agent::new("other", "Knows who asks.", other))
        }
    };
    builder
        .store("tests", store.clone())
        .build()
        .expect("it is right")
}

#[tokio::test]
async fn tools_read_the_owner_also_of_a_run_that_the_application_resumes() {
    for kind in ["itself", "a sub-agent", "a hand-over"] {
        for owner in [Some("ada"), None] {
            let (store, seen) = (MemoryStore::new(), Seen::default());
            let first = runner(kind, &seen, true, &store);
            let first = owner.map_or(first.clone(), |owner| first.with_owner(owner));
            let outcome = first.run("Who am I?").await.expect("it waits");
            assert_eq!(outcome.finish, Finish::Suspended, "{kind}");
            let decision = InboxContent::Resolution(outcome.pending[0].approve());
            let decision = InboxItem::new(decision);
            let put = store.put(Scope::All, &outcome.run_id, &decision).await;
            put.expect("it is taken");
            let next = runner(kind, &seen, false, &store);
            let resumed = next.resume(&outcome.run_id).start().await;
            let outcome = resumed.expect("it goes on").outcome().await;
            assert_eq!(outcome.expect("it answers").finish, Finish::Answered);
            let seen = seen.0.lock().expect("no panic").clone();
            assert_eq!(seen, [owner.map(str::to_owned)], "{kind}");
        }
    }
}
