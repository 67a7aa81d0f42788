import { setTimeout as wait } from "node:timers/promises"
import { print } from "../measuring/print.ts"
import { type Cluster, FREE_LIMIT, type Reader } from "./cluster.ts"
import { load, type Outcome, total } from "./load.ts"

const REQUESTS = 20_000
const ROTATIONS = 1_000
/** When the replica is stopped, in a load of several seconds. */
const INTO_LOAD_MS = 1_500

/** Reads the counts before a load. Returns a function that reads how many were added since. */
async function countsOf(cluster: Cluster): Promise<(reader: Reader) => Promise<number>> {
  const before = await cluster.counted()
  return async ({ member: { email } }) => ((await cluster.counted()).get(email) ?? 0) - (before.get(email) ?? 0)
}

/** How many requests were counted without a response, and how many responses were not counted. */
async function offCounts(
  readers: readonly Reader[],
  outcome: Outcome,
  countedOf: (reader: Reader) => Promise<number>,
): Promise<{ more: number; less: number }> {
  let more = 0
  let less = 0
  for (const reader of readers) {
    const difference = (await countedOf(reader)) - (outcome.byReader.get(reader.member.email)?.get(200) ?? 0)
    more += Math.max(0, difference)
    less += Math.max(0, -difference)
  }
  return { more, less }
}

const verdict = (isKept: boolean): string => (isKept ? "kept" : "BROKEN")

/** Every key is counted exactly, and none gets more responses than its limit, whichever replica answers. */
export async function checkCounts(cluster: Cluster, url: string, free: Reader[], pro: Reader[]): Promise<boolean> {
  const readers = [...free, ...pro]
  const countedOf = await countsOf(cluster)
  const amount = Math.max(REQUESTS, readers.length * FREE_LIMIT * 2)
  const outcome = await load(url, readers, amount)
  const { more, less } = await offCounts(readers, outcome, countedOf)
  const answered = total(outcome, (status) => status === 200)
  const refused = total(outcome, (status) => status === 429)
  const atLimit = free.filter(({ member }) => outcome.byReader.get(member.email)?.get(200) === FREE_LIMIT).length
  const isKept = more + less === 0 && atLimit === free.length && answered + refused === amount && outcome.broken === 0
  print([`${readers.length} keys, two replicas`, amount, answered, refused, `${more}/${less}`, verdict(isKept)])
  print([
    `  of them at a limit of ${FREE_LIMIT}`,
    free.length,
    "",
    "",
    `${atLimit} exact`,
    verdict(atLimit === free.length),
  ])
  return isKept
}

/** A key that was replaced through one replica is refused by the other at its next request. */
export async function checkRotations(cluster: Cluster, [reader]: Reader[]): Promise<boolean> {
  if (!reader) throw new Error("there is no reader")
  const [one, other] = cluster.ports.map((port) => `http://localhost:${port}`)
  if (one === undefined || other === undefined) throw new Error("there are no two replicas")
  const statusOf = async (url: string, key: string): Promise<number> => {
    const answer = await fetch(`${url}/api/v1/health`, { headers: { authorization: `Bearer ${key}` } })
    await answer.arrayBuffer()
    return answer.status
  }
  let oldAccepted = 0
  let newAccepted = 0
  let key = await reader.member.at({ url: one }).newKey()
  for (let turn = 0; turn < ROTATIONS; turn += 1) {
    const [by, at] = turn % 2 === 0 ? [one, other] : [other, one]
    // Lets the other replica cache what it knows of the key.
    await statusOf(at, key)
    const next = await reader.member.at({ url: by }).newKey()
    if ((await statusOf(at, key)) !== 401) oldAccepted += 1
    if ((await statusOf(at, next)) === 200) newAccepted += 1
    key = next
  }
  const isKept = oldAccepted === 0 && newAccepted === ROTATIONS
  print(["keys replaced through the other one", ROTATIONS, newAccepted, `${oldAccepted} old ones`, "", verdict(isKept)])
  return isKept
}

/** How a replica is lost. */
export interface Loss {
  readonly name: string
  readonly signal: "SIGTERM" | "SIGKILL"
  /** How many requests may fail: none, or those in flight. */
  readonly mayFail: number
}

/** Stops a replica during a load, and starts it again afterwards. @param amount requests, for longer than the replica takes to stop */
export async function checkLoss(
  cluster: Cluster,
  { url, readers, amount }: { readonly url: string; readonly readers: Reader[]; readonly amount: number },
  { name, signal, mayFail }: Loss,
): Promise<boolean> {
  const countedOf = await countsOf(cluster)
  const [, port] = cluster.ports
  const loading = load(url, readers, amount)
  await wait(INTO_LOAD_MS)
  const startedAt = performance.now()
  await cluster.replicas.get(port)?.stop(signal)
  const tookMs = Math.round(performance.now() - startedAt)
  const outcome = await loading
  await cluster.startReplica(port)
  const answered = total(outcome, (status) => status === 200)
  const failed = amount - answered
  const unavailable = total(outcome, (status) => status === 503)
  const { more, less } = await offCounts(readers, outcome, countedOf)
  const isKept = failed <= mayFail && unavailable === failed && less === 0 && more <= failed && outcome.broken === 0
  print([`${name}, stopped in ${tookMs} ms`, amount, answered, `${failed} failed`, `${more}/${less}`, verdict(isKept)])
  return isKept
}
