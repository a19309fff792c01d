"""Logs of evaluations in the shape of their tools, made for a test."""

import json


def harness(folder, model, *, shots=0, version=1.0, filter="none", **more):
    """A folder of lm-evaluation-harness with one task of three items."""
    place = folder / model
    place.mkdir(parents=True)
    template = more.pop("template", None)
    about = {
        "results": {},
        "higher_is_better": {"arc": {"skill": True}},
        "versions": {"arc": version},
        "n-shot": {"arc": shots},
        "chat_template_sha": template,
    }
    (place / "results_2026-01-01T00-00-00.000000.json").write_text(json.dumps(about))
    lines = []
    for i in range(3):
        sample = {
            "doc_id": i,
            "target": "x",
            "doc_hash": f"d{i}",
            "prompt_hash": f"p{i}",
            "filter": filter,
            "metrics": ["skill"],
            "skill": i / 3 if model == "a" else 0.5,
        } | more
        lines.append(json.dumps(sample))
    path = place / "samples_arc_2026-01-01T00-00-00.000000.jsonl"
    path.write_text("\n".join(lines))
