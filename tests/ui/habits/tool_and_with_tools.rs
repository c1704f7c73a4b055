// rig, LangChain: `tool` and `with_tools`. rustc knows that `tools` is near.
use toolwright::runner::RunnerBuilder;

fn tool(builder: RunnerBuilder) -> RunnerBuilder {
    builder.tool(())
}

fn with_tools(builder: RunnerBuilder) -> RunnerBuilder {
    builder.with_tools(())
}

fn main() {}
