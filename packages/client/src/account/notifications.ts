// What a person is told without asking: the briefing of the morning and rules, and where they are sent.
import { z } from "zod"
import { METRIC_IDS } from "../rest/metric.ts"

/** Where the briefing and matches of rules are sent. */
export const CHANNELS = ["email", "push", "ntfy", "webhook"] as const
export type Channel = (typeof CHANNELS)[number]

export const RULE_KINDS = ["limit", "unusual", "missing", "connection", "quota"] as const
export type RuleKind = (typeof RULE_KINDS)[number]

/** The most rules of a person, mornings in a row that a rule counts, and characters of a rule's name. */
export const RULE_BOUNDS = { rules: 20, mornings: 5, id: 40 } as const

/** Mornings that a preview looks back over. */
export const PREVIEW_DAYS = 90

const clockTime = (example: string) =>
  z
    .string({ error: `must be a time like ${example}` })
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, `must be a time like ${example}`)
    .meta({ description: "A time of day where the person is", example })

const channels = z
  .array(z.enum(CHANNELS, { error: `must be one of ${CHANNELS.join(", ")}` }), {
    error: `must be a list of ${CHANNELS.join(", ")}`,
  })
  .refine((each) => new Set(each).size === each.length, "must have each channel once")
  .meta({ description: "Where it is sent. Empty for nowhere", example: ["email", "ntfy"] })

const enabled = z.boolean({ error: "must be true or false" }).meta({ example: true })
const direction = z.enum(["above", "below"], { error: "must be above or below" })
const metric = z.enum(METRIC_IDS, { error: "must be a metric, /api/v1/metrics lists all" })
const mornings = { error: `must be a whole number from 1 to ${RULE_BOUNDS.mornings}` }
const percent = { error: "must be a whole number from 1 to 100" }

const ruleId = z
  .string()
  .regex(/^[\w-]+$/, "must consist of letters, digits, - and _")
  .max(RULE_BOUNDS.id, `must have at most ${RULE_BOUNDS.id} characters`)
  .meta({ description: "Names the rule. A request may leave it out, and a new rule gets one", example: "low-recovery" })

const ruleOf = <Id extends z.ZodType, Channels extends z.ZodType, Enabled extends z.ZodType>(common: {
  readonly id: Id
  readonly channels: Channels
  readonly enabled: Enabled
}) =>
  z.discriminatedUnion(
    "kind",
    [
      z
        .strictObject({
          ...common,
          kind: z.literal("limit"),
          metric: metric.meta({ description: "A figure of the night or of the morning", example: "recovery_score" }),
          direction,
          limit: z
            .union([z.number(), clockTime("23:30")], { error: "must be a number, or a time like 23:30" })
            .meta({ description: "In the metric's unit, or a time of day. It does not match itself", example: 34 }),
        })
        .meta({ description: "A figure of the morning is above or below a limit" }),
      z
        .strictObject({
          ...common,
          kind: z.literal("unusual"),
          metric: metric.meta({ description: "One of those that /api/v1/signs has", example: "resting_heart_rate" }),
          direction: direction.nullable().default(null).meta({ description: "Null for both", example: "above" }),
          mornings: z
            .int(mornings)
            .min(1, mornings)
            .max(RULE_BOUNDS.mornings, mornings)
            .default(1)
            .meta({ description: "It matches on this morning in a row alone", example: 2 }),
        })
        .meta({ description: "A figure is far from usual, by the rule of /api/v1/signs" }),
      z
        .strictObject({ ...common, kind: z.literal("missing"), at: clockTime("11:00") })
        .meta({ description: "No night has arrived by a time of day" }),
      z
        .strictObject({ ...common, kind: z.literal("connection") })
        .meta({ description: "A vendor has to be reconnected, or does not answer for six hours" }),
      z
        .strictObject({
          ...common,
          kind: z.literal("quota"),
          percent: z.int(percent).min(1, percent).max(100, percent).meta({ example: 80 }),
        })
        .meta({ description: "This percentage of the month's requests is used" }),
    ],
    { error: `must have a kind, one of ${RULE_KINDS.join(", ")}` },
  )

/** A rule, as it is stored. */
export const RuleSchema = ruleOf({ id: ruleId, channels, enabled }).meta({ id: "NotificationRule" })

/** A rule, as a request has it. */
export const RuleRequestSchema = ruleOf({ id: ruleId.optional(), channels, enabled }).meta({
  id: "NotificationRuleRequest",
})

const briefing = z
  .strictObject({
    enabled,
    earliest: clockTime("07:00").default("07:00"),
    channels,
  })
  .meta({ description: "What the night and the morning were, once a night" })

const quiet = z
  .strictObject({ start: clockTime("22:00"), end: clockTime("07:00") })
  .refine(({ start, end }) => start !== end, "must have a start and an end that differ")
  .nullable()
  .meta({ description: "Hours in which nothing is sent. What comes in them is sent at their end. Null for none" })

const LONGEST_TOKEN = 200

const ntfyUrl = z
  .url({ protocol: /^https?$/, error: "must be the address of a topic, like https://ntfy.sh/my-topic" })
  .max(500)
  .refine((url) => !/^\w+:\/\/[^/]*@/.test(url), "must not contain a user name or a password: use a token")
  .meta({ description: "The address of a topic of ntfy", example: "https://ntfy.sh/restwell-3f0c2b1a" })

const disabled = z
  .object({
    at: z.iso.datetime().meta({ description: "When it was disabled", example: "2026-11-04T11:15:02.000Z" }),
    reason: z.string().meta({ example: "nothing arrived for three days, the last answer: not found" }),
  })
  .nullable()

const homeAssistant = z
  .boolean({ error: "must be true or false" })
  .meta({ description: "Whether the person's figures are sent to the installation's Home Assistant", example: false })

/** PUT /api/account/notifications. What it leaves out stays as it is. */
export const NotificationsChangeSchema = z
  .strictObject({
    briefing: briefing.optional(),
    rules: z
      .array(RuleRequestSchema)
      .max(RULE_BOUNDS.rules, `must be at most ${RULE_BOUNDS.rules}`)
      .optional()
      .meta({ description: `Replaces all rules. At most ${RULE_BOUNDS.rules}` }),
    quiet: quiet.optional(),
    ntfy: z
      .strictObject({
        url: ntfyUrl,
        token: z
          .string()
          .regex(/^[\x21-\x7e]+$/, "must be an access token, without spaces")
          .max(LONGEST_TOKEN)
          .nullable()
          .optional()
          .meta({
            description: "An access token of ntfy. Null removes it. Left out, it stays as long as the address does",
            example: "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2",
          }),
        has_token: z.boolean().optional().meta({ description: "As the response has it. It changes nothing" }),
        disabled: disabled.optional().meta({ description: "As the response has it. It changes nothing" }),
      })
      .nullable()
      .optional()
      .meta({ description: "Null for none" }),
    home_assistant: homeAssistant.optional(),
    push_public_key: z.string().optional().meta({ description: "As the response has it. It changes nothing" }),
  })
  .meta({ id: "NotificationsChange" })

/** GET and PUT /api/account/notifications. */
export const NotificationsResponseSchema = z
  .object({
    briefing,
    rules: z.array(RuleSchema),
    quiet,
    ntfy: z
      .object({
        url: ntfyUrl,
        has_token: z.boolean().meta({ example: true }),
        disabled: disabled.meta({
          description:
            "Why it gets nothing any more; null for one that works. A successful test, or saving it again, enables it",
        }),
      })
      .nullable()
      .meta({ description: "Null where no address is set" }),
    home_assistant: homeAssistant,
    push_public_key: z.string().meta({
      description: "What a browser subscribes with, as `applicationServerKey` (RFC 8292)",
      example: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    }),
  })
  .meta({ id: "NotificationsResponse" })

/** A rule that sends nothing yet: its channels and whether it is on do not matter. */
const previewed = ruleOf({
  id: ruleId.optional(),
  channels: channels.default([]),
  enabled: enabled.default(false),
}).meta({ id: "NotificationRulePreviewed" })

/** POST /api/account/notifications/preview. */
export const PreviewRequestSchema = z.strictObject({ rule: previewed }).meta({ id: "RulePreviewRequest" })

/** What a rule would have sent. */
export const PreviewResponseSchema = z
  .object({
    dates: z
      .array(z.string())
      .meta({ description: "The mornings, newest first", example: ["2026-11-19", "2026-11-03"] }),
    count: z.int().meta({ example: 2 }),
    days: z.literal(PREVIEW_DAYS).meta({ description: "The mornings that were judged, today's included" }),
  })
  .meta({ id: "RulePreviewResponse" })

/** POST /api/account/notifications/test. */
export const ChannelTestSchema = z
  .strictObject({ channel: z.enum(CHANNELS, { error: `must be one of ${CHANNELS.join(", ")}` }) })
  .meta({ id: "ChannelTest" })

export type Rule = z.infer<typeof RuleSchema>
export type RuleOf<Kind extends RuleKind> = Extract<Rule, { readonly kind: Kind }>
export type RuleRequest = z.infer<typeof RuleRequestSchema>
export type Briefing = z.infer<typeof briefing>
export type QuietHours = NonNullable<z.infer<typeof quiet>>
export type NotificationsChange = z.infer<typeof NotificationsChangeSchema>
export type NotificationsResponse = z.infer<typeof NotificationsResponseSchema>
export type PreviewResponse = z.infer<typeof PreviewResponseSchema>
