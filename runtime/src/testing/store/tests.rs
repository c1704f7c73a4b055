use super::check;
use crate::store::MemoryStore;

#[tokio::test]
async fn a_store_in_memory_passes() {
    check(async || MemoryStore::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_store_in_memory_passes_on_several_threads() {
    check(async || MemoryStore::new()).await;
}
