"""`python -m ontomask`: the command line where the script `ontomask` is not on the path."""

from .cli import main

main()
