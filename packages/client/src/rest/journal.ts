import { z } from "zod"
import { date } from "./fields.ts"
import { HealthQuerySchema } from "./query.ts"
import { recordsOf } from "./records.ts"

/** One answer of the person's journal. */
export const JournalRecordSchema = z
  .object({
    date: date("The local date of waking that the answer belongs to"),
    factor: z.string().meta({
      description: "The canonical name of the topic, the same for every wording of the question",
      example: "alcohol",
    }),
    question: z.string().meta({ description: "As the vendor asked it", example: "Have any alcoholic drinks?" }),
    answer: z.boolean().nullable().meta({
      description:
        "Null when it was asked and not answered. A question that was not asked has no record: that is not a no",
      example: true,
    }),
    value: z.number().nullable().meta({ description: "A number that was answered; null without one", example: null }),
    source: z.string().meta({ description: "The vendor of the answer", example: "whoop" }),
  })
  .meta({ id: "JournalRecord" })

/** The body of `GET /api/v1/journal`. */
export const JournalResponseSchema = recordsOf(JournalRecordSchema).meta({ id: "JournalResponse" })

/** The query of `GET /api/v1/journal` in its text form: the range as for the health data. */
export const JournalQuerySchema = HealthQuerySchema.omit({ type: true })

export type JournalRecord = z.infer<typeof JournalRecordSchema>
export type JournalResponse = z.infer<typeof JournalResponseSchema>
export type JournalQuery = z.infer<typeof JournalQuerySchema>
