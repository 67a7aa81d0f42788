// Checks of this machine: settings, secret, files and port.
import { readFile, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { z } from "zod"
import { readCurrentSecrets } from "../config/open-secrets.ts"
import { hasSecretFile } from "../config/secret-files.ts"
import { readChatPage, readDashboard } from "../docs/built-pages.ts"
import { bindPort } from "../network/bind-port.ts"
import { hasCluster } from "../postgres/home.ts"
import { type Facts, freeMegabytes } from "./facts.ts"
import { failed, failedBy, findProblem, type Outcome, ok, skipped } from "./result.ts"

/** Every setting is known and has a possible value. */
export async function checkSettings({ settings, config }: Facts): Promise<Outcome[]> {
  const mistakes = settings.mistakes.map((mistake) =>
    / is not a setting, /.test(mistake)
      ? failed(mistake, "rename or remove it, and start the service again")
      : failed(mistake, "correct it, and start the service again"),
  )
  const trustsAll = config.trustProxy === true
  return [
    ...mistakes,
    ...(trustsAll
      ? [failed("TRUST_PROXY=true lets anybody claim any address", "name your proxies in it, or their number")]
      : []),
    ...(mistakes.length === 0 && !trustsAll ? [ok("every setting is known and has a possible value")] : []),
  ]
}

/** The secret is there, and nobody else on the machine can read it. */
export async function checkSecret({ config, settings }: Facts): Promise<Outcome> {
  if (settings.unusable.has("RESTWELL_SECRET")) return skipped("its setting has a mistake")
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

/** The pages were built. */
export async function checkDashboard(): Promise<Outcome> {
  try {
    await Promise.all([readDashboard(), readChatPage()])
    return ok("it is built")
  } catch (error) {
    return findProblem(error)
  }
}

/** HOST and PORT can be listened on, or the service does. */
export async function checkPort(facts: Facts): Promise<Outcome> {
  const { host, port } = facts.config
  const answer = await facts.local().catch(() => undefined)
  if (answer?.from === "ours") return ok(`the service listens on ${host} port ${port}`)
  const isWorker = answer?.from === "other" && (await isRestwellWorker(facts))
  if (isWorker) return ok(`a worker of the service listens on ${host} port ${port}`)
  const isKnown = answer !== undefined && answer.from !== "nobody"
  if ((answer === undefined || isKnown) && (await facts.isSecretWrong())) return skipped("the secret is not known")
  if (answer?.from === "stranger")
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

/** Files that a process needs beside the connections of people. */
const OTHER_FILES = 200

/** The system lets the service open MAX_CONNECTIONS connections. */
export async function checkOpenFiles(facts: Facts): Promise<Outcome> {
  const most = (await serviceLimit(facts)) ?? ownLimit()
  if (most === undefined) return skipped("this system does not say how many files a process may open")
  const needed = facts.config.maxConnections + OTHER_FILES
  if (most >= needed) return ok(`a process may open ${most} files`)
  return failed(
    `MAX_CONNECTIONS=${facts.config.maxConnections} needs ${needed} open files, and the limit is ${most}`,
    `raise the limit (ulimit -Hn, LimitNOFILE= in systemd, ulimits in Compose), or set MAX_CONNECTIONS to ${Math.max(10, most - OTHER_FILES)} or less`,
  )
}

/** The limit of the service's own process: a supervisor may have set another one than our shell's. */
async function serviceLimit(facts: Facts): Promise<number | undefined> {
  const pid = await facts.openDatabase().then(
    (database) => database?.servicePid,
    () => undefined,
  )
  if (pid === undefined) return undefined
  const limits = await readTextIfThere(`/proc/${pid}/limits`)
  return numberOf(/^Max open files\s+\S+\s+(\S+)/m.exec(limits)?.[1])
}

function ownLimit(): number | undefined {
  const report = LimitSchema.safeParse(process.report.getReport()).data
  return numberOf(String(report?.userLimits.open_files.hard))
}

const LimitSchema = z.object({
  userLimits: z.object({ open_files: z.object({ hard: z.union([z.number(), z.string()]) }) }),
})

const readTextIfThere = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "")

const numberOf = (text: string | undefined): number | undefined =>
  text === "unlimited" ? Number.POSITIVE_INFINITY : Number.parseInt(text ?? "", 10) || undefined

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
