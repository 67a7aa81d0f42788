import type { Missing } from "../trends/missing.ts"

type Subject = "recovery" | "sleep" | "strain"

const NO_RECORD: Readonly<Record<Subject, readonly [today: string, before: string]>> = {
  recovery: ["Not there yet. It comes after the night is scored.", "No recovery was recorded."],
  sleep: ["No night has arrived for today yet.", "No night was recorded. Was the band worn?"],
  strain: ["No day has begun yet. It begins when you wake.", "No day was recorded. Was the band worn?"],
}

/** Why a day has no figure, in a sentence that says what to expect. */
export function whyMissing(subject: Subject, missing: Missing, isToday: boolean, vendor: string): string {
  if (missing === "pending") return `${vendor} is still scoring it. The figure comes by itself.`
  if (missing === "unscorable") return `${vendor} recorded too little to score it. It stays without a figure.`
  const [today, before] = NO_RECORD[subject]
  return isToday ? today : before
}
