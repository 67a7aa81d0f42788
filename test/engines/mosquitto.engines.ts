import { findMosquitto, startMosquitto } from "@restwell/testing/mosquitto"
import { expect, test } from "vitest"
import { surviveHomeAssistantKills } from "../home-assistant/survive-kills.ts"

const INSTALL = "skipped, install with: apt-get install --no-install-recommends mosquitto"

test("Debian's mosquitto has the people who are published, and says when the service was killed with -9", async (context) => {
  const program = await findMosquitto()
  if (program === undefined) {
    process.stdout.write(`${INSTALL}\n`)
    return context.skip(INSTALL)
  }
  const broker = await startMosquitto(program)
  try {
    await surviveHomeAssistantKills(broker, 3, "mosquitto")
    expect([...broker.retained.keys()].every((topic) => /^(restwell|homeassistant)\//.test(topic))).toBe(true)
  } finally {
    await broker.close()
  }
}, 600_000)
