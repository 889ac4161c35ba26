"""Files that people write: dice texts, TOML with line numbers, encounters, cases.

Everything here turns text into plain values and says what is wrong with it; no rule of a game lives here.
"""
