// The tables of what people are told without asking.
import type { Briefing, QuietHours, Rule } from "@restwell/client"
import type { JsonColumn } from "./record-tables.ts"

export interface NotificationSettingsTable {
  user_id: string
  briefing: JsonColumn<Briefing>
  /** From when on the briefing counts: it is not sent of a morning before. */
  briefing_since: Date
  rules: JsonColumn<Rule[]>
  /** From when on each rule counts, by its id. ISO 8601. */
  rules_since: JsonColumn<Record<string, string>>
  quiet: JsonColumn<QuietHours> | null
  ntfy_url: string | null
  /** Null without an access token. */
  ntfy_key_id: string | null
  ntfy_token: Buffer | null
  home_assistant: boolean
}
