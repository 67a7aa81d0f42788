import { test } from "vitest"
import { expectBothServed, MINUTE_MS } from "./press-all-day.ts"

/** The button is pressed less often than it may be, to save time. `npm run test:faults` presses every minute. */
const EVERY_MS = 5 * MINUTE_MS

test.each([
  ["with webhooks", { hasWebhooks: true, longestMinutes: 5 }],
  ["without webhooks", { hasWebhooks: false, longestMinutes: 70 }],
])(
  "one person presses Sync all day: the first sync and the next night of another arrive, %s",
  (_name, options) => expectBothServed({ ...options, everyMs: EVERY_MS, pressedHours: 13 }),
  120_000,
)
