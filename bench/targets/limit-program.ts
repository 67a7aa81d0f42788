/** The limit: bare node:http that sends the same bytes from memory, without a framework, a key or a database. */
import { createServer } from "node:http"
import { z } from "zod"
import { serve } from "./child.ts"

const AnswerSchema = z.object({ status: z.number(), headers: z.array(z.string()), body: z.instanceof(Uint8Array) })

/** As the service has it, so that the Keep-Alive header is equal. */
const KEEP_ALIVE_MS = 75_000

await serve(AnswerSchema, async ({ status, headers, body }) =>
  createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (_request, response) => {
    response.writeHead(status, headers)
    response.end(body)
  }),
)
