//! How a replacement is confirmed, one requirement a test.
