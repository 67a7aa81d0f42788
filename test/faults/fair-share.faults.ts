import { test } from "vitest"
import { expectServed, flood, MINUTE_MS, press } from "../sync/share-of-calls.ts"

test.each([
  ["with webhooks, 13 hours later", { hasWebhooks: true, disturbedHours: 13, longestMinutes: 2 }],
  ["without webhooks, 13 hours later", { hasWebhooks: false, disturbedHours: 13, longestMinutes: 61 }],
  ["with webhooks, an hour later", { hasWebhooks: true, disturbedHours: 1.2, longestMinutes: 2 }],
  ["without webhooks, an hour later", { hasWebhooks: false, disturbedHours: 1.2, longestMinutes: 61 }],
])(
  "one person presses Sync every minute: the first sync and the next night of another arrive, %s",
  (_name, options) => expectServed({ ...options, disturb: press, everyMs: MINUTE_MS, areOwnNightsServed: true }),
  600_000,
)

test(
  "webhooks about one person flood in every minute: the first sync and the next night of another arrive",
  () =>
    expectServed({
      hasWebhooks: true,
      disturb: flood,
      everyMs: MINUTE_MS,
      disturbedHours: 13,
      areOwnNightsServed: false,
      longestMinutes: 2,
    }),
  600_000,
)
