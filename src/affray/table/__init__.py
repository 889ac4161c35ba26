"""The table at one terminal: what a typed line means, what is shown, what comes next. No rules, no click, no files of its own."""
