"""Results for a plan: the stored ones where they are of the same experiments, else computed now."""

from collections.abc import Mapping

from replib.experiments.engine import Experiment, Replications, replicate


def results_for(
    plan: Mapping[str, tuple[Experiment, int]], stored: Mapping[str, Replications]
) -> tuple[dict[str, Replications], bool]:
    """By name the first replications of each experiment, as many as are planned and stored.

    Whether all of them are stored is the second value.
    """
    results = {}
    for name, (experiment, count) in plan.items():
        known = stored.get(name)
        if known is not None and known.experiment == experiment:
            results[name] = Replications(experiment, known.counts[:count], known.provenance)
        else:
            results[name] = replicate(experiment, count)
    return results, all(
        name in stored and stored[name].experiment == one.experiment
        for name, one in results.items()
    )
