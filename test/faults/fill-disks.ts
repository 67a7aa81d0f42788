// Fills the disk of a service that runs with its embedded PostgreSQL, again and again, in the middle of everything that writes much.
import { readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { connectionOf, openCluster } from "@restwell/postgres"
import { type Person, type Random, randomFor, type Simulator } from "@restwell/simulator"
import { whoopArchive } from "@restwell/testing/archive"
import { Member, readHealth } from "@restwell/testing/member"
import { reservePort } from "@restwell/testing/port"
import {
  runCommand,
  type ServiceProcess,
  startServiceProcess,
  TEST_SECRET,
  UNLIMITED_QUOTA,
  vendorEnvironment,
} from "@restwell/testing/service"
import { startVendor } from "@restwell/testing/vendor"
import { Client } from "pg"
import { expect } from "vitest"
import { z } from "zod"
import { ImportsSchema, importedArchive, uploadArchive } from "../imports/upload-archive.ts"
import { mountSmallDisk, type SmallDisk } from "../whole/small-disk.ts"

const LOG_NAME = "restwell.log"
const DISK_MB = 640
/** An upload of this size takes long enough to be caught in the middle. */
const UPLOAD_BYTES = 24 * 1_048_576
const LONGEST_ACTIVITY_MS = 800
/** How long it may take to notice a full disk, or its end. PostgreSQL may have to be restarted. */
const LONGEST_MS = 60_000
const DAYS = 60
/** Longer than a start of PostgreSQL. */
const READS_WHILE_STOPPED = 15
const WAIT_MS = 200

export interface FilledDisks {
  readonly filled: number
  /** Times that PostgreSQL had to be restarted. */
  readonly restarts: number
  readonly longestRecoveryMs: number
}

/** What a person or the operator does when the disk gets full. Resolves when it has ended in any way. */
type Activity = (installation: Installation, round: number) => Promise<unknown>

interface Installation {
  readonly disk: SmallDisk
  readonly service: ServiceProcess
  readonly environment: Readonly<Record<string, string>>
  readonly simulator: Simulator
  readonly member: Member
  readonly person: Person
  readonly key: string
  readonly archive: Buffer
}

const ACTIVITIES: Readonly<Record<string, Activity>> = {
  upload: ({ service, member, archive }) =>
    uploadArchive(service.url, member, Buffer.concat([archive, Buffer.alloc(UPLOAD_BYTES, 7)])),
  async sync({ service, simulator }, round) {
    const newcomer = new Member(service)
    await newcomer.signUp()
    await newcomer.connect(simulator.people.add({ email: `sync-${round}@vendor.example` }))
  },
  backup: ({ disk, environment }, round) =>
    runCommand(["backup", join(disk.directory, `${round}.backup`)], environment),
  import: ({ service, member, archive }) => importedArchive(service.url, member, archive),
}

/** Returns the reason where no disk can be filled. */
export async function fillDisks(count: number, seed: string): Promise<FilledDisks | string> {
  const disk = await mountSmallDisk(DISK_MB)
  if (typeof disk === "string") return `no disk can be mounted here: ${disk}`
  const simulator = await startVendor({ seed, days: DAYS, wearsAlways: true })
  using port = reservePort()
  const environment = {
    ...vendorEnvironment(simulator),
    DATA_DIR: join(disk.directory, "data"),
    ...UNLIMITED_QUOTA,
    RESTWELL_SECRET: TEST_SECRET,
  }
  // The log is on the full disk as well.
  const logFile = join(disk.directory, LOG_NAME)
  const service = await startServiceProcess({ environment, port: port.port, logFile })
  try {
    const person = simulator.people.add({ email: "ada@vendor.example" })
    // The owner's page says that the disk is full.
    const member = new Member(service)
    await member.setUp()
    await member.connect(person)
    await member.untilHistoryIsComplete()
    const key = await member.newKey()
    const archive = whoopArchive(simulator.records(person))
    const installation = { disk, service, environment, simulator, member, person, key, archive }
    return await fillAgainAndAgain(installation, count, randomFor(seed, "full disks"))
  } finally {
    await disk.free()
    await service.stop()
    await simulator.close()
    await disk.remove()
  }
}

async function fillAgainAndAgain(installation: Installation, count: number, random: Random): Promise<FilledDisks> {
  let longestRecoveryMs = 0
  const activities = Object.entries(ACTIVITIES)
  for (let round = 0; round < count; round += 1) {
    const [name, activity] = activities[round % activities.length] ?? []
    if (name === undefined || activity === undefined) throw new Error("there is no activity")
    const running = activity(installation, round).then(
      () => undefined,
      (error: unknown) => error,
    )
    await wait(random.between(0, LONGEST_ACTIVITY_MS))
    // Every other time the space of the reserve is taken as well.
    await expectFull(installation, { name, isTakenAgain: random.chance(0.5) })
    await installation.disk.free()
    const startedAt = performance.now()
    await expectRecovered(installation, round)
    longestRecoveryMs = Math.max(longestRecoveryMs, performance.now() - startedAt)
    await running
  }
  const log = await readFile(join(installation.disk.directory, LOG_NAME), "utf8")
  return { filled: count, restarts: log.split("runs again").length - 1, longestRecoveryMs }
}

const ReadinessSchema = z.object({ status: z.string(), reason: z.string().optional() })
const ServiceSchema = z.object({ storage: z.object({ disk: z.string() }) })

const readinessOf = async ({ url }: ServiceProcess) =>
  ReadinessSchema.parse(await (await fetch(`${url}/readyz`)).json())

/** The process lives, says that the disk is full, and answers reads. */
async function expectFull(
  { disk, service, environment, member, key, archive }: Installation,
  { name, isTakenAgain }: { readonly name: string; readonly isTakenAgain: boolean },
): Promise<void> {
  await disk.fill()
  const readiness = () => readinessOf(service)
  const unavailable = { status: "unavailable", reason: "the disk of the database is full" }
  await expect.poll(readiness, { timeout: LONGEST_MS, message: name }).toEqual(unavailable)
  const read = async () => (await readHealth(service.url, key)).status
  await expect.poll(read, { timeout: LONGEST_MS, interval: 100, message: `read during ${name}` }).toBe(200)
  const page = async () => ServiceSchema.safeParse(await (await member.send("GET", "/api/service")).json()).data
  await expect.poll(page, { timeout: LONGEST_MS }).toEqual({ storage: { disk: "full" } })
  const refused = await uploadArchive(service.url, member, archive)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ message: expect.stringMatching(/too little space|disk .* is full/) })
  if (isTakenAgain) {
    await using _filling = disk.keepFull()
    await stopPostgres(environment)
    for (let count = 0; count < READS_WHILE_STOPPED; count += 1) {
      expect([200, 503]).toContain((await readHealth(service.url, key)).status)
      await wait(WAIT_MS)
    }
  }
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  expect(service.isRunning()).toBe(true)
}

/** Writes to PostgreSQL's log of changes until the disk has no space for it, which stops PostgreSQL. */
async function stopPostgres({ DATA_DIR = "" }: Installation["environment"]): Promise<void> {
  const client = new Client(connectionOf(await openCluster(DATA_DIR)))
  client.on("error", () => {})
  const writing = (async () => {
    await client.connect()
    for (;;) await client.query("select pg_logical_emit_message(true, 'test', 'x'), pg_switch_wal()")
  })()
  await expect(writing).rejects.toThrow()
  await client.end()
}

const RunningSchema = z.object({ connections: z.array(z.object({ status: z.string() })) })

/** Everything goes on by itself: reads, uploads with their imports, syncs and backups. */
async function expectRecovered(installation: Installation, round: number): Promise<void> {
  const { disk, service, environment, member, key, archive } = installation
  const readiness = () => readinessOf(service)
  await expect
    .poll(readiness, { timeout: LONGEST_MS, interval: 100, message: "ready again" })
    .toEqual({ status: "ready" })
  await expect.poll(async () => (await readHealth(service.url, key)).status, { timeout: LONGEST_MS }).toBe(200)
  const uploaded = async () => (await uploadArchive(service.url, member, archive)).status
  await expect.poll(uploaded, { timeout: 90_000, interval: 500, message: "an upload is taken again" }).toBe(202)
  const imports = async () => {
    const { imports: list } = ImportsSchema.parse(await (await member.send("GET", "/api/imports")).json())
    return list.filter(({ status }) => status === "queued" || status === "running").length
  }
  await expect.poll(imports, { timeout: 90_000, interval: 500, message: "imports end" }).toBe(0)
  for (const { id } of ImportsSchema.parse(await (await member.send("GET", "/api/imports")).json()).imports)
    expect((await member.send("DELETE", `/api/imports/${id}`)).status).toBe(204)
  const status = async () =>
    RunningSchema.parse(await (await member.send("GET", "/api/account")).json()).connections.map((each) => each.status)
  await expect.poll(status, { timeout: 90_000, interval: 500, message: "the connection works" }).toEqual(["ok"])
  const file = join(disk.directory, `after-${round}.backup`)
  const { code, output } = await runCommand(["backup", file], environment)
  expect({ code, output }).toEqual({ code: 0, output: expect.any(String) })
  expect((await stat(file)).size).toBeGreaterThan(0)
  await rm(file)
  await rm(join(disk.directory, `${round}.backup`), { force: true })
}
