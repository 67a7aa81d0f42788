/** Days that a question wants by their rank in one figure. */
export interface Extreme {
  /** The metric, and others that stand in for it where a source has none. */
  readonly metrics: readonly string[]
  readonly side: "highest" | "lowest"
}

type Better = "higher" | "lower"

/** What words mean. The first entry that a question has is the one it means. */
const FIGURES: readonly (readonly [words: RegExp, better: Better, ...metrics: string[]])[] = [
  [/\b(?:resting (?:heart rate|hr|pulse)|rhr|pulse)\b/, "lower", "resting_heart_rate"],
  [/\b(?:hrv|heart rate variability)\b/, "higher", "hrv"],
  [/\bdeep\b/, "higher", "deep"],
  [/\brem\b/, "higher", "rem"],
  [/\b(?:efficien\w+)\b/, "higher", "sleep_efficiency"],
  [/\b(?:awake|restless)\b/, "lower", "awake"],
  [/\b(?:bed ?times?|went to bed|fell asleep)\b/, "lower", "bedtime"],
  [/\b(?:wake|waking|got up)\b/, "lower", "wake_time"],
  [/\b(?:breath\w*|respirat\w+)\b/, "lower", "respiratory_rate"],
  [/\b(?:spo2|oxygen)\b/, "higher", "spo2"],
  [/\b(?:temperature|temp)\b/, "lower", "skin_temp_deviation"],
  [/\b(?:recover\w*|readiness|mornings?)\b/, "higher", "recovery_score"],
  [/\bsteps?\b/, "higher", "steps"],
  [/\b(?:calories|kcal|energy)\b/, "higher", "calories"],
  [/\b(?:strain|load|training|workouts?)\b/, "higher", "strain"],
  [/\b(?:sleep|slept|nights?)\b/, "higher", "sleep_performance", "sleep_efficiency", "asleep"],
  [/\bdays?\b/, "higher", "recovery_score"],
]

const BEST = /\b(?:best|top|strongest)\b/
const WORST = /\b(?:worst|weakest|poorest)\b/
const MOST = /\b(?:highest|most|longest|max(?:imum)?|latest|hardest|peak)\b/
const LEAST = /\b(?:lowest|least|fewest|shortest|min(?:imum)?|earliest|easiest)\b/
/** They are about the hours of a night, not its score. */
const LENGTH =
  /\b(?:longest|shortest|most|least) (?:sleep|slept|nights?)\b|\bslept (?:the )?(?:longest|shortest|most|least)\b/

/** The extreme that a question asks about, as in "worst nights" or "lowest HRV". */
export function namedExtreme(question: string): Extreme | undefined {
  const text = question.toLowerCase()
  const [, better = "higher", ...metrics] = FIGURES.find(([words]) => words.test(text)) ?? []
  if (metrics.length === 0) return undefined
  const wanted = LENGTH.test(text) ? ["asleep"] : metrics
  if (MOST.test(text)) return { metrics: wanted, side: "highest" }
  if (LEAST.test(text)) return { metrics: wanted, side: "lowest" }
  if (BEST.test(text)) return { metrics: wanted, side: better === "higher" ? "highest" : "lowest" }
  if (WORST.test(text)) return { metrics: wanted, side: better === "higher" ? "lowest" : "highest" }
  return undefined
}
