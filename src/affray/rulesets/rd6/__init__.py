"""Rd6 Combat 3.0: the older D6 edition, which counts successes of six."""
