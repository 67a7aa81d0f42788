import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Pool } from "pg"
import { from as copyFrom } from "pg-copy-streams"

/** A line is some 1.5 kB; this many at once keep both ends busy. */
const CHUNK_LENGTH = 256 * 1024

export interface Copied {
  rows: number
  bytes: number
}

/** Adds rows to a table, each a line of PostgreSQL's text format, and counts them while it does. */
export async function copyRows(
  pool: Pool,
  table: string,
  { lines, copied }: { lines: Iterable<string>; copied: Copied },
) {
  const client = await pool.connect()
  try {
    // Rows come whole: nothing has to be derived from them or looked up for them.
    await client.query("set session_replication_role = replica")
    await client.query("set synchronous_commit = off")
    await pipeline(Readable.from(chunksOf(lines, copied)), client.query(copyFrom(`copy restwell.${table} from stdin`)))
  } finally {
    // Not for anybody else, with these settings.
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
