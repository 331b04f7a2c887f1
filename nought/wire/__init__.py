"""What a nought server and its clients say to each other, as JSON: one file for each subject.

Requests are called …Request; answers that have a namesake among the games and searches, …Answer. The server makes
answers of these classes and its description at /openapi.json of their fields; clients read them with the same classes.
"""
