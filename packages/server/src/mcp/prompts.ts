import type { McpServer } from "@modelcontextprotocol/server"
import { HealthQuerySchema, METRIC_IDS } from "@restwell/client"
import { NOT_A_CAUSE } from "@restwell/client/figures"
import { z } from "zod"

const HONESTY =
  "Give the figures you use with their dates and units. Say what is missing, and do not guess it. This is no medical advice."

const METRIC = z.enum(METRIC_IDS).optional()
const DAYS = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, { error: "must be a whole number of days" })
  .optional()

/** Made once, because a server is made for each request. */
const ARGUMENTS = {
  week: z.object({
    end_date: HealthQuerySchema.shape.start_date.describe("Last date of the week, YYYY-MM-DD. Default today"),
  }),
  debt: z.object({ days: DAYS.describe("Days of the trend. Default 30") }),
  trend: z.object({
    metric: METRIC.describe("As in hrv or asleep. Default hrv"),
    days: DAYS.describe("Number of days. Default 90"),
  }),
  relations: z.object({ outcome: METRIC.describe("As in recovery_score. Default recovery_score") }),
} as const

/** Prompts for frequent questions. All arguments have a default. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    "weekly_review",
    {
      title: "Review a week",
      description: "Sleep, recovery and strain of 7 days beside the 7 before",
      argsSchema: ARGUMENTS.week,
    },
    ({ end_date: end }) =>
      asked(
        `Review my 7 days up to ${end ?? "today"}. Call get_summary for them, then compare_periods for recovery_score, hrv and asleep with the ` +
          `7 days before. Tell me what changed clearly and what did not, my best and my worst day, and one thing to try next week. ${HONESTY}`,
      ),
  )
  server.registerPrompt(
    "readiness_today",
    { title: "How ready am I today?", description: "Last night and this morning beside what is usual for me" },
    () =>
      asked(
        "How ready am I today? Call get_today. Say which figures are outside my usual range, and in two or three sentences how hard a day I can " +
          `take. If the score is pending, say so and give the newest one with its date. ${HONESTY}`,
      ),
  )
  server.registerPrompt(
    "sleep_debt",
    {
      title: "What is my sleep debt?",
      description: "How much sleep the last 14 nights were short of the need, and how that changed",
      argsSchema: ARGUMENTS.debt,
    },
    ({ days = "30" }) =>
      asked(
        `What is my sleep debt? Call get_trend for sleep_debt over ${days} days. Its extras have the debt of the last 14 nights. Tell me that sum, ` +
          `the nights that were shortest of sleep, and whether the debt of a night is rising or falling. ${HONESTY}`,
      ),
  )
  server.registerPrompt(
    "metric_trend",
    {
      title: "How does a figure develop?",
      description: "Whether a figure rises or falls, with its best and worst days",
      argsSchema: ARGUMENTS.trend,
    },
    ({ metric = "hrv", days = "90" }) =>
      asked(
        `How did my ${metric} develop over the last ${days} days? Call get_trend for it. Tell me the verdict with its interval, what is usual, and ` +
          `the highest and lowest days. ${HONESTY}`,
      ),
  )
  server.registerPrompt(
    "what_goes_with",
    {
      title: "What affects a figure?",
      description: "Habits and other figures that go with it, as associations",
      argsSchema: ARGUMENTS.relations,
    },
    ({ outcome = "recovery_score" }) =>
      asked(
        `What affects my ${outcome}? Call find_relations with this outcome, once with lag 0, for nights and the journal, and once with lag 1, for ` +
          `strain, workouts and naps of the day before. Tell me which relations are clear, how large they are, and how many were tried. Leave out ` +
          `parts of the outcome. ${NOT_A_CAUSE} ${HONESTY}`,
      ),
  )
}

const asked = (text: string) => ({ messages: [{ role: "user" as const, content: { type: "text" as const, text } }] })
