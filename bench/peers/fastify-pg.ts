/** A peer: Fastify and pg with a key, a count and the records, without validation, versions or a log. */
import { createHash } from "node:crypto"
import Fastify from "fastify"
import { Pool } from "pg"
import { z } from "zod"
import { serve } from "../targets/child.ts"
import { PeerSchema, SLEEP_STATEMENT, type SleepRow, sleepAnswer } from "./sleep.ts"

const QuerySchema = z.object({ start_date: z.iso.date(), end_date: z.iso.date() })

await serve(PeerSchema, async ({ database }) => {
  const pool = new Pool(database)
  const app = Fastify()
  app.get("/api/v1/health", async (request, reply) => {
    const { start_date: from, end_date: to } = QuerySchema.parse(request.query)
    const key = request.headers.authorization?.slice("Bearer ".length) ?? ""
    const { rows: owners } = await pool.query<{ user_id: string }>({
      name: "owner",
      text: "select user_id from restwell.api_key where key_hash = $1",
      values: [createHash("sha256").update(key).digest()],
    })
    const userId = owners[0]?.user_id
    if (userId === undefined) return reply.code(401).send({ error: "unauthorized" })
    const { rows: counts } = await pool.query<{ used: number }>({
      name: "count",
      text: `update restwell.usage set used = used + 1
             where user_id = $1 and month = date_trunc('month', now() at time zone 'UTC')::date returning used`,
      values: [userId],
    })
    const { rows } = await pool.query<SleepRow>({ name: "sleep", text: SLEEP_STATEMENT, values: [userId, from, to] })
    return reply.header("x-ratelimit-used", counts[0]?.used ?? 0).send(sleepAnswer(rows))
  })
  await app.ready()
  return app.server
})
