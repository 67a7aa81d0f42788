/** A peer: one prepared query and JSON.stringify on bare node:http, without a key or a count. */
import { createServer } from "node:http"
import { Pool } from "pg"
import { serve } from "../targets/child.ts"
import { PeerSchema, SLEEP_STATEMENT, type SleepRow, sleepAnswer } from "./sleep.ts"

await serve(PeerSchema, async ({ database }) => {
  const pool = new Pool(database)
  return createServer(async ({ url = "" }, response) => {
    const search = new URLSearchParams(url.slice(url.indexOf("?") + 1))
    const values = [search.get("user_id"), search.get("start_date"), search.get("end_date")]
    const { rows } = await pool.query<SleepRow>({ name: "sleep", text: SLEEP_STATEMENT, values })
    const body = Buffer.from(JSON.stringify(sleepAnswer(rows)))
    response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length })
    response.end(body)
  })
})
