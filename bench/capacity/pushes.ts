/** What a phone pushes in an hour. */
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { inTurns } from "../measuring/in-turns.ts"
import type { ActivePerson } from "./active-people.ts"

/** The service stores two pushes at a time. */
const CONNECTIONS = 4
const MINUTES = 60
/** Steps, energy and distance come in quarters of an hour. */
const QUARTERS = 4

/** Each person pushes an hour. @param hoursAgo an hour that nobody has pushed @returns how many pushes */
export async function pushHour(url: string, people: readonly ActivePerson[], hoursAgo: number): Promise<number> {
  const startMs = (Math.floor(Date.now() / HOUR_MS) - hoursAgo) * HOUR_MS
  const body = JSON.stringify(hourFrom(startMs))
  await inTurns(people, CONNECTIONS, async ({ ingestToken }) => {
    const answer = await fetch(`${url}/api/ingest/records`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${ingestToken}` },
      body,
    })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`a push got ${answer.status}`)
  })
  return people.length
}

/** A heart rate a minute, and steps, energy and distance of each quarter of an hour. */
function hourFrom(startMs: number) {
  const start = new Date(startMs).toISOString()
  const minutes = Array.from({ length: MINUTES }, (_, minute) => minute)
  const counts = [
    ["steps", "count", 120],
    ["active_energy", "kcal", 8],
    ["distance", "m", 90],
  ] as const
  const quarterMs = (MINUTES / QUARTERS) * MINUTE_MS
  return {
    records: Array.from({ length: QUARTERS }, (_, quarter) => startMs + quarter * quarterMs).flatMap((fromMs) =>
      counts.map(([type, unit, value]) => ({
        type,
        unit,
        value,
        start: new Date(fromMs).toISOString(),
        end: new Date(fromMs + quarterMs).toISOString(),
        source: "phone",
      })),
    ),
    series: [
      {
        type: "heart_rate",
        start,
        source: "watch",
        offsets_seconds: minutes.map((minute) => minute * 60),
        values: minutes.map((minute) => 60 + (minute % 17)),
      },
    ],
  }
}
