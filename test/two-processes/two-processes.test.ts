import { twoProcesses } from "../support/two-processes.ts"

const MINUTE_MS = 60_000

/** Small enough for every run of the tests, with limits as small; in full with `npm run test:faults`. */
twoProcesses(
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
