/** What a person wants to be told, when, and where it is sent. */
import { randomUUID } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import type {
  Briefing,
  NotificationsChange,
  NotificationsResponse,
  QuietHours,
  Rule,
  RuleRequest,
} from "@restwell/client"
import { isOfMorning, isSignMetric, LIMIT_METRICS, metricNamed, SIGN_METRICS } from "@restwell/client/figures"
import type { Transaction } from "kysely"
import type { Sealed } from "../base/encryption.ts"
import type { Context } from "../context/context.ts"
import { InvalidRequest } from "../context/errors.ts"
import { requestNotifying } from "../jobs/request-notifying.ts"
import { type Database, dataTransaction } from "../store/database.ts"
import { WORKING } from "../store/telling-tables.ts"
import { setHomeAssistant } from "./home-assistant-switch.ts"

type Store = Pick<Context, "database">

export interface NotificationSettings {
  readonly briefing: Briefing
  /** From when on the briefing counts: it is not sent of a morning before. */
  readonly briefingSince: Date
  readonly rules: readonly Rule[]
  /** From when on each rule counts, by its id. ISO 8601. */
  readonly rulesSince: Readonly<Record<string, string>>
  readonly quiet: QuietHours | null
  readonly ntfy: { readonly url: string; readonly token: Sealed | null } | null
  readonly homeAssistant: boolean
}

/** Settings of a person who has changed none. */
const DEFAULTS: NotificationSettings = {
  briefing: { enabled: false, earliest: "07:00", channels: [] },
  briefingSince: new Date(0),
  rules: [],
  rulesSince: {},
  quiet: null,
  ntfy: null,
  homeAssistant: false,
}

/** What the token of ntfy is bound to. */
export const ntfyTokenBelongsTo = (userId: string): string => `${userId}/ntfy_token`

/** Undefined for a person who has never changed them: nothing is sent. */
export async function readNotificationSettings(
  { database }: Store,
  userId: string,
): Promise<NotificationSettings | undefined> {
  const row = await database
    .selectFrom("notification_settings")
    .selectAll()
    .where("user_id", "=", userId)
    .executeTakeFirst()
  if (!row) return undefined
  const { ntfy_url: url, ntfy_key_id: keyId, ntfy_token: bytes } = row
  return {
    briefing: row.briefing,
    briefingSince: row.briefing_since,
    rules: row.rules,
    rulesSince: row.rules_since,
    quiet: row.quiet,
    ntfy: url === null ? null : { url, token: keyId === null || bytes === null ? null : { keyId, bytes } },
    homeAssistant: row.home_assistant,
  }
}

/** The settings as the API has them. The token of ntfy never leaves. */
export async function readNotifications(
  store: Store,
  userId: string,
): Promise<Omit<NotificationsResponse, "push_public_key">> {
  const settings = (await readNotificationSettings(store, userId)) ?? DEFAULTS
  return {
    briefing: settings.briefing,
    rules: [...settings.rules],
    quiet: settings.quiet,
    ntfy: settings.ntfy && {
      url: settings.ntfy.url,
      has_token: settings.ntfy.token !== null,
      disabled: await readNtfyFault(store, userId),
    },
    home_assistant: settings.homeAssistant,
  }
}

/** Since when and why nothing is sent to the topic of ntfy. Null for one that works. */
async function readNtfyFault({ database }: Store, userId: string): Promise<{ at: string; reason: string } | null> {
  const row = await database
    .selectFrom("receiver")
    .select(["disabled_at as at", "disabled_reason as reason"])
    .where("user_id", "=", userId)
    .where("kind", "=", "ntfy")
    .executeTakeFirst()
  return row?.at ? { at: row.at.toISOString(), reason: row.reason ?? "" } : null
}

/** Stores the parts that are given. @throws {InvalidRequest} that names the field */
export async function saveNotifications(
  context: Pick<Context, "database" | "clock" | "cipher">,
  userId: string,
  change: NotificationsChange,
): Promise<void> {
  // Of two changes at once, the second one begins with the result of the first.
  await dataTransaction(context.database, userId, async (transaction) => {
    const former = (await readNotificationSettings({ database: transaction }, userId)) ?? DEFAULTS
    const now = context.clock.now()
    const rules = change.rules ? namedRules(change.rules) : former.rules
    const briefing = change.briefing ?? former.briefing
    const ntfy = change.ntfy === undefined ? former.ntfy : changedNtfy(context, userId, { former, change: change.ntfy })
    requireNtfy({ briefing, rules, ntfy })
    const row = {
      briefing: JSON.stringify(briefing),
      briefing_since: briefing.enabled && !former.briefing.enabled ? now : former.briefingSince,
      rules: JSON.stringify(rules),
      rules_since: JSON.stringify(sinceOf(rules, former, now)),
      quiet: quietColumn(change.quiet === undefined ? former.quiet : change.quiet),
      ntfy_url: ntfy?.url ?? null,
      ntfy_key_id: ntfy?.token?.keyId ?? null,
      ntfy_token: ntfy?.token?.bytes ?? null,
      home_assistant: change.home_assistant ?? former.homeAssistant,
    }
    await transaction
      .insertInto("notification_settings")
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute()
    if (ntfy?.url !== former.ntfy?.url) await replaceNtfyReceiver(transaction, { userId, url: ntfy?.url, now })
    else if (change.ntfy) await reviveNtfyReceiver(transaction, userId)
    await requestNotifying(transaction, userId)
    await setHomeAssistant({ database: transaction }, userId, row.home_assistant)
  })
}

/** Messages that wait for the former address end with it. The token is in the settings. */
async function replaceNtfyReceiver(
  transaction: Transaction<Database>,
  { userId, url, now }: { readonly userId: string; readonly url: string | undefined; readonly now: Date },
): Promise<void> {
  await transaction.deleteFrom("receiver").where("user_id", "=", userId).where("kind", "=", "ntfy").execute()
  if (url === undefined) return
  const receiver = { user_id: userId, kind: "ntfy" as const, url, events: null, key_id: null, secret: null }
  await transaction
    .insertInto("receiver")
    .values({ ...receiver, created_at: now })
    .execute()
}

/** A topic that was given up is tried again once its owner has saved it, as with another token. */
async function reviveNtfyReceiver(transaction: Transaction<Database>, userId: string): Promise<void> {
  await transaction
    .updateTable("receiver")
    .set(WORKING)
    .where("user_id", "=", userId)
    .where("kind", "=", "ntfy")
    .execute()
}

/** The access token of the person's topic of ntfy. Undefined without one. @throws {UnreadableSecret} */
export async function readNtfyToken(
  { database, cipher }: Pick<Context, "database" | "cipher">,
  userId: string,
): Promise<string | undefined> {
  const token = (await readNotificationSettings({ database }, userId))?.ntfy?.token
  return token ? cipher.open(token, ntfyTokenBelongsTo(userId)) : undefined
}

const quietColumn = (quiet: QuietHours | null): string | null => quiet && JSON.stringify(quiet)

/** Without a new token the stored one stays, but never goes to another address. */
function changedNtfy(
  { cipher }: Pick<Context, "cipher">,
  userId: string,
  {
    former: { ntfy: former },
    change,
  }: { former: NotificationSettings; change: NonNullable<NotificationsChange["ntfy"]> | null },
): NotificationSettings["ntfy"] {
  if (change === null) return null
  const { url, token } = change
  if (token != null) return { url, token: cipher.seal(token, ntfyTokenBelongsTo(userId)) }
  return { url, token: token === undefined && former?.url === url ? former.token : null }
}

/** A channel without an address would send nothing, and say nothing. */
function requireNtfy({ briefing, rules, ntfy }: Pick<NotificationSettings, "briefing" | "rules" | "ntfy">): void {
  if (ntfy !== null) return
  const lists = [
    { channels: briefing.channels, field: "briefing.channels" },
    ...rules.map(({ channels }, index) => ({ channels, field: `rules.${index}.channels` })),
  ]
  const used = lists.find(({ channels }) => channels.includes("ntfy"))
  if (used)
    throw new InvalidRequest(`${used.field} has ntfy, and there is no address of ntfy: set ntfy.url`, used.field)
}

/** A rule that is new, changed or switched on counts from now on. Where it is sent may change without that. */
function sinceOf(rules: readonly Rule[], former: NotificationSettings, now: Date): Record<string, string> {
  return Object.fromEntries(
    rules.map((rule) => {
      const same = former.rules.find(({ id }) => id === rule.id)
      const isSame = same !== undefined && isDeepStrictEqual({ ...same, channels: [] }, { ...rule, channels: [] })
      return [rule.id, (isSame ? former.rulesSince[rule.id] : undefined) ?? now.toISOString()]
    }),
  )
}

function namedRules(rules: readonly RuleRequest[]): Rule[] {
  const named = rules.map((rule, index) => checkedRule(rule, `rules.${index}`))
  const twice = named.findIndex(({ id }, index) => named.findIndex((other) => other.id === id) < index)
  if (twice >= 0) throw new InvalidRequest(`rules.${twice}.id is that of another rule`, `rules.${twice}.id`)
  return named
}

/** A rule that can be judged, with an id. @param field names it in a refusal @throws {InvalidRequest} */
export function checkedRule(rule: RuleRequest, field: string): Rule {
  const id = rule.id ?? randomUUID()
  if (rule.kind === "limit") {
    requireMetric(rule.metric, {
      field,
      isKnown: isOfMorning(metricNamed(rule.metric)),
      known: LIMIT_METRICS.map(idOf),
    })
    const isClock = metricNamed(rule.metric).kind === "clock"
    if (isClock !== (typeof rule.limit === "string"))
      throw new InvalidRequest(
        `${field}.limit must be ${isClock ? "a time like 23:30" : "a number like 7.5"} for ${rule.metric}`,
        `${field}.limit`,
      )
  }
  if (rule.kind === "unusual")
    requireMetric(rule.metric, { field, isKnown: isSignMetric(rule.metric), known: SIGN_METRICS })
  return { ...rule, id }
}

const idOf = ({ id }: { readonly id: string }): string => id

function requireMetric(
  metric: string,
  { field, isKnown, known }: { readonly field: string; readonly isKnown: boolean; readonly known: readonly string[] },
): void {
  if (isKnown) return
  throw new InvalidRequest(
    `${field}.metric ${metric} cannot have this rule, there are ${known.join(", ")}`,
    `${field}.metric`,
  )
}
