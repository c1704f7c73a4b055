use toolwright::Runner;

async fn go_on(runner: &Runner) {
    let handle = runner.resume("run 42").start().await.unwrap();
    let _ = handle.outcome().await;
}

fn main() {}
