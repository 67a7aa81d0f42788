import { test } from "vitest"
import { expectServed, flood, MINUTE_MS, press } from "./share-of-calls.ts"

/** Disturbed less often than possible, to save time. `npm run test:faults` disturbs every minute. */
const EVERY_MS = 15 * MINUTE_MS

test.each([
  ["with webhooks", { hasWebhooks: true, longestMinutes: 5 }],
  ["without webhooks", { hasWebhooks: false, longestMinutes: 70 }],
])(
  "one person presses Sync all day: the first sync and the next night of another arrive, %s",
  (_name, options) =>
    expectServed({ ...options, disturb: press, everyMs: EVERY_MS, disturbedHours: 13, areOwnNightsServed: true }),
  120_000,
)

test(
  "webhooks about one person flood in: the first sync and the next night of another arrive",
  () =>
    expectServed({
      hasWebhooks: true,
      disturb: flood,
      everyMs: 30 * MINUTE_MS,
      disturbedHours: 3,
      areOwnNightsServed: false,
      longestMinutes: 31,
    }),
  120_000,
)

test(
  "one person has years of history: the first sync and the next night of both arrive",
  () =>
    expectServed({
      hasWebhooks: true,
      disturb: async () => {},
      days: 730,
      everyMs: 30 * MINUTE_MS,
      disturbedHours: 1,
      areOwnNightsServed: true,
      longestMinutes: 31,
    }),
  120_000,
)
