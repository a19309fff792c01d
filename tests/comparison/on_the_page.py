"""What the page without Python says about pasted text, and what Python says of scores per item."""

import json
import shutil
import subprocess
from pathlib import Path

from replib.comparison import command

STATIC = Path(__file__).resolve().parents[2] / "book" / "_static"
NODE = shutil.which("node")


def answers(inputs, call="compare.table(text, options)"):
    """Answers to texts with their settings; a sentence for each that is refused."""
    program = (
        f"const compare = require({json.dumps(str(STATIC / 'compare.js'))});"
        f"const items = require({json.dumps(str(STATIC / 'items.js'))});"
        "const inputs = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "const plain = (_, x) => typeof x === 'number' && !Number.isFinite(x) ? String(x) : x;"
        "console.log(JSON.stringify(inputs.map(([text, options]) => { try {"
        f"  return {call};"
        "} catch (problem) { return `refused: ${problem.message}`; } }), plain));"
    )
    done = subprocess.run([NODE, "-e", program], input=json.dumps(inputs), capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)


def told(answer):
    """The text of an answer, or its refusal."""
    if isinstance(answer, str):
        return answer
    return "\n".join([answer["sentence"], *(f"Note: {note}" for note in answer["notes"])])


def of_items(text, options, path):
    """The result of the command for scores per item, or the sentence with which it refuses."""
    path.write_text(text, encoding="utf-8", newline="")
    question = options.get("generalize")
    given = [str(path), *(["--generalize", question] if question else []),
             *["--paired-runs"] * bool(options.get("paired"))]
    try:
        return command._of_items(command._parser().parse_args(given))
    except ValueError as refusal:
        return f"refused: {refusal}".replace(str(path), "the table").replace(
            "say --pair with two of them", "paste the rows of two of them")
