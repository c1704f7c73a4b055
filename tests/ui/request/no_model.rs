use toolwright::{OpenAiResponses, Runner};

fn main() {
    let _ = Runner::builder("gpt-5");
    let _ = Runner::builder(OpenAiResponses::from_env("gpt-5"));
}
