import { Agent, request } from "node:http"
import { type BenchAssistant, ERAS } from "./assistant.ts"
import { print } from "./print.ts"
import type { BenchService } from "./service.ts"

const WARM_UP_MS = 1_000
const ROUND_MS = 5_000
const CLIENTS = [1, 32] as const
const READS = [
  { tool: "get_summary", type: "summary", days: 7 },
  { tool: "get_sleep", type: "sleep", days: 30 },
] as const

interface Sent {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

interface Round {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Prints how fast tools answer in both eras of MCP, beside the same read over REST with a key. */
export async function benchSpeed(service: BenchService, assistant: BenchAssistant): Promise<void> {
  print(["call", "clients", "calls/s", "p50 ms", "p99 ms", "of peer"])
  for (const { tool, type, days } of READS)
    for (const clients of CLIENTS) {
      const peer = await measure(restRead(service, `type=${type}&days=${days}`), clients)
      for (const era of ERAS) {
        const rpc = assistant.request(era, "tools/call", { name: tool, arguments: { days } })
        const ours = await measure({ url: assistant.url, method: "POST", ...rpc }, clients)
        printRound(
          `${tool} ${days}, MCP ${era}`,
          clients,
          ours,
          `${((100 * ours.perSecond) / peer.perSecond).toFixed(0)} %`,
        )
      }
      printRound(`  peer: REST ${type} ${days}`, clients, peer, "")
    }
}

const restRead = ({ url, key }: BenchService, search: string): Sent => ({
  url: `${url}/api/v1/health?${search}`,
  method: "GET",
  headers: { authorization: `Bearer ${key}` },
})

function printRound(what: string, clients: number, { perSecond, p50Ms, p99Ms }: Round, share: string): void {
  print([what, clients, perSecond.toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2), share])
}

/** A closed loop of clients on connections that stay open, for one round. */
async function measure(sent: Sent, clients: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  await loop(agent, sent, clients, WARM_UP_MS)
  const times = (await loop(agent, sent, clients, ROUND_MS)).toSorted((one, other) => one - other)
  agent.destroy()
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN
  return { perSecond: times.length / (ROUND_MS / 1000), p50Ms: at(0.5), p99Ms: at(0.99) }
}

async function loop(agent: Agent, sent: Sent, clients: number, lengthMs: number): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + lengthMs
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const sentAt = performance.now()
      const { status, body } = await send(agent, sent)
      times.push(performance.now() - sentAt)
      // A tool that fails answers 200, too.
      if (status !== 200 || body.includes('"isError":true') || !body.includes('"provider"'))
        throw new Error(`got ${status}: ${body.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return times
}

const send = (
  agent: Agent,
  { url, method, headers, body }: Sent,
): Promise<{ status: number | undefined; body: string }> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) }
    request(url, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.on("error", reject)
      answer.on("end", () => resolve({ status: answer.statusCode, body: Buffer.concat(chunks).toString() }))
    })
      .on("error", reject)
      .end(body)
  })
