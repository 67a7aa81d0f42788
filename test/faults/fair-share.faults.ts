import { test } from "vitest"
import { expectBothServed, MINUTE_MS } from "../sync/press-all-day.ts"

test.each([
  ["with webhooks, 13 hours later", { hasWebhooks: true, pressedHours: 13, longestMinutes: 2 }],
  ["without webhooks, 13 hours later", { hasWebhooks: false, pressedHours: 13, longestMinutes: 61 }],
  ["with webhooks, an hour later", { hasWebhooks: true, pressedHours: 1.2, longestMinutes: 2 }],
  ["without webhooks, an hour later", { hasWebhooks: false, pressedHours: 1.2, longestMinutes: 61 }],
])(
  "one person presses Sync every minute: the first sync and the next night of another arrive, %s",
  (_name, options) => expectBothServed({ ...options, everyMs: MINUTE_MS }),
  600_000,
)
