// The journal that a person enters in the page: answers to topics, and a note for each date.

import {
  COMMON_FACTORS,
  DATE_BOUNDS,
  type JournalFactorsResponse,
  nameOfWords,
  nearestMetric,
  OWN_JOURNAL,
  OWN_TOPIC,
  type OwnJournalChange,
  type OwnJournalResponse,
} from "@restwell/client"
import { journalTitle } from "@restwell/client/figures"
import { JOURNAL_FACTORS } from "@restwell/providers"
import { type Kysely, sql, type Transaction } from "kysely"
import { todayIn } from "../base/calendar.ts"
import { plainLines, plainText } from "../base/plain-text.ts"
import type { Context } from "../context/context.ts"
import { InvalidRequest } from "../context/errors.ts"
import { readTimeZone } from "../context/time-zone.ts"
import { type Database, growDataVersion, personTransaction } from "../store/database.ts"

type Store = Pick<Context, "database">

/** True for a topic that a person made up. */
export const isOwnTopic = (factor: string): boolean => factor.startsWith(OWN_TOPIC)

/** What the person entered for a date, and the vendors' answers. @throws {InvalidRequest} for a date in the future */
export async function readOwnJournal(
  context: Pick<Context, "database" | "clock">,
  userId: string,
  date: string,
): Promise<OwnJournalResponse> {
  await refuseFuture(context, userId, date)
  const { database } = context
  const [answers, notes, ofVendors] = await Promise.all([
    sql<OwnJournalResponse["answers"][number]>`
      select factor, title, answer, value from restwell.own_journal
      where user_id = ${userId} and date = ${date}::date order by lower(title), factor`.execute(database),
    sql<{ note: string }>`
      select note from restwell.own_notes where user_id = ${userId} and date = ${date}::date`.execute(database),
    sql<Omit<OwnJournalResponse["vendor_answers"][number], "title">>`
      select v.factor, v.question, v.answer, v.provider as source from restwell.vendor_journal v
      join restwell.connection c on c.user_id = v.user_id and c.provider = v.provider and c.status <> 'disconnected'
      where v.user_id = ${userId} and v.date = ${date}::date
      order by v.factor, v.provider, v.started_at, v.question`.execute(database),
  ])
  return {
    date,
    answers: answers.rows,
    note: notes.rows[0]?.note ?? null,
    vendor_answers: ofVendors.rows.map((answer) => ({ ...answer, title: journalTitle(answer.factor) })),
  }
}

/** Stores what the change has, and removes what it sets to null. Every answer that is read afterwards follows it. @throws {InvalidRequest} */
export async function writeOwnJournal(
  context: Pick<Context, "database" | "clock">,
  userId: string,
  { date, ...change }: OwnJournalChange & { readonly date: string },
): Promise<void> {
  await refuseFuture(context, userId, date)
  await personTransaction(context.database, userId, async (transaction) => {
    // First, so that two changes of one person wait for each other.
    await growDataVersion(transaction, userId)
    const day = { userId, date }
    if (change.answers && change.answers.length > 0) await writeAnswers(transaction, day, change.answers)
    if (change.note !== undefined) await writeNote(transaction, day, change.note)
  })
}

/** @throws {InvalidRequest} */
async function refuseFuture(context: Pick<Context, "database" | "clock">, userId: string, date: string): Promise<void> {
  const today = todayIn(await readTimeZone(context, userId), context.clock.now())
  if (date > today) throw new InvalidRequest(`date ${date} is in the future, today is ${today}`, "date")
}

interface OwnDay {
  readonly userId: string
  readonly date: string
}

type AnswerChange = NonNullable<OwnJournalChange["answers"]>[number]

async function writeAnswers(
  transaction: Transaction<Database>,
  { userId, date }: OwnDay,
  changes: readonly AnswerChange[],
): Promise<void> {
  const named = changes.map((change) => ({ ...change, factor: canonicalFactor(change.factor) }))
  const titles = await titlesOf(transaction, userId, named)
  const factors = named.map(({ factor }) => factor)
  if (new Set(factors).size < factors.length) throw new InvalidRequest("answers names a factor twice", "answers")
  for (const table of ["own_answer", "import_own_answer"] as const)
    await transaction
      .deleteFrom(table)
      .where("user_id", "=", userId)
      .where("date", "=", date)
      .where("factor", "in", factors)
      .execute()
  const rows = named.flatMap(({ factor, answer, value = null }) =>
    answer === null
      ? []
      : [{ user_id: userId, date, factor, title: titles.get(factor) ?? journalTitle(factor), answer, value }],
  )
  if (rows.length > 0) await transaction.insertInto("own_answer").values(rows).execute()
  await renameTopics(transaction, userId, named, titles)
  await refuseTooMany(transaction, { userId, date })
}

/** The stored spelling of a name. @throws {InvalidRequest} for a topic of the person's own without words */
function canonicalFactor(factor: string): string {
  if (!isOwnTopic(factor)) return factor
  const words = nameOfWords(factor.slice(OWN_TOPIC.length))
  if (words === "")
    throw new InvalidRequest(`factor ${OWN_TOPIC} is followed by words, as in own:pizza_night`, "answers")
  return `${OWN_TOPIC}${words}`
}

/**
 * The titles of topics: of the person's own as they are sent, or as they were stored before, of others by their name.
 * @throws {InvalidRequest} for a new topic without a title, and for a name that is in no list
 */
async function titlesOf(
  transaction: Transaction<Database>,
  userId: string,
  changes: readonly Pick<AnswerChange, "factor" | "title" | "answer">[],
): Promise<ReadonlyMap<string, string>> {
  const used = new Map((await readUsedFactors(transaction, userId)).map(({ factor, title }) => [factor, title]))
  return new Map(
    changes.map(({ factor, title, answer }) => {
      const sent = title === undefined || !isOwnTopic(factor) ? "" : plainText(title, OWN_JOURNAL.title)
      const known = used.get(factor) ?? (JOURNAL_FACTORS.includes(factor) ? journalTitle(factor) : undefined)
      const found = sent || known
      if (found !== undefined) return [factor, found]
      // Removing an answer that does not exist changes nothing.
      if (answer === null) return [factor, ""]
      throw isOwnTopic(factor)
        ? new InvalidRequest(`title is needed for the new topic ${factor}`, "answers")
        : new InvalidRequest(unknownFactor(factor, [...used.keys()]), "answers")
    }),
  )
}

function unknownFactor(factor: string, used: readonly string[]): string {
  const meant = nearestMetric(factor, [...JOURNAL_FACTORS, ...used])
  return `factor ${factor} is unknown, ${meant === undefined ? "" : `did you mean ${meant}? A `}topic of your own is named own:<words>`
}

/** A topic has one title on all dates. */
async function renameTopics(
  transaction: Transaction<Database>,
  userId: string,
  changes: readonly Pick<AnswerChange, "factor" | "title">[],
  titles: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { factor, title: sent } of changes) {
    const title = titles.get(factor)
    if (sent === undefined || title === undefined || !isOwnTopic(factor)) continue
    for (const table of ["own_answer", "import_own_answer"] as const)
      await transaction
        .updateTable(table)
        .set({ title })
        .where("user_id", "=", userId)
        .where("factor", "=", factor)
        .where("title", "<>", title)
        .execute()
  }
}

/** @throws {InvalidRequest} for more answers of a date, or more topics of the person's own, than anybody needs */
async function refuseTooMany(transaction: Transaction<Database>, { userId, date }: OwnDay): Promise<void> {
  const { rows } = await sql<{ answers: number; topics: number }>`
    select (select count(*)::integer from restwell.own_answer where user_id = ${userId} and date = ${date}::date) as answers,
      (select count(distinct factor)::integer from restwell.own_answer
       where user_id = ${userId} and factor like ${`${OWN_TOPIC}%`}) as topics`.execute(transaction)
  const [found] = rows
  if ((found?.answers ?? 0) > OWN_JOURNAL.answers)
    throw new InvalidRequest(`a date has at most ${OWN_JOURNAL.answers} answers`, "answers")
  if ((found?.topics ?? 0) > OWN_JOURNAL.topics)
    throw new InvalidRequest(`you have ${OWN_JOURNAL.topics} topics of your own, which is the most`, "answers")
}

async function writeNote(
  transaction: Transaction<Database>,
  { userId, date }: OwnDay,
  note: string | null,
): Promise<void> {
  for (const table of ["own_note", "import_own_note"] as const)
    await transaction.deleteFrom(table).where("user_id", "=", userId).where("date", "=", date).execute()
  const text = plainLines(note ?? "", OWN_JOURNAL.note)
  if (text !== "") await transaction.insertInto("own_note").values({ user_id: userId, date, note: text }).execute()
}

/** Topics to offer: those in use, the last used first, then common ones that were never answered. */
export async function readJournalFactors({ database }: Store, userId: string): Promise<JournalFactorsResponse> {
  const used = await readUsedFactors(database, userId)
  const unused = COMMON_FACTORS.filter((factor) => !used.some((one) => one.factor === factor))
  return {
    factors: [
      ...used.map(({ factor, title, last_used }) => ({ factor, title, is_own: isOwnTopic(factor), last_used })),
      ...unused.map((factor) => ({ factor, title: journalTitle(factor), is_own: false, last_used: null })),
    ],
  }
}

interface UsedFactor {
  readonly factor: string
  readonly title: string
  /** The newest date with a yes or a no. */
  readonly last_used: string
}

async function readUsedFactors(database: Kysely<Database>, userId: string): Promise<UsedFactor[]> {
  const { rows } = await sql<Omit<UsedFactor, "title"> & { readonly own_title: string | null }>`
    select j.factor, max(j.date)::text as last_used,
      (array_agg(j.question order by j.date desc) filter (where j.provider = 'restwell'))[1] as own_title
    from restwell.journal j
    left join restwell.connection c on c.user_id = j.user_id and c.provider = j.provider
    where j.user_id = ${userId} and j.date >= ${DATE_BOUNDS.min}::date and j.answer is not null
      and (j.provider = 'restwell' or c.status <> 'disconnected')
    group by j.factor order by max(j.date) desc, j.factor`.execute(database)
  return rows.map(({ factor, last_used, own_title }) => ({
    factor,
    last_used,
    title: isOwnTopic(factor) && own_title !== null ? own_title : journalTitle(factor),
  }))
}
