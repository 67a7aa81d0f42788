/** The thread that sends one kind of request on several connections, each as soon as the last was answered, and counts the statuses. */
import { Agent, request } from "node:http"
import { parentPort, workerData } from "node:worker_threads"
import type { Flood, Flooded, HostileRequest } from "./hostile-request.ts"

const port = parentPort
if (port === null) throw new Error("this program is a thread of the benchmark")
const { port: servicePort, connections, requests, firstIndex }: Flood = workerData

const agent = new Agent({ keepAlive: true, maxSockets: connections })
const statuses = new Map<number, number>()
let isEnded = false
let index = firstIndex

/** Resolves with the status, and with 0 for a connection that ended without one. */
function send({ method, path, headers, body }: HostileRequest): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const numbered = path.replaceAll("NUMBER", String(index))
  const sent = request({ agent, host: "127.0.0.1", port: servicePort, method, path: numbered, headers }, (response) => {
    response.on("error", () => resolve(0)).on("close", () => resolve(response.statusCode ?? 0))
    response.resume()
  })
  sent.on("error", () => resolve(0))
  sent.end(body)
  return promise
}

async function sendAll(): Promise<void> {
  while (!isEnded) {
    const next = requests[index % requests.length]
    index += 1
    if (!next) throw new Error("there is no request to send")
    const status = await send(next)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
}

const sending = Promise.all(Array.from({ length: connections }, sendAll))
port.postMessage("sending")
port.on("message", async () => {
  isEnded = true
  // Nobody waits for a push that takes a minute.
  agent.destroy()
  await sending
  const flooded: Flooded = { statuses: Object.fromEntries(statuses), nextIndex: index }
  port.postMessage(flooded)
  port.close()
})
