//! An acknowledgment as it is gathered, line by line.

use super::line::{self, Label};
use super::{AckProblem, AckText};
use crate::domain::question::says_nothing;
use crate::domain::task::{AckStatus, TaskId};

/// The longest part of an unknown status that is repeated to its author, in characters.
const MAX_SAID: usize = 60;

/// One acknowledgment and the fields below it.
pub(super) struct Block {
    pub(super) depth: usize,
    pub(super) task_id: TaskId,
    said: String,
    understanding: Field,
    note: Field,
    reason: Field,
    questions: Vec<String>,
    asked: bool,
    open: Open,
}

#[derive(Default)]
struct Field {
    text: String,
    given: bool,
}

/// The field that the next line may go on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Text(Label),
    Questions {
        /// The next unmarked line belongs to the last question.
        continues: bool,
        after_blank: bool,
    },
}

/// Every acknowledgment of a text, quoted or not.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let text = text.replace("\r\n", "\n");
    let mut blocks: Vec<Block> = Vec::new();
    for raw in text.split(['\n', '\r']) {
        let (depth, content) = line::unquote(raw);
        if let Some(header) = line::header(content) {
            blocks.push(Block::new(depth, header));
        } else if let Some(block) = blocks.last_mut() {
            if block.depth == depth {
                block.take(content);
            } else {
                block.open = Open::Nothing;
            }
        }
    }
    blocks
}

impl Block {
    fn new(depth: usize, header: line::Header<'_>) -> Self {
        let (said, mut rest) = line::split_at_label(header.said);
        let mut block = Self {
            depth,
            task_id: header.task_id,
            said: said.trim().to_owned(),
            understanding: Field::default(),
            note: Field::default(),
            reason: Field::default(),
            questions: Vec::new(),
            asked: false,
            open: Open::Nothing,
        };
        while let Some((label, value)) = rest {
            let (value, next) = line::split_at_label(value);
            block.begin(label, value.trim());
            rest = next;
        }
        block
    }

    fn take(&mut self, content: &str) {
        if line::is_fence_or_rule(content) {
            self.open = Open::Nothing;
        } else if let Some((label, value)) = line::label(content) {
            self.begin(label, value);
        } else if content.is_empty() {
            self.open = match self.open {
                Open::Questions { continues, .. } => Open::Questions { continues, after_blank: true },
                Open::Text(_) | Open::Nothing => Open::Nothing,
            };
        } else {
            self.go_on(content);
        }
    }

    fn begin(&mut self, label: Label, value: &str) {
        if label == Label::Questions {
            self.open = Open::Nothing;
            if !std::mem::replace(&mut self.asked, true) {
                let items = line::inline_items(value).into_iter().filter(|item| !item.is_empty());
                self.questions.extend(items.map(str::to_owned));
                self.open = Open::Questions { continues: !self.questions.is_empty(), after_blank: false };
            }
            return;
        }
        let first = self.field(label).is_some_and(|field| !std::mem::replace(&mut field.given, true));
        self.open = if first { Open::Text(label) } else { Open::Nothing };
        self.go_on(value);
    }

    fn go_on(&mut self, content: &str) {
        match self.open {
            Open::Nothing => {}
            Open::Text(label) => {
                if let Some(field) = self.field(label) {
                    append(&mut field.text, content);
                }
            }
            Open::Questions { continues, after_blank } => self.go_on_asking(content, continues, after_blank),
        }
    }

    fn go_on_asking(&mut self, content: &str, continues: bool, after_blank: bool) {
        let item = line::list_item(content);
        if item.is_none() && after_blank && !self.questions.is_empty() {
            self.open = Open::Nothing;
            return;
        }
        match (item, self.questions.last_mut().filter(|_| continues)) {
            (None, Some(last)) => append(last, content),
            (None, None) => self.questions.push(content.to_owned()),
            (Some(item), _) => self.questions.push(item.to_owned()),
        }
        self.open = Open::Questions { continues: continues || item.is_some(), after_blank: false };
    }

    fn field(&mut self, label: Label) -> Option<&mut Field> {
        match label {
            Label::Understanding => Some(&mut self.understanding),
            Label::Note => Some(&mut self.note),
            Label::Reason => Some(&mut self.reason),
            Label::Questions => None,
        }
    }

    /// The acknowledgment, if its status is one.
    pub(super) fn finish(self) -> Result<AckText, AckProblem> {
        let said = self.said.trim_matches(['*', '_', '`', ' ']);
        let Some(status) = AckStatus::recognise(said) else {
            let said = said.chars().take(MAX_SAID).collect();
            return Err(AckProblem::UnknownStatus { task_id: self.task_id, said });
        };
        Ok(AckText {
            task_id: self.task_id,
            status,
            understanding: one_line(&self.understanding.text),
            questions: self.questions.iter().filter_map(|text| one_line(text)).collect(),
            note: one_line(&self.note.text),
            reason: one_line(&self.reason.text),
        })
    }
}

fn append(text: &mut String, more: &str) {
    text.push(' ');
    text.push_str(more);
}

/// The text on one line, unless it says nothing.
pub(super) fn one_line(text: &str) -> Option<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!says_nothing(&line)).then_some(line)
}
