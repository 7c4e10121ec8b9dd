//! Where everything is kept: one SQLite file, many short-lived processes.
//!
//! [`Store::write`] runs a closure in one transaction that either happens or does not;
//! [`Store::read`] gives a consistent view. What a transaction concerns is rung out to
//! waiting processes after it was committed ([`changes`]). SQL stays behind this wall.

pub mod archive;
pub mod changes;
mod error;
mod location;
mod locks;
mod permissions;
mod queue;
pub mod sqlite;

pub use archive::Archive;
pub use error::StoreError;
pub use location::Location;
pub use permissions::Exposure;
pub use sqlite::{Store, Transaction};
