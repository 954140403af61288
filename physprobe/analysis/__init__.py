"""Analyses of saved answers: read as columns, compared only where comparable, returned as tables.

``load_answers`` reads results of many models into one data frame, one row a question; each analysis is a
plain function from that frame to :class:`~physprobe.analysis.finding.Finding` tables.
"""
