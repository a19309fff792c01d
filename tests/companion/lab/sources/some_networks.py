"""Networks to test with, and what their definition says of them, by enumeration."""

from itertools import product

from hypothesis import strategies as st

from companion.lab.sources import random_network

# Below this probability under the hypothesis that the code is right, a statistical test
# fails.  The seeds are fixed: a right code fails at one seed in a hundred thousand, and
# then always.
RARE = 1e-5

MIXED = random_network(
    seed=5,
    attributes=4,
    cardinality=[3, 2, 4, 2],
    class_probabilities=[0.2, 0.5, 0.3],
    arrows=4,
)


@st.composite
def some_network(draw):
    attributes = draw(st.integers(1, 4))
    most = attributes * (attributes - 1) // 2
    weights = draw(st.lists(st.integers(1, 9), min_size=2, max_size=3))
    return random_network(
        seed=draw(st.integers(0, 2**32)),
        attributes=attributes,
        cardinality=draw(
            st.lists(st.integers(2, 4), min_size=attributes, max_size=attributes)
        ),
        class_probabilities=[weight / sum(weights) for weight in weights],
        arrows=draw(st.none() | st.integers(0, most)),
        concentration=draw(st.sampled_from([0.1, 1.0, 5.0])),
    )


def probability(network, values):
    """Of one value of every variable, the class first: the product that defines a network."""
    p = 1.0
    for v, (above, table) in enumerate(zip(network.parents, network.tables)):
        p *= table[(*(values[u] for u in above), values[v])]
    return p


def by_enumeration(network):
    every = product(*(range(k) for k in network.cardinality))
    return {values: probability(network, values) for values in every}
