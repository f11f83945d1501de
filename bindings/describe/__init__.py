"""A machine-readable description of the public headers, and what is generated from it (scripts/describe)."""
