import {
  DEFAULT_DAYS_OFF,
  DEFAULT_PREFERENCES,
  type DisplayPreferences,
  PREFERENCE_KEYS,
  type PreferencesChange,
  type PreferencesResponse,
} from "@restwell/client"
import { type Kysely, sql } from "kysely"
import type { Plan } from "../base/plans.ts"
import { type Context, recordSecurityEvent } from "../context/context.ts"
import { accountGone, NotFound } from "../context/errors.ts"
import type { ConnectionStatus } from "../store/connection-tables.ts"
import { type Database, growDataVersion, personTransaction, readPages } from "../store/database.ts"
import { PAGE_SIZE } from "./export-account.ts"

const NO_PERSON = "there is no account with this id"

/** Changes how many requests a person has in a month, from the next request on. @throws {NotFound} */
export async function setPlan(
  { database, clock }: Pick<Context, "database" | "clock">,
  userId: string,
  plan: Plan,
): Promise<void> {
  await personTransaction(database, userId, async (transaction) => {
    const person = await transaction
      .selectFrom("person")
      .select("plan")
      .where("user_id", "=", userId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!person) throw new NotFound(NO_PERSON)
    if (person.plan === plan) return
    await transaction.updateTable("person").set({ plan }).where("user_id", "=", userId).execute()
    const detail = `${person.plan} -> ${plan}`
    await recordSecurityEvent({ database: transaction, clock }, userId, { type: "plan_changed", detail })
  })
}

/** Sets whether an email tells the person when a connection has to be renewed. */
export async function setReconnectMail(
  { database }: Pick<Context, "database">,
  userId: string,
  isOn: boolean,
): Promise<void> {
  await database.updateTable("person").set({ reconnect_mail: isOn }).where("user_id", "=", userId).execute()
}

type Store = Pick<Context, "database">

/** The id of the owner. Undefined before the set-up, and after the owner's account was deleted. */
export async function readOwnerId({ database }: Store): Promise<string | undefined> {
  return (await database.selectFrom("owner").select("user_id").executeTakeFirst())?.user_id
}

/** True once somebody owns this installation. */
export const hasOwner = async (store: Store): Promise<boolean> => (await readOwnerId(store)) !== undefined

/** What the set-up has created in its transaction. */
interface CreatedOwner<Result> {
  readonly userId: string
  readonly result: Result
}

/**
 * Creates the owner's account and appoints it, in one transaction: a process that is killed midway leaves nothing behind. Simultaneous calls
 * wait for each other.
 * @returns undefined if there is an owner already
 */
export const createOwner = <Result>(
  { database }: Store,
  create: (transaction: Kysely<Database>) => Promise<CreatedOwner<Result>>,
): Promise<Result | undefined> =>
  database.transaction().execute(async (transaction) => {
    await lockOwner(transaction)
    if (await hasOwner({ database: transaction })) return undefined
    const { userId, result } = await create(transaction)
    await transaction.insertInto("owner").values({ user_id: userId }).execute()
    return result
  })

/** Makes an account the owner, in place of another one if there is one. Does nothing if it is the owner already. */
export const setOwner = ({ database, clock }: Pick<Context, "database" | "clock">, userId: string): Promise<void> =>
  database.transaction().execute(async (transaction) => {
    await lockOwner(transaction)
    const former = await readOwnerId({ database: transaction })
    if (former === userId) return
    await transaction
      .insertInto("owner")
      .values({ user_id: userId })
      .onConflict((conflict) => conflict.column("is_only").doUpdateSet({ user_id: userId }))
      .execute()
    const store = { database: transaction, clock }
    await recordSecurityEvent(store, userId, { type: "owner_changed", detail: "appointed" })
    if (former !== undefined) await recordSecurityEvent(store, former, { type: "owner_changed", detail: "replaced" })
  })

const lockOwner = (transaction: Kysely<Database>): Promise<unknown> =>
  sql`lock table restwell.owner in share row exclusive mode`.execute(transaction)

/** People in one page. */
export const PEOPLE_PAGE = PAGE_SIZE

export interface ListedPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly createdAt: Date
  readonly plan: Plan
  readonly connections: readonly { readonly provider: string; readonly status: ConnectionStatus }[]
  /** The last read by the person's key or an assistant within 90 days, which the access log keeps. */
  readonly lastReadAt: Date | null
}
type Position = Pick<ListedPerson, "createdAt" | "id">

/** Everybody with an account, in the order of their sign-ups, in pages. */
export const listPeople = ({ database }: Store): AsyncIterable<readonly ListedPerson[]> =>
  readPages(PAGE_SIZE, (after?: Position) => readPeople({ database }, after === undefined ? {} : { after }))

/** A page of people. @param search a part of the name or the address */
export async function readPeople(
  { database }: Store,
  { id, after, search = "" }: { readonly id?: string; readonly after?: Position; readonly search?: string },
): Promise<ListedPerson[]> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const people = await database
    .selectFrom("user")
    .innerJoin("person", "person.user_id", "user.id")
    .select(["user.id", "name", "email", "createdAt", "plan"])
    .select((row) =>
      row
        .selectFrom("access_log")
        .select("at")
        .whereRef("access_log.user_id", "=", "user.id")
        .where("outcome", "=", "answered")
        .orderBy("access_log.id", "desc")
        .limit(1)
        .as("lastReadAt"),
    )
    .$if(id !== undefined, (query) => query.where("user.id", "=", id ?? ""))
    .$if(search !== "", (query) =>
      query.where((row) => row.or([row("email", "ilike", pattern), row("name", "ilike", pattern)])),
    )
    .$if(after !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row("createdAt", ">", after?.createdAt ?? new Date(0)),
          row.and([row("createdAt", "=", after?.createdAt ?? new Date(0)), row("user.id", ">", after?.id ?? "")]),
        ]),
      ),
    )
    .orderBy("createdAt")
    .orderBy("user.id")
    .limit(PAGE_SIZE)
    .execute()
  const connections = await readConnectionsOf(
    { database },
    people.map(({ id }) => id),
  )
  return people.map((person) => ({ ...person, connections: connections.get(person.id) ?? [] }))
}

async function readConnectionsOf({ database }: Store, userIds: readonly string[]) {
  const rows =
    userIds.length === 0
      ? []
      : await database
          .selectFrom("connection")
          .select(["user_id", "provider", "status"])
          .where("user_id", "in", userIds)
          .where("status", "<>", "disconnected")
          .orderBy("provider")
          .execute()
  return Map.groupBy(rows, ({ user_id }) => user_id)
}

/** One person. @throws {NotFound} */
export async function readPerson(store: Store, id: string): Promise<ListedPerson> {
  const [person] = await readPeople(store, { id })
  if (!person) throw new NotFound(NO_PERSON)
  return person
}

/** What is stored, null where nothing is. */
export type StoredPreferences = { readonly [Key in keyof DisplayPreferences]: DisplayPreferences[Key] | null }

/** How figures and clock times are written. */
export const displayPreferences = ({ units, clock, first_weekday }: StoredPreferences): DisplayPreferences => ({
  units: units ?? DEFAULT_PREFERENCES.units,
  clock: clock ?? DEFAULT_PREFERENCES.clock,
  first_weekday: first_weekday ?? DEFAULT_PREFERENCES.first_weekday,
})

/** How the person wants figures and clock times to be written, and which of it is stored. */
export async function readPreferences({ database }: Store, userId: string): Promise<PreferencesResponse> {
  const row = await database
    .selectFrom("person")
    .select(PREFERENCE_KEYS)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow(accountGone)
  return {
    ...displayPreferences(row),
    days_off: row.days_off ?? [...DEFAULT_DAYS_OFF],
    time_zone: row.time_zone,
    trend_cards: row.trend_cards,
    hidden_cards: row.hidden_cards,
    no_main_device: row.no_main_device ?? false,
    stored: PREFERENCE_KEYS.filter((key) => row[key] !== null),
  }
}

/** Preferences that answers are computed by. The others only decide how they are written. */
const CHANGES_ANSWERS: readonly (typeof PREFERENCE_KEYS)[number][] = ["time_zone", "days_off"]

/** Stores the keys that are given. What the browser suggests is stored where nothing is. */
export async function savePreferences(
  { database }: Store,
  userId: string,
  { suggested = false, ...change }: PreferencesChange,
): Promise<void> {
  await personTransaction(database, userId, async (transaction) => {
    const { suggested_preferences: earlier, ...stored } = await transaction
      .selectFrom("person")
      .select([...PREFERENCE_KEYS, "suggested_preferences"])
      .where("user_id", "=", userId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(accountGone)
    const given = PREFERENCE_KEYS.filter((key) => change[key] !== undefined && !(suggested && stored[key] !== null))
    if (given.length === 0) return
    const others = earlier.filter((key) => !given.some((each) => each === key))
    await transaction
      .updateTable("person")
      .set(Object.fromEntries(given.map((key) => [key, change[key]])))
      .set({ suggested_preferences: suggested ? [...others, ...given] : others })
      .where("user_id", "=", userId)
      .execute()
    // Which date is today may be another one now, and which days are off.
    if (given.some((key) => CHANGES_ANSWERS.includes(key))) await growDataVersion(transaction, userId)
  })
}
