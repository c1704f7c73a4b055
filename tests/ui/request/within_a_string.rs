use toolwright::Runner;

async fn ask(runner: &Runner) {
    let outcome = runner.request("Who am I?").within("chat 42").run().await;
    println!("{}", outcome.unwrap().text);
}

fn main() {}
