export interface Recipe {
  readonly name: string
  /** What to do, one after the other. */
  readonly steps: readonly string[]
  readonly text: string
}

/** Ready to use with the person's own address, and their key where it was just made. */
export function recipesFor(origin: string, apiKey: string): readonly Recipe[] {
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
        "In Shortcuts press + and add “Get Contents of URL”. Its URL is the first line below.",
        "Open its details, keep Method at GET, and under Headers add the one of the second and third line.",
        "Add “Get Dictionary Value” with the key records.1.score from Contents of URL.",
        "Add “Show Result”, or hand the value to Health, a widget or your morning alarm.",
      ],
      text: `${url}?type=recovery&days=1\nAuthorization\n${authorization}`,
    },
    {
      name: "Tasker",
      steps: [
        "Add the action Net > HTTP Request, Method GET, URL the first line below.",
        "Put the second line into Headers.",
        "Turn on Structure Output (JSON): %http_data.records.score is this morning's recovery.",
      ],
      text: `${url}?type=recovery&days=1\nAuthorization:${authorization}`,
    },
    {
      name: "Home Assistant",
      steps: [
        "Put the last line into secrets.yaml, and the rest into configuration.yaml.",
        "Check the configuration and restart. The sensor is sensor.restwell_recovery.",
      ],
      text: homeAssistant(url, authorization),
    },
    {
      name: "Python",
      steps: ["Python 3, nothing to install."],
      text: python(url, authorization),
    },
    {
      name: "TypeScript",
      steps: ["With the typed client: every field and error has its type."],
      text: typescript(origin, apiKey),
    },
  ]
}

const homeAssistant = (url: string, authorization: string): string => `rest:
  - resource: "${url}?type=recovery&days=1"
    scan_interval: 3600 # 744 requests a month, within the free plan
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
with urlopen(request) as answer:
    for night in json.load(answer)["records"]:
        if not night["is_nap"]:
            print(night["date"], night["duration_hours"], "h in bed, performance", night["score"]["performance"])
`

const typescript = (origin: string, apiKey: string): string => `import { createClient } from "@restwell/client"

const restwell = createClient({ baseUrl: "${origin}", apiKey: "${apiKey}" })
const { data } = await restwell.sleep({ days: 7 })
for (const night of data.records) console.log(night.date, night.duration_hours, night.score.performance)
`
