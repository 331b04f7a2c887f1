"""Many machines: the same learning, matches and studies, spread over a cluster of Ray's (docs/guide/cluster.md)."""
