import { z } from "zod"
import { date } from "../rest/fields.ts"

const factors = (description: string) => z.array(z.string()).meta({ description, example: ["alcohol"] })

/** The journal of one date, whichever sources it comes from. */
export const JournalDaySchema = z
  .object({
    date: date("The local date of waking"),
    yes: factors("Factors that were answered with yes, by name"),
    no: factors("Factors that were answered with no, by name. A factor in neither list was not answered"),
  })
  .meta({ id: "JournalDay" })

/** GET /api/account/journal: one entry for each date that has an answer. */
export const JournalDaysResponseSchema = z
  .object({ days: z.array(JournalDaySchema).meta({ description: "Dates with an answer, oldest first" }) })
  .meta({ id: "JournalDaysResponse" })

export type JournalDay = z.infer<typeof JournalDaySchema>
export type JournalDaysResponse = z.infer<typeof JournalDaysResponseSchema>
