import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Pool } from "pg"
import { from as copyFrom } from "pg-copy-streams"

/** Large enough to keep sender and database busy: a line has about 1.5 kB. */
const CHUNK_LENGTH = 256 * 1024

export interface Copied {
  rows: number
  bytes: number
}

/** Adds rows to a table and counts them. Each row is a line in PostgreSQL's text format. */
export async function copyRows(
  pool: Pool,
  table: string,
  { lines, copied }: { lines: Iterable<string>; copied: Copied },
) {
  const client = await pool.connect()
  try {
    // The rows are complete, so triggers and foreign key checks are skipped.
    await client.query("set session_replication_role = replica")
    await client.query("set synchronous_commit = off")
    await pipeline(Readable.from(chunksOf(lines, copied)), client.query(copyFrom(`copy restwell.${table} from stdin`)))
  } finally {
    // The connection is closed, because of its settings.
    client.release(true)
  }
}

function* chunksOf(lines: Iterable<string>, copied: Copied): Iterable<Buffer> {
  let chunk = ""
  for (const line of lines) {
    chunk += `${line}\n`
    copied.rows += 1
    if (chunk.length < CHUNK_LENGTH) continue
    const bytes = Buffer.from(chunk)
    copied.bytes += bytes.length
    chunk = ""
    yield bytes
  }
  const bytes = Buffer.from(chunk)
  copied.bytes += bytes.length
  yield bytes
}
