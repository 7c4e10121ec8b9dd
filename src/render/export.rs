//! Reports and exports for people.

use super::page::{Page, Tone};
use super::{Draw, sanitize};
use crate::commands::export::{Exported, Written};
use crate::commands::report::Reported;

impl Draw for Reported {
    fn draw(&self, page: &mut Page) {
        page.put(Tone::Plain, &sanitize::lines(&self.report.markdown()));
    }
}

impl Draw for Exported {
    fn draw(&self, page: &mut Page) {
        match self {
            Self::State { written, .. } => record(written, "State file updated successfully", page),
            Self::Audit { written, .. } => record(written, "Audit log written", page),
            Self::Backup { backup, bytes, archive, handoffs } => {
                page.put_foreign(Tone::Plain, &format!("copied the store into {backup} ({bytes} bytes)"))
                    .end();
                if let Some(archive) = archive {
                    let what = format!("what was archived is not in it: copy {archive} as well");
                    page.put_foreign(Tone::Warning, &what).end();
                }
                if let Some(handoffs) = handoffs {
                    let what = format!("the documents of handoffs are not in it: copy {handoffs} as well");
                    page.put_foreign(Tone::Warning, &what).end();
                }
            }
        }
    }
}

fn record(written: &Written, done: &str, page: &mut Page) {
    let Some(file) = &written.file else {
        page.put(Tone::Plain, &written.text);
        return;
    };
    page.put(Tone::Good, done).put_foreign(Tone::Plain, &format!(": {file}")).end();
    if let Some(kept) = &written.kept {
        page.put_foreign(Tone::Plain, &format!("what was there is kept as {kept}")).end();
    }
}
