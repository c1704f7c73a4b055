//! The server as a program.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_mcp-conformance-server");

/// Ends when it is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start() -> Self {
        let mut child = Command::new(PROGRAM)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.next().unwrap().unwrap();
        Self { child, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
