import { setTimeout as wait } from "node:timers/promises"
import { print } from "../print.ts"
import { type Cluster, FREE_LIMIT } from "./cluster.ts"
import { load, type Outcome, total } from "./load.ts"
import type { Reader } from "./people.ts"

const REQUESTS = 20_000
const ROTATIONS = 1_000
/** Into a load of several seconds. */
const INTO_LOAD_MS = 1_500

/** Counts before a load, and what came to be counted since. */
async function countsOf(cluster: Cluster): Promise<(reader: Reader) => Promise<number>> {
  const before = await cluster.counted()
  return async ({ userEmail }) => ((await cluster.counted()).get(userEmail) ?? 0) - (before.get(userEmail) ?? 0)
}

/** How many readers were counted more, and how many less, than they were answered. */
async function offCounts(
  readers: readonly Reader[],
  outcome: Outcome,
  countedOf: (reader: Reader) => Promise<number>,
): Promise<{ more: number; less: number }> {
  let more = 0
  let less = 0
  for (const reader of readers) {
    const difference = (await countedOf(reader)) - (outcome.byReader.get(reader.userEmail)?.get(200) ?? 0)
    more += Math.max(0, difference)
    less += Math.max(0, -difference)
  }
  return { more, less }
}

const verdict = (isHeld: boolean): string => (isHeld ? "held" : "BROKEN")

/** Every key is counted exactly, and none is answered beyond its limit, whichever replica answers. */
export async function checkCounts(cluster: Cluster, url: string, free: Reader[], pro: Reader[]): Promise<boolean> {
  const readers = [...free, ...pro]
  const countedOf = await countsOf(cluster)
  const amount = Math.max(REQUESTS, readers.length * FREE_LIMIT * 2)
  const outcome = await load(url, readers, amount)
  const { more, less } = await offCounts(readers, outcome, countedOf)
  const answered = total(outcome, (status) => status === 200)
  const refused = total(outcome, (status) => status === 429)
  const atLimit = free.filter(({ userEmail }) => outcome.byReader.get(userEmail)?.get(200) === FREE_LIMIT).length
  const isHeld = more + less === 0 && atLimit === free.length && answered + refused === amount && outcome.broken === 0
  print([`${readers.length} keys, two replicas`, amount, answered, refused, `${more}/${less}`, verdict(isHeld)])
  print([
    `  of them at a limit of ${FREE_LIMIT}`,
    free.length,
    "",
    "",
    `${atLimit} exact`,
    verdict(atLimit === free.length),
  ])
  return isHeld
}

/** A key replaced through one replica is dead on the other with the next request. */
export async function checkRotations(cluster: Cluster, [reader]: Reader[]): Promise<boolean> {
  if (!reader) throw new Error("nobody rotates")
  const [one, other] = cluster.ports.map((port) => `http://localhost:${port}`)
  if (one === undefined || other === undefined) throw new Error("there are no two replicas")
  const statusOf = async (url: string, key: string): Promise<number> => {
    const answer = await fetch(`${url}/api/v1/health`, { headers: { authorization: `Bearer ${key}` } })
    await answer.arrayBuffer()
    return answer.status
  }
  let oldTaken = 0
  let newTaken = 0
  let key = await reader.rotateKey(one)
  for (let turn = 0; turn < ROTATIONS; turn += 1) {
    const [by, at] = turn % 2 === 0 ? [one, other] : [other, one]
    // Whatever a replica remembers of a key, it does by now.
    await statusOf(at, key)
    const next = await reader.rotateKey(by)
    if ((await statusOf(at, key)) !== 401) oldTaken += 1
    if ((await statusOf(at, next)) === 200) newTaken += 1
    key = next
  }
  const isHeld = oldTaken === 0 && newTaken === ROTATIONS
  print(["keys replaced through the other one", ROTATIONS, newTaken, `${oldTaken} old ones`, "", verdict(isHeld)])
  return isHeld
}

/** How a replica may go. */
export interface Loss {
  readonly name: string
  readonly signal: "SIGTERM" | "SIGKILL"
  /** Of the requests at most so many may fail: none, or those that were under way. */
  readonly mayFail: number
}

/** A replica goes in the middle of a load, and comes back after it. @param amount requests, for longer than the replica takes to go */
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
  const toldSo = total(outcome, (status) => status === 503)
  const { more, less } = await offCounts(readers, outcome, countedOf)
  const isHeld = failed <= mayFail && toldSo === failed && less === 0 && more <= failed && outcome.broken === 0
  print([`${name}, gone in ${tookMs} ms`, amount, answered, `${failed} failed`, `${more}/${less}`, verdict(isHeld)])
  return isHeld
}
