// rig, LangChain, the AI SDK, the OpenAI Agents SDK: their words for what a builder sets.
use toolwright::runner::RunnerBuilder;

fn preamble(builder: RunnerBuilder) -> RunnerBuilder {
    builder.preamble("You are a travel agent.")
}

fn instructions(builder: RunnerBuilder) -> RunnerBuilder {
    builder.instructions("You are a travel agent.")
}

fn max_turns(builder: RunnerBuilder) -> RunnerBuilder {
    builder.max_turns(5)
}

fn multi_turn(builder: RunnerBuilder) -> RunnerBuilder {
    builder.multi_turn(5)
}

fn temperature(builder: RunnerBuilder) -> RunnerBuilder {
    builder.temperature(0.2)
}

fn max_tokens(builder: RunnerBuilder) -> RunnerBuilder {
    builder.max_tokens(1024)
}

fn handoffs(builder: RunnerBuilder) -> RunnerBuilder {
    builder.handoffs(())
}

fn main() {}
