//! The answer to a request.

use serde_json::json;

use super::Notice;
use crate::domain::message::{Kind, Priority, reply_subject};
use crate::domain::reply::Verdict;

/// Answers the request that has this subject.
pub fn acknowledgment(
    request_subject: &str,
    verdict: Verdict,
    text: &str,
    notes: Option<&str>,
    operation_id: Option<&str>,
) -> Notice {
    let mut fields = json!({ "ready": verdict.proceeds(), "notes": notes });
    if let (Some(id), Some(map)) = (operation_id, fields.as_object_mut()) {
        map.insert("operation_id".to_owned(), id.into());
    }
    let subject = reply_subject(request_subject);
    Notice::new(Kind::Acknowledgment, Priority::Normal, subject, text.to_owned(), fields)
}
