//! Middleware around tools: how long each call takes, an audit log, and a call that is refused.
//!
//! The first that is put around the tools is the outermost: the audit log sees the refusal too.
//!
//! ```text
//! cargo run -p examples --example middleware
//! ```

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use toolwright::{
    ErrorCategory, ModelResponse, Runner, Tool, ToolCall, ToolContext, ToolError, ToolOutput,
    dispatch::CallOptions,
    middleware::{self, Middleware, Next},
    testing::ScriptedModel,
    tool, toolset,
};

/// Look up the balance of an account.
#[tool(read_only)]
async fn balance(account: String) -> String {
    tokio::time::sleep(Duration::from_millis(20)).await;
    format!("{account} has 1,200")
}

/// Move money between the user's accounts.
#[derive(serde::Deserialize, Tool)]
struct Transfer {
    /// How much, in whole units.
    amount: u32,
    /// The account that gets it.
    to: String,
}

impl toolwright::Execute for Transfer {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(format!("{} went to {}", self.amount, self.to))
    }
}

/// Who asks.
struct User(&'static str);

/// Keeps what was called, by whom, and how it ended. A real one writes where nobody can change it.
#[derive(Clone, Default)]
struct AuditLog(Arc<Mutex<Vec<String>>>);

impl Middleware for AuditLog {
    async fn handle(
        &self,
        call: ToolCall,
        cx: ToolContext,
        next: Next,
    ) -> Result<ToolOutput, ToolError> {
        let user = cx.require::<User>()?.0;
        // On one line: a line end in the arguments would forge an entry.
        let arguments = call.arguments.replace(['\n', '\r'], " ");
        let entry = format!("{user}: {}({arguments})", call.name);
        let outcome = next.run(call, cx).await;
        let end = match &outcome {
            Ok(_) => "done".to_owned(),
            Err(error) => error.category.to_string(),
        };
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(format!("{entry}: {end}"));
        outcome
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let log = AuditLog::default();
    let timed = middleware::around(async |call: ToolCall, cx, next: Next| {
        let (name, start) = (call.name.clone(), Instant::now());
        let outcome = next.run(call, cx).await;
        println!("  {name} took {} ms", start.elapsed().as_millis());
        outcome
    });
    // The arguments arrive decoded. What does not fit the type is refused as well.
    let limited = middleware::check(async |transfer: Transfer, _cx| {
        if transfer.amount > 1_000 {
            let message = "a transfer has at most 1,000: ask the user to do this one";
            return Err(ToolError::new(ErrorCategory::PermissionDenied, message));
        }
        Ok(())
    });
    let tools = toolset![balance, Transfer]
        .layer(log.clone())
        .layer(timed)
        .layer_for("transfer", limited)?;

    let model = ScriptedModel::new([
        ModelResponse::from_calls([
            ToolCall::new("a", "balance", r#"{"account":"savings"}"#),
            ToolCall::new("b", "transfer", r#"{"amount":1200,"to":"holidays"}"#),
            ToolCall::new("c", "transfer", r#"{"amount":900,"to":"holidays"}"#),
        ]),
        ModelResponse::from_text("I moved 900. The rest is for you to move."),
    ]);
    let runner = Runner::builder(model)
        .tools(tools)
        .calls(CallOptions::new().with_extension(User("ada")))
        .build()?;
    println!("Times:");
    let outcome = runner.run("Put my savings aside for the holidays.").await?;
    println!("\nAudit log:");
    for entry in log.0.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        println!("  {entry}");
    }
    println!("\nModel: {outcome}");
    println!("\nShown: what is put around tools sees every call, the refused one too.");
    Ok(())
}
