import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { rename, rm } from "node:fs/promises"
import type { BoundSocket } from "node:net"
import { join } from "node:path"
import { startOuraSimulator, startSimulator } from "@restwell/simulator"
import { loadConfig } from "../config/config.ts"
import { prepareDataDir } from "../config/data-dir.ts"
import { openSecrets } from "../config/open-secrets.ts"
import { DemoAccount } from "../demo/demo-account.ts"
import { type DemoState, readState, writeState } from "../demo/demo-state.ts"
import { followHistory, printReady } from "../demo/progress.ts"
import { createLogger } from "../log/logger.ts"
import { bindPort } from "../network/bind-port.ts"
import { startEmbeddedPostgres } from "../postgres/embedded-postgres.ts"
import { startService } from "../service.ts"
import { unlessAborted } from "../time/unless-aborted.ts"
import { runCommand, untilStopped } from "./run-command.ts"

const DATA_DIR = ".demo"
const CLIENT = { clientId: "restwell-demo", clientSecret: "between the demo and its simulated vendors" }
/** Fast on a disk that is still busy with the install. If a power cut damages the database, `--fresh` makes a new one. */
const POSTGRES_SETTINGS = { fsync: "off", full_page_writes: "off" }
const HISTORY_DAYS = 365
const DAY_MS = 86_400_000

/** `restwell demo`: the service with a simulated WHOOP and Oura, and an account that is connected to both. Every step uses HTTP. */
export const main = (given: Arguments): Promise<void> =>
  runCommand((signal) => run(given, signal), { printsStack: true })

interface Arguments {
  /** Deletes what an earlier demo left. */
  readonly isFresh: boolean
}

async function run({ isFresh }: Arguments, signal: AbortSignal): Promise<void> {
  await using started = new AsyncDisposableStack()
  const startedAt = performance.now()
  if (isFresh) await wipe(signal)
  await prepareDataDir(DATA_DIR)
  const now = new Date()
  const state = await readState(DATA_DIR, new Date(now.getTime() - HISTORY_DAYS * DAY_MS))
  await writeState(DATA_DIR, state)
  const vendors = await startVendors(state, started)
  const service = await startDemoService(vendors, signal)
  started.defer(() => service.close())
  const account = new DemoAccount(service.live.current().baseUrl, state)
  const apiKey = await unlessAborted(useAccount(account, state), signal)
  printReady(service.live.current().baseUrl, state, apiKey, performance.now() - startedAt)
  const history = followHistory(account, startedAt, signal)
  await untilStopped(() => history)
}

/** A person who wears a band and a ring: both vendors measure the same nights. */
async function startVendors({ email, historyFrom }: DemoState, started: AsyncDisposableStack) {
  const common = { ...CLIENT, seed: "demo", autoApprove: email, rateLimits: "off" as const }
  const grantsFile = join(DATA_DIR, "simulated-grants.json")
  const whoop = await startSimulator({ ...common, now: "system", historyFrom, grantsFile })
  started.defer(() => whoop.close())
  const oura = await startOuraSimulator({ ...common, beside: whoop, grantsFile: `${grantsFile}.oura` })
  started.defer(() => oura.close())
  return { whoop: whoop.url, oura: oura.url }
}

/** Signs in, connects, and waits for the first records. Returns the account's API key. */
async function useAccount(account: DemoAccount, state: DemoState): Promise<string> {
  await account.signIn()
  for (const provider of ["whoop", "oura"]) await account.connect(provider)
  const apiKey = await account.apiKey()
  await writeState(DATA_DIR, { ...state, apiKey })
  await account.firstRecords(apiKey)
  return apiKey
}

async function startDemoService(vendors: { readonly whoop: string; readonly oura: string }, signal: AbortSignal) {
  const preferred = loadConfig({ PORT: process.env["PORT"] })
  const socket = await bindNear(preferred.host, preferred.port)
  const config = loadConfig({
    PORT: String(socket.address().port),
    DATA_DIR,
    LOG_LEVEL: process.env["LOG_LEVEL"] ?? "warn",
    WHOOP_CLIENT_ID: CLIENT.clientId,
    WHOOP_CLIENT_SECRET: CLIENT.clientSecret,
    WHOOP_BASE_URL: vendors.whoop,
    OURA_CLIENT_ID: CLIENT.clientId,
    OURA_CLIENT_SECRET: CLIENT.clientSecret,
    OURA_BASE_URL: vendors.oura,
    // The simulated vendors have no limits, so that nobody waits a minute for the history.
    WHOOP_CALLS_PER_MINUTE: "10000",
    OURA_CALLS_PER_MINUTE: "10000",
  })
  return startService({
    config,
    socket,
    secrets: await openSecrets(config),
    clock: { now: () => new Date() },
    logger: createLogger(config.logLevel),
    postgresSettings: POSTGRES_SETTINGS,
    signal,
    onFatal: (error) => {
      throw error
    },
  })
}

/** Binds the port, or any free one if another program listens on it. */
const bindNear = (host: string, port: number): Promise<BoundSocket> =>
  bindPort(host, port).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return bindPort(host, 0)
    throw error
  })

/** Deletes everything that an earlier demo left, its database included. */
async function wipe(signal: AbortSignal): Promise<void> {
  if (!existsSync(DATA_DIR)) return
  // Fails while another demo runs, and waits for the server of a killed demo.
  const postgres = await startEmbeddedPostgres({ dataDir: DATA_DIR, signal })
  await postgres.stop()
  // Renamed first: if this is killed, the next start finds no half of a database.
  await rename(join(postgres.directory, "cluster"), join(postgres.directory, `cluster-${randomUUID()}`))
  await rm(postgres.directory, { recursive: true })
  await rm(DATA_DIR, { recursive: true, force: true })
}
