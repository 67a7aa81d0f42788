import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { interruption } from "../measuring/interruption.ts"
import { type Cast, drawStep, type Step } from "./mix.ts"

/** What came back. */
export interface Tally {
  readonly byStatus: Map<number, number>
  /** Answers with data of each person, by key and by tool: what has been counted and logged, if all is well. */
  readonly countedReads: Map<string, number>
  /** What should not have happened, in words. */
  readonly faults: string[]
  answers: number
}

export interface Drive {
  readonly port: number
  readonly cast: Cast
  readonly connections: number
  /** Requests per second of all connections; undefined for as many as come back. */
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

/** Sends the mix for so long, evenly in time; what is on its way at the end is waited for. */
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
  const { asked, statuses, reader, tagFor } = step
  const answer = await send(port, agent, asked).catch((error: unknown) => {
    tally.faults.push(`${asked.path}: ${error}`)
    return undefined
  })
  if (!answer) return
  const { status, tag } = answer
  tally.answers += 1
  add(tally.byStatus, status)
  if (!statuses.includes(status)) tally.faults.push(`${asked.method ?? "GET"} ${asked.path}: ${status}`)
  if (reader && status === 200) add(tally.countedReads, reader.userId)
  if (tag !== undefined && tagFor !== undefined) newestTags.set(tagFor, tag)
}

async function send(
  port: number,
  agent: Agent,
  { path, method = "GET", headers = {}, body = "" }: Step["asked"],
): Promise<{ status: number; tag: string | undefined }> {
  const length = body === "" ? {} : { "content-length": Buffer.byteLength(body) }
  const asked = request({ host: "127.0.0.1", port, agent, path, method, headers: { ...headers, ...length } }).end(body)
  const [answer]: [IncomingMessage] = Object(await once(asked, "response"))
  answer.resume()
  await once(answer, "end")
  return { status: answer.statusCode ?? 0, tag: answer.headers.etag }
}
