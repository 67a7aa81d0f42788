// The key pair that names this installation to push services: one for all replicas, made at its first use. RFC 8292
import { type Context, readSigningKey } from "@restwell/core"
import { z } from "zod"

const PushKeysSchema = z.object({ publicKey: z.string(), privateKey: z.string() })

/** Both in base64url. Browsers subscribe with the public one. */
export type PushKeys = z.infer<typeof PushKeysSchema>

type Store = Pick<Context, "database" | "cipher" | "clock">

/** Loaded with its first use: most starts send nothing. */
export const loadWebPush = async () => (await import("web-push")).default

/** The stored keys. The first call of an installation makes them. */
export async function readPushKeys(context: Store): Promise<PushKeys> {
  const { generateVAPIDKeys } = await loadWebPush()
  return PushKeysSchema.parse(
    JSON.parse(await readSigningKey(context, "push", () => JSON.stringify(generateVAPIDKeys()))),
  )
}
