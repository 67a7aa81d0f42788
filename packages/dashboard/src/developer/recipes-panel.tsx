import { StepTabs } from "../components/instructions.tsx"
import { Panel } from "../components/page.tsx"

export interface Recipe {
  readonly name: string
  /** Instructions, in order. */
  readonly steps: readonly string[]
  readonly text: string
}

/** Returns the recipes, filled in with the server's origin and the key. */
function recipesFor(origin: string, apiKey: string): readonly Recipe[] {
  const url = `${origin}/api/v1/health`
  const authorization = `Bearer ${apiKey}`
  return [
    {
      name: "curl",
      steps: ["Run it in a terminal."],
      text: `curl -s -H "Authorization: ${authorization}" "${url}?type=recovery&days=1"`,
    },
    {
      name: "iOS Shortcuts",
      steps: [
        "In Shortcuts, press + and add “Get Contents of URL”. Set its URL to the first line below.",
        "Open its details and keep Method at GET. Under Headers, add the second line as the key and the third as the value.",
        "Add “Get Dictionary Value” with the key records.1.score from Contents of URL.",
        "Add “Show Result”, or pass the value to Health, a widget or your morning alarm.",
      ],
      text: `${url}?type=recovery&days=1\nAuthorization\n${authorization}`,
    },
    {
      name: "Tasker",
      steps: [
        "Add the action Net > HTTP Request. Set Method to GET and URL to the first line below.",
        "Set Headers to the second line.",
        "Turn on Structure Output (JSON): %http_data.records.score is this morning's recovery.",
      ],
      text: `${url}?type=recovery&days=1\nAuthorization:${authorization}`,
    },
    {
      name: "Home Assistant",
      steps: [
        "Add the last line to secrets.yaml without its “# ”, and the rest to configuration.yaml.",
        "Check the configuration and restart. The sensor is named sensor.restwell_recovery.",
      ],
      text: homeAssistant(url, authorization),
    },
    {
      name: "Python",
      steps: ["Needs Python 3 and no packages."],
      text: python(url, authorization),
    },
    {
      name: "TypeScript",
      steps: ["Uses the typed client: every field and error has a type."],
      text: typescript(origin, apiKey),
    },
  ]
}

const homeAssistant = (url: string, authorization: string): string => `rest:
  - resource: "${url}?type=recovery&days=1"
    scan_interval: 3600 # once an hour, 744 requests a month
    headers:
      Authorization: !secret restwell_authorization
    sensor:
      - name: "Restwell recovery"
        unique_id: restwell_recovery
        unit_of_measurement: "%"
        availability: "{{ value_json.records | length > 0 and value_json.records[0].score is not none }}"
        value_template: "{{ value_json.records[0].score }}"
        json_attributes_path: "$.records[0]"
        json_attributes:
          - date
          - score_state
          - hrv
          - resting_heart_rate
          - spo2
          - skin_temp_deviation_celsius

# secrets.yaml
# restwell_authorization: "${authorization}"
`

const python = (url: string, authorization: string): string => `import json
from urllib.request import Request, urlopen

request = Request("${url}?type=sleep&days=7", headers={"Authorization": "${authorization}"})
with urlopen(request) as response:
    for night in json.load(response)["records"]:
        if not night["is_nap"]:
            print(night["date"], night["asleep_hours"], "h asleep, performance", night["score"]["performance"])
`

const typescript = (origin: string, apiKey: string): string => `import { createClient } from "@restwell/client"

const restwell = createClient({ baseUrl: "${origin}", apiKey: "${apiKey}" })
const { data } = await restwell.sleep({ days: 7 })
for (const night of data.records) console.log(night.date, night.asleep_hours, night.score.performance)
`

const PLACEHOLDER = "YOUR_KEY"
const LINK = "text-accent underline underline-offset-2"

/** The same request in several languages and apps. */
export const RecipesPanel = ({ newKey, sources }: { newKey: string | undefined; sources: readonly string[] }) => (
  <Panel
    title="Recipes"
    description={
      newKey === undefined
        ? `Filled in with your server address. Replace ${PLACEHOLDER} with your key.`
        : "Filled in with your server address and your new key."
    }
  >
    <StepTabs
      label="Recipes"
      tabs={recipesFor(window.location.origin, newKey ?? PLACEHOLDER).map(({ name, steps, text }) => ({
        name,
        steps,
        code: { label: `${name} recipe`, text },
      }))}
    />
    <p className="mt-4 text-sm text-muted">
      More programs are in the{" "}
      <a href="/docs/recipes" className={LINK}>
        manual
      </a>
      . All parameters and fields are in the{" "}
      <a href="/docs/reference" className={LINK}>
        API reference
      </a>{" "}
      and in the{" "}
      <a href="/openapi.json" className={LINK}>
        OpenAPI document
      </a>
      .
      {sources.length > 1 && (
        <>
          {" "}
          With <code>&source={sources.at(-1)}</code>, a request reads that source alone.
        </>
      )}
    </p>
  </Panel>
)
