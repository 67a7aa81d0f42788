/** The thread that computes statistics, with a connection of its own. `statistics-thread.ts` starts it, and sends one task at a time. */
import { parentPort, workerData } from "node:worker_threads"
import { sendError } from "../base/thread-errors.ts"
import { InvalidRequest } from "../context/errors.ts"
import { openPool, type PoolSettings } from "../store/pool.ts"
import { computeStatistics, END, type ThreadMessage, type ThreadReply } from "./compute-statistics.ts"

const port = parentPort
if (port === null) throw new Error("this program is a thread of the service")
const settings: PoolSettings = workerData
// A connection that broke while idle is replaced by the next task.
const pool = openPool(settings, () => {})

port.on("message", async (message: ThreadMessage) => {
  if (message === END) {
    port.close()
    await pool.end()
    return
  }
  const reply = await computeStatistics(pool, message).then((answer): ThreadReply => ({ answer }), failureOf)
  port.postMessage(reply, "answer" in reply && reply.answer ? [reply.answer.bytes.buffer] : [])
})

function failureOf(error: unknown): ThreadReply {
  if (error instanceof InvalidRequest) return { refused: { message: error.message, field: error.field } }
  return sendError(error)
}
