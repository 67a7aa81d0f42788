/** The vendor in the paths of connections, webhooks and apps, as the API's document describes it. */
import { z } from "zod"

const vendorParams = (example: string) =>
  z.object({ provider: z.string().meta({ description: "The vendor's name", example }) })

export const VENDOR_PARAMS = vendorParams("whoop")

/** Of a vendor that people connect with a key. */
export const KEY_VENDOR_PARAMS = vendorParams("intervals")
