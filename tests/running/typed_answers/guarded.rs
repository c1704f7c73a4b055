//! Types whose own code panics.

use serde::Deserializer;

use super::*;

/// A number that cannot be read if it is odd.
#[derive(Debug, PartialEq, ToolInput)]
struct Even {
    number: u8,
}

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Number {
            number: u8,
        }
        let Number { number } = Number::deserialize(deserializer)?;
        assert!(number.is_multiple_of(2), "it is odd");
        Ok(Self { number })
    }
}

const ODD: &str = r#"{"number": 3}"#;
const EVEN: &str = r#"{"number": 4}"#;

#[tokio::test]
async fn one_that_panics_reads_no_answer_and_takes_no_run_along() {
    for model in [
        by_schema([text(ODD), text(EVEN)]),
        by_tool([given(ODD), given(EVEN)]),
    ] {
        let answer = runner(model)
            .request("A number?")
            .answer_as::<Even>()
            .run()
            .await;
        let answer = answer.expect("the second fits");
        assert_eq!(
            (answer.value, answer.outcome.corrections),
            (Even { number: 4 }, 1)
        );
        let told = format!("{:?}", answer.outcome.warnings);
        assert!(!told.contains("odd"), "{told}");
    }
    for model in [
        by_schema([(); 3].map(|()| text(ODD))),
        by_tool([(); 3].map(|()| given(ODD))),
    ] {
        let error = runner(model)
            .request("A number?")
            .answer_as::<Even>()
            .run()
            .await;
        let error = error.expect_err("none fits");
        let (said, why) = error.unfit().expect("it cannot be read");
        assert_eq!(said, ODD);
        assert!(why.contains("cannot read this value"), "{why}");
    }
}
