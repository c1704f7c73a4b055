//! One connection: its prepared statements, and whether it may be used again.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, Ordering},
};

use toolwright_core::driver::Mutex;

use futures_util::future::{try_join, try_join_all};
use tokio_postgres::{
    Client, Row, Statement,
    types::{ToSql, Type},
};

use crate::failure::Failure;

/// The value of a parameter.
pub(crate) type Value<'a> = &'a (dyn ToSql + Sync);

/// A statement that is prepared once for a connection, and its values.
pub(crate) type Query<'a> = (&'static str, &'a [Value<'a>]);

/// A connection. It is used by one operation at a time.
#[derive(Debug)]
pub(crate) struct Session {
    client: Client,
    statements: Mutex<HashMap<&'static str, Statement>>,
    /// True if it is in no transaction, and waits for no change.
    is_free: AtomicBool,
}

impl Session {
    pub(crate) fn new(client: Client) -> Self {
        Self {
            client,
            statements: Mutex::default(),
            is_free: AtomicBool::new(true),
        }
    }

    /// True if the next operation may use it. One that was dropped in the middle of a change leaves it in an unknown
    /// state.
    pub(crate) fn is_usable(&self) -> bool {
        self.is_free.load(Ordering::Relaxed) && !self.client.is_closed()
    }

    /// Takes it out of use.
    pub(crate) fn spoil(&self) {
        self.set_free(false);
    }

    fn set_free(&self, is_free: bool) {
        self.is_free.store(is_free, Ordering::Relaxed);
    }

    async fn prepared(&self, sql: &'static str) -> Result<Statement, Failure> {
        let known = self.statements.lock().get(sql).cloned();
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        self.statements.lock().insert(sql, statement.clone());
        Ok(statement)
    }

    /// Executes a prepared statement: one that reads, or a part of a transaction.
    pub(crate) async fn query(
        &self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Vec<Row>, Failure> {
        let statement = self.prepared(sql).await?;
        Ok(self.client.query(&statement, values).await?)
    }

    /// Executes a statement that is made for this call.
    pub(crate) async fn query_once(
        &self,
        sql: &str,
        values: &[(Value<'_>, Type)],
    ) -> Result<Vec<Row>, Failure> {
        Ok(self.client.query_typed(sql, values).await?)
    }

    /// Executes a prepared statement that is a transaction of its own.
    pub(crate) async fn change(
        &self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Vec<Row>, Failure> {
        let statement = self.prepared(sql).await?;
        self.set_free(false);
        let rows = self.client.query(&statement, values).await;
        self.set_free(true);
        Ok(rows?)
    }

    /// Executes statements without values.
    pub(crate) async fn batch(&self, sql: &str) -> Result<(), Failure> {
        Ok(self.client.batch_execute(sql).await?)
    }

    /// Begins a transaction, and executes its first statements, in one round trip.
    pub(crate) async fn begin<const N: usize>(
        &self,
        queries: [Query<'_>; N],
    ) -> Result<[Vec<Row>; N], Failure> {
        let mut statements = Vec::with_capacity(N);
        for (sql, _) in &queries {
            statements.push(self.prepared(sql).await?);
        }
        self.set_free(false);
        let begun = self.client.batch_execute("BEGIN");
        let queries = statements.iter().zip(queries);
        let rows = queries.map(|(statement, (_, values))| self.client.query(statement, values));
        // They are sent in the order in which they are polled first, which is this one.
        let ((), rows) = try_join(begun, try_join_all(rows)).await?;
        Ok(rows.try_into().expect("each statement gives its rows"))
    }

    /// Executes the last statement of a transaction, and makes the transaction durable, in one round trip.
    pub(crate) async fn commit_with(&self, (sql, values): Query<'_>) -> Result<Vec<Row>, Failure> {
        let statement = self.prepared(sql).await?;
        let last = self.client.query(&statement, values);
        let (rows, ()) = try_join(last, self.client.batch_execute("COMMIT")).await?;
        self.set_free(true);
        Ok(rows)
    }

    /// Makes what the transaction has changed durable.
    pub(crate) async fn commit(&self) -> Result<(), Failure> {
        self.batch("COMMIT").await?;
        self.set_free(true);
        Ok(())
    }

    /// Ends a transaction that is refused.
    pub(crate) async fn refuse<T>(&self, why: impl Into<Failure>) -> Result<T, Failure> {
        self.batch("ROLLBACK").await?;
        self.set_free(true);
        Err(why.into())
    }
}
