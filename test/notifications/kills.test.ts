import { expect, test } from "vitest"
import { surviveNotifyKills } from "./survive-notify-kills.ts"

/** A short form of `test/crash/notifications.crash.ts`. */
test("each morning is told once, while two replicas are killed with -9", { timeout: 600_000 }, async () => {
  expect(await surviveNotifyKills({ people: 40, kills: 3, seed: "short" })).toContain("3 kills")
})
