//! A PostgreSQL for tests: the one that a variable names, or one that the test starts for itself.

use std::{
    env, fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio, id},
    sync::atomic::{AtomicUsize, Ordering},
};

/// The URL of a server, such as `postgresql://tester@localhost/tests`. Tests make schemas there, and drop them.
pub(crate) const URL: &str = "TOOLWRIGHT_POSTGRES_URL";
/// The folder of the programs of PostgreSQL, if it is none of the usual ones.
const PROGRAMS: &str = "TOOLWRIGHT_POSTGRES_PROGRAMS";
/// If it is set, tests fail that would be ignored without a PostgreSQL.
const REQUIRED: &str = "TOOLWRIGHT_REQUIRE_POSTGRES";

/// Starts a server in the folder `$1` with the programs of `$2`, says `ready`, and ends it when nobody holds the other end
/// of its input any more: at the end of the test, however it ends.
const SCRIPT: &str = r#"
cd "$1"
if ! "$2/initdb" -D "$1/data" -U toolwright -A trust -E UTF8 --locale=C --no-sync >"$1/log" 2>&1; then
    cat "$1/log"
    exit 1
fi
"$2/postgres" -D "$1/data" -k "$1" -c listen_addresses= -c max_connections=200 -c shared_buffers=16MB \
    -c wal_writer_delay=10s -c autovacuum=off -c fsync=off >"$1/log" 2>&1 </dev/null &
server=$!
until grep -q '^ready' "$1/data/postmaster.pid" 2>/dev/null; do
    if ! kill -0 $server 2>/dev/null; then
        cat "$1/log"
        exit 1
    fi
    sleep 0.02
done
echo ready
cat >/dev/null
kill -QUIT $server
wait $server
rm -rf "$1"
"#;

/// A way to a PostgreSQL.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// Somebody else runs it.
    Url(String),
    /// Its programs are in this folder.
    Programs(PathBuf),
}

/// The way to a PostgreSQL; `None` if there is none, and tests are to be ignored.
///
/// # Panics
///
/// When there is none, and one is required.
pub(crate) fn source() -> Option<Source> {
    if let Ok(url) = env::var(URL) {
        return Some(Source::Url(url));
    }
    let source = programs().map(Source::Programs);
    assert!(
        source.is_some() || env::var_os(REQUIRED).is_none(),
        "{REQUIRED} is set, and there is no PostgreSQL: set {URL} to the URL of one, or install its programs"
    );
    source
}

/// Says why tests are ignored.
pub(crate) const IGNORED: &str = "tests with PostgreSQL are ignored: set TOOLWRIGHT_POSTGRES_URL to the URL of a server, or install its programs (initdb, postgres)";

fn programs() -> Option<PathBuf> {
    if let Some(folder) = env::var_os(PROGRAMS) {
        return Some(folder.into());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = env::split_paths(&path).collect();
    let mut versions: Vec<_> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|version| Some(version.ok()?.path().join("bin")))
        .collect();
    versions.sort();
    folders.extend(versions.into_iter().rev());
    folders.extend(wheel());
    folders
        .into_iter()
        .find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
}

/// The folder of the programs in the wheel `pgserver`.
fn wheel() -> Option<PathBuf> {
    let script = "import os, pgserver; print(os.path.dirname(pgserver.__file__))";
    let said = Command::new("python3").args(["-c", script]).output().ok()?;
    let folder = String::from_utf8(said.stdout).ok()?;
    Some(Path::new(folder.trim()).join("pginstall/bin"))
}

/// A PostgreSQL. One that was started for it ends with it.
#[derive(Debug)]
pub(crate) struct Server {
    url: String,
    _started: Option<Started>,
}

#[derive(Debug)]
struct Started {
    script: Child,
    input: Option<ChildStdin>,
    folder: PathBuf,
}

impl Server {
    /// Connects to a server, or starts one.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    pub(crate) fn of(source: &Source) -> Self {
        match source {
            Source::Url(url) => Self {
                url: url.clone(),
                _started: None,
            },
            Source::Programs(programs) => Self::start(programs),
        }
    }

    fn start(programs: &Path) -> Self {
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("toolwright-postgres-{}-{number}", id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the folder of temporary files can be written");
        let mut command = as_user(&folder);
        let script = command
            .args(["sh", "-c", SCRIPT, "sh"])
            .args([&folder, programs])
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut script = script.spawn().expect("a shell starts");
        let mut said = BufReader::new(script.stdout.take().expect("its output is read"));
        let started = Started {
            input: script.stdin.take(),
            script,
            folder: folder.clone(),
        };
        let mut first = String::new();
        said.read_line(&mut first).expect("its output is text");
        if first.trim() != "ready" {
            let mut rest = String::new();
            said.read_to_string(&mut rest).expect("its output is text");
            panic!("PostgreSQL does not start:\n{first}{rest}");
        }
        Self {
            url: format!(
                "postgresql:///postgres?user=toolwright&host={}",
                folder.display()
            ),
            _started: Some(started),
        }
    }

    /// The URL of a database.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.script.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The beginning of a command of a user whom PostgreSQL serves: it refuses root. The folder is that user's.
#[cfg(unix)]
fn as_user(folder: &Path) -> Command {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    let private = fs::Permissions::from_mode(0o700);
    fs::set_permissions(folder, private).expect("the folder is ours");
    if fs::metadata(folder).is_ok_and(|folder| folder.uid() != 0) {
        return Command::new("env");
    }
    let user = ["postgres", "nobody"].into_iter().find_map(|user| {
        let number = |option| {
            let said = Command::new("id").args([option, user]).output().ok()?;
            String::from_utf8(said.stdout)
                .ok()?
                .trim()
                .parse::<u32>()
                .ok()
        };
        Some((number("-u")?, number("-g")?))
    });
    let (user, group) = user.expect("there is a user `postgres` or `nobody`");
    chown(folder, Some(user), Some(group)).expect("root gives folders away");
    let mut command = Command::new("setpriv");
    command.args([
        &format!("--reuid={user}"),
        &format!("--regid={group}"),
        "--clear-groups",
    ]);
    command
}

#[cfg(not(unix))]
fn as_user(_: &Path) -> Command {
    Command::new("env")
}
