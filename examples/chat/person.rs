//! The person at the terminal, or one who is played where nobody is.

use std::{
    collections::VecDeque,
    io::{IsTerminal, Write, stdin, stdout},
    sync::{Mutex, PoisonError},
};

/// Whoever types.
pub(crate) enum Person {
    AtTheTerminal,
    Played(Mutex<VecDeque<&'static str>>),
}

impl Person {
    /// Who types if standard input is a terminal; otherwise somebody with three lines to say.
    pub(crate) fn at_the_terminal() -> Self {
        if stdin().is_terminal() {
            return Self::AtTheTerminal;
        }
        let lines = [
            "Is there a train to Bergen?",
            "Book the one at 12:03, please.",
            "y",
        ];
        Self::Played(Mutex::new(lines.into()))
    }

    /// The next line; `None` when the person has nothing more to say.
    pub(crate) async fn says(&self, prompt: &str) -> Option<String> {
        print!("{prompt}");
        stdout().flush().ok();
        let line = match self {
            // A thread waits for the line, so that the run goes on meanwhile.
            Self::AtTheTerminal => tokio::task::spawn_blocking(read_line).await.ok().flatten(),
            Self::Played(lines) => {
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                let line = lines.pop_front().map(str::to_owned);
                println!("{}", line.as_deref().unwrap_or_default());
                line
            }
        };
        line.filter(|line| !line.is_empty())
    }
}

fn read_line() -> Option<String> {
    let mut line = String::new();
    let bytes = stdin().read_line(&mut line).ok()?;
    (bytes > 0).then(|| line.trim().to_owned())
}
