import { expectTwoProcesses } from "./expect-two-processes.ts"

const MINUTE_MS = 60_000

/** 500 people and the vendor's own limits. */
expectTwoProcesses(
  {
    connections: 500,
    webhooks: 10_000,
    copies: 3,
    backfills: { people: 8, days: 1000 },
    limits: { perMinute: 100, perDay: 10_000 },
    burstMs: 240 * MINUTE_MS,
    stepMs: 30 * MINUTE_MS,
  },
  30 * MINUTE_MS,
)
