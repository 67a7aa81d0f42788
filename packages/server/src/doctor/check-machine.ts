import { stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { hasCluster } from "@restwell/postgres"
import { hasSecretFile, readCurrentSecrets } from "../config/secret-files.ts"
import { bindPort } from "../network/bind-port.ts"
import { type Facts, failed, failedBy, findProblem, freeMegabytes, type Outcome, ok, skipped } from "./facts.ts"

// Checks of this machine: settings, secret, files and port.

/** Visitors cannot choose their address. Other mistakes in the settings end the checks before. */
export const checkSettings = async ({ config }: Facts): Promise<Outcome> =>
  config.trustProxy === true
    ? failed("TRUST_PROXY=true lets anybody claim any address", "name your proxies in it, or their number")
    : ok("every setting is known and has a possible value")

/** The secret is there, and nobody else on the machine can read it. */
export async function checkSecret({ config }: Facts): Promise<Outcome> {
  if (config.secret !== undefined) return ok("RESTWELL_SECRET is set")
  if (!hasSecretFile(config.dataDir) && !(await hasCluster(config.dataDir))) return ok("the first start makes it")
  try {
    await readCurrentSecrets(config)
  } catch (error) {
    return findProblem(error)
  }
  const path = join(config.dataDir, "secret")
  const { mode } = await stat(path)
  if (process.platform !== "win32" && (mode & 0o077) !== 0)
    return failed(`other users of this machine can read ${path}`, `chmod 600 '${path}'`)
  return ok(`it is in ${path}`)
}

/** HOST and PORT can be listened on, or the service does. */
export async function checkPort(facts: Facts): Promise<Outcome> {
  const { host, port } = facts.config
  const answer = await facts.local()
  if (answer.from === "ours") return ok(`the service listens on ${host} port ${port}`)
  if (answer.from === "other" && (await isRestwellWorker(facts)))
    return ok(`a worker of the service listens on ${host} port ${port}`)
  if (answer.from !== "nobody" && (await facts.isSecretWrong())) return skipped("the secret is not known")
  if (answer.from === "stranger")
    return failed(
      `a Restwell with another secret or database uses ${host} port ${port}`,
      "set PORT to another one, or use the settings of that service",
    )
  try {
    using _socket = await bindPort(host, port)
    return ok(`${host} port ${port} is free`)
  } catch (error) {
    return findProblem(error)
  }
}

async function isRestwellWorker({ config, signal }: Facts): Promise<boolean> {
  const response = await fetch(`http://${config.host}:${config.port}/`, { signal }).catch(() => undefined)
  return /this process is a worker/.test((await response?.text().catch(() => "")) ?? "")
}

/** A year of one person needs about 5 MB, and an upload its own size. */
const LITTLE_MB = 500

/** DATA_DIR can be used, and its disk has space. */
export async function checkDataDir(facts: Facts): Promise<Outcome> {
  const { config } = facts
  const fault = await facts.dataDirFault()
  if (fault !== undefined) return failedBy(fault)
  const where = `DATA_DIR (${resolve(config.dataDir)})`
  const free = await freeMegabytes(config.dataDir)
  if (free < LITTLE_MB)
    return failed(`the disk of ${where} has only ${free} MB left`, "free some space, or move DATA_DIR to a larger disk")
  if (config.databaseUrl !== undefined) return ok(`${where} can be used`)
  if (hasSecretFile(config.dataDir) && !(await hasCluster(config.dataDir)))
    return failed(
      `${where} has a secret but no database`,
      "set DATA_DIR or DATABASE_URL to where the data is, or restore a backup",
    )
  return ok(`${where} can be used, ${free} MB are free`)
}

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
  if (schema.isForeign)
    return failed(
      "the tables of the database are not those of this Restwell: another build made them",
      "start that build, restore a backup that this one made, or set DATA_DIR or DATABASE_URL to another place",
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
