import { sealedTwoFactors } from "../account/two-factor-secrets.ts"
import { sealedGrants } from "../connection/sealed-grants.ts"
import type { Context } from "../context/context.ts"
import { type ReencryptCount, reencryptRows } from "../crypto/reencrypt-rows.ts"
import { sealedClients, sealedSigningKey } from "../oauth/sealed-oauth.ts"
import { sealedSettings } from "../settings/sealed-settings.ts"

/** Everything sealed with the operator's secret. Refresh replies are not included: only the token's owner has their key. */
export const SEALED_KINDS = [
  "vendor tokens",
  "OAuth client secrets",
  "signing keys",
  "sign-in codes",
  "settings",
] as const

/** Re-encrypts every stored secret with the current key. Safe while the service runs: each row is locked while it changes. */
export async function reencryptSecrets(
  context: Pick<Context, "database" | "cipher">,
  onProgress: (kind: (typeof SEALED_KINDS)[number], share: number) => void = () => {},
): Promise<Record<(typeof SEALED_KINDS)[number], ReencryptCount>> {
  return {
    "vendor tokens": await reencryptRows(sealedGrants(context), (share) => onProgress("vendor tokens", share)),
    "OAuth client secrets": await reencryptRows(sealedClients(context), (share) =>
      onProgress("OAuth client secrets", share),
    ),
    "signing keys": await reencryptRows(sealedSigningKey(context), (share) => onProgress("signing keys", share)),
    "sign-in codes": await reencryptRows(sealedTwoFactors(context), (share) => onProgress("sign-in codes", share)),
    settings: await reencryptRows(sealedSettings(context), (share) => onProgress("settings", share)),
  }
}
