//! The pattern of one name: what stands between two slashes.

use std::iter::Peekable;
use std::str::Chars;

use super::characters::Characters;

/// What a backslash may stand before; anything else is more likely a path with the wrong separator.
const ESCAPABLE: &str = "*?[]{},!^-\\";

/// A pattern as an automaton: nodes in the order they are passed, each leading only forward.
///
/// It has at most one node for each character of its text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Name {
    pub(super) nodes: Vec<Node>,
}

/// One step of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Node {
    /// One character of a set, then on to the next node.
    One(Characters),
    /// Any characters, then on to the next node.
    Many,
    /// On to any of these nodes: the beginnings of alternatives.
    Fork(Vec<usize>),
    /// On to this node: past the remaining alternatives.
    Jump(usize),
}

/// What is wrong with a pattern, and what would be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flaw {
    pub(super) what: &'static str,
    pub(super) hint: &'static str,
}

impl Name {
    /// The pattern that only `name` fits.
    pub(super) fn literal(name: &str) -> Self {
        Self { nodes: name.chars().map(|one| Node::One(Characters::One(one))).collect() }
    }

    /// The pattern that every name fits.
    pub(super) fn any() -> Self {
        Self { nodes: vec![Node::Many] }
    }

    /// Reads a pattern that holds no slash.
    pub(super) fn parse(text: &str) -> Result<Self, Flaw> {
        let mut reader = Reader { rest: text.chars().peekable(), nodes: Vec::new(), open: Vec::new() };
        reader.read()?;
        Ok(Self { nodes: reader.nodes })
    }

    /// The name that fits, if only one does.
    pub(super) fn only_one(&self) -> Option<String> {
        let one = |node: &Node| if let Node::One(Characters::One(one)) = node { Some(*one) } else { None };
        self.nodes.iter().map(one).collect()
    }
}

/// Whether a text can mean anything but itself.
pub(super) fn is_special(text: &str) -> bool {
    text.contains(['*', '?', '[', '{', '}', '\\'])
}

/// Writes a name so that it is read as itself and not as a pattern.
pub(super) fn escape(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for one in name.chars() {
        if is_special(one.encode_utf8(&mut [0; 4])) {
            text.push('\\');
        }
        text.push(one);
    }
    text
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    nodes: Vec<Node>,
    open: Vec<Alternatives>,
}

/// Braces that are not closed yet.
struct Alternatives {
    fork: usize,
    beginnings: Vec<usize>,
    jumps: Vec<usize>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Flaw> {
        while let Some(next) = self.rest.next() {
            match next {
                '*' => self.many(),
                '?' => self.nodes.push(Node::One(Characters::all())),
                '[' => {
                    let class = self.class()?;
                    self.nodes.push(Node::One(class));
                }
                '{' => self.open_braces(),
                ',' if !self.open.is_empty() => self.next_alternative(),
                '}' => self.close_braces()?,
                one => {
                    let one = self.unescaped(one)?;
                    self.nodes.push(Node::One(Characters::One(one)));
                }
            }
        }
        if self.open.is_empty() { Ok(()) } else { Err(UNCLOSED_BRACES) }
    }

    fn many(&mut self) {
        while self.rest.next_if_eq(&'*').is_some() {}
        self.nodes.push(Node::Many);
    }

    fn unescaped(&mut self, read: char) -> Result<char, Flaw> {
        if read != '\\' {
            return Ok(read);
        }
        self.rest.next_if(|&next| ESCAPABLE.contains(next)).ok_or(BACKSLASH)
    }

    fn class(&mut self) -> Result<Characters, Flaw> {
        let negated = self.rest.next_if(|&next| next == '!' || next == '^').is_some();
        let mut ranges = Vec::new();
        loop {
            let first = self.rest.next().ok_or(UNCLOSED_CLASS)?;
            if first == ']' && !ranges.is_empty() {
                return Ok(Characters::class(&ranges, negated));
            }
            let first = self.member(first)?;
            let last = self.end_of_range()?.unwrap_or(first);
            if last < first {
                return Err(BACKWARD_RANGE);
            }
            ranges.push((first, last));
        }
    }

    fn member(&mut self, read: char) -> Result<char, Flaw> {
        if read == '[' { Err(CLASS_IN_CLASS) } else { self.unescaped(read) }
    }

    /// The last character of a range when one goes on here; a hyphen before `]` stands for itself.
    fn end_of_range(&mut self) -> Result<Option<char>, Flaw> {
        let mut ahead = self.rest.clone();
        if ahead.next() != Some('-') || ahead.peek().is_none_or(|&after| after == ']') {
            return Ok(None);
        }
        self.rest.next();
        let last = self.rest.next().ok_or(UNCLOSED_CLASS)?;
        self.member(last).map(Some)
    }

    fn open_braces(&mut self) {
        let fork = self.nodes.len();
        self.nodes.push(Node::Fork(Vec::new()));
        self.open.push(Alternatives { fork, beginnings: vec![fork + 1], jumps: Vec::new() });
    }

    fn next_alternative(&mut self) {
        if let Some(alternatives) = self.open.last_mut() {
            alternatives.jumps.push(self.nodes.len());
            self.nodes.push(Node::Jump(0));
            alternatives.beginnings.push(self.nodes.len());
        }
    }

    fn close_braces(&mut self) -> Result<(), Flaw> {
        let closed = self.open.pop().ok_or(UNOPENED_BRACES)?;
        if closed.jumps.is_empty() {
            return Err(ONE_ALTERNATIVE);
        }
        let after = self.nodes.len();
        for jump in closed.jumps {
            self.set(jump, Node::Jump(after));
        }
        self.set(closed.fork, Node::Fork(closed.beginnings));
        Ok(())
    }

    fn set(&mut self, place: usize, node: Node) {
        if let Some(old) = self.nodes.get_mut(place) {
            *old = node;
        }
    }
}

const BACKSLASH: Flaw = Flaw {
    what: "a backslash stands before nothing that needs one",
    hint: "separate the parts of a path with /; a backslash only makes *?[]{},!^-\\ stand for themselves",
};
const UNCLOSED_CLASS: Flaw = Flaw {
    what: "`[` is not closed",
    hint: "close the class within its part of the path: [abc], [a-z], [!x]; or write \\[ for the character",
};
const CLASS_IN_CLASS: Flaw =
    Flaw { what: "a class holds `[`", hint: "write \\[ for the character; named classes are not understood" };
const BACKWARD_RANGE: Flaw =
    Flaw { what: "a range runs backwards", hint: "write the lower character first: [a-z]" };
const UNCLOSED_BRACES: Flaw = Flaw {
    what: "`{` is not closed",
    hint: "close the braces within their part of the path: *.{ts,tsx}; for different folders name several scopes",
};
const UNOPENED_BRACES: Flaw =
    Flaw { what: "`}` closes nothing", hint: "write {one,other}, or \\} for the character" };
const ONE_ALTERNATIVE: Flaw = Flaw {
    what: "braces hold only one alternative",
    hint: "separate alternatives with a comma: {one,other}; or write \\{ and \\} for the characters",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_no_more_nodes_than_its_text_has_characters() {
        for text in ["abc", "***", "[abc]?", "{a,b}", "{a,{b,c},}*", "{,}{,}{,}", "\\*\\?"] {
            assert!(Name::parse(text).unwrap().nodes.len() <= text.len(), "{text}");
        }
    }

    #[test]
    fn classes_follow_the_shell() {
        let class = |text: &str| Name::parse(text).unwrap().nodes;
        let ranges = |ranges: &[(char, char)]| vec![Node::One(Characters::class(ranges, false))];
        assert_eq!(class("[]a]"), ranges(&[(']', ']'), ('a', 'a')]));
        assert_eq!(class("[a-]"), ranges(&[('a', 'a'), ('-', '-')]));
        assert_eq!(class("[-a]"), ranges(&[('a', 'a'), ('-', '-')]));
        assert_eq!(class("[\\]\\-]"), ranges(&[(']', ']'), ('-', '-')]));
        assert_eq!(class("[a!]"), ranges(&[('a', 'a'), ('!', '!')]));
        assert_eq!(class("[!x]"), class("[^x]"));
    }

    #[test]
    fn says_what_is_wrong() {
        for (text, flaw) in [
            ("[", UNCLOSED_CLASS),
            ("[]", UNCLOSED_CLASS),
            ("[!]", UNCLOSED_CLASS),
            ("[a-", UNCLOSED_CLASS),
            ("[z-a]", BACKWARD_RANGE),
            ("[[:alpha:]]", CLASS_IN_CLASS),
            ("[a-[]", CLASS_IN_CLASS),
            ("{a,b", UNCLOSED_BRACES),
            ("{a,{b,c}", UNCLOSED_BRACES),
            ("a}", UNOPENED_BRACES),
            ("{a}", ONE_ALTERNATIVE),
            ("{1..3}", ONE_ALTERNATIVE),
            ("src\\main.rs", BACKSLASH),
            ("a\\", BACKSLASH),
        ] {
            assert_eq!(Name::parse(text).unwrap_err(), flaw, "{text}");
        }
    }

    #[test]
    fn an_escaped_name_is_read_as_itself() {
        for name in ["main.rs", "[id]", "a*b?", "{a,b}", "back\\slash", "]", "a,b", "!x-^"] {
            assert_eq!(Name::parse(&escape(name)).unwrap(), Name::literal(name), "{name}");
        }
    }
}
