set edit:completion:arg-completer[bb] = { |@words|
    var index = (count $words)
    set index = (- $index 1)

    put (env _CLAP_IFS="\n" _CLAP_COMPLETE_INDEX=(to-string $index) BB_COMPLETE="elvish" bb -- $@words) | to-lines
}
