use toolwright::runner::RunnerBuilder;

async fn run(builder: RunnerBuilder) {
    let _ = builder.run("What is the weather?").await;
}

fn start(builder: RunnerBuilder) {
    let _ = builder.start("What is the weather?");
}

fn main() {}
