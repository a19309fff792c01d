"""What went wrong, in one sentence for the person who asked."""

from concurrent.futures.process import BrokenProcessPool

import click

from companion.engine.build import execution, parameters
from companion.lab import datasets


def answer(problem: BaseException) -> tuple[int, object]:
    """Return the exit code and the sentence for a problem; raise one that nobody expected."""
    match problem:
        case click.UsageError():
            return 2, problem.format_message()
        case parameters.ParameterError():
            return 2, problem
        case click.ClickException():
            return 1, problem.message
        case click.Abort() | KeyboardInterrupt():
            return 130, "interrupted; finished work is kept and nothing is half-written"
        case BrokenProcessPool():
            return 1, (
                "a worker process was ended from outside, perhaps for lack of memory; "
                "finished work is kept, and the same command resumes from there"
            )
        case MemoryError():
            return (
                1,
                "there is not enough memory: REPLIB_WORKERS=1 and --jobs 1 need the least",
            )
        case OSError():
            file = f": {problem.filename}" if problem.filename else ""
            return 1, f"{problem.strerror or problem}{file}"
        case (
            execution.ChapterFailed()
            | datasets.DataUnavailable()
            | datasets.DataMismatch()
        ):
            return 1, problem
    from companion.lab.experiments.results import ResultsDiffer
    from companion.stored import StoredResultsInvalid  # with all learners

    if isinstance(problem, (ResultsDiffer, StoredResultsInvalid)):
        return 1, problem
    raise problem
