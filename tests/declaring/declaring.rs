//! Declaring tools: what the macros make of functions and types.

mod arguments;
mod blocks;
mod borrowed;
mod checked;
mod constraints;
mod derived;
mod foreign;
mod hygiene;
mod in_profiles;
mod interop;
mod lookalikes;
mod metadata;
mod outputs;
mod parity;
mod policy;
mod returns;
mod schema;
mod special;
mod strict;

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

use toolwright::{Tool as _, ToolCall, ToolContext, ToolError, ToolOutput, Toolset, tool::Call};

/// Runs a tool of a set, which must not wait.
fn run(tools: &Toolset, name: &str, arguments: &str) -> Result<ToolOutput, ToolError> {
    run_in(tools, name, arguments, &ToolContext::new("call_1"))
}

fn run_in(
    tools: &Toolset,
    name: &str,
    arguments: &str,
    cx: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let tool = tools.find(name).expect("the set has the tool");
    let call = ToolCall::new("call_1", name, arguments);
    let result = match tool.call(&call, cx) {
        Call::Blocking(work) => work(),
        Call::Async(future) => {
            let mut future = pin!(future);
            match future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
            {
                Poll::Ready(result) => result,
                Poll::Pending => panic!("`{name}` waits"),
            }
        }
        Call::Layered(_) => panic!("nothing was put around `{name}`"),
    };
    if result.is_ok() {
        in_profiles::check_call(tools, name, arguments);
    }
    result
}

/// What a model reads of a call.
fn text(tools: &Toolset, name: &str, arguments: &str) -> String {
    match run(tools, name, arguments) {
        Ok(output) => output.to_text().into_owned(),
        Err(error) => error.message,
    }
}

/// The schema of the only tool.
fn schema(tools: &Toolset) -> &str {
    let mut definitions = tools.definitions();
    let definition = definitions.next().expect("there is one tool");
    in_profiles::check_type(definition);
    definition.input_schema.as_str()
}
