import { once } from "node:events"
import { Agent } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { send } from "../measuring/capture.ts"
import { interruption } from "../measuring/interruption.ts"
import type { SentRequest } from "../measuring/requests.ts"
import { type Cast, drawStep, type Step } from "./mix.ts"

/** Counts of the responses. */
export interface Tally {
  readonly byStatus: Map<number, number>
  /** Responses with data by person, over REST and MCP. As many must be counted and logged. */
  readonly countedReads: Map<string, number>
  /** Descriptions of unexpected responses. */
  readonly faults: string[]
  answers: number
}

export interface Drive {
  readonly port: number
  readonly cast: Cast
  readonly connections: number
  /** Requests per second over all connections. Undefined for as many as possible. */
  readonly rate?: number
  readonly lengthMs: number
}

export const newTally = (): Tally => ({
  byStatus: new Map(),
  countedReads: new Map(),
  faults: [],
  answers: 0,
})

const add = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

/** Sends the mix at an even rate, and waits for the last responses. */
export async function drive({ port, cast, connections, rate, lengthMs }: Drive, tally: Tally): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const newestTags = new Map<string, string>()
  const startedAt = performance.now()
  let sent = 0
  const client = async (): Promise<void> => {
    while (!interruption.aborted) {
      const dueMs = rate === undefined ? 0 : (1000 * sent) / rate
      sent += 1
      const now = performance.now() - startedAt
      if (Math.max(dueMs, now) >= lengthMs) return
      if (dueMs > now) await wait(dueMs - now)
      await takeStep({ port, agent, step: drawStep(cast, newestTags) }, tally, newestTags)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
}

async function takeStep(
  { port, agent, step }: { port: number; agent: Agent; step: Step },
  tally: Tally,
  newestTags: Map<string, string>,
): Promise<void> {
  const { request, statuses, reader, tagFor } = step
  const answer = await readStatus(port, agent, request).catch((error: unknown) => {
    tally.faults.push(`${request.path}: ${error}`)
    return undefined
  })
  if (!answer) return
  const { status, tag } = answer
  tally.answers += 1
  add(tally.byStatus, status)
  if (!statuses.includes(status)) tally.faults.push(`${request.method ?? "GET"} ${request.path}: ${status}`)
  if (reader && status === 200) add(tally.countedReads, reader.userId)
  if (tag !== undefined && tagFor !== undefined) newestTags.set(tagFor, tag)
}

async function readStatus(
  port: number,
  agent: Agent,
  { path, method = "GET", headers = {}, body = "" }: SentRequest,
): Promise<{ status: number; tag: string | undefined }> {
  const length = body === "" ? {} : { "content-length": Buffer.byteLength(body) }
  const response = await send(
    { host: "127.0.0.1", port, agent, path, method, headers: { ...headers, ...length } },
    body,
  )
  response.resume()
  await once(response, "end")
  return { status: response.statusCode ?? 0, tag: response.headers.etag }
}
