// The tables of what people are told without asking.
import type { Briefing, Channel, Figure, MetricId, QuietHours, Rule } from "@restwell/client"
import type { Generated } from "kysely"
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

export interface MorningTable {
  user_id: string
  date: string
  /** When the score was first seen. */
  scored_at: Date
  /** When the rules were judged. Null until then. */
  rules_judged_at: Date | null
  /** When the briefing was sent, or was found to be off. Null until then. */
  briefed_at: Date | null
}

export interface ArrivedHistoryTable {
  user_id: string
  provider: string
  arrived_at: Date
}

/** What a notice says, in the person's units and on the person's clock. */
export interface NoticeMessage {
  readonly title: string
  readonly lines: readonly string[]
  /** The figures behind it, as the API has them. */
  readonly figures: readonly NoticeFigure[]
  /** The page that has more. */
  readonly path: string
}

export interface NoticeFigure {
  readonly metric: MetricId
  readonly value: Figure
  readonly unit: string | null
  readonly usual: { readonly low: Figure; readonly high: Figure } | null
}

export interface NoticeTable {
  user_id: string
  id: Generated<string>
  /** `briefing`, a rule by its id, the summary of a history, or a receiver that was disabled. */
  subject: string
  date: string
  channels: Channel[]
  message: JsonColumn<NoticeMessage>
  sent_at: Date
}
