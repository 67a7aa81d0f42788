import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { rename, rm } from "node:fs/promises"
import type { BoundSocket } from "node:net"
import { join, resolve } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { DAY_MS } from "@restwell/client/time-units"
import { startEmbeddedPostgres } from "@restwell/postgres"
import { vendorOf } from "@restwell/providers"
import { DEMO_DEVICES, type DemoVendors, startDemoVendors, USUAL_DEVICES } from "@restwell/simulator/demo"
import { setupCodeOf } from "../accounts/links.ts"
import { type Config, loadConfig } from "../config/config.ts"
import { ConfigError } from "../config/config-errors.ts"
import { DEMO_DIR, prepareDataDir } from "../config/data-dir.ts"
import { openSecrets } from "../config/secret-files.ts"
import { VENDOR_SETTINGS } from "../config/vendor-settings.ts"
import { DemoAccount, type DemoState, readState, writeState } from "../demo/demo-account.ts"
import { bindPort } from "../network/bind-port.ts"
import { unlessAborted } from "../process/wait.ts"
import { startService } from "../service.ts"
import { type Given, UsageError } from "./command.ts"
import { runCommand, untilStopped } from "./run-command.ts"
import { openLog } from "./service-log.ts"
import { openBrowser } from "./terminal.ts"

const CLIENT = { clientId: "restwell-demo", clientSecret: "between the demo and its simulated vendors" }
/** Fast on a disk that is still busy with the install. If a power cut damages the database, `--fresh` makes a new one. */
const POSTGRES_SETTINGS = { fsync: "off", full_page_writes: "off" }
const HISTORY_DAYS = 365

/**
 * `restwell demo`: the service with simulated vendors, and an account that is connected to two of them, or has the devices of `--devices`.
 * Every step uses HTTP.
 */
export async function main(given: Given): Promise<void> {
  const devices = devicesOf(given.optionalValue("devices"))
  await runCommand((signal) => run(given, devices, signal), { printsStack: true })
}

/** @throws {UsageError} for a device that the demo does not have */
function devicesOf(list = USUAL_DEVICES.join(",")): readonly string[] {
  const devices = [...new Set(list.split(",").map((name) => name.trim().toLowerCase()))]
  const known = Object.keys(DEMO_DEVICES)
  const unknown = devices.find((name) => !known.includes(name))
  if (unknown === undefined) return devices
  throw new UsageError(`--devices takes ${known.join(", ")}, separated by commas, and not ${JSON.stringify(unknown)}`)
}

async function run(given: Given, devices: readonly string[], signal: AbortSignal): Promise<void> {
  await using started = new AsyncDisposableStack()
  const startedAt = performance.now()
  const dataDir = given.optionalValue("data-dir") ?? DEMO_DIR
  if (given.has("fresh")) await wipe(dataDir, signal)
  await prepareDataDir(dataDir)
  const now = new Date()
  const state = await readState(dataDir, new Date(now.getTime() - HISTORY_DAYS * DAY_MS))
  await writeState(dataDir, state)
  const { email, historyFrom } = state
  const grantsFile = join(dataDir, "simulated-grants.json")
  const vendors = await startDemoVendors({ ...CLIENT, email, historyFrom, grantsFile })
  started.defer(() => vendors.close())
  const { service, config, secrets } = await startDemoService(dataDir, vendors, signal)
  started.defer(() => service.close())
  const { baseUrl } = service.live.current()
  const account = new DemoAccount(baseUrl, setupCodeOf(secrets()[0]), state)
  const importArchives = () => addArchives(account, devices, vendors)
  const apiKey = await unlessAborted(useAccount(account, { dataDir, state, devices, vendors, importArchives }), signal)
  printReady({ baseUrl, state, apiKey, config, tookMs: performance.now() - startedAt })
  if (given.has("open")) openBrowser(`${baseUrl}/`)
  const filled = fill(account, { importArchives, startedAt, signal })
  await untilStopped(() => filled)
}

interface Use {
  readonly dataDir: string
  readonly state: DemoState
  readonly devices: readonly string[]
  readonly vendors: DemoVendors
  readonly importArchives: () => Promise<void>
}

/** Signs in, connects, and waits for the first records. Returns the account's API key. */
async function useAccount(
  account: DemoAccount,
  { dataDir, state, devices, vendors, importArchives }: Use,
): Promise<string> {
  await account.signIn()
  const worn = Object.entries(DEMO_DEVICES).flatMap(([name, device]) => (devices.includes(name) ? [device] : []))
  for (const device of worn) {
    if (device.by === "app") await account.connect(device.provider)
    if (device.by === "key") await account.connectWithKey(device.provider, vendors.keyOf(device.provider))
  }
  const apiKey = await account.apiKey()
  await writeState(dataDir, { ...state, apiKey })
  // Archives of a year take some seconds, so they come after the first records of a connection.
  if (worn.every(({ by }) => by === "archive")) await importArchives()
  await account.firstRecords(apiKey)
  return apiKey
}

/** Uploads the archives that an earlier start did not bring. */
async function addArchives(account: DemoAccount, devices: readonly string[], vendors: DemoVendors): Promise<void> {
  for (const device of devices) {
    const fileName = `${device}.zip`
    if (DEMO_DEVICES[device]?.by !== "archive" || (await account.imports()).some((each) => each.file_name === fileName))
      continue
    const stored = await account.addArchive(fileName, await vendors.archiveOf(device))
    print(`Archive ${fileName}: ${stored} records.`)
  }
}

interface Filling {
  readonly importArchives: () => Promise<void>
  readonly startedAt: number
  readonly signal: AbortSignal
}

/** What comes while the page can be used: the history, archives, and then the journal, without which nothing affects the person. */
async function fill(account: DemoAccount, { importArchives, startedAt, signal }: Filling): Promise<void> {
  await Promise.all([followHistory(account, startedAt, signal), unlessAborted(importArchives(), signal)])
  if (signal.aborted) return
  const answered = await unlessAborted(account.answerJournal(new Date()), signal)
  if (answered > 0) print(`Journal: ${answered} mornings answered.`)
}

async function startDemoService(dataDir: string, vendors: DemoVendors, signal: AbortSignal) {
  const given = givenSettings(process.env)
  const preferred = loadConfig(given)
  const socket = await bindNear(preferred.host, preferred.port)
  const { port } = socket.address()
  if (preferred.port !== 0 && port !== preferred.port)
    print(`Another program uses port ${preferred.port}, so this demo has port ${port}. --port chooses one.`)
  const config = loadConfig({
    ...given,
    PORT: String(port),
    DATA_DIR: dataDir,
    ...Object.fromEntries([...vendors.urls].flatMap(settingsOf)),
  })
  const secrets = await openSecrets(config)
  const service = await startService({
    config,
    socket,
    secrets,
    clock: { now: () => new Date() },
    logger: (await openLog(config)).logger,
    postgresSettings: POSTGRES_SETTINGS,
    signal,
    onFatal: (error) => {
      throw error
    },
  })
  return { service, config, secrets }
}

/** The simulated vendors have no limits, so that nobody waits a minute for the history. */
function settingsOf([provider, url]: readonly [provider: string, url: string]) {
  const prefix = provider.toUpperCase()
  return Object.entries({
    ...(vendorOf(provider)?.access === "oauth" && {
      [`${prefix}_CLIENT_ID`]: CLIENT.clientId,
      [`${prefix}_CLIENT_SECRET`]: CLIENT.clientSecret,
    }),
    [`${prefix}_BASE_URL`]: url,
    [`${prefix}_CALLS_PER_MINUTE`]: "10000",
  })
}

/** Settings of an installation with people. The demo has values of its own for them. */
const OF_AN_INSTALLATION = [
  "BASE_URL",
  "DATA_DIR",
  "DATABASE_URL",
  "DATABASE_POOLER",
  "RESTWELL_SECRET",
  "RESTWELL_FORMER_SECRETS",
  ...VENDOR_SETTINGS,
]

/** The operator's settings, which the demo follows as `start` does. @throws {ConfigError} for those that it cannot follow */
function givenSettings(environment: Readonly<Record<string, string | undefined>>) {
  const refused = OF_AN_INSTALLATION.filter((name) => environment[name])
  if (refused.length > 0)
    throw new ConfigError(
      refused.map((name) => `${name} is not for the demo, which has its own: unset it, or run restwell start instead`),
    )
  return { ...environment, LOG_LEVEL: environment["LOG_LEVEL"] || "warn" }
}

/** Binds the port, or any free one if another program listens on it. */
const bindNear = (host: string, port: number): Promise<BoundSocket> =>
  bindPort(host, port).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return bindPort(host, 0)
    throw error
  })

/** Deletes everything that an earlier demo left, its database included. */
async function wipe(dataDir: string, signal: AbortSignal): Promise<void> {
  if (!existsSync(dataDir)) return
  // Fails while another demo runs, and waits for the server of a killed demo.
  const postgres = await startEmbeddedPostgres({ dataDir, signal })
  await postgres.stop()
  // Renamed first: if this is killed, the next start finds no half of a database.
  await rename(join(postgres.directory, "cluster"), join(postgres.directory, `cluster-${randomUUID()}`))
  await rm(postgres.directory, { recursive: true })
  await rm(dataDir, { recursive: true, force: true })
}

const LOOK_MS = 500

const print = (text: string): boolean => process.stdout.write(`${text}\n`)
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

interface Ready {
  readonly baseUrl: string
  readonly state: DemoState
  readonly apiKey: string
  readonly config: Pick<Config, "dataDir">
  readonly tookMs: number
}

/** Prints what a person needs to start. */
function printReady({ baseUrl, state, apiKey, config, tookMs }: Ready): void {
  print(`
Restwell is ready, ${seconds(tookMs)} after the start.

  Open       ${baseUrl}/
  Account    ${state.email}, password ${state.password}
  API key    ${apiKey}
  Connector  ${baseUrl}/api/mcp/oauth, for assistants on this machine
  Data       ${resolve(config.dataDir)}, made up
  Set-up     done: the account owns this demo, so no set-up code is needed
  Stop       Ctrl-C

  curl -H "Authorization: Bearer ${apiKey}" "${baseUrl}/api/v1/health?type=recovery&days=7"
`)
}

/** Prints the progress of the history until it is complete. */
async function followHistory(account: DemoAccount, startedAt: number, signal: AbortSignal): Promise<void> {
  for (let printed = ""; !signal.aborted; await wait(LOOK_MS)) {
    const connected = (await account.read()).connections.filter(({ status }) => status !== "archive")
    const histories = connected.map(({ history }) => history)
    if (histories.length === 0) return
    const complete = histories.every((history) => history.complete)
    const records = histories.reduce((sum, history) => sum + history.records, 0)
    const fetched_back_to = histories.find((history) => !history.complete)?.fetched_back_to
    const line = complete
      ? `History complete: ${records} records, ${seconds(performance.now() - startedAt)} after the start. Ctrl-C stops.`
      : `History: ${records} records, back to ${fetched_back_to?.slice(0, 10) ?? "today"}`
    if (line !== printed && !(complete && printed !== "" && printed.startsWith("History complete"))) print(line)
    if (complete) return
    printed = line
  }
}
