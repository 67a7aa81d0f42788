/**
 * A peer: the least that a counted read can be here. Plain Fastify, a body made once for each key, seven constant headers, and the statement
 * that checks the key and the version, counts the read and logs it, one call at a time. Nothing of validation, quota headers or metrics.
 */
import { createHash } from "node:crypto"
import { createReadCounter } from "@restwell/core/count-reads"
import Fastify from "fastify"
import { Pool } from "pg"
import { z } from "zod"
import { serve } from "../targets/child.ts"
import { PeerSchema } from "./sleep.ts"

const MinimalPeerSchema = PeerSchema.extend({ body: z.instanceof(Uint8Array) })
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "private, max-age=900",
  etag: '"1"',
  vary: "Authorization",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
}

await serve(MinimalPeerSchema, async ({ database, body }) => {
  const pool = new Pool(database)
  const clock = { now: () => new Date() }
  const countRead = createReadCounter({ pool, clock, plans: { free: 1_000_000_000, pro: 1_000_000_000 } })
  let reads = await readVersions(pool)
  const count = async (keyHash: string) => {
    const read = reads.get(keyHash)
    return read && (await countRead(read))
  }
  // One body for each key, as in every cache: one for all would fit into the processor's.
  const bodies = new Map(reads.keys().map((keyHash) => [keyHash, Buffer.from(body)]))
  const app = Fastify()
  app.get("/api/v1/health", async (request, reply) => {
    const key = request.headers.authorization?.slice("Bearer ".length) ?? ""
    const keyHash = createHash("sha256").update(key).digest("hex")
    let counted = await count(keyHash)
    if (!counted) {
      // A sync has changed the person's version since it was read.
      reads = await readVersions(pool)
      counted = await count(keyHash)
    }
    return counted ? reply.headers(HEADERS).send(bodies.get(keyHash)) : reply.code(401).send()
  })
  await app.ready()
  return app.server
})

async function readVersions(pool: Pool) {
  const { rows } = await pool.query<{ key_hash: string; version: string; utc_offset_minutes: number | null }>(
    `select encode(k.key_hash, 'hex') as key_hash, p.data_version as version, p.utc_offset_minutes
     from restwell.api_key k join restwell.person p using (user_id)`,
  )
  return new Map(
    rows.map((row) => [row.key_hash, { ...row, operation: "/api/v1/health", types: ["sleep"], record_count: 90 }]),
  )
}
