use super::*;

fn scope(text: &str) -> Scope {
    Scope::parse(text, "").unwrap_or_else(|invalid| panic!("{text}: {invalid}"))
}

fn between(a: &str, b: &str) -> Overlap {
    overlap(&scope(a), &scope(b))
}

#[test]
fn dots_slashes_and_the_current_folder_are_normalised() {
    for (text, current, normalised) in [
        ("src/main.rs", "", "src/main.rs"),
        ("./src//main.rs", "", "src/main.rs"),
        ("src/", "", "src"),
        ("src/cli/..", "", "src"),
        ("src/../tests/*.rs", "", "tests/*.rs"),
        ("main.rs", "src", "src/main.rs"),
        ("..", "src", "."),
        (".", "", "."),
        ("./", "src/", "src"),
        ("../lib", "src/cli", "src/lib"),
        ("*/../a", "", "a"),
        ("x", "app/[id]", "app/\\[id]/x"),
        ("api-contract", "", "api-contract"),
        ("db:schema", "src/cli", "db:schema"),
        ("./db:schema", "src", "src/db:schema"),
        ("a b", "", "a b"),
        ("größe/日本", "", "größe/日本"),
    ] {
        assert_eq!(Scope::parse(text, current).unwrap().as_str(), normalised, "{text} in {current}");
    }
}

#[test]
fn what_leaves_the_project_is_refused() {
    for (text, current) in [
        ("..", ""),
        ("src/../..", ""),
        ("../../x", "src"),
        ("/etc/passwd", ""),
        ("/", ""),
        ("x", "../other"),
        ("..", ".."),
    ] {
        let invalid = Scope::parse(text, current).unwrap_err();
        assert_eq!(invalid.rule, Rule::Scope, "{text}");
        assert!(invalid.hint.is_some(), "{text}");
    }
}

#[test]
fn what_cannot_be_a_scope_is_refused_with_a_hint() {
    let longest = "x".repeat(Scope::MAX_LENGTH);
    let long = format!("{longest}x");
    for text in ["", " ", "\0", "a\nb", "a\tb", "[", "a/[b/c]", "{a/b,c}", "[.]", "{.,}", "a/**/../b", &long]
    {
        let invalid = Scope::parse(text, "").unwrap_err();
        assert_eq!(invalid.rule, Rule::Scope, "{text:?}");
        assert!(invalid.hint.is_some(), "{text:?}");
    }
    assert!(Scope::parse(&longest, "").is_ok());
    assert!(Scope::parse(&longest, "src").is_err());
    assert!(Scope::parse(".", " ").is_err());
    assert!(Scope::parse("x", "a\nb").is_err());
}

#[test]
fn a_path_can_be_reserved_whatever_its_name_looks_like() {
    let odd = Scope::of_path("app/[id]/{a}*.tsx").unwrap();
    assert_eq!(odd.as_str(), "app/\\[id]/\\{a\\}\\*.tsx");
    assert!(odd.contains("app/[id]/{a}*.tsx"));
    assert!(!odd.contains("app/i/a.tsx"));
}

#[test]
fn exact_is_the_same_scope_in_another_spelling() {
    for (a, b) in [("a/**", "a"), ("a/**/**/b", "a/**/b"), ("a**b", "a*b"), ("[a]b", "ab"), ("[ba]", "[a-b]")]
    {
        assert_eq!(between(a, b), Overlap::Exact, "{a} {b}");
    }
}

#[test]
fn dot_and_dot_dot_are_no_common_path() {
    for (a, b) in [(".*", "?"), (".?", "?."), ("a/.*", "a/?")] {
        assert_eq!(between(a, b), Overlap::Disjoint, "{a} {b}");
    }
    assert_eq!(between(".*", "??"), Overlap::Partial);
    assert_eq!(between(".*", "*."), Overlap::Partial);
}

/// Scopes that end with a colon here are of files.
#[test]
fn nothing_lies_below_a_file() {
    let read = |text: &str| match text.strip_suffix(':') {
        Some(text) => scope(text).of_files(true),
        None => scope(text),
    };
    for (a, b, expected) in [
        ("**/*.rs:", "**/*.md:", Overlap::Disjoint),
        ("**/*.rs:", "src/notes.md:", Overlap::Disjoint),
        ("**/*.rs:", "src/notes.md", Overlap::Partial),
        ("**/*.rs", "**/*.md:", Overlap::Partial),
        ("**/*.rs:", "src/main.rs:", Overlap::Partial),
        ("**/*.rs:", "src", Overlap::Partial),
        ("src/**/*.rs:", "src/*.rs:", Overlap::Partial),
        ("src/main.rs:", "src", Overlap::Partial),
        ("src/main.rs:", ".", Overlap::Partial),
        ("src/main.rs:", "src/main.rs", Overlap::Exact),
        ("src:", "src/main.rs", Overlap::Disjoint),
    ] {
        let (a, b) = (read(a), read(b));
        assert_eq!((overlap(&a, &b), overlap(&b, &a)), (expected, expected), "{a} and {b}");
    }
    assert!(read("src:").contains("src") && !read("src:").contains("src/main.rs"));
}

#[test]
fn extensions_are_known_by_their_letters() {
    for text in ["main.rs", "src/*.rs", "a.tar.gz", "*.{ts,tsx}", "x.c", "src/.eslintrc.json", "a.7z"] {
        assert!(scope(text).has_extension(), "{text}");
    }
    for text in
        ["src", ".github", "v1.2", "src/**", "*.*", "a.", "a.{b,c*}", "x.[ch]", ".", "a.b/c", "db:schema"]
    {
        assert!(!scope(text).has_extension(), "{text}");
    }
}

#[test]
fn is_a_string_in_json_and_its_schema() {
    let json = serde_json::to_string(&scope("./src/*.rs")).unwrap();
    assert_eq!(json, "\"src/*.rs\"");
    assert_eq!(serde_json::from_str::<Scope>(&json).unwrap(), scope("src/*.rs"));
    assert!(serde_json::from_str::<Scope>("\"../x\"").is_err());
    assert_eq!(schemars::schema_for!(Scope).get("type").unwrap(), "string");
    assert_eq!(serde_json::to_string(&Overlap::Disjoint).unwrap(), "\"disjoint\"");
}

/// The longest scopes whose pairs of places are all reached, in every combination.
#[test]
fn the_worst_pairs_of_the_longest_scopes_are_decided() {
    let fill = |unit: &str, end: &str| {
        let mut text = unit.repeat((Scope::MAX_LENGTH - end.len()) / unit.len());
        text.push_str(end);
        scope(&text)
    };
    let every_other: String = ('Ā'..).step_by(2).take(996).collect();
    let worst = [
        fill("*a", "b"),
        fill("*a", "c"),
        fill("?", "*b"),
        fill("*[!x]", "b"),
        fill("*/", "b"),
        fill("**/a/", "b"),
        fill("**/*/", "c"),
        fill("*a/", "c"),
        fill("{a,*}", "b"),
        fill("{,a}", "*c"),
        scope(&format!("{{{}b}}", "*,".repeat(498))),
        scope(&format!("{}b{}", "{,".repeat(333), "}".repeat(333))),
        scope(&format!("[{every_other}]*")),
        scope(&format!("[!{every_other}]*")),
    ];
    for (place, a) in worst.iter().enumerate() {
        for b in &worst[..place] {
            assert_eq!(overlap(a, b), overlap(b, a), "{a} and {b}");
        }
    }
    assert_eq!(overlap(&worst[0], &worst[1]), Overlap::Disjoint);
    assert_eq!(overlap(&worst[0], &worst[2]), Overlap::Partial);
    assert_eq!(overlap(&worst[5], &worst[6]), Overlap::Partial);
    assert_eq!(overlap(&worst[12], &worst[13]), Overlap::Disjoint);
}
