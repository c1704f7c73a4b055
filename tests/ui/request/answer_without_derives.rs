use toolwright::Runner;

struct Receipt {
    cents: u32,
}

async fn ask(runner: &Runner) -> u32 {
    let answer = runner.request("How much?").answer_as::<Receipt>().run().await;
    answer.unwrap().value.cents
}

fn main() {}
