import { startBroker } from "@restwell/testing/mqtt-broker"
import { test } from "vitest"
import { surviveHomeAssistantKills } from "./survive-kills.ts"

test("people are published as they chose, with the API's figures, while the service is killed with -9", async () => {
  const broker = await startBroker()
  try {
    await surviveHomeAssistantKills(broker, 1, "home-assistant")
  } finally {
    await broker.close()
  }
}, 300_000)
