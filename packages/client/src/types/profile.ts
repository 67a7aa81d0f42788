import { z } from "zod"

/** Who the person is to the provider, and their body measurements. */
export const ProfileDataSchema = z.object({
  /** Unique id: the provider's name, `-`, and the provider's id. */
  id: z.string(),
  /** The provider's own id of the person. */
  providerId: z.string(),
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
