import { factorOf, JOURNAL_FACTORS, sportTypeOf } from "@restwell/providers"

// What the words of a question mean. A question with a word that nothing here understands has no answer.

const SHORTEST_WORD = 3
const STOP_WORDS = new Set(
  (
    "the and how did was were for with what have been this that all any are can could day days show tell find give about from into much many " +
    "mine which when who why does had has his her its not our out she they you your please last data health good bad well look looked like " +
    "going went get got feel felt see list want know ever yet far life history time times date dates value values where there here just really " +
    "very also some each every per during between than overall whole entire been being doing done mean usually journal note noted answered"
  ).split(" "),
)

/** Words of questions, and the word that the titles of days have for them. */
const SYNONYMS: Readonly<Record<string, string>> = {
  slept: "sleep",
  sleeping: "sleep",
  night: "sleep",
  rest: "sleep",
  trained: "workout",
  training: "workout",
  exercise: "workout",
  exercised: "workout",
  readiness: "recovery",
  recovered: "recovery",
  load: "strain",
  ran: "running",
  jogged: "running",
  rode: "cycling",
  biked: "cycling",
  cycled: "cycling",
  swam: "swimming",
  walked: "walking",
  hiked: "walking",
  lifted: "strength",
}

/** Every word of a text that says something, in lower case. */
const sayingWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= SHORTEST_WORD && !STOP_WORDS.has(word))

/** The words of a question that say what is looked for, as the titles of days have them. */
export const wordsOf = (question: string): string[] =>
  sayingWords(question)
    .map((word) => SYNONYMS[word] ?? word.replace(/(?<=[^isu])s$/, ""))
    .map((word) => SYNONYMS[word] ?? knownSportOf(word) ?? word)
    .filter((word) => word.length >= SHORTEST_WORD && !STOP_WORDS.has(word) && !STOP_WORDS.has(`${word}s`))

/** The sport that a word stands for in any vendor's spelling. Undefined for words that are no sport of the list. */
function knownSportOf(word: string): string | undefined {
  const sport = sportTypeOf(word)
  return sport === word || sport === "other" ? undefined : sport
}

/** Words that name no sport but all of them. */
const ANY_WORKOUT = new Set(["workout", "session", "activity", "activitie", "sport"])
/** They say by what the workouts are ranked. */
const RANKED = new Set(["distance", "duration", "strain"])

/** The sport of a question about workouts: null for all of them. Undefined where it is about something else. */
export function sportIn(question: string): string | null | undefined {
  const words = wordsOf(question).filter((word) => !RANKED.has(word))
  const sports = words.filter((word) => !ANY_WORKOUT.has(word))
  if (words.length === 0 || sports.length > 1) return undefined
  return sports[0] ?? null
}

/** Words beside the topic of a question about the journal. */
const BESIDE_TOPIC = new Set(
  "drink drank drunk drinking take took taken taking eat ate eaten eating use used using have having meals meal sleep night nights bed".split(
    " ",
  ),
)
const ABSENCE = /\b(?:without|no|not|never|did(?:n['’]?t| not))\b/i

export interface JournalTopic {
  readonly factor: string
  /** Whether dates answered with yes are looked for. False: dates answered with no. */
  readonly answer: boolean
}

/** The topic of the journal that a question is about, and about nothing else. */
export function topicIn(question: string): JournalTopic | undefined {
  const text = question.replace(ABSENCE, " ").trim()
  const words = sayingWords(text)
  const { factor: named } = factorOf(words.join(" "))
  const isAbsence = named.startsWith("no_")
  const factor =
    knownFactor(isAbsence ? named.slice("no_".length) : named) ?? (isAboutDrinks(words) ? "alcohol" : undefined)
  if (factor === undefined) return undefined
  const isUnderstood = (word: string): boolean =>
    factor.split("_").some((part) => word.startsWith(part)) ||
    BESIDE_TOPIC.has(word) ||
    (isAbsence && word === "free") ||
    factorOf(word).factor === factor
  return words.every(isUnderstood) ? { factor, answer: !isAbsence && !ABSENCE.test(question) } : undefined
}

const knownFactor = (factor: string): string | undefined => JOURNAL_FACTORS.find((known) => known === factor)

const isAboutDrinks = (words: readonly string[]): boolean => words.some((word) => /^dr[iau]nk(?:ing)?$/.test(word))
