//! What an agent needs to know, and its place in a file that somebody else owns.

use super::{Invalid, Rule};

/// The line before our part of a file.
pub const BEGIN: &str = "<!-- bb onboard: begin -->";

/// The line after our part of a file.
pub const END: &str = "<!-- bb onboard: end -->";

/// The instructions: when to write, when to look, how to answer, wait, reserve and hand over.
pub const INSTRUCTIONS: &str = include_str!("onboard/instructions.md");

/// Puts the instructions into a text: in the place of earlier ones, else at its end. Everything else stays.
pub fn insert(text: &str) -> Result<String, Invalid> {
    let ours = format!("{BEGIN}\n{INSTRUCTIONS}{END}");
    match (text.matches(BEGIN).count(), text.matches(END).count()) {
        (0, 0) => {
            let gap = match text {
                "" => "",
                text if text.ends_with("\n\n") => "",
                text if text.ends_with('\n') => "\n",
                _ => "\n\n",
            };
            Ok(format!("{text}{gap}{ours}\n"))
        }
        (1, 1) => match text.split_once(BEGIN).map(|(before, rest)| (before, rest.split_once(END))) {
            Some((before, Some((_, after)))) => Ok(format!("{before}{ours}{after}")),
            _ => Err(torn("the end stands before the beginning")),
        },
        _ => Err(torn("a mark is missing or stands there twice")),
    }
}

fn torn(why: &str) -> Invalid {
    Invalid::new(Rule::Content, format!("the marks of bb's part cannot be understood: {why}"))
        .hint(format!("leave one `{BEGIN}` and one `{END}` after it, or none of them"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_instructions_are_short() {
        assert!(INSTRUCTIONS.lines().count() < 60, "{}", INSTRUCTIONS.lines().count());
        assert!(INSTRUCTIONS.ends_with('\n') && !INSTRUCTIONS.contains("bb onboard:"));
    }

    #[test]
    fn earlier_instructions_are_replaced_where_they_stand() {
        let before = format!("# Mine\n\n{BEGIN}\nold\n{END}\n\n## Also mine\n");
        let after = insert(&before).unwrap();
        assert!(after.starts_with(&format!("# Mine\n\n{BEGIN}\n")), "{after}");
        assert!(after.ends_with(&format!("{END}\n\n## Also mine\n")), "{after}");
        assert!(!after.contains("old\n"));
    }

    #[test]
    fn torn_marks_are_refused() {
        for text in
            [BEGIN.to_owned(), END.to_owned(), format!("{END}{BEGIN}"), format!("{BEGIN}{BEGIN}{END}")]
        {
            assert!(insert(&text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn whatever_else_stands_there_stays(before in "[^<]*", after in "[^<]*") {
            let once = insert(&before).unwrap();
            prop_assert!(once.starts_with(&before));
            prop_assert_eq!(insert(&once).unwrap(), once.clone());
            let around = format!("{before}{BEGIN}{END}{after}");
            let filled = insert(&around).unwrap();
            prop_assert!(filled.starts_with(&before) && filled.ends_with(&after));
            prop_assert_eq!(insert(&filled).unwrap(), filled);
        }
    }
}
