import { z } from "zod"
import { value, wholeValue } from "./fields.ts"
import { SourceSchema, SourcesSchema } from "./source.ts"

const text = (description: string, example: string) => z.string().nullable().meta({ description, example })

/** The body of `type=profile`. */
export const ProfileResponseSchema = z
  .object({
    profile: z.object({
      first_name: text("Given name at the vendor", "Ada"),
      last_name: text("Family name at the vendor", "Berg"),
      email: text("E-mail address at the vendor", "ada@example.com"),
    }),
    body: z.object({
      height_meters: value("Height, metres", 1.74),
      weight_kilograms: value("Weight, kilograms", 66.5),
      max_heart_rate: wholeValue("Beats per minute", 191),
    }),
    source: SourceSchema,
    sources: SourcesSchema,
  })
  .meta({ id: "ProfileResponse" })

export type ProfileResponse = z.infer<typeof ProfileResponseSchema>
