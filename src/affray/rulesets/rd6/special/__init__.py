"""Special attacks, feats, grips, objects: what goes beyond the plain attack."""
