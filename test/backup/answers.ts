import { expect } from "vitest"

const READS = [
  ...["sleep", "recovery", "workout", "cycle"].flatMap((type) => [
    `/api/v1/health?type=${type}&days=60`,
    `/api/v1/health?type=${type}&days=60&source=all`,
  ]),
  "/api/v1/health?type=profile",
  "/api/v1/health?type=summary&days=30",
  "/api/v1/metrics",
  "/api/v1/trend?metric=hrv&days=60&points=true",
  "/api/v1/compare?metric=resting_heart_rate&days=14",
  "/api/v1/relate?outcome=recovery_score&days=60",
  "/api/v1/journal?days=60",
]

/** The answers of the whole API to one person. The moments of the last sync are left out, because every service syncs. */
export async function answersOf(service: { readonly url: string }, key: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const read of READS) {
    const response = await fetch(service.url + read, { headers: { authorization: `Bearer ${key}` } })
    const text = await response.text()
    expect(response.status, `${read}: ${text}`).toBe(200)
    answers[read] = JSON.parse(text, (name, value: unknown) => (name === "last_synced_at" ? undefined : value))
  }
  return answers
}
