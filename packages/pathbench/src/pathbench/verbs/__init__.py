"""One module for each verb of the command; ``run(given)`` does the work and gives the exit status."""
