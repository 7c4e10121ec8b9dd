//! Rows into values: what the store holds was valid when it was written.

use std::str::FromStr;

use rusqlite::types::Type;
use rusqlite::{Row, RowIndex};

use crate::domain::Timestamp;

/// A value that cannot be what was written.
pub(super) fn corrupt(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error))
}

/// Reads a text column as one of the words or ids of the domain.
pub(super) fn parsed<T, I>(row: &Row, column: I) -> rusqlite::Result<T>
where
    T: FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
    I: RowIndex + Copy,
{
    let text: String = row.get(column)?;
    text.parse().map_err(corrupt)
}

/// Reads a column that may be empty as one of the words or ids of the domain.
pub(super) fn parsed_option<T, I>(row: &Row, column: I) -> rusqlite::Result<Option<T>>
where
    T: FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
    I: RowIndex + Copy,
{
    match row.get_ref(column)? {
        rusqlite::types::ValueRef::Null => Ok(None),
        _ => parsed(row, column).map(Some),
    }
}

/// Reads an instant.
pub(super) fn time<I: RowIndex>(row: &Row, column: I) -> rusqlite::Result<Timestamp> {
    row.get(column).map(Timestamp::from_millis)
}

/// Reads an instant that may not have come yet.
pub(super) fn time_option<I: RowIndex>(row: &Row, column: I) -> rusqlite::Result<Option<Timestamp>> {
    row.get::<_, Option<i64>>(column).map(|millis| millis.map(Timestamp::from_millis))
}
