/** The templates of the population: rows of people who are synced, read and deleted again. */
import { text } from "node:stream/consumers"
import type { Pool } from "pg"
import { to as copyTo } from "pg-copy-streams"
import { writtenColumns } from "../targets/written-columns.ts"
import { type Stamp, stampMaker } from "./stamp.ts"
import { openTemplateSync, type SyncedPerson } from "./template-sync.ts"

/** The tables of a person besides records, in the order of the foreign keys. */
export const PERSON_TABLES = [`"user"`, "person", "api_key", "usage", "connection", "profile"] as const
type PersonTable = (typeof PERSON_TABLES)[number]

export interface Template {
  readonly rows: ReadonlyMap<PersonTable, readonly Stamp[]>
  /** The records of each day, the oldest first. */
  readonly days: readonly (readonly Stamp[])[]
}

export interface TemplateOptions {
  readonly count: number
  /** Days of history of each template. */
  readonly days: number
}

/** Makes templates with different histories. All people of the population are copies of them, with other ids. */
export async function makeTemplates(pool: Pool, { count, days }: TemplateOptions): Promise<Template[]> {
  const sync = await openTemplateSync(pool)
  const templates: Template[] = []
  try {
    for (let number = 0; number < count; number += 1) {
      const person = await sync.addPerson(number, days)
      templates.push(await readTemplate(pool, person))
      await pool.query(`delete from restwell."user" where id = $1`, [person.userId])
    }
  } finally {
    await sync.close()
  }
  return templates
}

async function readTemplate(pool: Pool, person: SyncedPerson): Promise<Template> {
  const makeStamp = stampMaker(person)
  const rows = new Map<PersonTable, Stamp[]>()
  for (const table of PERSON_TABLES) {
    const key = table === `"user"` ? "id" : "user_id"
    const columns = await writtenColumns(pool, table)
    const lines = await copyLines(pool, `select ${columns} from restwell.${table} where ${key} = '${person.userId}'`)
    rows.set(table, lines.map(makeStamp))
  }
  const { rows: dates } = await pool.query<{ date: string }>(
    `select distinct date::text from restwell.record where user_id = $1 order by 1`,
    [person.userId],
  )
  const days: Stamp[][] = []
  const columns = await writtenColumns(pool, "record")
  for (const { date } of dates) {
    const ofDate = `select ${columns} from restwell.record where user_id = '${person.userId}' and date = '${date}' order by started_at`
    days.push((await copyLines(pool, ofDate)).map(makeStamp))
  }
  return { rows, days }
}

async function copyLines(pool: Pool, query: string): Promise<string[]> {
  const client = await pool.connect()
  try {
    const lines = (await text(client.query(copyTo(`copy (${query}) to stdout`)))).split("\n")
    return lines.slice(0, -1)
  } finally {
    client.release()
  }
}
