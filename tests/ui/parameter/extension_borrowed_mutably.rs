#![allow(unused_variables)]

use toolwright::tool;

struct Db;

/// Store a note in the database.
#[tool]
async fn store(#[context] db: &mut Db, note: String) {}

fn main() {}
