"""The commands, one file a group; with cli.py the only places that print."""
