"""The reference solver: answers from boxes in pixels, the prior and depth info, as a careful person would.

``observation`` holds all that it may know of a clip, ``asked`` what a question says, ``views`` turns pixels
into places, ``measuring`` measures there, ``solver`` calibrates with the prior and answers.
"""
