"""Results for readers: one document, and tables of it."""
