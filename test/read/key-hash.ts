import { parseApiKey, rotateApiKey } from "@restwell/core"
import type { World } from "./world.ts"

/** The hash of a new key of a person, which replaces any that they had. */
export async function newKeyHash({ context }: World, userId: string): Promise<string> {
  const parsed = parseApiKey((await rotateApiKey(context, userId)).apiKey)
  if (!parsed) throw new Error("a key of our own cannot be read")
  return parsed.keyHash
}
