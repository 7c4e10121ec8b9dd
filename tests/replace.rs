//! `replace`: from the handoff to the audit entry, cut off wherever it may be.
