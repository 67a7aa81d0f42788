import { once } from "node:events"
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { answerChallenge, type Context, createWebhookReceiver, ServiceError } from "@restwell/core"

/** Receives the vendor's webhooks for core, and appends the outcome of each to `outcomes`. */
export async function startWebhookReceiver(
  context: Context,
  provider: string,
  outcomes: string[],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const receive = createWebhookReceiver(context)
  const server = createServer(async (request, response) => {
    try {
      const { searchParams } = new URL(request.url ?? "/", "http://localhost")
      if (request.method === "GET") {
        const answer = answerChallenge(context, provider, searchParams)
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
        return
      }
      const rawBody = await buffer(request)
      outcomes.push(await receive(provider, { headers: request.headers, rawBody }))
      response.writeHead(204).end()
    } catch (error) {
      outcomes.push(error instanceof ServiceError ? error.code : String(error))
      response.writeHead(400).end()
    }
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || !address) throw new Error("the webhook receiver has no port")
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}
