import { sql } from "kysely"

/** What every copy of a record has beside whose it is, with the types of PostgreSQL. The first two name the record, the others are its version. */
const COLUMNS = {
  kind: "text",
  provider_id: "text",
  date: "date",
  started_at: "timestamptz",
  ended_at: "timestamptz",
  utc_offset_minutes: "integer",
  score_state: "text",
  vendor_updated_at: "timestamptz",
  sleep_provider_id: "text",
  cycle_provider_id: "text",
  detail: "json",
  candidate: "json",
  course: "json",
  raw: "jsonb",
}

const names = Object.keys(COLUMNS)
/** JSON as text: what is written from one record is equal, because jsonb orders its keys on the way. */
const comparable = (table: "stored" | "excluded", name: string) =>
  COLUMNS_OF_JSON.includes(name) ? sql`${sql.ref(`${table}.${name}`)}::text` : sql.ref(`${table}.${name}`)
const COLUMNS_OF_JSON: readonly string[] = ["detail", "candidate", "course"]
const versionNames = names.filter((name) => name !== "kind" && name !== "provider_id")

/** The names of all columns, for `insert` and `select`. */
export const recordColumns = sql.join(names.map((name) => sql.ref(name)))

/** The columns of rows whose date is `night_date`, where that of their night may be another one. */
export const recordColumnsOfNights = sql.join(names.map((name) => sql.ref(name === "date" ? "night_date" : name)))

/** Names and types, for `jsonb_to_recordset`. */
export const recordDefinitions = sql.raw(
  Object.entries(COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(", "),
)

/** The columns of a version, for `is distinct from`. */
export const versionColumns = (table: "stored" | "excluded") =>
  sql`(${sql.join(versionNames.map((name) => comparable(table, name)))})`

/** Takes over the version that was inserted, for `do update set`. */
export const replaceVersion = sql.join(
  versionNames.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
)
