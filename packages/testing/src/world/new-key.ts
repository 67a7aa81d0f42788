import { type Context, parseApiKey, rotateApiKey } from "@restwell/core"

/** Gives a person a new API key, which replaces the former one. Returns its hash and its prefix. */
export async function newKey(context: Context, userId: string): Promise<{ keyHash: string; prefix: string }> {
  const { apiKey, prefix } = await rotateApiKey(context, userId)
  const parsed = parseApiKey(apiKey)
  if (!parsed) throw new Error("a key that core has just made is malformed")
  return { keyHash: parsed.keyHash, prefix }
}
