import { z } from "zod"

/** Fields that every record has. */
export const identity = {
  /** Unique id: the provider's name, `-`, and the provider's id. */
  id: z.string(),
  /** The provider's original id. */
  providerId: z.string(),
}

/** Metrics of physical effort. */
export const effort = {
  /** Beats per minute. */
  averageHeartRate: z.number().optional(),
  /** Beats per minute. */
  maxHeartRate: z.number().optional(),
  /** Energy burned, kilocalories. */
  calories: z.number().optional(),
}
