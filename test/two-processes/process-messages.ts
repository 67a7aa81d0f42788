import { z } from "zod"

/** What a service process is sent. */
export const CommandSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), environment: z.record(z.string(), z.string()), nowMs: z.number() }),
  /** Pause until the new time comes through the pipe. */
  z.object({ type: z.literal("pause") }),
  z.object({ type: z.literal("report state") }),
])
export type Command = z.infer<typeof CommandSchema>

/** What it sends back. Times are epoch milliseconds in real time, which is the same for all processes of a machine. */
export const ReportSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("started") }),
  z.object({ type: z.literal("paused") }),
  /** Running jobs, and waits for the clock. */
  z.object({ type: z.literal("state"), jobs: z.number(), waits: z.number() }),
  z.object({ type: z.literal("job"), began: z.boolean(), userId: z.string(), atMs: z.number() }),
  z.object({ type: z.literal("warning"), line: z.string() }),
])
export type Report = z.infer<typeof ReportSchema>

/** File descriptor of the pipe through which a paused process receives the time, as one double. */
export const TIME_PIPE = 4
