//! A conversation in a file.

use std::{env, fmt, fs, io, path::PathBuf};

use toolwright::Conversation;

/// Where the conversation is kept.
pub(crate) struct Store {
    path: PathBuf,
}

impl Store {
    /// The file after `--file`, or one of this process alone.
    pub(crate) fn from_arguments() -> Self {
        let mut arguments = env::args().skip_while(|argument| argument != "--file");
        let path = match arguments.nth(1) {
            Some(path) => path.into(),
            None => env::temp_dir().join(format!("toolwright-chat-{}.json", std::process::id())),
        };
        Self { path }
    }

    /// What is kept; an empty conversation if there is nothing yet.
    pub(crate) fn load(&self) -> Result<Conversation, Box<dyn std::error::Error>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Conversation::new()),
            Err(error) => Err(error.into()),
        }
    }

    /// Keeps the conversation. The file is replaced at once: a crash leaves the old one.
    pub(crate) fn save(&self, conversation: &Conversation) -> io::Result<()> {
        let new = self.path.with_extension("new");
        fs::write(&new, serde_json::to_vec(conversation)?)?;
        fs::rename(new, &self.path)
    }
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(f)
    }
}
