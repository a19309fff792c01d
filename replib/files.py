import pathlib


def write(p,t): p=pathlib.Path(p); p.write_text(t); return p
