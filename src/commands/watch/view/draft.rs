//! An answer in the making, on one line.

use super::Key;
use crate::domain::agent::AgentId;
use crate::domain::message::MessageId;

/// An answer to a message, with the cursor somewhere in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The message that is answered.
    pub id: MessageId,
    pub to: AgentId,
    /// What the message is about.
    pub about: String,
    pub before_cursor: String,
    pub after_cursor: String,
}

impl Draft {
    /// An empty answer.
    pub fn new(id: MessageId, to: AgentId, about: &str) -> Self {
        let about = about.to_owned();
        Self { id, to, about, before_cursor: String::new(), after_cursor: String::new() }
    }

    /// What is sent.
    pub fn text(&self) -> String {
        format!("{}{}", self.before_cursor, self.after_cursor).trim().to_owned()
    }

    /// Takes a key that changes the text or moves the cursor; any other does nothing.
    pub(super) fn edit(&mut self, key: &Key) {
        match key {
            Key::Letter(letter) => self.before_cursor.push(*letter),
            Key::Paste(text) => self.before_cursor.push_str(&on_one_line(text)),
            Key::Backspace => drop(self.before_cursor.pop()),
            Key::Delete => drop(take_first(&mut self.after_cursor)),
            Key::EraseLine => self.before_cursor.clear(),
            Key::EraseWord => {
                let kept = self.before_cursor.trim_end().rfind(char::is_whitespace).map_or(0, |gap| gap + 1);
                self.before_cursor.truncate(kept);
            }
            Key::Left => {
                if let Some(letter) = self.before_cursor.pop() {
                    self.after_cursor.insert(0, letter);
                }
            }
            Key::Right => self.before_cursor.extend(take_first(&mut self.after_cursor)),
            Key::Home => {
                self.after_cursor.insert_str(0, &self.before_cursor);
                self.before_cursor.clear();
            }
            Key::End => self.before_cursor.push_str(&std::mem::take(&mut self.after_cursor)),
            _ => {}
        }
    }
}

fn take_first(text: &mut String) -> Option<char> {
    (!text.is_empty()).then(|| text.remove(0))
}

/// Pasted lines one after another, without what a terminal would obey.
fn on_one_line(text: &str) -> String {
    let lines = text.split(['\n', '\r', '\t']).map(str::trim).filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join(" ");
    text.chars().filter(|letter| !letter.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &[Key]) -> (String, String) {
        let mut draft = Draft::new("msg_1".parse().unwrap(), "amber-otter".parse().unwrap(), "Need a key");
        keys.iter().for_each(|key| draft.edit(key));
        (draft.before_cursor, draft.after_cursor)
    }

    fn letters(text: &str) -> Vec<Key> {
        text.chars().map(Key::Letter).collect()
    }

    #[track_caller]
    fn check(text: &str, keys: &[Key], before: &str, after: &str) {
        assert_eq!(typed(&[letters(text), keys.to_vec()].concat()), (before.to_owned(), after.to_owned()));
    }

    #[test]
    fn the_cursor_moves_within_the_text() {
        check("one", &[Key::Left, Key::Left, Key::Letter('x')], "ox", "ne");
        check("one", &[Key::Home, Key::Left, Key::Delete], "", "ne");
        check("one", &[Key::Home, Key::Right, Key::End, Key::Right], "one", "");
        check("né", &[Key::Left, Key::Backspace, Key::Backspace], "", "é");
    }

    #[test]
    fn words_and_the_line_are_erased_as_in_a_shell() {
        check("one two  ", &[Key::EraseWord], "one ", "");
        check("one", &[Key::EraseWord, Key::EraseWord], "", "");
        check("one two", &[Key::Left, Key::EraseLine], "", "o");
    }

    #[test]
    fn pasted_lines_become_one() {
        let paste = Key::Paste("yes,\r\n\tall of\u{1b} it\n\nq\n".to_owned());
        check("so: ", &[paste], "so: yes, all of it q", "");
    }

    #[test]
    fn other_keys_change_nothing() {
        check("one", &[Key::Up, Key::NextPanel, Key::PageDown, Key::Resized], "one", "");
    }
}
