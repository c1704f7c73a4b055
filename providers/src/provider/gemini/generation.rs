//! Differences between the generations of Gemini, by the name of a model.
//!
//! A name without a number, such as `gemini-flash-latest`, is that of a model of today.

/// The generation of a model: 2 for `gemini-2.5-flash`. `None` where its name does not say.
fn of(model: &str) -> Option<u32> {
    model.split("gemini-").skip(1).find_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit());
        rest[..end.unwrap_or(rest.len())].parse().ok()
    })
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

/// Returns true if thinking is measured in tokens only: before Gemini 3.
pub(super) fn thinks_by_budget(model: &str) -> bool {
    of(model).is_some_and(|number| number < 3)
}

#[cfg(test)]
mod tests {
    use super::{needs_signatures, of, takes_images_in_results, thinks_by_budget};

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
        for (model, signatures, images, budget) in [
            ("gemini-3.1-pro-preview", true, true, false),
            ("gemini-flash-latest", true, false, false),
            ("gemini-2.5-pro", false, false, true),
            ("gemma-3-27b-it", false, false, false),
        ] {
            assert_eq!(needs_signatures(model), signatures, "{model}");
            assert_eq!(takes_images_in_results(model), images, "{model}");
            assert_eq!(thinks_by_budget(model), budget, "{model}");
        }
    }
}
