import { generateKeyPairSync, randomUUID } from "node:crypto"
import { readSigningKey } from "@restwell/core"
import type { JWK } from "oidc-provider"
import { z } from "zod"

const SigningKeySchema = z.custom<JWK>(
  (value) => z.looseObject({ kty: z.literal("RSA"), d: z.string() }).safeParse(value).success,
)

/** The stored key that signs ID tokens. The first start makes it. */
export const openSigningKey = async (context: Parameters<typeof readSigningKey>[0]): Promise<JWK> =>
  SigningKeySchema.parse(JSON.parse(await readSigningKey(context, makeSigningKey)))

function makeSigningKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" })
}
