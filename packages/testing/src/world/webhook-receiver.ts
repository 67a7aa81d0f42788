import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { type Context, createWebhookReceiver, ServiceError } from "@restwell/core"

/** Takes the vendor's webhooks for core alone; `outcomes` tells what became of each. */
export async function startWebhookReceiver(
  context: Context,
  outcomes: string[],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const receive = createWebhookReceiver(context)
  const server = createServer(async (request, response) => {
    try {
      const rawBody = await buffer(request)
      outcomes.push(await receive("whoop", { headers: request.headers, rawBody }))
      response.writeHead(204).end()
    } catch (error) {
      outcomes.push(error instanceof ServiceError ? error.code : String(error))
      response.writeHead(400).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
