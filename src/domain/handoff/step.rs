//! How far a replacement has come.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::message::words;
use crate::domain::{Invalid, Rule, Timestamp};

words! {
    /// A step of a replacement, in the order in which they are taken.
    ///
    /// A document that is not published is sent right after it was copied. `escalated` is passed only
    /// by a replacement that stayed silent. `transferred`, `partial` and `failed` exclude each other,
    /// and each of them is confirmed to the controller and audited. `superseded` ends a handoff whose
    /// tasks went into a newer one.
    Step, Rule::Handoff, "step of a handoff" {
        Prepared => "prepared",
        Copied => "copied",
        Published => "published",
        Sent => "sent",
        Escalated => "escalated",
        Acknowledged => "acknowledged",
        Verified => "verified",
        Transferred => "transferred",
        Partial => "partial",
        Failed => "failed",
        Confirmed => "confirmed",
        Audited => "audited",
        Superseded => "superseded",
    }
}

/// A step and when it was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepTaken {
    pub step: Step,
    #[schemars(with = "String")]
    pub at: Timestamp,
}

impl Step {
    /// Its place in the order; it only grows.
    pub const fn rank(self) -> u8 {
        match self {
            Self::Prepared => 0,
            Self::Copied => 1,
            Self::Published => 2,
            Self::Sent => 3,
            Self::Escalated => 4,
            Self::Acknowledged => 5,
            Self::Verified => 6,
            Self::Transferred | Self::Partial | Self::Failed => 7,
            Self::Confirmed => 8,
            Self::Audited => 9,
            Self::Superseded => 10,
        }
    }

    /// Whether it is still open what becomes of the tasks.
    pub const fn is_open(self) -> bool {
        self.rank() <= Self::Verified.rank()
    }

    /// Whether the replacement has its notice and may still answer to an effect.
    pub const fn is_delivered(self) -> bool {
        self.is_open() && self.rank() >= Self::Sent.rank()
    }

    /// Whether nothing more is to be done.
    pub const fn is_last(self) -> bool {
        matches!(self, Self::Audited | Self::Superseded)
    }

    /// Whether `next` may follow at once.
    pub const fn leads_to(self, next: Self) -> bool {
        match next {
            Self::Prepared => false,
            Self::Copied => matches!(self, Self::Prepared),
            Self::Published => matches!(self, Self::Copied),
            Self::Sent => matches!(self, Self::Copied | Self::Published),
            Self::Escalated => matches!(self, Self::Sent),
            Self::Acknowledged => matches!(self, Self::Sent | Self::Escalated),
            Self::Verified => matches!(self, Self::Acknowledged),
            // Straight from the acknowledgment only by a documented override.
            Self::Transferred | Self::Partial => matches!(self, Self::Acknowledged | Self::Verified),
            Self::Failed | Self::Superseded => self.is_open(),
            Self::Confirmed => matches!(self, Self::Transferred | Self::Partial | Self::Failed),
            Self::Audited => matches!(self, Self::Confirmed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_leads_forward() {
        for from in Step::ALL {
            for to in Step::ALL.iter().filter(|to| from.leads_to(**to)) {
                assert!(from.rank() < to.rank(), "{from} leads to {to}");
            }
        }
    }

    #[test]
    fn only_the_last_steps_lead_nowhere() {
        for step in Step::ALL {
            let leads = Step::ALL.iter().any(|next| step.leads_to(*next));
            assert_eq!(leads, !step.is_last(), "{step}");
        }
    }

    #[test]
    fn whatever_became_of_the_tasks_is_confirmed_and_audited() {
        for step in [Step::Transferred, Step::Partial, Step::Failed] {
            let next: Vec<_> = Step::ALL.iter().filter(|next| step.leads_to(**next)).collect();
            assert_eq!(next, [&Step::Confirmed]);
            assert!(!step.is_open());
        }
    }
}
