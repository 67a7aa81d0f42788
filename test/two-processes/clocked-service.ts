/** A process with the whole service, on a clock that its parent sets. See service-processes.ts. */
import { readSync } from "node:fs"
import { loadConfig } from "@restwell/server/config"
import { createLogger } from "@restwell/server/log"
import { untilStopped } from "@restwell/server/run-command"
import { startService } from "@restwell/server/service"
import { z } from "zod"
import { ManualClock } from "./manual-clock.ts"
import { CommandSchema, type Report, TIME_PIPE } from "./process-messages.ts"

const JobSchema = z.object({ msg: z.enum(["sync began", "sync ended"]), userId: z.string() })
const LineSchema = z.object({ level: z.number(), msg: z.string() })
/** The level of warnings in pino. */
const WARNING = 40

const send = (report: Report) => process.send?.(report)

const clock = new ManualClock()
let jobs = 0

/** The log of the service says when a job begins and ends. */
function reportLine(line: string): void {
  const job = JobSchema.safeParse(JSON.parse(line))
  if (job.success) {
    const began = job.data.msg === "sync began"
    jobs += began ? 1 : -1
    send({ type: "job", began, userId: job.data.userId, atMs: performance.timeOrigin + performance.now() })
  } else if (LineSchema.parse(JSON.parse(line)).level >= WARNING) send({ type: "warning", line })
}

/** Blocks this process until the parent has set the clocks of all processes. */
function pause(): void {
  send({ type: "paused" })
  const time = Buffer.alloc(8)
  readSync(TIME_PIPE, time)
  clock.set(time.readDoubleBE())
}

async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  const config = loadConfig(environment)
  const { promise: fatal, reject: onFatal } = Promise.withResolvers<never>()
  const service = await startService({
    config,
    secrets: () => [config.secret ?? ""],
    clock,
    wait: clock.wait,
    logger: createLogger("debug", { write: reportLine }),
    onFatal,
  })
  send({ type: "started" })
  await untilStopped(() => service.close(), fatal)
  process.disconnect?.()
}

process.on("message", (message) => {
  const command = CommandSchema.parse(message)
  if (command.type === "pause") return pause()
  if (command.type === "report state") return void send({ type: "state", jobs, waits: clock.waits })
  clock.set(command.nowMs)
  return void start(command.environment)
})
send({ type: "ready" })
