/** A process of its own with the whole service, on a clock that its parent moves: see service-processes.ts. */
import { readSync } from "node:fs"
import { z } from "zod"
import { loadConfig } from "../../packages/server/src/config/config.ts"
import { createLogger } from "../../packages/server/src/log.ts"
import { untilStopped } from "../../packages/server/src/process-life.ts"
import { startService } from "../../packages/server/src/service.ts"
import { MovedClock } from "./moved-clock.ts"
import { type Report, TIME_PIPE, WordSchema } from "./process-words.ts"

const JobSchema = z.object({ msg: z.enum(["sync began", "sync ended"]), userId: z.string() })
const LineSchema = z.object({ level: z.number(), msg: z.string() })
/** Of pino. */
const WARNING = 40

const tell = (report: Report) => process.send?.(report)

const clock = new MovedClock()
let jobs = 0

/** The service's own log says when a job begins and ends; real time is the same for all processes of a machine. */
function listen(line: string): void {
  const job = JobSchema.safeParse(JSON.parse(line))
  if (job.success) {
    const began = job.data.msg === "sync began"
    jobs += began ? 1 : -1
    tell({ type: "job", began, userId: job.data.userId, atMs: performance.timeOrigin + performance.now() })
  } else if (LineSchema.parse(JSON.parse(line)).level >= WARNING) tell({ type: "warning", line })
}

/** Nothing at all happens here until the parent has moved everybody's clock. */
function standStill(): void {
  tell({ type: "held" })
  const time = Buffer.alloc(8)
  readSync(TIME_PIPE, time)
  clock.moveTo(time.readDoubleBE())
}

async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  const config = loadConfig(environment)
  const { promise: fatal, reject: onFatal } = Promise.withResolvers<never>()
  const service = await startService({
    config,
    secrets: () => [config.secret ?? ""],
    clock,
    wait: clock.wait,
    logger: createLogger("debug", { write: listen }),
    onFatal,
  })
  tell({ type: "started" })
  await untilStopped(() => service.close(), fatal)
  process.disconnect?.()
}

process.on("message", (message) => {
  const word = WordSchema.parse(message)
  if (word.type === "hold") return standStill()
  if (word.type === "look") return void tell({ type: "state", jobs, waits: clock.waits })
  clock.moveTo(word.nowMs)
  return void start(word.environment)
})
tell({ type: "ready" })
