//! A process that a test has started.

use std::{
    env,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use super::{FOLDER, Kind, Point};

/// What one process sends to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kept_runs) enum Signal {
    Kill,
    Stop,
    Continue,
}

impl Signal {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Kill => "KILL",
            Self::Stop => "STOP",
            Self::Continue => "CONT",
        }
    }
}

/// A process that a test has started. It ends with the test.
pub(in crate::kept_runs) struct Process(Child);

impl Process {
    /// Starts a test that is ignored in a process of its own.
    pub(in crate::kept_runs) fn start(
        test: &str,
        folder: &Path,
        kind: Kind,
        point: Option<Point>,
        environment: &[(&str, String)],
    ) -> (Self, Said) {
        let program = env::current_exe().expect("the program has a name");
        let mut command = Command::new(program);
        command
            .args(["--exact", &format!("kept_runs::{test}")])
            .args(["--ignored", "--nocapture"])
            .env(FOLDER, folder)
            .stdout(Stdio::piped());
        kind.tell(&mut command);
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        if let Some(point) = point {
            point.tell(&mut command);
        }
        let mut child = command.spawn().expect("the program starts");
        let output = child.stdout.take().expect("its output is read");
        (Self(child), Said(BufReader::new(output)))
    }

    pub(in crate::kept_runs) fn signal(&mut self, signal: Signal) {
        if signal == Signal::Kill {
            return self.0.kill().expect("it is a process of this test");
        }
        // Its number is its own until somebody has waited for it.
        let kill = format!("kill -{} {}", signal.name(), self.0.id());
        let mut sends = Command::new("sh");
        sends.args(["-c", &kill]).stderr(Stdio::null());
        sends.status().expect("there is a shell");
    }

    /// Waits for its end, and says whether nobody has ended it.
    pub(in crate::kept_runs) fn succeeds(&mut self) -> bool {
        self.0.wait().expect("it has ended").success()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a process says, until it has nothing more to say.
pub(in crate::kept_runs) struct Said(BufReader<ChildStdout>);

impl Iterator for Said {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            match self.0.read_line(&mut line) {
                Ok(0) | Err(_) => return None,
                // The rest is said by what runs the tests.
                Ok(_) => {}
            }
            if let Some((_, said)) = line.trim_end().split_once("@ ") {
                return Some(said.to_owned());
            }
        }
    }
}
