// rig, LangChain: their words for asking.
use toolwright::Runner;

async fn prompt(agent: Runner) {
    let _ = agent.prompt("Weather in Oslo?").await;
}

async fn chat(agent: Runner) {
    let _ = agent.chat("Weather in Oslo?", Vec::<String>::new()).await;
}

async fn invoke(agent: Runner) {
    let _ = agent.invoke("Weather in Oslo?").await;
}

fn stream(agent: Runner) {
    let _ = agent.stream("Weather in Oslo?");
}

fn main() {}
