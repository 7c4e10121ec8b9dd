//! `explain` for people.

use super::Draw;
use super::page::{Page, Tone};
use crate::commands::explain::Story;

/// The widest a column of names gets; longer ones reach beyond it.
const NAME: usize = 18;

/// How far a step that needs several lines is indented.
const INDENT: usize = 4;

impl Draw for Story {
    fn draw(&self, page: &mut Page) {
        page.put(Tone::Dim, &format!("{} ", self.kind)).put_foreign(Tone::Strong, &self.title).end();
        page.field("id", &self.id);
        for fact in &self.facts {
            page.field(fact.name, &fact.value);
        }
        page.field("now", &self.standing);
        page.end();
        let agents = self.steps.iter().filter_map(|step| step.agent.as_ref());
        let widest = agents.map(|agent| agent.as_str().len()).max().unwrap_or(0).min(NAME);
        for step in &self.steps {
            let agent = step.agent.as_ref().map_or("-", |agent| agent.as_str());
            page.put(Tone::Dim, &format!("{}  ", step.at)).put(Tone::Strong, &format!("{agent:<widest$}  "));
            page.put_wrapped(Tone::Plain, &step.what, INDENT).end();
        }
        page.end();
        match &self.next {
            Some(next) => {
                page.put_foreign(Tone::Plain, &format!("next, for {}: ", next.agent));
                page.put_foreign(Tone::Strong, &next.command).end();
            }
            None => {
                page.put(Tone::Dim, "nothing is left to do").end();
            }
        }
    }
}
