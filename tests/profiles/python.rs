//! A Python with the providers' SDKs, made under `target/` where there is none yet.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What is installed.
const REQUIREMENTS: &str = include_str!("requirements.txt");

/// The program: that of the variable `TOOLWRIGHT_PYTHON`, else one that is made on the first run.
///
/// # Errors
///
/// What is missing: Python itself, or what `pip` cannot get.
pub(crate) fn with_sdks() -> Result<PathBuf, String> {
    if let Some(python) = env::var_os("TOOLWRIGHT_PYTHON") {
        return Ok(python.into());
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    let python = folder.join("bin/python");
    let made = folder.join("made");
    // It is written last, so that what broke off is made anew.
    if fs::read_to_string(&made).is_ok_and(|made| made == REQUIREMENTS) {
        return Ok(python);
    }
    run(Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(&folder))?;
    // Tests of several packages include this file, from folders of their own.
    let requirements = folder.join("requirements.txt");
    fs::write(&requirements, REQUIREMENTS)
        .map_err(|error| format!("{}: {error}", requirements.display()))?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--requirement"]);
    run(install.arg(requirements))?;
    let written = fs::write(&made, REQUIREMENTS);
    written.map_err(|error| format!("{}: {error}", made.display()))?;
    Ok(python)
}

fn run(command: &mut Command) -> Result<(), String> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let output = command.output();
    let output = output.map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.trim().lines().next_back().unwrap_or_default();
    Err(format!("{command:?}: {}: {last}", output.status))
}
