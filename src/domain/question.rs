//! Questions, of which whoever is asked for them may have none.

/// What people and agents write where there is nothing to say.
const NOTHING: &[&str] =
    &["", "-", "none", "no", "n/a", "nil", "nothing", "no questions", "no question", "not applicable"];

/// Whether a text says that there is nothing to say.
pub fn says_nothing(text: &str) -> bool {
    let said = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    NOTHING.contains(&said.as_str())
}

/// The texts that ask something.
pub fn asked(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| text.trim()).filter(|text| !says_nothing(text)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_has_no_question_asks_none() {
        let said = ["none", " None. ", "N/A", "-", "", "no questions!", "None of the tests?"];
        assert_eq!(asked(&said.map(str::to_owned)), ["None of the tests?"]);
    }
}
