import { type Facts, failed, findProblem, type Outcome, ok, skipped } from "./facts.ts"

/** Connections that one process opens at most. */
const NEEDED_CONNECTIONS = 30

/** The database answers, is new enough, and can be written to. */
export async function checkDatabase(facts: Facts): Promise<Outcome> {
  const where = facts.config.databaseUrl === undefined ? "the embedded PostgreSQL" : "the database of DATABASE_URL"
  let database: Awaited<ReturnType<Facts["openDatabase"]>>
  try {
    database = await facts.openDatabase()
  } catch (error) {
    return findProblem(error)
  }
  if (!database) return skipped("there is none yet, the first start makes it")
  const state = await facts.databaseState()
  if (state.isOldServer)
    return failed(
      `${where} is PostgreSQL ${state.version}, and Restwell needs 15 or newer`,
      "upgrade the server, or set DATABASE_URL to another one",
    )
  if (state.isReadOnly)
    return failed(`${where} takes no changes: it is a standby or set to read-only`, "set DATABASE_URL to the primary")
  if (state.encoding !== "UTF8")
    return failed(
      `${where} has the encoding ${state.encoding}`,
      "make a database with the encoding UTF8, and move the data",
    )
  const { most, open } = state.connections
  if (most - open < (await missingConnections(facts)))
    return failed(
      `${where} has ${most - open} of ${most} connections left, and a process needs up to ${NEEDED_CONNECTIONS}`,
      "raise max_connections of the server, or end other programs on it",
    )
  return ok(`${where} answers, PostgreSQL ${state.version}${database.isPooled ? ", through a pooler" : ""}`)
}

const missingConnections = async (facts: Facts): Promise<number> =>
  facts.config.databaseUrl === undefined || (await facts.isServiceRunning()) ? 1 : NEEDED_CONNECTIONS

/** The database has the tables of this version. */
export async function checkSchema(facts: Facts): Promise<Outcome> {
  const { schema, isOldServer, forbiddenTables } = await facts.databaseState()
  if (isOldServer) return skipped("the server is too old")
  if (schema.isEmpty) return ok("there are no tables yet, the first start makes them")
  if (schema.newer.length > 0)
    return failed(
      `the database is of a newer Restwell (${schema.newer.join(", ")})`,
      "use that version, or restore a backup made before the upgrade",
    )
  if (schema.pending.length > 0)
    return failed(
      `the database is of an older Restwell (${schema.pending.join(", ")} is missing)`,
      "make a backup and start this version, which brings the tables up to date",
    )
  if (forbiddenTables > 0)
    return failed(
      `the user of DATABASE_URL may not use ${forbiddenTables} tables of the schema restwell`,
      "make that user the owner of the schema and its tables",
    )
  return ok(`it is that of this version (${facts.version})`)
}

/** The secret decrypts what is stored. */
export async function checkStoredSecrets(facts: Facts): Promise<Outcome> {
  const { total, unreadable } = await facts.storedSecrets()
  if (unreadable === 0) return ok(`all ${total} can be decrypted`)
  if (unreadable === total)
    return failed(
      `the secret is not the one of this database: it decrypts none of ${total} stored secrets`,
      "restore the secret from your backup, or add the former one to RESTWELL_FORMER_SECRETS",
    )
  return failed(
    `${unreadable} of ${total} stored secrets were encrypted with an unknown secret`,
    "add that secret to RESTWELL_FORMER_SECRETS, or to the file former-secrets of DATA_DIR, and restart the service, or let people connect again" +
      (facts.unreadableSettings.length > 0
        ? ` and enter ${facts.unreadableSettings.join(", ")} again on the page Service`
        : ""),
  )
}
