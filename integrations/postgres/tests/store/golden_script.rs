//! A script of each version of the tables is kept, and read for ever. `pg_dump --inserts` has made it, of a schema `golden`.

use std::{fs, path::Path, process::Command, sync::Arc};

use tokio_postgres::Client;
use toolwright::store::PostgresOptions;

use crate::{
    database::Database,
    golden,
    postgres_server::{Server, Source},
};

/// A character that PostgreSQL has in no text, at the end of an id and of an entry.
const ODD: &str = "\0";

const VERSION_1: &str = include_str!("golden/version_1.sql");

/// Makes the schema of a script.
async fn made(database: &Database, script: &str) -> Client {
    let client = database.client().await;
    let (schema, qualified) = (database.quoted(), format!("{}.", database.quoted()));
    let script = script.replace("SCHEMA golden", &format!("SCHEMA {schema}"));
    let script = script.replace("golden.", &qualified);
    let made = client.batch_execute(&script).await;
    made.expect("the script is whole");
    client
}

pub(crate) async fn version_1_is_read(database: Arc<Database>) {
    made(&database, VERSION_1).await;
    let store = database.store().await;
    golden::is_read(&store, ODD).await;
}

/// Other tables need another version, and a golden script of it.
pub(crate) async fn version_1_has_the_tables_that_are_made_today(database: Arc<Database>) {
    const COLUMNS: &str = "SELECT concat_ws(' ', relname, attnum, attname, format_type(atttypid, atttypmod),
            attnotnull, attidentity, collname, reloptions)
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
            LEFT JOIN pg_collation ON pg_collation.oid = attcollation
        WHERE relnamespace = quote_ident(current_schema)::regnamespace AND relkind = 'r' AND attnum > 0";
    const RULES: &str =
        "SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace = quote_ident(current_schema)::regnamespace";
    const INDEXES: &str = "SELECT replace(indexdef, quote_ident(schemaname) || '.', '')
        FROM pg_indexes WHERE schemaname = current_schema";
    let golden = database.another();
    let (old, new) = (made(&golden, VERSION_1).await, database.client().await);
    let store = database.store().await;
    for query in [COLUMNS, RULES, INDEXES] {
        let lines = async |client: &Client| {
            let rows = client.query(query, &[]).await.unwrap();
            let mut lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
            lines.sort();
            assert!(lines.len() > 7, "{lines:?}");
            lines
        };
        assert_eq!(lines(&old).await, lines(&new).await);
    }
    drop(store);
}

/// Writes the golden script of the version of today.
pub(crate) async fn write_the_golden_script(database: Arc<Database>) {
    let Source::Programs(_) = database.source() else {
        panic!("a server of its own is needed");
    };
    let server = Server::of(database.source());
    let options = PostgresOptions::new().schema("golden");
    golden::fill(&options.connect(server.url()).await.unwrap(), ODD).await;
    let mut dump = Command::new("pg_dump");
    dump.args([
        "--inserts",
        "--no-owner",
        "--no-privileges",
        "--schema=golden",
    ]);
    let dump = dump.arg(server.url()).output().unwrap();
    let script = String::from_utf8(dump.stdout).unwrap();
    // Settings of the connection, comments, and commands of `psql`.
    let other = ["SET ", "SELECT pg_catalog.set_config(", "--", "\\"];
    let lines = script
        .lines()
        .filter(|line| !line.is_empty() && !other.iter().any(|begin| line.starts_with(begin)));
    let script: String = lines.flat_map(|line| [line, "\n"]).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/golden/version_1.sql");
    fs::write(path, script).unwrap();
}
