import { LRUCache } from "lru-cache"
import type { Pool } from "pg"
import { isOlderThan } from "../calendar/time-zone.ts"
import type { Context } from "../context/context.ts"
import type { Credential, HealthSnapshot } from "../store/read-health.ts"

/** A read of older data requests a sync. DESIGN section 4. */
const STALE_MS = 15 * 60_000
/** Both notes are made at most once in this time. */
const NOTE_EVERY_MS = 60_000
/** People whose last note a process remembers. The database itself keeps notes apart, so forgetting one costs a statement. */
const REMEMBERED = 10_000

const KEY_USE = `update restwell.api_key set last_used_at = $2
  where key_hash = $1 and (last_used_at is null or last_used_at < $3 or last_used_at > $2::timestamptz + interval '5 minutes')`
const SYNC_REQUEST = `update restwell.connection set sync_requested_at = $3
  where user_id = $1 and provider = $2 and status <> 'disconnected'
    and (sync_requested_at is null or sync_requested_at < $4 or sync_requested_at > $3::timestamptz + interval '5 minutes')
    and (retry_after is null or retry_after <= $3 or retry_after > $3::timestamptz + interval '25 hours')`

/**
 * Notes what a read leaves behind, beside its count: when the key was last used, and a request for a sync of stale data. After a failure
 * the request waits for the retry.
 */
export type NoteRead = (credential: Credential, person: Pick<HealthSnapshot, "userId" | "sources">) => void

/** Notes are written in the background. A read neither waits for them nor fails with them. */
export function createReadNotes({ clock, logger, jobs }: Context, pool: Pool): NoteRead {
  const noted = new LRUCache<string, Date>({ max: REMEMBERED })
  const note = (name: string, write: (times: [now: Date, before: Date]) => Promise<unknown>): void => {
    if (!isOlderThan(noted.get(name) ?? null, NOTE_EVERY_MS, clock)) return
    const now = clock.now()
    noted.set(name, now)
    const written = write([now, new Date(now.getTime() - NOTE_EVERY_MS)])
    written.catch((err: unknown) => logger.warn({ err }, "could not note a read"))
  }
  return (credential, { userId, sources }) => {
    if ("keyHash" in credential) {
      const { keyHash } = credential
      note(keyHash, (times) => pool.query(KEY_USE, [Buffer.from(keyHash, "hex"), ...times]))
    }
    for (const { provider, status, lastSyncedAt } of sources) {
      if (status === "reauthorization_required" || status === "archive") continue
      if (!isOlderThan(lastSyncedAt, STALE_MS, clock)) continue
      note(`${userId} ${provider}`, async (times) => {
        const { rowCount } = await pool.query(SYNC_REQUEST, [userId, provider, ...times])
        if (rowCount === 1) await jobs.requestSync({ userId, provider })
      })
    }
  }
}
