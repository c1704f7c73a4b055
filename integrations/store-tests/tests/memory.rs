//! The store in memory passes.

use toolwright::store::{MemoryStore, Store};
use toolwright_store_tests::check;

#[tokio::test]
async fn a_store_in_memory_passes() {
    check(async || MemoryStore::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_store_in_memory_passes_on_several_threads() {
    check(async || MemoryStore::new()).await;
}

#[tokio::test]
async fn a_box_of_a_store_passes() {
    check(async || Box::new(MemoryStore::new()) as Box<dyn Store>).await;
}
