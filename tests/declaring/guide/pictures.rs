//! The pictures of the guide, which rustdoc does not copy: a page names one by its path, for readers of the file, and
//! `src/guide.rs` includes its bytes before the page, where they take precedence. `TOOLWRIGHT_UPDATE=1` writes them.

use std::{env, fs, path::Path};

use base64::{Engine as _, prelude::BASE64_STANDARD};

const LIST: &str = include_str!("../../../src/guide.rs");
const MOST_BYTES: usize = 100 * 1024;

#[test]
fn the_pictures_of_the_pages_are_in_the_documentation() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide");
    let mut shown = 0;
    for entry in fs::read_dir(guide.join("pictures")).expect("is there") {
        let file = entry.expect("is readable").file_name();
        let name = file.to_str().expect("is text");
        let media = match name.rsplit_once('.').expect("a file has a kind").1 {
            "md" => continue,
            "svg" => "svg+xml",
            kind => kind,
        };
        let picture = fs::read(guide.join("pictures").join(name)).expect("is readable");
        assert!(picture.len() < MOST_BYTES, "{name} is too large");
        let bytes = BASE64_STANDARD.encode(picture);
        let data = format!("[{name}]: data:image/{media};base64,{bytes}\n");
        let embedded = guide.join("pictures").join(format!("{name}.md"));
        if env::var_os("TOOLWRIGHT_UPDATE").is_some() {
            fs::write(&embedded, &data).expect("can be written");
        }
        let current = fs::read_to_string(&embedded).is_ok_and(|current| current == data);
        assert!(
            current,
            "{name} is not embedded as it is: set TOOLWRIGHT_UPDATE=1"
        );

        let included = format!("#[doc = include_str!(\"guide/pictures/{name}.md\")]\n");
        let rest = LIST.split(&included).skip(1);
        for rest in rest {
            let page = rest
                .split("include_str!(\"guide/")
                .find(|rest| !rest.starts_with("pictures/") && rest.contains(".md"));
            let page = page
                .and_then(|rest| rest.split('"').next())
                .expect("a page follows");
            let text = fs::read_to_string(guide.join(page)).expect("is there");
            assert!(
                text.contains(&format!("][{name}]")),
                "{page} does not show {name}"
            );
            let path = format!("\n[{name}]: pictures/{name}\n");
            assert!(text.contains(&path), "{page}: {path}");
            shown += 1;
        }
        assert!(LIST.contains(&included), "no page includes {name}");
    }
    assert!(shown >= 2, "only {shown} pictures are shown");
}
