//! Answers of people against the questions of calls.

use super::output_check::OutputCheck;
use crate::{
    ToolError,
    tool::{Decision, Question, QuestionWay},
};

/// Checks that a decision answers a question. Without the feature `jsonschema` every object fits a form.
///
/// # Errors
///
/// `InvalidArguments`, with the place in the form and what was expected there.
pub fn check_answer(question: &Question, decision: &Decision) -> Result<(), ToolError> {
    let arguments = match decision {
        Decision::Deny { .. } => return Ok(()),
        Decision::ApproveWith { arguments } => arguments,
        // Whoever approves may not know that it is asked.
        Decision::Approve => {
            let message = "an approval answers no question: answer with the filled form, or with {} for an address that was opened";
            return Err(ToolError::invalid_arguments(message));
        }
    };
    let schema = match &question.way {
        QuestionWay::Form(schema) => schema,
        QuestionWay::Url(_) if arguments.trim() == "{}" => return Ok(()),
        QuestionWay::Url(_) => {
            let message =
                "the question has an address to open, and takes no values: answer with {}";
            return Err(ToolError::invalid_arguments(message));
        }
    };
    let check = OutputCheck::new("the form", schema);
    let check = check.map_err(|error| ToolError::internal(error.to_string()))?;
    check.check(arguments)
}

/// Returns why a question cannot be asked, if it cannot.
pub fn defect(question: &Question) -> Option<String> {
    match &question.way {
        QuestionWay::Form(schema) => {
            let check = OutputCheck::new("the form", schema);
            check.err().map(|error| error.to_string())
        }
        QuestionWay::Url(address) => {
            let scheme = address.split_once("://").map_or("", |(scheme, _)| scheme);
            let is_web = ["http", "https"]
                .iter()
                .any(|web| scheme.eq_ignore_ascii_case(web));
            (!is_web).then(|| format!("`{address}` is no address of http or https"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Schema;

    fn form() -> Question {
        let schema = r#"{"type": "object", "properties": {"guests": {"type": "integer"}}, "required": ["guests"]}"#;
        Question::form("How many?", Schema::from_text(schema).expect("is JSON"))
    }

    #[test]
    fn an_address_is_opened_and_takes_no_values() {
        let question = Question::url("Sign in.", "https://example.com/");
        assert_eq!(
            check_answer(&question, &Decision::approve_with("{}")),
            Ok(())
        );
        assert_eq!(check_answer(&question, &Decision::deny("")), Ok(()));
        let filled = Decision::approve_with(r#"{"a": 1}"#);
        assert!(check_answer(&question, &filled).is_err());
    }

    /// It may come from somebody who saw an approval, and from an approver that approves all.
    #[test]
    fn an_approval_answers_no_question() {
        let empty = Schema::from_text(r#"{"type": "object", "properties": {}}"#).expect("is JSON");
        for question in [
            Question::url("Sign in.", "https://example.com/"),
            Question::form("Sure?", empty),
        ] {
            assert!(check_answer(&question, &Decision::Approve).is_err());
            assert_eq!(
                check_answer(&question, &Decision::approve_with("{}")),
                Ok(())
            );
        }
    }

    #[test]
    fn only_addresses_of_the_web_are_asked() {
        for (address, is_asked) in [
            ("https://example.com", true),
            ("HTTP://example.com", true),
            ("javascript:alert(1)", false),
            ("file:///etc/passwd", false),
            ("", false),
        ] {
            let question = Question::url("Open.", address);
            assert_eq!(defect(&question).is_none(), is_asked, "{address}");
        }
        assert_eq!(defect(&form()), None);
        let list = Schema::from_text(r#"{"type": "array"}"#).expect("is JSON");
        assert!(defect(&Question::form("Which?", list)).is_some());
    }

    #[test]
    fn a_form_is_an_object() {
        assert!(check_answer(&form(), &Decision::approve_with("[]")).is_err());
        assert!(check_answer(&form(), &Decision::approve_with("no JSON")).is_err());
        let filled = Decision::approve_with(r#"{"guests": 2}"#);
        assert_eq!(check_answer(&form(), &filled), Ok(()));
    }

    #[cfg(feature = "jsonschema")]
    #[test]
    fn a_form_that_does_not_fit_says_where() {
        let filled = Decision::approve_with(r#"{"guests": "two"}"#);
        let error = check_answer(&form(), &filled).expect_err("is wrong");
        assert!(error.message.contains("guests"), "{error}");
        assert!(
            check_answer(&form(), &Decision::approve_with("{}")).is_err(),
            "guests is missing"
        );
    }
}
