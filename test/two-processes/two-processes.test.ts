import { expectTwoProcesses } from "./expect-two-processes.ts"

const MINUTE_MS = 60_000

/** A small run with small limits. The full run is `npm run test:faults`. */
expectTwoProcesses(
  {
    connections: 20,
    webhooks: 400,
    copies: 3,
    backfills: { people: 1, days: 300 },
    limits: { perMinute: 20, perDay: 10_000 },
    burstMs: 600 * MINUTE_MS,
    stepMs: 60 * MINUTE_MS,
  },
  240_000,
)
