/** The thread that reads archives, with connections of its own. `import-thread.ts` starts it. It ends with the archive. */
import { parentPort, workerData } from "node:worker_threads"
import { threadLogger } from "../context/thread-log.ts"
import { openDatabase } from "../store/database.ts"
import { openPool } from "../store/pool.ts"
import type { ImportThreadData, ImportThreadMessage, ImportThreadRequest } from "./import-thread.ts"
import { runImport } from "./run-imports.ts"

const port = parentPort
if (port === null) throw new Error("this program is a thread of the service")
const send = (message: ImportThreadMessage): void => port.postMessage(message)
const { connection, job, processStartMs, reading }: ImportThreadData = workerData
// A connection that broke while idle is replaced by the next statement.
const pool = openPool(connection, () => {})
const stopping = new AbortController()
const asked = new Map<number, (bytes: number | undefined) => void>()
let lastId = 0

port.on("message", (message: ImportThreadRequest) => {
  if (message.type === "stop") stopping.abort()
  else {
    asked.get(message.id)?.(message.bytes)
    asked.delete(message.id)
  }
})

function ask(messageOf: (id: number) => ImportThreadMessage): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  lastId += 1
  asked.set(lastId, resolve)
  send(messageOf(lastId))
  return promise
}

function onReading(isReading: boolean): void {
  Atomics.add(reading, 0, 1)
  Atomics.store(reading, 1, isReading ? 1 : 0)
}

try {
  const context = {
    database: openDatabase(pool),
    clock: { now: () => new Date(processStartMs + performance.now()) },
    logger: threadLogger(send),
    disk: { freeBytes: () => ask((id) => ({ type: "free_bytes", id })) },
    wait: async (milliseconds: number) => void (await ask((id) => ({ type: "wait", id, milliseconds }))),
  }
  send({ type: "ended", again: await runImport(context, job, { signal: stopping.signal, onReading }) })
} catch (error) {
  send({ type: "failed", error })
} finally {
  port.close()
  await pool.end()
}
