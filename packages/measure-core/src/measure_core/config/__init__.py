"""From a measure.yaml to metrics that are built and checked."""
