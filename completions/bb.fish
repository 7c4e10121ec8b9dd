complete --keep-order --exclusive --command bb --arguments "(BB_COMPLETE=fish bb -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
