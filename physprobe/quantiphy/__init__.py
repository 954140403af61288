"""QuantiPhy: official scoring of predictions."""
