//! Differences between the generations of Gemini, by the name of a model.
//!
//! A name without a number, such as `gemini-flash-latest`, is that of a model of today.

/// The version of a model: 2.5 of `gemini-2.5-flash`. `None` where its name does not say.
fn version(model: &str) -> Option<(u32, u32)> {
    model.split("gemini-").skip(1).find_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        let number = &rest[..end.unwrap_or(rest.len())];
        let (major, minor) = number.split_once('.').unwrap_or((number, "0"));
        Some((major.parse().ok()?, minor.parse().unwrap_or_default()))
    })
}

/// The generation of a model: 2 for `gemini-2.5-flash`.
fn of(model: &str) -> Option<u32> {
    version(model).map(|(major, _)| major)
}

/// How a model can be asked to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thinks {
    /// Not at all.
    Never,
    /// By a budget between two numbers of tokens, and perhaps by none.
    ByBudget { least: i32, most: i32, off: bool },
    /// By a level, of which the words say those that it takes. It always thinks.
    ByLevel(&'static [&'static str]),
    /// In a way that its name does not say.
    Unknown,
}

const LEVELS: &[&str] = &["low", "medium", "high"];
const ALL_LEVELS: &[&str] = &["minimal", "low", "medium", "high"];

/// How each generation thinks, by the first version and by a word of the name. The last row that fits holds.
///
/// - Levels: <https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking>, and for Gemini 3
///   <https://hexdocs.pm/gemini_ex/Gemini.Types.Enums.ThinkingLevel.html>
/// - Budgets: <https://ai.google.dev/gemini-api/docs/thinking>
const THINKING: [((u32, u32), &str, Thinks); 11] = [
    ((0, 0), "", Thinks::Never),
    (
        (2, 5),
        "",
        Thinks::ByBudget {
            least: 0,
            most: 24_576,
            off: true,
        },
    ),
    (
        (2, 5),
        "lite",
        Thinks::ByBudget {
            least: 512,
            most: 24_576,
            off: true,
        },
    ),
    (
        (2, 5),
        "pro",
        Thinks::ByBudget {
            least: 128,
            most: 32_768,
            off: false,
        },
    ),
    ((3, 0), "", Thinks::ByLevel(LEVELS)),
    ((3, 0), "flash", Thinks::ByLevel(ALL_LEVELS)),
    ((3, 0), "pro", Thinks::ByLevel(&["low", "high"])),
    ((3, 1), "", Thinks::ByLevel(LEVELS)),
    ((3, 1), "flash", Thinks::ByLevel(ALL_LEVELS)),
    ((3, 7), "", Thinks::ByLevel(LEVELS)),
    ((3, 7), "lite", Thinks::ByLevel(ALL_LEVELS)),
];

/// How a model thinks.
pub(super) fn thinks(model: &str) -> Thinks {
    let version = match version(model) {
        Some(version) => version,
        // Of today.
        None if model.contains("gemini-") => return Thinks::ByLevel(LEVELS),
        None => return Thinks::Unknown,
    };
    let fits = |row: &&((u32, u32), &str, Thinks)| row.0 <= version && model.contains(row.1);
    let rows = THINKING.iter().filter(fits);
    // A row of a later version holds over those of the words of an earlier one.
    rows.fold(Thinks::Unknown, |_, row| row.2)
}

/// Returns true if each call in the history needs a signature. From Gemini 3 on, a request with a call that
/// has none is refused ("Function call is missing a `thought_signature` in functionCall parts").
pub(super) fn needs_signatures(model: &str) -> bool {
    model.contains("gemini") && of(model).is_none_or(|number| number >= 3)
}

/// Returns true if a result may hold images itself: from Gemini 3 on.
pub(super) fn takes_images_in_results(model: &str) -> bool {
    of(model).is_some_and(|number| number >= 3)
}

/// Returns true for a model of a version before 3.
pub(super) fn is_before_3(model: &str) -> bool {
    model.contains("gemini") && of(model).is_some_and(|number| number < 3)
}

#[cfg(test)]
mod tests {
    use super::{Thinks, needs_signatures, of, takes_images_in_results, thinks};

    #[test]
    fn a_name_says_the_generation_or_not() {
        let check = |model, number| assert_eq!(of(model), number, "{model}");
        check("gemini-2.5-flash", Some(2));
        check("models/gemini-3-pro-preview", Some(3));
        check("publishers/google/models/gemini-1.5-pro", Some(1));
        check("gemini-12", Some(12));
        check("gemini-flash-latest", None);
        check("gemini-99999999999", None);
        check("gemma-3-27b-it", None);
        check("", None);
    }

    #[test]
    fn what_is_of_today_needs_signatures() {
        for (model, signatures, images) in [
            ("gemini-3.1-pro-preview", true, true),
            ("gemini-flash-latest", true, false),
            ("gemini-2.5-pro", false, false),
            ("gemma-3-27b-it", false, false),
        ] {
            assert_eq!(needs_signatures(model), signatures, "{model}");
            assert_eq!(takes_images_in_results(model), images, "{model}");
        }
    }

    #[test]
    fn each_generation_thinks_in_its_way() {
        let budget = |model| match thinks(model) {
            Thinks::ByBudget { least, most, off } => (least, most, off),
            other => panic!("{model}: {other:?}"),
        };
        assert_eq!(budget("gemini-2.5-flash"), (0, 24_576, true));
        assert_eq!(budget("gemini-2.5-flash-lite"), (512, 24_576, true));
        assert_eq!(budget("models/gemini-2.5-pro"), (128, 32_768, false));
        let levels = |model| match thinks(model) {
            Thinks::ByLevel(levels) => levels.len(),
            other => panic!("{model}: {other:?}"),
        };
        assert_eq!(levels("gemini-3-pro-preview"), 2);
        assert_eq!(levels("gemini-3-flash-preview"), 4);
        assert_eq!(levels("gemini-3.1-pro-preview"), 3);
        assert_eq!(levels("gemini-3.6-flash"), 4);
        assert_eq!(levels("gemini-3.8-flash"), 3);
        assert_eq!(levels("gemini-flash-latest"), 3);
        assert_eq!(thinks("gemini-2.0-flash"), Thinks::Never);
        assert_eq!(thinks("gemma-3-27b-it"), Thinks::Unknown);
    }
}
