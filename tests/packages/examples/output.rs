//! Every example ends well, fits the terminal, and says in its last line what it has shown.

#[path = "../mistakes.rs"]
mod mistakes;

use std::{env, fs, path::Path};

use mistakes::mistakes;

/// Those that are compiled in a package of their own, which tests them.
const SERVED: [&str; 2] = ["axum_chat", "playground"];

#[test]
fn examples_fit_the_terminal_and_say_what_they_show() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let names: Vec<String> = fs::read_dir(folder)
        .expect("the examples are there")
        .map(|entry| entry.expect("is readable").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    for known in ["quickstart", SERVED[0], SERVED[1]] {
        assert!(names.contains(&known.to_owned()), "{names:?}");
    }

    let program = env::current_exe().expect("a test knows where it is");
    // Cargo puts tests into `deps`, and examples beside that.
    let built = program.ancestors().nth(2).expect("is in two folders");
    let built = built.join("examples");
    let here = names.iter().filter(|name| !SERVED.contains(&name.as_str()));
    let wrong: Vec<String> = here
        .flat_map(|name| mistakes(name, &built.join(name)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
