import { once } from "node:events"
import { createServer, request as forward } from "node:http"

/** One address in front of several processes, which receive the requests in turn. */
export interface Balancer {
  readonly url: string
  /** Sets the processes that receive the requests from now on. */
  between(...processes: readonly { readonly url: string }[]): void
  close(): Promise<void>
}

export async function startBalancer(): Promise<Balancer> {
  let targets: readonly string[] = []
  let turn = 0
  const server = createServer((request, response) => {
    turn += 1
    const { method = "GET", headers, url = "/" } = request
    const sent = forward(new URL(url, targets[turn % targets.length]), { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    sent.on("error", (error) => response.destroy(error))
    request.pipe(sent)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the balancer has no port")
  return {
    url: `http://localhost:${address.port}`,
    between(...processes) {
      targets = processes.map(({ url }) => url)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}
