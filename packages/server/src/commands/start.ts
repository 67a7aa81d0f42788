import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { backupFolderFault } from "@restwell/core"
import { type Config, embeddedDir, loadConfig, ROLES } from "../config/config.ts"
import { UnusableSetting } from "../config/config-errors.ts"
import { openSecrets } from "../config/secret-files.ts"
import { hasApps, SET_AN_APP } from "../config/vendor-settings.ts"
import { isPlainOnPublicAddress } from "../network/addresses.ts"
import { claimPort } from "../network/bind-port.ts"
import { releaseWhenIdle } from "../process/idle-memory.ts"
import { type Logger, printLine } from "../process/logger.ts"
import { waitInRealTime } from "../process/wait.ts"
import { type Service, startService } from "../service.ts"
import type { Given } from "./command.ts"
import { runCommand, untilStopped } from "./run-command.ts"
import { type OpenLog, openLog } from "./service-log.ts"
import { openBrowser } from "./terminal.ts"

/** `restwell start`: runs the service until a signal stops it, then drains. */
export const main = (given: Given): Promise<void> => runCommand((signal) => run(given, signal), { printsStack: true })

async function run(given: Given, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  const role = ROLES.find((known) => known === given.optionalValue("role"))
  const config = loadConfig(process.env, role)
  const log = await openLog(config)
  const { logger } = log
  if (log.file !== undefined) printLine("Restwell is starting.")
  await requireBackupFolder(config)
  await requireImportFolder(config)
  const socket = await claimPort(config.host, config.port)
  const { promise: fatal, reject: onFatal } = Promise.withResolvers<never>()
  const service = await startService({
    config,
    logger,
    onFatal,
    signal,
    ...(socket && { socket }),
    secrets: await openSecrets(config),
    clock: { now: () => new Date() },
  })
  warn(config, service, logger)
  logger.info({ url: service.live.current().baseUrl, listening: service.url, role: config.role }, "Restwell is running")
  if (log.file !== undefined) printRunning(config, service, log.file, performance.now() - startedAt)
  if (given.has("open")) openBrowser(addressOf(service))
  const idle = new AbortController()
  releaseWhenIdle({ wait: waitInRealTime, signal: idle.signal })
  await untilStopped(async () => {
    idle.abort()
    stopping(log, "stopping")
    await service.close()
    stopping(log, "stopped")
  }, fatal)
}

/** @throws {UnusableSetting} for a folder that backups must not be in */
async function requireBackupFolder(config: Config): Promise<void> {
  const { backup, role } = config
  // The folder is one of the machine of a worker.
  const fault = backup && role !== "api" ? await backupFolderFault(backup.directory, embeddedDir(config)) : undefined
  if (fault !== undefined)
    throw new UnusableSetting(`BACKUP_DIR cannot be used (${backup?.directory}): ${fault}`, "choose another folder")
}

/** @throws {UnusableSetting} without a folder to watch */
async function requireImportFolder({ importDir, role }: Config): Promise<void> {
  if (importDir === undefined || role === "api") return
  const found = await stat(importDir).catch(() => undefined)
  if (!found?.isDirectory())
    throw new UnusableSetting(
      `IMPORT_DIR is no folder (${importDir})`,
      "make it, with a folder in it for each person, named by the email address of the account",
    )
}

function warn(config: Config, service: Service, logger: Logger): void {
  const { baseUrl, vendors } = service.live.current()
  if (isPlainOnPublicAddress(baseUrl))
    logger.warn(
      { baseUrl },
      "BASE_URL is a public address without https: passwords and records can be read on the way, put a proxy with TLS in front",
    )
  // The set-up comes to the vendors itself.
  if (!hasApps(vendors) && service.setupLink === undefined)
    logger.warn(`no vendor's app is configured: the owner does that on the page Service, or ${SET_AN_APP}`)
  if (config.trustProxy === true && config.role !== "worker")
    logger.warn(
      "TRUST_PROXY=true: clients can claim any address, so limits for each network protect nothing. Name your proxies or their number",
    )
}

/** The link that a person opens first. */
const addressOf = ({ live, setupLink }: Service): string => setupLink ?? `${live.current().baseUrl}/`

const SET_UP = "Open it to create your account. It contains the set-up code."
const ELSEWHERE = "From another machine, put the name of this machine in place of localhost."

/** Prints what a person needs now. */
function printRunning(config: Config, service: Service, logFile: string, tookMs: number): void {
  const isSetUp = service.setupLink === undefined
  const isForOthers = !["127.0.0.1", "localhost", "::1"].includes(config.host) && !config.isAddressSet
  const lines = [
    `  ${(isSetUp ? "Open" : "Set up").padEnd(8)}${addressOf(service)}`,
    ...(isSetUp ? [] : [`          ${SET_UP}`]),
    ...(isForOthers ? [`          ${ELSEWHERE}`] : []),
    `  Data    ${config.databaseUrl === undefined ? resolve(config.dataDir) : "in the database of DATABASE_URL"}`,
    `  Log     ${logFile}`,
    "  Stop    Ctrl-C",
  ]
  printLine(`\nRestwell is running, ${(tookMs / 1000).toFixed(1)} s after the start.\n\n${lines.join("\n")}\n`)
}

function stopping({ logger, file }: OpenLog, what: "stopping" | "stopped"): void {
  logger.info(what)
  if (file !== undefined) printLine(`Restwell is ${what}.`.replace("is stopped", "has stopped"))
}
