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
    and (sync_requested_at is null or sync_requested_at < $4 or sync_requested_at > $3::timestamptz + interval '5 minutes')`

type Connection = Pick<HealthSnapshot, "userId" | "provider" | "status" | "lastSyncedAt">

/** What a read leaves behind, beside its count: when the key was last used, and a request for a sync of stale data. */
export interface ReadNotes {
  noteRead(credential: Credential, connection: Connection): void
}

/** Notes are written in the background. A read neither waits for them nor fails with them. */
export function createReadNotes({ clock, logger, jobs }: Context, pool: Pool): ReadNotes {
  const noted = new LRUCache<string, Date>({ max: REMEMBERED })
  const once = (name: string, write: (now: Date, before: Date) => Promise<void>): void => {
    if (!isOlderThan(noted.get(name) ?? null, NOTE_EVERY_MS, clock)) return
    const now = clock.now()
    noted.set(name, now)
    write(now, new Date(now.getTime() - NOTE_EVERY_MS)).catch((err: unknown) =>
      logger.warn({ err }, "could not note a read"),
    )
  }
  const requestSync = async (connection: { userId: string; provider: string }, now: Date, before: Date) => {
    const { rowCount } = await pool.query(SYNC_REQUEST, [connection.userId, connection.provider, now, before])
    if (rowCount === 1) await jobs.requestSync(connection)
  }
  return {
    noteRead(credential, { userId, provider, status, lastSyncedAt }) {
      if ("keyHash" in credential) {
        const keyHash = Buffer.from(credential.keyHash, "hex")
        once(credential.keyHash, async (now, before) => void (await pool.query(KEY_USE, [keyHash, now, before])))
      }
      if (provider === null || status === "reauthorization_required" || !isOlderThan(lastSyncedAt, STALE_MS, clock))
        return
      once(userId, (now, before) => requestSync({ userId, provider }, now, before))
    },
  }
}
