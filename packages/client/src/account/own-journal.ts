import { z } from "zod"
import { date, value } from "../rest/fields.ts"

/** What a person may enter for one date. */
export const OWN_JOURNAL = { answers: 100, topics: 100, title: 80, note: 5_000, value: 1_000_000 } as const

/** Before the words of a topic that the person made up. */
export const OWN_TOPIC = "own:"

const LONGEST_NAME = 64

/** Words as the name of a topic: letters and digits of any language, joined by `_`. Empty for words without any. */
export const nameOfWords = (words: string): string =>
  words
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, LONGEST_NAME)
    // Half of a letter cannot be stored.
    .replace(/\p{Cs}$/u, "")

const factor = z.string().min(1).max(100).meta({
  description: "A name of `/api/account/journal/factors`, or `own:<words>` for a new topic",
  example: "alcohol",
})
const title = (longest: number) =>
  z.string().max(longest).meta({ description: "The words of the topic, in one line", example: "Alcohol" })

const AnswerChangeSchema = z.strictObject({
  factor,
  title: title(OWN_JOURNAL.title)
    .optional()
    .meta({ description: "Required for a new topic of the person's own. A later title renames it on every date" }),
  answer: z.boolean().nullable().meta({ description: "Null removes the answer", example: true }),
  value: z
    .number()
    .min(0)
    .max(OWN_JOURNAL.value)
    .nullable()
    .optional()
    .meta({ description: "A number beside a yes, such as cups. Left out or null: none", example: 2 }),
})

/** PUT /api/account/journal/{date}. What it leaves out stays as it is. */
export const OwnJournalChangeSchema = z
  .strictObject({
    answers: z
      .array(AnswerChangeSchema)
      .max(OWN_JOURNAL.answers, { error: `has at most ${OWN_JOURNAL.answers} entries` })
      .refine((answers) => new Set(answers.map((one) => one.factor)).size === answers.length, {
        error: "names a factor twice",
      })
      .optional(),
    note: z
      .string()
      .max(OWN_JOURNAL.note, { error: `has at most ${OWN_JOURNAL.note} characters` })
      .nullable()
      .optional()
      .meta({ description: "Replaces the note of the date. Null or an empty text removes it", example: "Late flight" }),
  })
  .meta({ id: "OwnJournalChange" })

const OwnAnswerSchema = z.object({
  factor,
  title: title(500),
  answer: z.boolean().meta({ example: true }),
  value: value("A number that was entered; null without one", 2),
})

const VendorAnswerSchema = z.object({
  factor,
  title: title(500),
  question: z.string().meta({ description: "As the vendor asked it", example: "Have any alcoholic drinks?" }),
  answer: z.boolean().nullable().meta({ description: "Null when it was asked and not answered", example: false }),
  source: z.string().meta({ description: "The vendor of the answer", example: "whoop" }),
})

/** GET and PUT /api/account/journal/{date}. */
export const OwnJournalResponseSchema = z
  .object({
    date: date("The local date of waking"),
    answers: z.array(OwnAnswerSchema).meta({ description: "What the person entered, by title" }),
    note: z.string().nullable().meta({
      description: "Only this page and the export have it: no assistant and no API key reads it",
      example: null,
    }),
    vendor_answers: z.array(VendorAnswerSchema).meta({
      description: "Answers of connections and archives for the date. The person's own answer to the same factor wins",
    }),
  })
  .meta({ id: "OwnJournalResponse" })

const FactorSchema = z.object({
  factor,
  title: title(500),
  is_own: z.boolean().meta({ description: "True for a topic that the person made up", example: false }),
  last_used: date("The newest date with a yes or a no, of any source; null without one").nullable(),
})

/** GET /api/account/journal/factors. */
export const JournalFactorsResponseSchema = z
  .object({
    factors: z
      .array(FactorSchema)
      .meta({ description: "Topics in use, the last used first, then common ones that were never answered" }),
  })
  .meta({ id: "JournalFactorsResponse" })

export type OwnJournalChange = z.infer<typeof OwnJournalChangeSchema>
export type OwnJournalResponse = z.infer<typeof OwnJournalResponseSchema>
export type JournalFactorsResponse = z.infer<typeof JournalFactorsResponseSchema>
