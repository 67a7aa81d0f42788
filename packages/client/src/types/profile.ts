import { z } from "zod"
import { identity } from "./fields.ts"

/** Name and e-mail address at the provider, and body measurements. */
export const ProfileDataSchema = z.object({
  ...identity,
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  email: z.string().optional(),
  body: z
    .object({
      /** Metres. */
      heightMeters: z.number().optional(),
      /** Kilograms. */
      weightKilograms: z.number().optional(),
      /** Beats per minute. */
      maxHeartRate: z.number().optional(),
    })
    .optional(),
})

export type ProfileData = z.infer<typeof ProfileDataSchema>
