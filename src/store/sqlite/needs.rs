//! What a delivery `d` still needs, as conditions that the partial indexes repeat word for word.

/// It has not been read.
pub(super) const UNREAD: &str = "d.state = 0";

/// It requires an ack, has none, and was not closed.
pub(super) const UNACKED: &str = "d.requires_ack AND d.state < 2 AND d.closed_at IS NULL";

/// It has not got the ack that it requires by now (`?1`).
pub(super) const OVERDUE: &str =
    "(d.requires_ack AND d.state < 2 AND d.closed_at IS NULL AND d.ack_due_at <= ?1)";

/// Unread or unacked.
pub(super) const OPEN: &str = "(d.state = 0 OR (d.requires_ack AND d.state < 2 AND d.closed_at IS NULL))";

/// Deliveries that are open. The planner knows nothing of how few they are.
pub(super) const OPEN_DELIVERIES: &str = "deliveries d INDEXED BY deliveries_open";

/// Deliveries without the ack they require.
pub(super) const UNACKED_DELIVERIES: &str = "deliveries d INDEXED BY deliveries_unacked";
