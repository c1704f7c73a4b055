//! What holds for every store.

use std::sync::{Arc, Mutex};

use toolwright::store::PostgresStore;

use crate::{database::Database, exhaustive::is_exhaustive};

impl toolwright_store_tests::Place for Database {
    type Store = PostgresStore;

    async fn open(&self) -> PostgresStore {
        self.store().await
    }
}

pub(crate) async fn a_database_is_a_store(database: Arc<Database>) {
    if is_exhaustive() {
        toolwright_store_tests::check_durable(async || database.another()).await;
    } else {
        // A schema is dropped with its database.
        let databases = Mutex::new(Vec::new());
        let make = async || {
            let another = database.another();
            let store = another.store().await;
            databases.lock().unwrap().push(another);
            store
        };
        toolwright_store_tests::check(make).await;
    }
}
