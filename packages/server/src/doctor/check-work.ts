// Checks of what the service does: connections, jobs, backups, emails.

import { access, constants, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { dirname, resolve } from "node:path"
import { plural } from "@restwell/client/figures"
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { backupFolderFault, failureText, othersCan, readBackups, UNREADABLE_REASON } from "@restwell/core"
import { embeddedDir } from "../config/config.ts"
import { createMailer, SmtpFailure } from "../mail/mailer.ts"
import { type Facts, failed, freeMegabytes, type Outcome, ok, skipped } from "./facts.ts"
import { codeOf } from "./service-proof.ts"

const DAY_HOURS = 24

const CONNECTION_FAULTS: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  reauthorization_required: ["ended", "let these people connect again on their page Connections"],
  failing: ["cannot be synced", "find the cause in the log of the service"],
  vendor_unavailable: ["cannot be synced", "check the network, or wait for the vendor"],
}

/** No connection fails or waits until its person reconnects. */
export async function checkConnections(facts: Facts): Promise<Outcome[]> {
  const { groups, gaps } = await facts.syncState()
  const isSecretBack = await facts.storedSecrets().then(
    ({ unreadable }) => unreadable === 0,
    () => false,
  )
  const faults = groups.flatMap(({ provider, status, count, reason }) => {
    if (reason === UNREADABLE_REASON) return isSecretBack ? [secretIsBack(provider)] : []
    const [what, remedy] = CONNECTION_FAULTS[status] ?? []
    if (what === undefined || remedy === undefined) return []
    const many = plural(count, "connection")
    return [failed(`${many} of ${provider} ${what}${reason === null ? "" : ` (${reason})`}`, remedy)]
  })
  const active = groups.reduce((sum, { status, count }) => sum + (["ok", "syncing"].includes(status) ? count : 0), 0)
  const waits = groups.flatMap(({ provider, limitedUntil }) =>
    limitedUntil ? [`, ${failureText(provider, "limit", limitedUntil)}`] : [],
  )
  const lacks = gaps.map(({ reason, nextStep, count }) => `, for ${count} of them ${reason}. ${nextStep}`)
  return faults.length > 0 ? faults : [ok(`${active} work${waits.join("")}${lacks.join("")}`)]
}

/** The check of stored secrets reports connections whose tokens no secret decrypts. */
const secretIsBack = (provider: string): Outcome =>
  failed(
    `connections of ${provider} wait for the secret, which is there again`,
    "restart the service, which resumes them",
  )

/** Longer than any job that is not stuck waits for a free worker. */
const LONGEST_WAIT_MS = 15 * MINUTE_MS
const WORK = { syncs: "syncs", imports: "imports of archives", events: "records announced by webhooks" } as const

/** Jobs are being done. */
export async function checkWork(facts: Facts): Promise<Outcome> {
  const { waiting } = await facts.syncState()
  const now = facts.clock.now().getTime()
  const late = waiting.filter(({ since }) => now - since.getTime() > LONGEST_WAIT_MS)
  if (!(await facts.isServiceRunning())) return skipped("the service does not run")
  if (late.length === 0) return ok("nothing has waited for long")
  const minutes = Math.floor(Math.max(...late.map(({ since }) => now - since.getTime())) / MINUTE_MS)
  const what = late.map(({ what: kind, count }) => `${count} ${WORK[kind]}`).join(", ")
  return failed(
    `${what} have waited for up to ${minutes} minutes: no worker takes them`,
    "start `restwell start` or `restwell start --role worker`, or restart it and read its log",
  )
}

/** Backups are made, and nobody else can use them. */
export async function checkBackup(facts: Facts): Promise<Outcome[]> {
  const { backup } = facts.config
  const fault = backup && (await folderFault(backup.directory, embeddedDir(facts.config)))
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

async function folderFault(directory: string, dataDir: string | undefined): Promise<Outcome | undefined> {
  const fault = await backupFolderFault(directory, dataDir)
  if (fault !== undefined) return failed(`BACKUP_DIR cannot be used (${directory}): ${fault}`, "choose another folder")
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

/** By the codes of nodemailer. */
const MAIL_FAULTS: Readonly<Record<string, readonly [string, string]>> = {
  EAUTH: ["refuses the user or the password", "correct both in SMTP_URL"],
  EDNS: ["has a name that is not known", "correct the name in SMTP_URL"],
  ETLS: [
    "does not encrypt the connection, so the password would be readable on the way",
    "use its port with TLS: smtps://USER:PASSWORD@HOST:465",
  ],
  EPROTOCOL: ["does not speak SMTP", "correct host and port in SMTP_URL"],
}

function describeSmtp({ code, message }: SmtpFailure): readonly [string, string] {
  // nodemailer replaces the codes of TLS by ESOCKET.
  if (code === "ESOCKET" && /certificate|altnames/.test(message))
    return [
      `has a certificate that is refused (${message.replace(/;.*/s, "")})`,
      "use the name in its certificate, which a known authority has to sign",
    ]
  return MAIL_FAULTS[code] ?? [`does not answer (${code})`, "correct SMTP_URL, or let the network through"]
}

/** The mail server takes our password. */
export async function checkEmail({ config }: Facts): Promise<Outcome> {
  if (config.mail === undefined) return ok("SMTP_URL is not set, so links are copied by hand")
  const mailer = await createMailer(config.mail)
  try {
    await mailer.verify()
    return ok("the mail server takes emails")
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error
    const host = new URL(config.mail.smtpUrl).host
    const [what, remedy] = describeSmtp(error)
    return failed(`the mail server ${host} ${what}`, remedy)
  } finally {
    mailer.close()
  }
}
