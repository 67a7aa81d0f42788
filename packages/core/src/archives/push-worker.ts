/** The thread that stores pushes, with connections of its own. `push-thread.ts` starts it, and sends it pushes until it stops it. */
import { setImmediate as nextTurn } from "node:timers/promises"
import { parentPort, workerData } from "node:worker_threads"
import { takeTurns } from "../base/batch.ts"
import { sendError } from "../base/thread-errors.ts"
import { threadLogger } from "../context/thread-log.ts"
import { openDatabase } from "../store/database.ts"
import { openPool, type PoolSettings } from "../store/pool.ts"
import type { PushReply, PushRequest } from "./push-thread.ts"
import { LARGEST_PUSH, type PushOutcome, runPush } from "./run-push.ts"

const port = parentPort
if (port === null) throw new Error("this program is a thread of the service")
const send = (reply: PushReply): void => port.postMessage(reply)
const settings: PoolSettings = workerData
// A connection that broke while idle is replaced by the next statement.
const pool = openPool(settings, () => {})
const database = openDatabase(pool)
const stopping = new AbortController()
const running = new Set<Promise<void>>()
/** A large push is in memory as a whole, so there is one at a time. Small ones of others do not wait for it. */
const large = takeTurns()
const SMALL_BYTES = 1_048_576
const SMALL_AT_A_TIME = 3
const small = Array.from({ length: SMALL_AT_A_TIME }, takeTurns)

const giveTurn = async (): Promise<void> => {
  stopping.signal.throwIfAborted()
  await nextTurn()
}

const logger = threadLogger(send)

async function store({ push, nowMs }: Extract<PushRequest, { readonly type: "store" }>): Promise<PushOutcome> {
  const { userId, id } = push
  const context = { database, logger, clock: { now: () => new Date(nowMs) } }
  const [lane = large] = small.toSorted((one, other) => one.count - other.count)
  const outcome = await lane.run(userId, () => runPush(context, push, { giveTurn, largestBytes: SMALL_BYTES }))
  if (outcome.kind !== "larger") return outcome
  return large.run(userId, () => {
    send({ type: "large", id })
    return runPush(context, push, { giveTurn, largestBytes: LARGEST_PUSH })
  })
}

port.on("message", async (request: PushRequest) => {
  if (request.type === "stop") {
    stopping.abort()
    await Promise.allSettled(running)
    port.close()
    await pool.end()
    return
  }
  const { id } = request.push
  const storing = store(request).then(
    (outcome) => send({ type: "ended", id, outcome }),
    (error: unknown) => send({ type: "failed", id, ...sendError(error) }),
  )
  running.add(storing)
  await storing
  running.delete(storing)
})
