import { z } from "zod"

/** What a service's process is told. */
export const WordSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), environment: z.record(z.string(), z.string()), nowMs: z.number() }),
  /** Stand still until the time comes through the pipe. */
  z.object({ type: z.literal("hold") }),
  z.object({ type: z.literal("look") }),
])
export type Word = z.infer<typeof WordSchema>

/** What it tells. Real time is epoch milliseconds, the same for all processes of a machine. */
export const ReportSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("started") }),
  z.object({ type: z.literal("held") }),
  /** Jobs under way, and whatever waits for the clock. */
  z.object({ type: z.literal("state"), jobs: z.number(), waits: z.number() }),
  z.object({ type: z.literal("job"), began: z.boolean(), userId: z.string(), atMs: z.number() }),
  z.object({ type: z.literal("warning"), line: z.string() }),
])
export type Report = z.infer<typeof ReportSchema>

/** The pipe through which a process that stands still learns the time: one double. */
export const TIME_PIPE = 4
