//! The characters that can stand at one place of a name.

/// Every character a name can hold: all but NUL and `/`.
const ALL: &[Range] = &[(0x01, 0x2e), (0x30, 0xd7ff), (0xe000, 0x10_ffff)];

const DOT: u32 = '.' as u32;

/// First and last code point.
type Range = (u32, u32);

/// A set of characters. Ranges are in order and neither overlap nor touch.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Characters {
    One(char),
    Ranges(Vec<Range>),
}

/// What two sets share, as far as names care: `.` and `..` are no names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shared {
    pub(super) dot: bool,
    pub(super) other: bool,
}

impl Characters {
    /// Every character.
    pub(super) fn all() -> Self {
        Self::Ranges(ALL.to_vec())
    }

    /// The characters in any of `ranges`, or in none of them when `negated`.
    pub(super) fn class(ranges: &[(char, char)], negated: bool) -> Self {
        let merged = merge(ranges.iter().map(|&(first, last)| (first.into(), last.into())).collect());
        let wanted = if negated { complement(&merged) } else { merged };
        let ranges = intersect(&wanted, ALL);
        match ranges.as_slice() {
            &[(first, last)] if first == last => {
                char::from_u32(first).map_or(Self::Ranges(ranges), Self::One)
            }
            _ => Self::Ranges(ranges),
        }
    }

    /// What this set shares with `other`.
    pub(super) fn shared(&self, other: &Self) -> Shared {
        match (self, other) {
            (Self::One(a), Self::One(b)) => Shared { dot: a == b && *a == '.', other: a == b && *a != '.' },
            (Self::One(one), Self::Ranges(ranges)) | (Self::Ranges(ranges), Self::One(one)) => {
                let holds = ranges.iter().any(|&(first, last)| (first..=last).contains(&u32::from(*one)));
                Shared { dot: holds && *one == '.', other: holds && *one != '.' }
            }
            (Self::Ranges(a), Self::Ranges(b)) => Shared::of(overlaps(a, b)),
        }
    }

    /// What this set shares with the set of every character.
    pub(super) fn shared_with_all(&self) -> Shared {
        match self {
            Self::One(one) => Shared { dot: *one == '.', other: *one != '.' },
            Self::Ranges(ranges) => Shared::of(ranges.iter().copied()),
        }
    }
}

impl Shared {
    fn of(ranges: impl Iterator<Item = Range>) -> Self {
        let mut shared = Self { dot: false, other: false };
        for (first, last) in ranges {
            shared.dot |= first <= DOT && DOT <= last;
            shared.other |= first != DOT || last != DOT;
            if shared.dot && shared.other {
                break;
            }
        }
        shared
    }
}

fn merge(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable();
    let mut merged: Vec<Range> = Vec::with_capacity(ranges.len());
    for (first, last) in ranges {
        match merged.last_mut() {
            Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    merged
}

fn complement(merged: &[Range]) -> Vec<Range> {
    let mut gaps = Vec::with_capacity(merged.len() + 1);
    let mut next = 0;
    for &(first, last) in merged {
        if next < first {
            gaps.push((next, first - 1));
        }
        next = last + 1;
    }
    gaps.push((next, u32::MAX));
    gaps
}

fn intersect(a: &[Range], b: &[Range]) -> Vec<Range> {
    overlaps(a, b).collect()
}

/// Walks both lists once, giving the ranges they share.
fn overlaps(mut a: &[Range], mut b: &[Range]) -> impl Iterator<Item = Range> {
    std::iter::from_fn(move || {
        while let (Some((x, after_x)), Some((y, after_y))) = (a.split_first(), b.split_first()) {
            if x.1 < y.1 {
                a = after_x;
            } else {
                b = after_y;
            }
            let shared = (x.0.max(y.0), x.1.min(y.1));
            if shared.0 <= shared.1 {
                return Some(shared);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Shared = Shared { dot: false, other: false };

    #[test]
    fn a_class_holds_neither_the_separator_nor_nul_nor_surrogates() {
        assert_eq!(
            Characters::class(&[('.', '0')], false),
            Characters::Ranges(vec![(0x2e, 0x2e), (0x30, 0x30)])
        );
        assert_eq!(Characters::class(&[], true), Characters::all());
        let none = Characters::class(&[('\0', '\u{d7ff}'), ('\u{e000}', '\u{10ffff}')], true);
        assert_eq!(none, Characters::Ranges(vec![]));
        assert_eq!(none.shared_with_all(), NOTHING);
    }

    #[test]
    fn a_class_of_one_character_is_that_character() {
        assert_eq!(Characters::class(&[('a', 'a'), ('a', 'a')], false), Characters::One('a'));
    }

    #[test]
    fn negated_classes_of_different_characters_share_the_rest() {
        let not = |c| Characters::class(&[(c, c)], true);
        assert_eq!(not('a').shared(&not('b')), Shared { dot: true, other: true });
        assert_eq!(not('.').shared(&not('b')), Shared { dot: false, other: true });
        assert_eq!(not('a').shared(&Characters::One('a')), NOTHING);
        assert_eq!(not('a').shared(&Characters::One('.')), Shared { dot: true, other: false });
    }

    #[test]
    fn interleaved_ranges_share_what_lies_in_both() {
        let a = Characters::class(&[('a', 'c'), ('g', 'k')], false);
        let b = Characters::class(&[('d', 'f'), ('l', 'z')], false);
        assert_eq!(a.shared(&b), NOTHING);
        let c = Characters::class(&[('d', 'g')], false);
        assert_eq!(a.shared(&c), Shared { dot: false, other: true });
        assert_eq!(c.shared(&a), a.shared(&c));
    }
}
