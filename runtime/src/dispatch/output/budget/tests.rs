use super::{cut_error, cut_output, cut_text, error_bytes, output_bytes};
use toolwright_core::{
    ErrorCategory, ToolError,
    message::Image,
    tool::{OutputPart, ToolOutput},
};

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).expect("is below a usize")
    }

    fn text(&mut self) -> String {
        const PIECES: [&str; 9] = [
            "a",
            "é",
            "\n",
            "\r\n",
            "e\u{301}",
            "👩\u{200d}👧",
            "👍🏽",
            "word ",
            "[",
        ];
        let pieces = [0, 1, 3, 40, 300][self.below(5)];
        (0..pieces)
            .map(|_| PIECES[self.below(PIECES.len())])
            .collect()
    }

    fn output(&mut self) -> ToolOutput {
        let parts = self.below(5);
        (0..parts)
            .map(|_| match self.below(6) {
                0 => OutputPart::Image(Image::from_url("https://example.com/a.png")),
                1 | 2 => {
                    let text = self.text();
                    let json = serde_json::to_string(&[text]).expect("a text serialises");
                    OutputPart::Json(json)
                }
                _ => OutputPart::Text(self.text()),
            })
            .collect()
    }
}

#[test]
fn any_output_is_within_any_budget() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let mut cut = 0;
    for _ in 0..30_000 {
        let output = numbers.output();
        let whole = output.to_text().into_owned();
        assert_eq!(output_bytes(&output), whole.len());
        let limit = numbers.below(whole.len() + 200);
        let kept = [None, Some("out/7.txt")][numbers.below(2)];
        let left = cut_output(output.clone(), limit, kept);
        if whole.len() <= limit {
            assert_eq!(left, output);
            continue;
        }
        cut += 1;
        check(&output, &left, limit);
    }
    assert!(cut > 10_000, "{cut} were too long");
}

fn check(whole: &ToolOutput, left: &ToolOutput, limit: usize) {
    let (text, shown) = (whole.to_text(), left.to_text());
    assert!(
        shown.len() <= limit,
        "{} of {limit}: {shown:?}",
        shown.len()
    );
    assert!(whole.images().eq(left.images()), "images stay");
    for part in &left.parts {
        let is_whole = whole.parts.contains(part);
        assert!(is_whole || !matches!(part, OutputPart::Json(_)), "{part:?}");
    }
    let Some((head, rest)) = shown.split_once("[... ") else {
        let head = shown.strip_suffix("[cut]").unwrap_or(&shown);
        assert!(text.starts_with(head) && limit < 100, "{limit}: {shown:?}");
        return;
    };
    let (notice, tail) = rest.split_once(" ...]").expect("the notice has an end");
    let head = head.strip_suffix('\n').unwrap_or(head);
    let tail = tail.strip_prefix('\n').unwrap_or(tail);
    assert!(text.starts_with(head), "{head:?}");
    assert!(text.ends_with(tail), "{tail:?}");
    for (before, after) in [
        (head, &text[head.len()..]),
        (&text[..text.len() - tail.len()], tail),
    ] {
        assert!(!(before.ends_with('\r') && after.starts_with('\n')));
        let is_torn = before.ends_with('\u{200d}') || after.starts_with(['\u{301}', '🏽']);
        assert!(!is_torn, "{before:?} and {after:?}");
    }
    // The line breaks beside the notice may stand for one that was there.
    let (said, missing) = (number(notice), text.len() - head.len() - tail.len());
    assert!(
        (missing - 2..=missing).contains(&said),
        "{said} of {missing}: {notice}"
    );
}

fn number(notice: &str) -> usize {
    let digits = notice.split(' ').next().expect("it is the first word");
    digits.parse().expect("it is a number")
}

#[test]
fn the_notice_says_what_is_missing_and_where_the_whole_is() {
    let text = "one line of the log\n".repeat(100);
    assert_eq!(
        cut_text(text.clone(), 200, None),
        "one line of the log\none line of the log\none line of the log\n\
         [... 1881 bytes with 95 line breaks left out ...]\n\
         one line of the log\none line of the log\none line of the log\n"
    );
    let kept = cut_text(text.clone(), 200, Some("out/7.txt"));
    assert!(
        kept.contains("left out; the whole output: out/7.txt ...]"),
        "{kept}"
    );
    let long = "a/".repeat(200);
    let kept = cut_text(text, 200, Some(&long));
    assert!(
        kept.contains(" left out ...]"),
        "the place is too long: {kept}"
    );
}

#[test]
fn json_that_is_cut_is_text() {
    let numbers: Vec<_> = (0..1000).collect();
    let output = ToolOutput::text("first").with_json(&[1]).unwrap();
    let output = output.with_json(&numbers).unwrap().with_text("last");
    let left = cut_output(output, 150, None);
    assert_eq!(
        left.parts[..2],
        [
            OutputPart::Text("first".into()),
            OutputPart::Json("[1]".into()),
        ]
    );
    let OutputPart::Text(cut) = &left.parts[2] else {
        panic!("it is not JSON any more: {left:?}")
    };
    assert!(cut.contains("what is left is no valid JSON"), "{cut}");
    assert_eq!(left.parts[3], OutputPart::Text("last".into()));
}

#[test]
fn whole_parts_in_the_middle_are_left_out_and_images_stay() {
    let image = || OutputPart::Image(Image::from_url("https://example.com/a.png"));
    let middle = OutputPart::Text("middle".repeat(50));
    let output = ToolOutput::text("first line")
        .with_part(middle.clone())
        .with_part(image())
        .with_part(middle)
        .with_text("last line");
    let left = cut_output(output, 69, None);
    assert_eq!(left.parts.len(), 4, "{left:?}");
    assert_eq!(left.parts[0], OutputPart::Text("first line".into()));
    assert_eq!(left.parts[2], image());
    assert!(left.to_text().ends_with("last line"), "{left:?}");
}

#[test]
fn a_budget_too_small_for_the_notice_leaves_text() {
    let cut = |limit| cut_text("ääääääääää".to_owned(), limit, None);
    assert_eq!(cut(12), "äää[cut]");
    assert_eq!((cut(6).as_str(), cut(5).as_str()), ("[cut]", "ää"));
    assert_eq!((cut(3).as_str(), cut(0).as_str()), ("ä", ""));
}

#[test]
fn any_error_is_within_any_budget() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for _ in 0..10_000 {
        let mut error = ToolError::not_found(numbers.text());
        for index in 0..numbers.below(6) {
            error = error.with_detail(format!("{index}{}", numbers.text()), numbers.text());
        }
        error = error.with_log(numbers.text());
        let limit = 50 + numbers.below(2000);
        let bytes = error_bytes(&error);
        assert_eq!(error.to_model_text().len(), bytes);
        let left = cut_error(error.clone(), limit, None);
        assert!(left.to_model_text().len() <= limit, "{limit}: {left:?}");
        assert!(left.log.as_ref().is_some_and(|log| log.len() <= limit));
        assert_eq!(left.category, ErrorCategory::ResourceNotFound);
        if bytes <= limit && error.log.as_ref().is_some_and(|log| log.len() <= limit) {
            assert_eq!(left, error);
        }
    }
}

#[test]
fn details_without_room_are_counted() {
    let mut error = ToolError::not_found("no such order");
    for index in 0..20 {
        error = error.with_detail(format!("order_{index:02}"), "x".repeat(30));
    }
    let left = cut_error(error, 300, None);
    assert_eq!(left.message, "no such order");
    assert_eq!(left.details["order_00"], "x".repeat(30));
    assert!(left.details["left_out"].ends_with(" more"), "{left:?}");
}
