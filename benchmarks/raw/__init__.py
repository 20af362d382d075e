"""What the suite of raw tables shows: bounds over time, and what prices are worth."""
