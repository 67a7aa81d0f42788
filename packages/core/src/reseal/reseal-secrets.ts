import { sealedGrants } from "../connection/sealed-grants.ts"
import type { Context } from "../context/context.ts"
import { sealedClients, sealedSigningKey } from "../oauth/sealed-oauth.ts"
import { type ResealCount, resealRows } from "./reseal-rows.ts"

/** What is stored sealed under the operator's secret. What is sealed under a key that only its holder has is not among it. */
export const SEALED_KINDS = ["vendor tokens", "OAuth client secrets", "signing keys"] as const

/**
 * Seals everything stored with the current key, whichever known key sealed it, while the service runs: a refresh under way is waited for,
 * one that comes later finds the row as it is then. Nothing else of a row changes.
 */
export async function resealSecrets(
  context: Pick<Context, "database" | "cipher">,
): Promise<Record<(typeof SEALED_KINDS)[number], ResealCount>> {
  return {
    "vendor tokens": await resealRows(sealedGrants(context)),
    "OAuth client secrets": await resealRows(sealedClients(context)),
    "signing keys": await resealRows(sealedSigningKey(context)),
  }
}
