import type { McpServer } from "@modelcontextprotocol/server"

interface OfferedPrompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly text: string
}

const HONESTY =
  "Give the figures you use with their dates and units. Say what is missing, and do not guess it. This is no medical advice."

/** Prompts for frequent questions. */
const PROMPTS: readonly OfferedPrompt[] = [
  {
    name: "weekly_review",
    title: "Review my week",
    description: "Sleep, recovery and strain of the last 7 days beside the 7 before",
    text:
      "Review my last 7 days. Call get_summary for the last 7 days and again for the 7 before them, then get_recovery for 7 days. " +
      `Tell me what changed between the two weeks, my best and my worst day, and one thing to try next week. ${HONESTY}`,
  },
  {
    name: "readiness_today",
    title: "How ready am I today?",
    description: "Today's recovery and last night's sleep against what is usual for me",
    text:
      "How ready am I today? Call get_recovery for 1 day and get_sleep for 1 day, then get_summary for 30 days as what is usual for me. " +
      `Compare today with that, and say in two or three sentences how hard a day I can take. ${HONESTY}`,
  },
  {
    name: "sleep_debt",
    title: "What is my sleep debt?",
    description: "How much sleep the last 14 nights were short of the need",
    text:
      "What is my sleep debt? Call get_sleep for 14 days. Performance is sleep got over sleep needed, in percent: work out from it and from the " +
      "hours asleep (light, deep and REM) how much each night was short, leave naps and unscored nights out and say so, and add it up. " +
      `Show the nights in a small table. ${HONESTY}`,
  },
]

export function registerPrompts(server: McpServer): void {
  for (const { name, title, description, text } of PROMPTS)
    server.registerPrompt(name, { title, description }, () => ({
      description,
      messages: [{ role: "user", content: { type: "text", text } }],
    }))
}
