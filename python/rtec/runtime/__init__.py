"""From records to the engine, and from its answers to files."""
