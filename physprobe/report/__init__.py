"""The report: every analysis of saved answers as one page, with its tables and figures as files.

A benchmark's part is a module ``physprobe.report.<benchmark>`` with ``sections(answers, options)``, listed in
:mod:`physprobe.report.parts`; its browsable items come from ``physprobe.report.examples.<benchmark>``. What
both return is in :mod:`physprobe.report.model`; the page is the same for all.
"""
