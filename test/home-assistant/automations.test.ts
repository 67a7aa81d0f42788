// The automations of the manual: valid YAML with the parts that Home Assistant asks for, about entities that Restwell publishes.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { z } from "zod"

/** https://www.home-assistant.io/docs/automation/yaml/ */
const AutomationSchema = z.strictObject({
  alias: z.string(),
  triggers: z.array(z.looseObject({ trigger: z.string() })).min(1),
  conditions: z.array(z.looseObject({ condition: z.string() })).optional(),
  actions: z.array(z.looseObject({ action: z.string().regex(/^\w+\.\w+$/) })).min(1),
})

/** What Home Assistant makes of the names of the device "Restwell Anna" and its entities. */
const ENTITIES = [
  "event.restwell_anna_night_scored",
  "sensor.restwell_anna_time_asleep",
  "sensor.restwell_anna_unusual_figures",
]

test("the three automations of the manual are valid, and about entities that there are", async () => {
  const page = await readFile(join(import.meta.dirname, "../../docs/home-assistant.md"), "utf8")
  const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text)
  expect(blocks).toHaveLength(3)
  for (const block of blocks) AutomationSchema.parse(parse(block))
  const named = new Set([...blocks.join("\n").matchAll(/\b(?:sensor|event)\.restwell_\w+/g)].map(([name]) => name))
  expect([...named].toSorted()).toEqual(ENTITIES)
})
