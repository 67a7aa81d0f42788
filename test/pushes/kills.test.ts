import { expect, test } from "vitest"
import { survivePushKills } from "./survive-push-kills.ts"

/** A short form of `test/crash/pushes.crash.ts`. */
test("15 batches, shuffled, doubled and cut by kill -9, store what one push stores", async () => {
  expect(await survivePushKills({ batches: 15, kills: 2, seed: "short" })).toContain("2 kills")
})
