mod bad;
mod cut;
mod damaged;
mod driven;
mod folder;
mod golden;
mod lost;
mod others;
mod raced;
mod taken_over;

use std::time::{Duration, SystemTime};

use crate::{
    run::RunId,
    store::{ConversationRef, NewRun, RunInfo},
    testing::store::check_durable,
};
use folder::Folder;

const LONG: Duration = Duration::from_secs(3600);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_store_in_files_passes() {
    check_durable(async || Folder::new()).await;
}

fn id() -> RunId {
    RunId::new("run")
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).into()
}

/// A run with one entry, which continues a conversation.
fn continues(run: &str, version: u64) -> NewRun {
    let mut info = RunInfo::new(RunId::new(run), "runner", SystemTime::UNIX_EPOCH);
    info.conversation = Some(ConversationRef::new("talk", version));
    NewRun::new(info, texts(["{\"zero\":0}"]))
}
