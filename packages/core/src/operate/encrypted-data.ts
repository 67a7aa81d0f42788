import { sql } from "kysely"
import { sealedClients, sealedSigningKey, secretBelongsTo, signingKeyBelongsTo } from "../assistants/oauth-clients.ts"
import { type ReencryptCount, reencryptRows, type Sealed, UnreadableSecret } from "../base/encryption.ts"
import { belongsTo } from "../connect/grants.ts"
import { sealedGrants } from "../connect/unreadable-grants.ts"
import type { Context } from "../context/context.ts"
import { sealedTwoFactor, sealedTwoFactors } from "../people/two-factor-secrets.ts"
import { sealedSettings, settingBelongsTo } from "./settings.ts"

/** Everything sealed with the operator's secret. Refresh replies are not included: only the token's owner has their key. */
const SEALED_KINDS = ["vendor tokens", "OAuth client secrets", "signing keys", "sign-in codes", "settings"] as const

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

/** Stored secrets, and those of them that none of the operator's secrets decrypts. */
export interface SealedCount {
  readonly total: number
  readonly unreadable: number
}

interface SealedValue extends Sealed {
  readonly belongsTo: string
}

/**
 * Tries to decrypt everything that is sealed with the operator's secret. Changes nothing.
 */
export async function countUnreadable(context: Pick<Context, "database" | "cipher">): Promise<SealedCount> {
  const values = (
    await Promise.all([
      readGrants(context),
      readClients(context),
      readTwoFactors(context),
      readKeys(context),
      readSettings(context),
    ])
  ).flat()
  return { total: values.length, unreadable: values.filter((value) => !isReadable(context, value)).length }
}

function isReadable({ cipher }: Pick<Context, "cipher">, { belongsTo: owner, ...sealed }: SealedValue): boolean {
  try {
    cipher.open(sealed, owner)
    return true
  } catch (error) {
    if (error instanceof UnreadableSecret) return false
    throw error
  }
}

async function readGrants({ database }: Pick<Context, "database">): Promise<SealedValue[]> {
  const grants = await database.selectFrom("vendor_grant").selectAll().execute()
  return grants.flatMap((grant) => {
    const connection = { userId: grant.user_id, provider: grant.provider }
    const access = {
      keyId: grant.key_id,
      bytes: grant.access_token,
      belongsTo: belongsTo(connection, "access_token"),
    }
    if (grant.refresh_token === null || grant.refresh_key_id === null) return [access]
    const owner = belongsTo(connection, "refresh_token")
    return [access, { keyId: grant.refresh_key_id, bytes: grant.refresh_token, belongsTo: owner }]
  })
}

async function readClients({ database }: Pick<Context, "database">): Promise<SealedValue[]> {
  const { rows } = await sql<Sealed & { id: string }>`
    select client_id as id, secret_key_id as "keyId", secret as bytes from restwell.oauth_client where secret is not null
  `.execute(database)
  return rows.map(({ id, ...sealed }) => ({ ...sealed, belongsTo: secretBelongsTo(id) }))
}

async function readKeys({ database }: Pick<Context, "database">): Promise<SealedValue[]> {
  const keys = await database.selectFrom("signing_key").selectAll().execute()
  return keys.map(({ id, key_id: keyId, sealed: bytes }) => ({ keyId, bytes, belongsTo: signingKeyBelongsTo(id) }))
}

async function readSettings({ database }: Pick<Context, "database">): Promise<SealedValue[]> {
  const settings = await database.selectFrom("service_setting").select(["name", "key_id", "sealed"]).execute()
  return settings.map(({ name, key_id: keyId, sealed: bytes }) => ({ keyId, bytes, belongsTo: settingBelongsTo(name) }))
}

async function readTwoFactors({ database }: Pick<Context, "database">): Promise<SealedValue[]> {
  const { rows } = await sql<{ secret: string; backupCodes: string }>`
    select secret, "backupCodes" from restwell."twoFactor"`.execute(database)
  return rows.flatMap(({ secret, backupCodes }) => [
    sealedTwoFactor("secret", secret),
    sealedTwoFactor("backupCodes", backupCodes),
  ])
}
