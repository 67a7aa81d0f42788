// Checks of what the service does: clock, connections, jobs, backups.
import { access, constants, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { dirname, resolve } from "node:path"
import { othersCan, readBackups, UNREADABLE_REASON } from "@restwell/core"
import { type Facts, freeMegabytes } from "./facts.ts"
import { failed, type Outcome, ok, skipped } from "./result.ts"
import { codeOf } from "./service-proof.ts"

const LONGEST_MS = 8_000
const HOUR_MS = 3_600_000
const DAY_HOURS = 24
/** Date headers have whole seconds, and take some to arrive. */
const CLOCK_MS = 90_000

/** The clock of this machine is right, by the clocks of others. */
export async function checkClock(facts: Facts): Promise<Outcome> {
  const clocks = await Promise.all([
    databaseClock(facts),
    ...addressesWithClock(facts).map((url) => webClock(facts, url)),
  ])
  const known = clocks.filter((clock) => clock !== undefined)
  if (known.length === 0) return skipped("no other clock was reached")
  const wrong = known.find(({ aheadMs }) => Math.abs(aheadMs) > CLOCK_MS)
  if (!wrong) return ok("it agrees with other clocks")
  const seconds = Math.round(Math.abs(wrong.aheadMs) / 1000)
  return failed(
    `the clock of this machine is ${seconds} seconds ${wrong.aheadMs > 0 ? "ahead of" : "behind"} ${wrong.whose}`,
    "let the machine set its clock by itself (systemd-timesyncd or chrony)",
  )
}

const addressesWithClock = ({ config }: Facts): string[] => [
  ...new Set([...config.vendors.values()].map(({ baseUrl }) => baseUrl)),
]

async function databaseClock(facts: Facts): Promise<{ whose: string; aheadMs: number } | undefined> {
  if (facts.config.databaseUrl === undefined) return undefined
  const state = await facts.databaseState().catch(() => undefined)
  // The state may have been read a while ago, which the limit allows for.
  return state && { whose: "the database server's", aheadMs: state.readAt.getTime() - state.now.getTime() }
}

async function webClock(facts: Facts, url: string): Promise<{ whose: string; aheadMs: number } | undefined> {
  const signal = AbortSignal.any([facts.signal, AbortSignal.timeout(LONGEST_MS)])
  const response = await fetch(url, { method: "HEAD", redirect: "manual", signal }).catch(() => undefined)
  const at = Date.parse(response?.headers.get("date") ?? "")
  return Number.isNaN(at)
    ? undefined
    : { whose: `that of ${new URL(url).host}`, aheadMs: facts.clock.now().getTime() - at }
}

/** No connection fails or waits for its person. */
export async function checkConnections(facts: Facts): Promise<Outcome[]> {
  const { groups } = await facts.syncState()
  const isSecretBack = await facts.storedSecrets().then(
    ({ unreadable }) => unreadable === 0,
    () => false,
  )
  const faults = groups.flatMap(({ provider, status, count, reason }) => {
    if (reason === UNREADABLE_REASON) return isSecretBack ? [secretIsBack(provider)] : []
    const because = reason === null ? "" : ` (${reason})`
    const many = count === 1 ? "1 connection" : `${count} connections`
    if (status === "reauthorization_required")
      return [
        failed(`${many} of ${provider} ended${because}`, "let these people connect again on their page Connections"),
      ]
    if (status === "failing")
      return [failed(`${many} of ${provider} cannot be synced${because}`, "find the cause in the log of the service")]
    if (status === "vendor_unavailable")
      return [
        failed(
          `${many} of ${provider} cannot be synced: the vendor does not answer${because}`,
          "check the network, or wait for the vendor",
        ),
      ]
    return []
  })
  const active = groups.reduce((sum, { status, count }) => sum + (["ok", "syncing"].includes(status) ? count : 0), 0)
  return faults.length > 0 ? faults : [ok(`${active} work`)]
}

/** The check of stored secrets reports connections whose tokens no secret decrypts. */
const secretIsBack = (provider: string): Outcome =>
  failed(
    `connections of ${provider} wait for the secret, which is there again`,
    "restart the service, which resumes them",
  )

/** Longer than any job that is not stuck waits for a free worker. */
const LONGEST_WAIT_MS = 15 * 60_000
const WORK = { syncs: "syncs", imports: "imports of archives", events: "records announced by webhooks" } as const

/** Jobs are being done. */
export async function checkWork(facts: Facts): Promise<Outcome> {
  const { waiting } = await facts.syncState()
  const now = facts.clock.now().getTime()
  const late = waiting.filter(({ since }) => now - since.getTime() > LONGEST_WAIT_MS)
  if (!(await facts.isServiceRunning())) return skipped("the service does not run")
  if (late.length === 0) return ok("nothing has waited for long")
  const minutes = Math.floor(Math.max(...late.map(({ since }) => now - since.getTime())) / 60_000)
  const what = late.map(({ what: kind, count }) => `${count} ${WORK[kind]}`).join(", ")
  return failed(
    `${what} have waited for up to ${minutes} minutes: no worker takes them`,
    "start `restwell start` or `restwell start --role worker`, or restart it and read its log",
  )
}

/** Backups are made, and nobody else can use them. */
export async function checkBackup(facts: Facts): Promise<Outcome[]> {
  const { backup } = facts.config
  const fault = backup && (await folderFault(backup.directory))
  return fault ? [fault] : [...(await findOpenFolder(facts)), await checkLastBackup(facts)]
}

async function findOpenFolder({ config: { backup } }: Facts): Promise<Outcome[]> {
  const others = backup && (await othersCan(backup.directory))
  if (!backup || others === undefined) return []
  return [
    failed(
      `other users of this machine can ${others} the files of BACKUP_DIR (${backup.directory})`,
      `chmod 700 '${resolve(backup.directory)}'`,
    ),
  ]
}

async function checkLastBackup(facts: Facts): Promise<Outcome> {
  const { backup } = facts.config
  const database = await facts.tables()
  const { last, failure } = await readBackups({ database })
  if (failure)
    return failed(`the last backup failed: ${failure.error}`, "correct the cause, the service tries again by itself")
  const hours = last ? (facts.clock.now().getTime() - last.startedAt.getTime()) / HOUR_MS : undefined
  if (backup === undefined)
    return hours !== undefined && hours > 30 * DAY_HOURS
      ? failed(
          `the last backup is ${Math.floor(hours / DAY_HOURS)} days old`,
          "run `restwell backup FILE`, or set BACKUP_DIR",
        )
      : ok(
          hours === undefined
            ? "none was made, BACKUP_DIR is not set"
            : `the last one is ${Math.floor(hours)} hours old`,
        )
  if (!last || hours === undefined)
    return (await facts.isServiceRunning())
      ? failed("no backup was made yet, although BACKUP_DIR is set", "wait a minute, then read the log of the service")
      : skipped("none was made yet, and the service does not run")
  if (hours > 2 * backup.everyHours + 1)
    return failed(
      `the last backup is ${Math.floor(hours)} hours old, and one is due every ${backup.everyHours}`,
      "start the service, or read its log",
    )
  if (last.host === hostname() && !(await isThere(last.file)))
    return failed(
      `the last backup is gone: ${last.file}`,
      "run `restwell backup FILE`, and keep the files of BACKUP_DIR",
    )
  return ok(`the last one is ${Math.floor(hours)} hours old`)
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const LITTLE_MB = 100

async function folderFault(directory: string): Promise<Outcome | undefined> {
  try {
    // The first backup makes the folder.
    const found = (await isThere(directory)) ? directory : dirname(resolve(directory))
    if (!(await stat(found)).isDirectory())
      return failed(`there is a file in place of BACKUP_DIR (${directory})`, "move it away, or choose another folder")
    await access(found, constants.W_OK | constants.X_OK)
    const free = await freeMegabytes(found)
    return free < LITTLE_MB
      ? failed(
          `the disk of BACKUP_DIR (${directory}) has only ${free} MB left`,
          "free some space, or choose another disk",
        )
      : undefined
  } catch (error) {
    return failed(
      `BACKUP_DIR cannot be written (${directory}, ${codeOf(error)})`,
      "let the user who starts Restwell write there, or choose another folder",
    )
  }
}

/** Google and Apple answer as OpenID providers. */
export async function checkSignIn(facts: Facts): Promise<Outcome[]> {
  const { identityProviders } = facts.config
  if (identityProviders.length === 0) return [ok("people sign in with a password, no other provider is set")]
  return await Promise.all(
    identityProviders.map(async ({ provider, issuer }) => {
      const signal = AbortSignal.any([facts.signal, AbortSignal.timeout(LONGEST_MS)])
      const response = await fetch(`${issuer}/.well-known/openid-configuration`, { signal }).catch((error: unknown) =>
        codeOf(error),
      )
      if (typeof response !== "string" && response.ok) return ok(`${provider} answers`)
      const why = typeof response === "string" ? response : `status ${response.status}`
      return failed(
        `sign-in with ${provider} does not answer at ${issuer} (${why})`,
        "check the network, or correct its ISSUER setting",
      )
    }),
  )
}
