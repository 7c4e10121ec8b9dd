_bb() {
    local words=("${COMP_WORDS[@]:0:COMP_CWORD+1}") word
    # Of the word under the cursor only what stands before it counts.
    [[ ${words[COMP_CWORD]} == [:=]* ]] || words[COMP_CWORD]=$2
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <(BB_COMPLETE=bash bb -- "${words[@]}" 2>/dev/null)
}
complete -o bashdefault -o default -F _bb bb
