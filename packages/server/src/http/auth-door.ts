import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Accounts } from "../accounts/accounts.ts"
import { headersOf } from "./session-guard.ts"

const BODY_BYTES = 16_384
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** Everything under /api/auth goes to accounts as it came, and comes back as it is. */
export async function authDoor(
  app: FastifyInstance,
  { accounts, baseUrl }: { accounts: Accounts; baseUrl: string },
): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  )
  app.route({
    method: [...METHODS],
    url: "/api/auth/*",
    handler: async (request, reply) => {
      const answer = await accounts.handle(webRequestOf(request, baseUrl), request.ip)
      reply.code(answer.status).header("cache-control", "no-store")
      for (const [name, value] of answer.headers) if (name !== "set-cookie") reply.header(name, value)
      for (const cookie of answer.headers.getSetCookie()) reply.header("set-cookie", cookie)
      return reply.send(Buffer.from(await answer.arrayBuffer()))
    },
  })
}

function webRequestOf(request: FastifyRequest, baseUrl: string): Request {
  const { body } = request
  return new Request(new URL(request.url, baseUrl), {
    method: request.method,
    headers: headersOf(request),
    ...(request.method !== "GET" && Buffer.isBuffer(body) && { body: Uint8Array.from(body) }),
  })
}
