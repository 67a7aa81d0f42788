import { readHomeAssistantHealth } from "@restwell/core"
import { type Facts, failed, minuteOf, type Outcome, ok } from "./facts.ts"

const REMEDIES = {
  broker: "correct it on the page Service or in MQTT_URL, or start the broker: what was missed is published then",
  history:
    "correct it on the page Service or in HOME_ASSISTANT_URL and HOME_ASSISTANT_TOKEN, or start Home Assistant: what was missed is sent then",
} as const

/** People are published to Home Assistant, by the settings that there are. */
export async function checkHomeAssistant(facts: Facts): Promise<Outcome[]> {
  const { mqttUrl, homeAssistant } = facts.config
  if (mqttUrl === undefined && homeAssistant === undefined)
    return [ok("no broker is set, so nothing is published to Home Assistant")]
  const { people, failures } = await readHomeAssistantHealth({ database: await facts.tables() })
  const isSet = { broker: mqttUrl !== undefined, history: homeAssistant !== undefined }
  const faults = failures
    .filter(({ link }) => isSet[link])
    .map(({ link, since, failure }) => failed(`${failure}, since ${minuteOf(since)}`, REMEDIES[link]))
  if (faults.length > 0) return faults
  const note = isSet.broker ? "" : ", the history alone: no broker is set"
  return [ok(`${people === 1 ? "1 person is" : `${people} people are`} published${note}`)]
}
