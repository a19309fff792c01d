"""The book that answers: a small server, for this machine only, whose pages run their chapter.

`guard` says who may ask, `site` what is answered, `runs` keeps the runs in line, and
`worker` is the process that makes them, by `companion.engine.build.reruns`, as the
command ``run`` does.
"""
