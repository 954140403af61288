"""The words that give a letter in a free-form answer its meaning, case-folded.

English first; then the commonest ways to say "the answer is" in German, Spanish, French, Italian, Portuguese,
Dutch, Russian and some other languages, Chinese, Japanese and Korean. A word in no set ends a claim, so that
what these lists miss is left unread.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# "the ANSWER is B": what names the thing chosen.
ANSWER_NOUNS = _words(
    "answer ans solution response correct conclusion verdict pick guess "
    "antwort lösung respuesta solución réponse risposta soluzione resposta solução antwoord ответ "
    "svar svaret odpowiedź cevap yanıt jawaban jawabannya đáp án الإجابة الجواب"
)
# "OPTION B": names a letter, and claims it only with a link ("the right OPTION is B").
OPTION_NOUNS = _words(
    "option choice letter alternative selection opción option choix opzione opção optie вариант buchstabe "
    "letra lettre lettera"
)
# "I CHOOSE B".
CHOICE_VERBS = _words(
    "choose chose choosing select selecting selected pick picked picking go going opt vote "
    "wähle nehme elijo escojo selecciono choisis scelgo escolho kies выбираю"
)
FINAL = _words("final finale finally ultimate endgültige endgültig definitiva окончательный")
# What may stand between one of the above and its letter.
LINKS = _words(
    "is are be was would should must will with to for of the this that my your question here above as one "
    "clearly definitely likely most probably simply indeed therefore thus hence then actually still now just "
    "correct right best only labeled labelled marked given by "
    "ist lautet wäre also die der das richtige richtig "
    "es sería la el lo correcta correcto "
    "est serait donc le l c'est correcte "
    "è sarebbe quindi il corretta "
    "é seria então o certa correta "
    "het juiste "
    "это правильный är er rätta to jest prawidłowa doğru adalah yang benar là هي هو الصحيحة"
)
LINK_SIGNS = frozenset(":=")
CONCLUDING_SIGNS = frozenset("→⇒∴")
# "SO B": a letter after these, at the end of its clause, is a conclusion.
CONCLUDING = _words(
    "probably likely definitely surely so thus therefore hence then it's that's it think say believe "
    "consequently but also daher deshalb entonces luego donc alors quindi dunque portanto então dus"
)
NEGATIONS = _words(
    "not never neither nor cannot can't isn't aren't wasn't don't doesn't didn't won't wouldn't shouldn't "
    "couldn't eliminate eliminates eliminated eliminating exclude excludes excluded excluding reject rejects "
    "rejected rejecting discard discarded discarding unlike than without except wrong incorrect false "
    "nicht kein keine nunca ni pas niet не ليست ليس falsch falsche incorrecta"
)
# "no es la B"; a comma cuts the link of this and of every negation: "No, B".
BARE_NO = _words("no non não nein нет")
# "I don't THINK the answer is B".
OPINIONS = _words("think believe say agree sure certain convinced")
# Two-word forms: (word before the letter, word before that).
NEGATION_PAIRS = frozenset(
    [("out", "rule"), ("out", "ruled"), ("out", "rules"), ("out", "ruling"), ("of", "instead")]
)
# "B CAN'T be": negations that follow a letter without a copula.
DIRECT_NEGATIONS = _words(
    "cannot can't isn't aren't wasn't doesn't didn't won't wouldn't shouldn't couldn't n'est"
)
HYPOTHETICAL = _words(
    "if whether suppose assuming unless could might may maybe perhaps wenn ob si falls se если"
)
COPULAS = _words("is was seems appears looks must would should ist es est è é")
# What may stand between "B is" and "correct".
FILLERS = _words(
    "the my a most clearly definitely likely only probably be to also indeed therefore thus here "
    "die der das la el le il o a"
)
RIGHT = _words(
    "correct right answer best accurate true solution "
    "richtig richtige korrekt correcta correcto correcte bonne corretta certa juist верно правильный ✓ ✔ ✅"
)
WRONG = _words(
    "incorrect wrong false inaccurate untrue impossible eliminated falsch incorrecta faux sbagliata ✗ ✘ ❌"
)
# A capital A before one of these is a letter and no article.
AFTER_LETTER = _words(
    "is isn't was because since as seems appears looks must would should cannot can't doesn't and or it ist "
    "es est definitely clearly"
)
# "row B", "Figure A": these letters name something else.
LABELLED = _words(
    "row rows straw straws image frame figure fig picture panel glass line coin group part step scene table "
    "appendix section stick object container lump piece photo video plan vitamin type class point side column"
)
CORRECTING = _words(
    "wait actually correction sorry reconsider reconsidering mistake instead however hmm oops rather"
)
# What follows one of these speaks of the end again: "at first ..., but in the final image ...".
RESETS = _words("but however while now final finally last end")
SHOWN = _words("frame image picture photo")
CONNECTORS = _words("or and und oder y o u et ou e и или en of / & , + 或 或者 还是 還是 和 と か 또는")
TIME_HEDGES = _words(
    "first initial initially originally before beginning start starts started earlier previously unclear "
    "uncertain"
)
YES = _words("yes ja sí si oui sì sim да")
NO = _words("no nein non não nee нет")
# Words of an option that carry no claim of their own.
EMPTY = _words(
    "the a an is are they they're it it's that's has have contains holds in of that there be both two yes no"
)
REASONS = _words("because since as")
LATEX = _words("boxed text textbf textit mathrm mathbf mathit rm bf fbox left right quad")

# Scripts without spaces: what a run of characters ends or begins with.
RUN_ANSWER_ENDS = (
    "答案是", "答案为", "答案為", "答案", "选择", "選擇", "应选", "應選", "选", "選", "选项是", "答案选",
    "答えは", "正解は", "答え", "正解", "回答は", "정답은", "정답", "답은", "답",
)  # fmt: skip
RUN_OPTION_ENDS = ("选项", "選項", "選択肢", "보기", "선택지")
RUN_NEGATIONS = ("不是", "不选", "不選", "并非", "而不", "不", "排除")
RUN_FINAL = ("最终", "最終", "최종")
RUN_RIGHT_STARTS = (
    "是正确",
    "是正確",
    "正确",
    "正確",
    "是对的",
    "が正解",
    "が正しい",
    "입니다",
    "です",
    "이 정답",
)
RUN_WRONG_STARTS = ("不正确", "不正確", "是错", "是錯", "错", "不对", "は間違", "는 틀")
