// Checks of this machine: settings, secret, files and port.
import { stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { hasSecretFile, readCurrentSecrets } from "../config/secret-files.ts"
import { bindPort } from "../network/bind-port.ts"
import { hasCluster } from "../postgres/home.ts"
import { type Facts, failed, failedBy, findProblem, freeMegabytes, type Outcome, ok, skipped } from "./facts.ts"

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
