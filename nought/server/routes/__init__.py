"""What the server answers, one file for each subject."""
