/** The same request in several languages and programs, by title. */
export const recipesFor = (baseUrl: string): Readonly<Record<string, string>> => ({
  Shell: `curl -H "Authorization: Bearer $RESTWELL_KEY" "${baseUrl}/api/v1/health?type=recovery&days=7"`,
  Python: `import os, requests

answer = requests.get(
    "${baseUrl}/api/v1/health",
    params={"type": "sleep", "days": 7},
    headers={"Authorization": f"Bearer {os.environ['RESTWELL_KEY']}"},
)
answer.raise_for_status()
for night in answer.json()["records"]:
    print(night["date"], night["asleep_hours"], night["score"]["performance"])`,
  TypeScript: `import { createClient } from "@restwell/client"

const restwell = createClient({ baseUrl: "${baseUrl}", apiKey: process.env.RESTWELL_KEY })
const { data, quota } = await restwell.recovery({ days: 7 })
console.log(data.records[0]?.score, quota?.remaining)`,
  "Home Assistant": `sensor:
  - platform: rest
    name: Recovery
    resource: ${baseUrl}/api/v1/health?type=recovery&days=1
    headers:
      Authorization: !secret restwell_authorization   # "Bearer rw_..."
    value_template: "{{ value_json.records[0].score if value_json.count else none }}"
    unit_of_measurement: "%"
    scan_interval: 1800`,
  "iOS Shortcuts": `1. Get Contents of URL: ${baseUrl}/api/v1/health?type=recovery&days=1
   Method GET, header Authorization: Bearer rw_...
2. Get Dictionary Value: records
3. Get Item from List: First Item
4. Get Dictionary Value: score`,
})
