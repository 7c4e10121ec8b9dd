//! Only some fields of an answer: `--fields a,b.c`.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::failure::{Code, Failure};

/// Which fields are wanted, in the order they were named. None at all means all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    fields: Vec<(String, Self)>,
}

impl Selection {
    /// Reads names separated by commas; a dot leads into a field.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let mut selection = Self::default();
        for path in text.split(',') {
            let names: Vec<_> = path.split('.').map(str::trim).collect();
            if names.contains(&"") {
                return Err(Failure::new(Code::InvalidArgs, format!("`{text}` names no fields"))
                    .hint("write names separated by commas: --fields message_id,subject"));
            }
            selection.add(&names);
        }
        Ok(selection)
    }

    /// Adds what a path leads to.
    fn add(&mut self, path: &[&str]) {
        let Some((name, rest)) = path.split_first() else { return };
        match self.fields.iter_mut().find(|(field, _)| field == name) {
            Some((_, inner)) => inner.add(rest),
            None => {
                let mut inner = Self::default();
                inner.add(rest);
                self.fields.push(((*name).to_owned(), inner));
            }
        }
    }

    /// Whether nothing is left out.
    pub const fn is_everything(&self) -> bool {
        self.fields.is_empty()
    }

    /// Refuses fields that an answer of this shape can never have, before anything is done.
    pub fn check(&self, schema: &Value) -> Result<(), Failure> {
        self.check_within(schema, &[schema])
    }

    fn check_within(&self, root: &Value, shapes: &[&Value]) -> Result<(), Failure> {
        let mut known = Known::default();
        for shape in shapes {
            known.add(root, shape, 0);
        }
        for (name, inner) in &self.fields {
            match known.fields.get(name.as_str()) {
                Some(shapes) => inner.check_within(root, shapes)?,
                None if known.is_open => {}
                None => return Err(unknown(name, &known)),
            }
        }
        Ok(())
    }
}

fn unknown(name: &str, known: &Known) -> Failure {
    let names: Vec<_> = known.fields.keys().copied().collect();
    let hint = match names.as_slice() {
        [] => "there are none here".to_owned(),
        names => format!("the fields are {}", names.join(", ")),
    };
    Failure::new(Code::InvalidArgs, format!("there is no field `{name}` in the answer")).hint(hint)
}

/// The fields that a value of some shape may have.
#[derive(Default)]
struct Known<'a> {
    fields: BTreeMap<&'a str, Vec<&'a Value>>,
    /// It may have any others too.
    is_open: bool,
}

/// How deep references are followed before they are taken for a circle.
const DEEPEST: usize = 30;

impl<'a> Known<'a> {
    /// Adds what a schema allows; a list is seen as one of its items.
    fn add(&mut self, root: &'a Value, schema: &'a Value, depth: usize) {
        let Value::Object(shape) = schema else {
            self.is_open |= schema == &Value::Bool(true);
            return;
        };
        if depth > DEEPEST {
            return;
        }
        let reference = shape.get("$ref").and_then(Value::as_str);
        if let Some(target) = reference.and_then(|name| root.pointer(name.trim_start_matches('#'))) {
            self.add(root, target, depth + 1);
        }
        for choice in ["anyOf", "oneOf", "allOf"] {
            let choices = shape.get(choice).and_then(Value::as_array);
            choices.into_iter().flatten().for_each(|schema| self.add(root, schema, depth + 1));
        }
        if let Some(items) = shape.get("items") {
            self.add(root, items, depth + 1);
        }
        let properties = shape.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            self.fields.entry(name).or_default().push(schema);
        }
        let says_something =
            ["$ref", "anyOf", "oneOf", "allOf", "items", "properties", "type", "enum", "const"];
        let is_anything = !says_something.iter().any(|key| shape.contains_key(*key));
        self.is_open |= is_anything || shape.get("additionalProperties").is_some_and(|it| *it != false);
    }
}

/// An answer of which only the selected fields are written.
pub(super) struct Selected<'a> {
    pub value: &'a Value,
    pub selection: &'a Selection,
}

impl Serialize for Selected<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.selection.is_everything() {
            return self.value.serialize(serializer);
        }
        match self.value {
            Value::Array(items) => serializer
                .collect_seq(items.iter().map(|value| Selected { value, selection: self.selection })),
            Value::Object(fields) => {
                let mut map = serializer.serialize_map(None)?;
                for (name, selection) in &self.selection.fields {
                    if let Some(value) = fields.get(name) {
                        map.serialize_entry(name, &Selected { value, selection })?;
                    }
                }
                map.end()
            }
            other => other.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::{JsonSchema, schema_for};
    use serde_json::json;

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its shape matters")]
    struct Sample {
        id: String,
        inner: Option<Inner>,
        list: Vec<Inner>,
        anything: Value,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its shape matters")]
    struct Inner {
        name: String,
        parent: Option<Box<Inner>>,
    }

    fn select(fields: &str, value: Value) -> String {
        let selection = Selection::parse(fields).unwrap();
        serde_json::to_string(&Selected { value: &value, selection: &selection }).unwrap()
    }

    #[test]
    fn fields_come_in_the_order_they_were_named() {
        let value = json!({"a": 1, "b": {"c": 2, "d": 3}, "e": [{"f": 4, "g": 5}, {"g": 6}]});
        assert_eq!(select("e.g,b.d, a,b.c", value), r#"{"e":[{"g":5},{"g":6}],"b":{"d":3,"c":2},"a":1}"#);
    }

    #[test]
    fn a_list_gives_the_fields_of_its_items() {
        assert_eq!(select("a", json!([{"a": 1, "b": 2}, {"a": null}])), r#"[{"a":1},{"a":null}]"#);
        assert_eq!(select("a", json!([])), "[]");
    }

    #[test]
    fn unknown_fields_are_refused_with_the_known_ones() {
        let schema = schema_for!(Sample).to_value();
        let check = |fields: &str| Selection::parse(fields).unwrap().check(&schema);
        for fields in ["id", "inner.name", "list.name,id", "anything.at.all", "inner.parent.parent.name"] {
            assert!(check(fields).is_ok(), "{fields}");
        }
        let failure = check("id,nam").unwrap_err();
        assert_eq!(failure.code, Code::InvalidArgs);
        assert_eq!(failure.hint.unwrap(), "the fields are anything, id, inner, list");
        assert_eq!(check("list.nam").unwrap_err().hint.unwrap(), "the fields are name, parent");
        assert!(check("id.x").is_err());
        let list = schema_for!(Vec<Sample>).to_value();
        assert!(Selection::parse("id").unwrap().check(&list).is_ok());
    }

    #[test]
    fn names_must_be_there() {
        for text in ["", ",", "a,", "a..b", "."] {
            assert!(Selection::parse(text).is_err(), "{text:?}");
        }
    }
}
