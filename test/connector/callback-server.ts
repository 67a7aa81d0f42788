import { once } from "node:events"
import { createServer } from "node:http"

/** Receives authorization responses on a loopback address, as a native app does. RFC 8252 7.3 */
export interface CallbackServer {
  readonly redirectUri: string
  /** Resolves with the URL of the next response. */
  next(): Promise<URL>
  close(): Promise<void>
}

export async function startCallbackServer(): Promise<CallbackServer> {
  const waiting: ((url: URL) => void)[] = []
  const arrived: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", redirectUri)
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Connected</title><h1>Connected</h1>")
    if (url.pathname !== "/callback") return
    const take = waiting.shift()
    if (take) take(url)
    else arrived.push(url)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the callback server has no port")
  const redirectUri = `http://127.0.0.1:${address.port}/callback`
  return {
    redirectUri,
    next: () =>
      new Promise((resolve) => {
        const url = arrived.shift()
        if (url) resolve(url)
        else waiting.push(resolve)
      }),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}
