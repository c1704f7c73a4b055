//! A process that serves, for the test that starts it.

use std::{
    env,
    ffi::OsStr,
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    process::{Child, Command, Stdio},
};

use tokio::net::TcpListener;

/// Starts the test of this name as a process of its own, and waits until it listens.
pub(crate) fn start(test: &str, environment: &[(&str, &OsStr)]) -> (Child, SocketAddr) {
    let program = env::current_exe().expect("a test knows where it is");
    let mut command = Command::new(program);
    command
        .args(["--exact", test, "--ignored", "--nocapture"])
        .envs(environment.iter().copied())
        .stdout(Stdio::piped());
    let mut process = command.spawn().expect("it starts");
    let output = process.stdout.take().expect("it is piped");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let address = lines.find_map(|line| {
        let (_, address) = line.split_once("listens on ")?;
        address.trim().parse().ok()
    });
    // It may say more, which must not make it wait.
    std::thread::spawn(move || lines.for_each(drop));
    (process, address.expect("it says where it listens"))
}

/// Listens, and says where.
pub(crate) async fn listen() -> TcpListener {
    let listener = TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port is free");
    let address = listener.local_addr().expect("it has one");
    writeln!(std::io::stdout(), "listens on {address}").expect("somebody reads it");
    listener
}
