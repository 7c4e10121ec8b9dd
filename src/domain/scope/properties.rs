//! Overlap is compared with a slow, separate reading of the same rules: whether any path out of
//! all short ones belongs to both scopes.

use proptest::prelude::*;

use super::*;

fn scope(text: &str) -> Scope {
    Scope::parse(text, "").unwrap_or_else(|invalid| panic!("{text}: {invalid}"))
}

/// Writes out every choice of the braces.
fn without_braces(pattern: &str) -> Vec<String> {
    let Some((before, inside)) = pattern.split_once('{') else { return vec![pattern.to_owned()] };
    let mut depth = 1;
    let mut choices = vec![String::new()];
    let mut rest = inside.chars();
    for one in rest.by_ref() {
        depth += i32::from(one == '{') - i32::from(one == '}');
        match one {
            _ if depth == 0 => break,
            ',' if depth == 1 => choices.push(String::new()),
            _ => choices.last_mut().unwrap().push(one),
        }
    }
    let after = rest.as_str();
    choices.iter().flat_map(|choice| without_braces(&format!("{before}{choice}{after}"))).collect()
}

/// Tries every way to fit; classes are plain lists, in which `a-b` comes to the same as `ab`.
fn name_fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], _) => name.is_empty(),
        ([b'*', rest @ ..], []) => name_fits(rest, name),
        ([b'*', rest @ ..], [_, after @ ..]) => name_fits(rest, name) || name_fits(pattern, after),
        (_, []) => false,
        ([b'?', rest @ ..], [_, after @ ..]) => name_fits(rest, after),
        ([b'[', b'!', class @ ..], [next, after @ ..]) => {
            let end = class.iter().position(|&one| one == b']').unwrap();
            !class[..end].contains(next) && name_fits(&class[end + 1..], after)
        }
        ([b'[', class @ ..], [next, after @ ..]) => {
            let end = class.iter().position(|&one| one == b']').unwrap();
            class[..end].contains(next) && name_fits(&class[end + 1..], after)
        }
        ([one, rest @ ..], [next, after @ ..]) => one == next && name_fits(rest, after),
    }
}

/// Whether the names fit, or their beginning does and what lies below counts.
fn path_belongs(parts: &[&str], names: &[&str], below: bool) -> bool {
    match (parts.split_first(), names.split_first()) {
        (None, _) => below || names.is_empty(),
        (Some((&"**", rest)), Some((_, deeper))) => {
            path_belongs(rest, names, below) || path_belongs(parts, deeper, below)
        }
        (Some((&"**", rest)), None) => path_belongs(rest, names, below),
        (Some(_), None) => false,
        (Some((part, rest)), Some((name, deeper))) => {
            without_braces(part).iter().any(|choice| name_fits(choice.as_bytes(), name.as_bytes()))
                && path_belongs(rest, deeper, below)
        }
    }
}

fn belongs(scope: &Scope, path: &str) -> bool {
    let parts: Vec<_> = scope.as_str().split('/').filter(|part| *part != ".").collect();
    path_belongs(&parts, &path.split('/').collect::<Vec<_>>(), !scope.is_of_files())
}

/// Every sequence of 1 to `longest` of `items`, joined by `glue`.
fn sequences(items: &[&str], longest: usize, glue: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut last = vec![String::new()];
    for length in 1..=longest {
        let glue = if length == 1 { "" } else { glue };
        last = last
            .iter()
            .flat_map(|start| items.iter().map(move |item| format!("{start}{glue}{item}")))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

fn all(patterns: &[String]) -> Vec<Scope> {
    patterns.iter().map(|pattern| scope(pattern)).collect()
}

/// Compares every pair of `scopes` with what the `paths` say.
fn agrees_on_every_pair(scopes: &[Scope], paths: &[String]) {
    let belonging: Vec<Vec<bool>> =
        scopes.iter().map(|scope| paths.iter().map(|path| belongs(scope, path)).collect()).collect();
    for (a, in_a) in scopes.iter().zip(&belonging) {
        for (path, expected) in paths.iter().zip(in_a) {
            assert_eq!(a.contains(path), *expected, "{a} contains {path}");
        }
        for (b, in_b) in scopes.iter().zip(&belonging) {
            let expected = in_a.iter().zip(in_b).any(|(a, b)| *a && *b);
            assert_eq!(overlap(a, b).is_shared(), expected, "{a} and {b}");
        }
    }
}

/// Names of 4 characters decide: of two patterns that both hold `*`, neither asks for more than 2
/// characters besides it, and a pattern without `*` fits names of at most 3.
#[test]
fn names_overlap_if_and_only_if_some_name_fits_both() {
    let mut patterns = sequences(&["a", ".", "?", "*", "[!a]", "[a-b]", "{b,.,}"], 3, "");
    patterns.retain(|pattern| pattern != "." && pattern != "..");
    let mut names = sequences(&["a", "b", "c", "."], 4, "");
    names.retain(|name| name != "." && name != "..");
    agrees_on_every_pair(&all(&patterns), &names);
}

/// Paths of 5 parts decide: where `a` asks for 3, `b` can ask for 2 more after its `**`, below `a`.
#[test]
fn paths_overlap_if_and_only_if_some_path_belongs_to_both() {
    let patterns = sequences(&["a", "?", "*", "**", "{a,ab}", "*b"], 3, "/");
    let paths = sequences(&["a", "b", "ab", "c"], 5, "/");
    agrees_on_every_pair(&all(&patterns), &paths);
}

/// The same for scopes of files, alone and among others.
#[test]
fn files_overlap_if_and_only_if_some_path_belongs_to_both() {
    let mut scopes = all(&sequences(&["a", "*", "**", "{a,ab}", "*b"], 2, "/"));
    scopes.extend(scopes.clone().into_iter().map(|scope| scope.of_files(true)));
    agrees_on_every_pair(&scopes, &sequences(&["a", "b", "ab", "c"], 4, "/"));
}

fn pattern() -> impl Strategy<Value = String> {
    let atom = prop::sample::select(vec![
        "a",
        "b",
        "ab",
        ".",
        "?",
        "*",
        "**",
        "[ab]",
        "[!ab]",
        "[!.]",
        "[a-b]",
        "{a,b*}",
        "{a,{b,.b},}",
        "{?,ab}",
    ]);
    let name = prop::collection::vec(atom, 1..4).prop_map(|atoms| atoms.concat());
    let part = prop_oneof![3 => name, 1 => Just("**".to_owned())];
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.join("/"))
}

fn path() -> impl Strategy<Value = String> {
    let name = "[abc.]{1,4}".prop_filter("a name", |name| name != "." && name != "..");
    prop::collection::vec(name, 1..5).prop_map(|names| names.join("/"))
}

fn scopes() -> impl Strategy<Value = Scope> {
    pattern().prop_filter_map("a scope", |text| Scope::parse(&text, "").ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn overlap_does_not_depend_on_the_order(a in scopes(), b in scopes()) {
        prop_assert_eq!(overlap(&a, &b), overlap(&b, &a));
    }

    #[test]
    fn a_scope_overlaps_itself_and_what_lies_below_it(a in scopes(), below in scopes()) {
        prop_assert_eq!(overlap(&a, &a), Overlap::Exact);
        prop_assert!(product::meet(a.side(), a.side()));
        let deeper = scope(&format!("{a}/{below}"));
        prop_assert!(overlap(&a, &deeper).is_shared());
        prop_assert!(overlap(&a, &scope(".")).is_shared());
    }

    #[test]
    fn contains_what_the_rules_say(text in pattern(), path in path()) {
        if let Ok(scope) = Scope::parse(&text, "") {
            for scope in [scope.clone(), scope.of_files(true)] {
                prop_assert_eq!(scope.contains(&path), belongs(&scope, &path), "{} {}", scope, path);
            }
        }
    }

    #[test]
    fn scopes_that_contain_one_path_overlap(a in scopes(), b in scopes(), path in path()) {
        if a.contains(&path) && b.contains(&path) {
            prop_assert!(overlap(&a, &b).is_shared());
        }
        let alone = Scope::of_path(&path).unwrap();
        prop_assert!(alone.contains(&path));
        if a.contains(&path) {
            prop_assert!(overlap(&a, &alone).is_shared());
            let below = format!("{path}/below");
            prop_assert!(a.contains(&below));
        }
    }

    #[test]
    fn what_is_normalised_is_read_back_unchanged(text in "[ab./*?:{},!^\\-\\[\\]\\\\]{0,12}", current in path()) {
        if let Ok(scope) = Scope::parse(&text, &current) {
            prop_assert_eq!(scope.as_str().parse::<Scope>().unwrap(), scope);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(a in "\\PC{0,40}", b in ".{0,40}", current in "\\PC{0,10}") {
        for text in [&a, &b] {
            match Scope::parse(text, &current) {
                Ok(scope) => prop_assert_eq!(overlap(&scope, &scope), Overlap::Exact),
                Err(invalid) => prop_assert!(invalid.rule == Rule::Scope && invalid.hint.is_some()),
            }
        }
    }
}
