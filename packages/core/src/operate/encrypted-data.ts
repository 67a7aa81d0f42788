// Everything that is encrypted with the operator's secret: how it is re-encrypted, and how much of it can be decrypted.
import { sql } from "kysely"
import { secretBelongsTo } from "../assistants/oauth-clients.ts"
import { type Sealed, UnreadableSecret } from "../base/encryption.ts"
import { belongsTo } from "../connect/grants.ts"
import { webhookSecretBelongsTo } from "../connect/webhooks.ts"
import type { Context } from "../context/context.ts"
import { sealedOf, textOf, twoFactorBelongsTo } from "../people/account.ts"
import { ntfyTokenBelongsTo } from "../people/notification-settings.ts"
import { receiverBelongsTo } from "../tell/receivers.ts"
import { settingBelongsTo } from "./settings.ts"
import { signingKeyBelongsTo } from "./signing-keys.ts"

type Store = Pick<Context, "database" | "cipher">

/** A column of encrypted values, each of which may be null. */
interface SealedColumn {
  readonly table: string
  /** The primary key. */
  readonly key: readonly string[]
  readonly column: string
  /** The column with the id of the encryption key. Undefined for text that begins with the id. */
  readonly keyId?: string
  /** What a value of this row is bound to. */
  readonly belongsTo: (...key: string[]) => string
}

const grantColumn = (column: "access_token" | "refresh_token", keyId: string): SealedColumn => ({
  table: "vendor_grant",
  key: ["user_id", "provider"],
  column,
  keyId,
  belongsTo: (userId = "", provider = "") => belongsTo({ userId, provider }, column),
})

const twoFactorColumn = (column: "secret" | "backupCodes"): SealedColumn => ({
  table: "twoFactor",
  key: ["id"],
  column,
  belongsTo: () => twoFactorBelongsTo(column),
})

const column = (table: string, key: string, keyId: string, name: string, belongs: (id: string) => string) => ({
  table,
  key: [key],
  column: name,
  keyId,
  belongsTo: (id = "") => belongs(id),
})

const receiverColumn = (column: string, keyId: string): SealedColumn => ({
  table: "receiver",
  key: ["user_id", "id"],
  column,
  keyId,
  belongsTo: (userId = "", id = "") => receiverBelongsTo(userId, id),
})

/** All of them, by kind. Refresh replies are not among them: only the token's owner has their key. */
const SEALED = {
  "vendor tokens": [grantColumn("access_token", "key_id"), grantColumn("refresh_token", "refresh_key_id")],
  "webhook secrets": [column("vendor_subscription", "provider", "key_id", "secret", webhookSecretBelongsTo)],
  "OAuth client secrets": [column("oauth_client", "client_id", "secret_key_id", "secret", secretBelongsTo)],
  "signing keys": [column("signing_key", "id", "key_id", "sealed", signingKeyBelongsTo)],
  "sign-in codes": [twoFactorColumn("secret"), twoFactorColumn("backupCodes")],
  "ntfy tokens": [column("notification_settings", "user_id", "ntfy_key_id", "ntfy_token", ntfyTokenBelongsTo)],
  "secrets of receivers": [receiverColumn("secret", "key_id"), receiverColumn("former_secret", "former_key_id")],
  settings: [column("service_setting", "name", "key_id", "sealed", settingBelongsTo)],
} as const satisfies Readonly<Record<string, readonly SealedColumn[]>>

type SealedKind = keyof typeof SEALED

interface StoredValue {
  readonly key: string[]
  readonly keyId: string
  readonly value: Buffer | string
}

const sealedIn = ({ keyId, value }: Omit<StoredValue, "key">): Sealed =>
  typeof value === "string" ? sealedOf(value) : { keyId, bytes: value }

/** The parts of statements about a column. */
const partsOf = ({ table, column: name, keyId }: SealedColumn) => ({
  table: sql.table(`restwell.${table}`),
  value: sql.ref(name),
  keyId: keyId === undefined ? sql`split_part(${sql.ref(name)}, '.', 1)` : sql.ref(keyId),
})

/** The values of a column. @param otherThan leaves out values that this key encrypted */
async function readValues({ database }: Store, sealed: SealedColumn, otherThan = ""): Promise<StoredValue[]> {
  const { table, value, keyId } = partsOf(sealed)
  const key = sql`array[${sql.join(sealed.key.map((part) => sql.ref(part)))}]::text[]`
  const { rows } = await sql<StoredValue>`
    select ${key} as key, ${keyId} as "keyId", ${value} as value from ${table}
    where ${value} is not null and ${keyId} <> ${otherThan}`.execute(database)
  return rows
}

/** Result for all values of one kind. */
interface ReencryptCount {
  readonly reencrypted: number
  /** Values that were under a former key in the last pass too: some process still seals with it. */
  readonly left: number
  /** Values under an unknown key, or damaged. They are left as they are. */
  readonly unreadable: number
}

/** Gets the share of a kind's values that is done, 0 to 1. Each pass begins at 0. */
type OnProgress = (kind: SealedKind, share: number) => void

/** Re-encrypts every stored secret with the current key. Safe while the service runs: each row is locked while it changes. */
export async function reencryptSecrets(
  context: Store,
  onProgress: OnProgress = () => {},
): Promise<Record<SealedKind, ReencryptCount>> {
  const reencrypt = (kind: SealedKind) => reencryptKind(context, SEALED[kind], (share) => onProgress(kind, share))
  return {
    "vendor tokens": await reencrypt("vendor tokens"),
    "webhook secrets": await reencrypt("webhook secrets"),
    "OAuth client secrets": await reencrypt("OAuth client secrets"),
    "signing keys": await reencrypt("signing keys"),
    "sign-in codes": await reencrypt("sign-in codes"),
    "ntfy tokens": await reencrypt("ntfy tokens"),
    "secrets of receivers": await reencrypt("secrets of receivers"),
    settings: await reencrypt("settings"),
  }
}

/** A running service may seal with a former key meanwhile. After this many passes, something does so permanently. */
const MAX_PASSES = 3

/** Re-encrypts values one by one until none is left. May be interrupted and run again at any time. */
async function reencryptKind(
  context: Store,
  columns: readonly SealedColumn[],
  onShare: (share: number) => void,
): Promise<ReencryptCount> {
  let total = 0
  for (let pass = 1; ; pass += 1) {
    const count = { current: 0, reencrypted: 0, unreadable: 0 }
    const current = context.cipher.currentKeyId()
    const found = columns.map(async (sealed) =>
      (await readValues(context, sealed, current)).map(({ key }) => ({ sealed, key })),
    )
    const old = (await Promise.all(found)).flat()
    for (const [index, { sealed, key }] of old.entries()) {
      count[await reencryptValue(context, sealed, key)] += 1
      onShare((index + 1) / old.length)
    }
    total += count.reencrypted
    if (count.reencrypted === 0 || pass === MAX_PASSES)
      return { reencrypted: total, left: count.reencrypted, unreadable: count.unreadable }
  }
}

/** Re-encrypts one value under a row lock, in its own transaction. A value that is gone counts as current. */
const reencryptValue = (
  { database, cipher }: Store,
  sealed: SealedColumn,
  key: readonly string[],
): Promise<"current" | "reencrypted" | "unreadable"> =>
  database.transaction().execute(async (transaction) => {
    const { table, value, keyId } = partsOf(sealed)
    const isRow = sql.join(
      sealed.key.map((part, index) => sql`${sql.ref(part)} = ${key[index]}`),
      sql` and `,
    )
    const { rows } = await sql<Omit<StoredValue, "key">>`
      select ${keyId} as "keyId", ${value} as value from ${table}
      where ${isRow} and ${value} is not null for update`.execute(transaction)
    const [stored] = rows
    if (!stored || stored.keyId === cipher.currentKeyId()) return "current"
    const owner = sealed.belongsTo(...key)
    const plain = openIfReadable({ cipher }, stored, owner)
    if (plain === undefined) return "unreadable"
    const fresh = cipher.seal(plain, owner)
    const changes =
      sealed.keyId === undefined
        ? sql`${value} = ${textOf(fresh)}`
        : sql`${value} = ${fresh.bytes}, ${keyId} = ${fresh.keyId}`
    await sql`update ${table} set ${changes} where ${isRow}`.execute(transaction)
    return "reencrypted"
  })

function openIfReadable(
  { cipher }: Pick<Store, "cipher">,
  stored: Omit<StoredValue, "key">,
  owner: string,
): string | undefined {
  try {
    return cipher.open(sealedIn(stored), owner)
  } catch (error) {
    if (error instanceof UnreadableSecret) return undefined
    throw error
  }
}

/** Stored secrets, and those of them that none of the operator's secrets decrypts. */
export interface SealedCount {
  readonly total: number
  readonly unreadable: number
}

/** Tries to decrypt everything that is sealed with the operator's secret. Changes nothing. */
export async function countUnreadable(context: Store): Promise<SealedCount> {
  const columns: readonly SealedColumn[] = Object.values(SEALED).flat()
  const counts = await Promise.all(
    columns.map(async (sealed) => {
      const values = await readValues(context, sealed)
      const unreadable = values.filter(
        (value) => openIfReadable(context, value, sealed.belongsTo(...value.key)) === undefined,
      )
      return { total: values.length, unreadable: unreadable.length }
    }),
  )
  return counts.reduce((sum, count) => ({
    total: sum.total + count.total,
    unreadable: sum.unreadable + count.unreadable,
  }))
}
