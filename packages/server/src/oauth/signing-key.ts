import { generateKeyPairSync, randomUUID } from "node:crypto"
import { findSigningKey, forgetSigningKeys, readSigningKey, UnusableDatabase } from "@restwell/core"
import type { JWK } from "oidc-provider"
import { z } from "zod"

const SigningKeySchema = z.custom<JWK>(
  (value) => z.looseObject({ kty: z.literal("RSA"), d: z.string() }).safeParse(value).success,
)

/** @throws {UnusableDatabase} when no service could start with the stored key and these secrets */
export async function checkSigningKey(context: Parameters<typeof findSigningKey>[0]): Promise<void> {
  const key = await findSigningKey(context, "oauth")
  if (key !== undefined && !isSigningKey(key))
    throw new UnusableDatabase(
      "the stored signing key is no RSA key",
      "restore a backup, or run restwell re-encrypt --forget-lost-secret. Nothing was changed",
    )
}

/** Deletes the stored keys if there is one with which no service could start. Returns whether there was one. */
export async function forgetUnusableKey(context: Parameters<typeof findSigningKey>[0]): Promise<boolean> {
  try {
    await checkSigningKey(context)
    return false
  } catch (error) {
    if (!(error instanceof UnusableDatabase)) throw error
    await forgetSigningKeys(context)
    return true
  }
}

function isSigningKey(text: string): boolean {
  try {
    return SigningKeySchema.safeParse(JSON.parse(text)).success
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** The stored key that signs ID tokens. The first start makes it. */
export const openSigningKey = async (context: Parameters<typeof readSigningKey>[0]): Promise<JWK> =>
  SigningKeySchema.parse(JSON.parse(await readSigningKey(context, "oauth", makeSigningKey)))

function makeSigningKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" })
}
