//! A JSON text with the places of its values, so that it can be changed without being rewritten.
//!
//! Parsing into values and printing them again would lose the order of keys, the digits of numbers and
//! the layout of a file that somebody else owns.

use std::ops::Range;

use serde::de::IgnoredAny;

/// A value and where it stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub span: Range<usize>,
    pub shape: Shape,
}

/// What a value is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Text(String),
    Other,
}

/// One entry of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    pub key: String,
    /// From the key to the end of the value.
    pub span: Range<usize>,
    pub value: Node,
}

impl Node {
    /// The value under a key; of several, the last one, as every parser reads it.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.member(key).map(|member| &member.value)
    }

    /// The entry with that key.
    pub(super) fn member(&self, key: &str) -> Option<&Member> {
        match &self.shape {
            Shape::Object(members) => members.iter().rev().find(|member| member.key == key),
            _ => None,
        }
    }

    /// The values of a list; none for anything else.
    pub(super) fn items(&self) -> &[Self] {
        match &self.shape {
            Shape::Array(items) => items,
            _ => &[],
        }
    }

    /// The text of a string.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.shape {
            Shape::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The places of what an object or a list holds.
    pub(super) fn parts(&self) -> Vec<Range<usize>> {
        match &self.shape {
            Shape::Object(members) => members.iter().map(|member| member.span.clone()).collect(),
            Shape::Array(items) => items.iter().map(|item| item.span.clone()).collect(),
            Shape::Text(_) | Shape::Other => Vec::new(),
        }
    }
}

/// Reads a text; says what is wrong with one that is not JSON.
pub(super) fn parse(text: &str) -> Result<Node, String> {
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| error.to_string())?;
    let mut reader = Reader { text, at: 0 };
    reader.node().ok_or_else(|| "it cannot be read".to_owned())
}

/// Walks a text that is known to be JSON.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space and looks at what follows.
    fn next_token(&mut self) -> Option<u8> {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.peek()
    }

    /// Skips white space and one mark.
    fn step_over(&mut self) -> Option<u8> {
        let mark = self.next_token()?;
        self.at += 1;
        Some(mark)
    }

    fn node(&mut self) -> Option<Node> {
        let first = self.next_token()?;
        let start = self.at;
        let shape = match first {
            b'{' => self.object()?,
            b'[' => self.array()?,
            b'"' => Shape::Text(self.string()?),
            _ => {
                while self.peek().is_some_and(|byte| !b",]}".contains(&byte) && !byte.is_ascii_whitespace()) {
                    self.at += 1;
                }
                Shape::Other
            }
        };
        Some(Node { span: start..self.at, shape })
    }

    fn object(&mut self) -> Option<Shape> {
        let mut members = Vec::new();
        self.at += 1;
        while self.next_token()? != b'}' {
            let start = self.at;
            let key = self.string()?;
            self.step_over()?;
            let value = self.node()?;
            members.push(Member { key, span: start..value.span.end, value });
            self.skip_comma()?;
        }
        self.at += 1;
        Some(Shape::Object(members))
    }

    fn array(&mut self) -> Option<Shape> {
        let mut items = Vec::new();
        self.at += 1;
        while self.next_token()? != b']' {
            items.push(self.node()?);
            self.skip_comma()?;
        }
        self.at += 1;
        Some(Shape::Array(items))
    }

    fn skip_comma(&mut self) -> Option<()> {
        if self.next_token()? == b',' {
            self.at += 1;
        }
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        while self.peek()? != b'"' {
            self.at += if self.peek()? == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn values_are_found_where_they_stand() {
        let text = r#" {"a": [1.50, "x\"]}"], "b" : {"c":null}, "a": true } "#;
        let root = parse(text).unwrap();
        let of = |node: &Node| text.get(node.span.clone()).unwrap();
        assert_eq!(of(root.get("a").unwrap()), "true");
        assert_eq!(of(root.get("b").unwrap()), r#"{"c":null}"#);
        let Shape::Object(members) = &root.shape else { panic!("{root:?}") };
        let items = members[0].value.items();
        assert_eq!(of(&items[0]), "1.50");
        assert_eq!(items[1].text(), Some("x\"]}"));
        assert_eq!(text.get(members[0].span.clone()).unwrap(), r#""a": [1.50, "x\"]}"]"#);
    }

    #[test]
    fn what_is_not_json_is_refused_with_the_reason() {
        for text in ["", "{", "{} {}", "// no\n{}", "{'a':1}"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    fn same(text: &str, node: &Node, value: &Value) -> bool {
        let whole = serde_json::from_str::<Value>(text.get(node.span.clone()).unwrap()).unwrap() == *value;
        whole
            && match (&node.shape, value) {
                (Shape::Object(members), Value::Object(map)) => {
                    members.len() == map.len()
                        && members.iter().all(|it| map.get(&it.key).is_some_and(|v| same(text, &it.value, v)))
                }
                (Shape::Array(items), Value::Array(values)) => {
                    items.len() == values.len() && items.iter().zip(values).all(|(n, v)| same(text, n, v))
                }
                (Shape::Text(one), Value::String(other)) => one == other,
                (Shape::Other, Value::Null | Value::Bool(_) | Value::Number(_)) => true,
                _ => false,
            }
    }

    proptest! {
        #[test]
        fn every_value_is_found_in_any_layout(value in json(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let node = parse(&text).unwrap();
            prop_assert!(same(&text, &node, &value));
        }

        #[test]
        fn no_text_is_too_odd(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
