//! Every example ends well, fits the terminal, and says in its last line what it has shown.

#[path = "../../tests/packages/mistakes.rs"]
mod mistakes;

use std::{env, fs, path::Path};

use mistakes::mistakes;

#[test]
fn examples_fit_the_terminal_and_say_what_they_show() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names: Vec<String> = fs::read_dir(folder)
        .expect("the examples are there")
        .map(|entry| entry.expect("is readable").path())
        .filter(|path| path.join("main.rs").exists() || path.extension() == Some("rs".as_ref()))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    assert!(names.contains(&"quickstart".to_owned()), "{names:?}");

    let program = env::current_exe().expect("a test knows where it is");
    // Cargo puts tests into `deps`, and examples beside that.
    let built = program.ancestors().nth(2).expect("is in two folders");
    let built = built.join("examples");
    let wrong: Vec<String> = names
        .iter()
        .flat_map(|name| mistakes(name, &built.join(name)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
