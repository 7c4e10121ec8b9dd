//! The answer to a request.

use serde_json::json;

use super::Notice;
use crate::domain::message::{Kind, Priority, reply_subject};
use crate::domain::reply::Verdict;

/// Answers the request that has this subject.
pub fn acknowledgment(request_subject: &str, verdict: Verdict, text: &str, notes: Option<&str>) -> Notice {
    let fields = json!({ "ready": verdict.proceeds(), "notes": notes });
    let subject = reply_subject(request_subject);
    Notice::new(Kind::Acknowledgment, Priority::Normal, subject, text.to_owned(), fields)
}
