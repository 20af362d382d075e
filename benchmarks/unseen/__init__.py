"""Default fits on hundreds of raw tables that no rule was tuned on."""
