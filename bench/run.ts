/**
 * `npm run bench`: how fast a read is, beside a limit measured in the same run: bare node:http sending the same bytes. Every process is on
 * this machine and on loopback, every round ends by itself. Figures of different machines do not compare; the ratio does.
 */
import { Agent, createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { openBenchService } from "./service.ts"

const ROUND_MS = 3_000
const CLIENTS = [1, 32] as const

interface Round {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** A closed loop of clients against one address, for one round. */
async function measure(url: string, headers: Record<string, string>, clients: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const times: number[] = []
  const end = performance.now() + ROUND_MS
  const once = (): Promise<void> =>
    new Promise((resolve, reject) => {
      request(url, { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`got ${answer.statusCode}`))
        answer.resume().on("end", resolve)
      })
        .on("error", reject)
        .end()
    })
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const sentAt = performance.now()
      await once()
      times.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
  times.sort((one, other) => one - other)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN
  return { perSecond: times.length / (ROUND_MS / 1000), p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** The limit: the same bytes from memory, without a framework, a key or a database. */
async function openBareServer(body: Buffer): Promise<{ url: string; close: () => void }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json")
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port }: AddressInfo = Object(server.address())
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

const print = (cells: readonly string[]): boolean =>
  process.stdout.write(`${cells.map((cell, index) => (index === 0 ? cell.padEnd(34) : cell.padStart(12))).join("")}\n`)

const service = await openBenchService()
print(["read", "clients", "req/s", "p50 ms", "p99 ms", "of limit"])
for (const search of ["type=summary&days=7", "type=sleep&days=7", "type=sleep&days=90", "type=profile"]) {
  const headers = { authorization: `Bearer ${service.key}` }
  const url = `${service.url}/api/v1/health?${search}`
  const body = Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
  const bare = await openBareServer(body)
  for (const clients of CLIENTS) {
    const limit = await measure(bare.url, {}, clients)
    const ours = await measure(url, headers, clients)
    const share = `${((100 * ours.perSecond) / limit.perSecond).toFixed(0)} %`
    print([
      `${search} (${body.length} B)`,
      String(clients),
      ours.perSecond.toFixed(0),
      ours.p50Ms.toFixed(2),
      ours.p99Ms.toFixed(2),
      share,
    ])
    print([
      "  limit: node:http, same bytes",
      String(clients),
      limit.perSecond.toFixed(0),
      limit.p50Ms.toFixed(2),
      limit.p99Ms.toFixed(2),
      "",
    ])
  }
  bare.close()
}
await service.close()
