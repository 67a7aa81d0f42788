import { expect, test } from "vitest"
import { surviveDeliveryKills } from "./survive-delivery-kills.ts"

/** A short form of `test/crash/deliveries.crash.ts`. */
test("messages arrive at every receiver, while two replicas are killed with -9", async () => {
  expect(await surviveDeliveryKills({ messages: 200, kills: 3, seed: "short" })).toContain("3 kills")
})
