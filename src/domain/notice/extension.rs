//! More time, or none.

use serde_json::json;

use super::wording::seconds;
use super::{Notice, instructions};
use crate::domain::Timestamp;
use crate::domain::handshake::{Recipient, Snapshot};
use crate::domain::message::{Kind, Priority};

/// Tells a recipient that it has more time, and how much of it is left at `now`.
pub fn extension_granted(state: &Snapshot, recipient: &Recipient, now: Timestamp) -> Notice {
    let remaining = seconds(recipient.deadline.since(now));
    let message =
        format!("Extension granted. You now have {remaining} remaining. Please reply \"ok\" when ready.");
    let fields = json!({
        "new_timeout": remaining,
        "extension_allowed_again": false,
        "deadline": recipient.deadline,
        "acknowledgment_instructions": instructions::for_operation(state, recipient),
    });
    let subject = "Extension Granted".to_owned();
    Notice::new(Kind::ExtensionGranted, Priority::Normal, subject, message, fields).about(state)
}

/// Tells a recipient that its deadline stays.
///
/// It is a plain message: a kind of its own would be counted as a grant or as a reminder.
pub fn extension_refused(state: &Snapshot, recipient: &Recipient, now: Timestamp) -> Notice {
    let remaining = seconds(recipient.deadline.since(now));
    let why = if recipient.extended { "No further extension is allowed" } else { "No extension is allowed" };
    let message = format!("{why}. You still have {remaining} remaining. Please reply \"ok\" when ready.");
    let fields = json!({
        "type": "extension-refused",
        "time_remaining": remaining,
        "extension_allowed_again": false,
        "deadline": recipient.deadline,
        "acknowledgment_instructions": instructions::for_operation(state, recipient),
    });
    let subject = "Extension Not Granted".to_owned();
    Notice::new(Kind::Message, Priority::Normal, subject, message, fields).about(state)
}
