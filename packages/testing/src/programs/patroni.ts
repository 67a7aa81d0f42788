/** A cluster of Patroni, etcd and HAProxy on this machine, by the files of deploy/patroni. Each node has its ports. */
import { chmod, chown, copyFile, readFile, rm, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { OsUser } from "@restwell/postgres"
import { z } from "zod"
import { EngineProcess, type Engines, firstOf, makeEngineFolder, queryOnce, signalAll } from "./engines.ts"
import { type ReservedPort, reservePort } from "./port-and-folder.ts"

const DEPLOY = new URL("../../../../deploy/patroni/", import.meta.url).pathname
const NODES = [1, 2, 3] as const
const LONGEST_START_MS = 120_000
const LOOK_AGAIN_MS = 100

interface Programs {
  readonly patroni: string
  readonly etcd: string
  readonly haproxy: string
}

/** The installed programs, or what to install. */
export async function findPatroni(): Promise<Programs | { readonly missing: string }> {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"]
  const find = (name: string) => firstOf(folders.map((folder) => join(folder, name)))
  const [patroni, etcd, haproxy] = await Promise.all([find("patroni"), find("etcd"), find("haproxy")])
  if (patroni !== undefined && etcd !== undefined && haproxy !== undefined) return { patroni, etcd, haproxy }
  return { missing: "install with: apt-get install --no-install-recommends patroni etcd-server haproxy postgresql-15" }
}

/** A node of the cluster: Patroni and its PostgreSQL. */
export interface PatroniNode {
  readonly name: string
  /** Ends Patroni and PostgreSQL with -9, as if the machine had lost its power. */
  kill(): Promise<void>
  /** Stops both in place, with their connections open. */
  freeze(): Promise<void>
  /** Lets both go on. */
  thaw(): Promise<void>
  /** Cuts Patroni off from etcd, or connects it again. */
  cutFromEtcd(isCut: boolean): Promise<void>
  /** Starts Patroni again after a kill. */
  start(): void
  /** @returns undefined while its PostgreSQL does not answer */
  isPrimary(): Promise<boolean | undefined>
}

export interface PatroniCluster extends AsyncDisposable {
  /** The database `restwell` on the primary, through HAProxy. */
  readonly url: string
  readonly nodes: readonly PatroniNode[]
  /** The node that has the lease now. */
  leader(): Promise<PatroniNode>
  /** Moves the lease to another node that has everything, as an operator does before an upgrade. */
  switchOver(): Promise<void>
}

/** A way to one member of etcd, which can be cut. */
interface Way {
  readonly port: number
  set(state: "open" | "drop"): Promise<void>
  close(): Promise<void>
}
export type OpenWay = (port: number) => Promise<Way>

const PASSWORD = "of-a-test"
const MembersSchema = z.object({
  members: z.array(z.looseObject({ name: z.string(), role: z.string(), state: z.string() })),
})

interface Ports {
  readonly postgres: ReservedPort
  readonly rest: ReservedPort
  readonly client: ReservedPort
  readonly peer: ReservedPort
}

/** Starts three nodes. Resolves once the primary has two standbys. @param openWay a proxy to a port of this machine */
export async function startPatroni(engines: Engines, programs: Programs, openWay: OpenWay): Promise<PatroniCluster> {
  await using started = new AsyncDisposableStack()
  const { folder, user } = await makeEngineFolder("patroni")
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const ports = NODES.map(
    (): Ports => ({ postgres: reservePort(), rest: reservePort(), client: reservePort(), peer: reservePort() }),
  )
  started.defer(() => {
    for (const each of ports.flatMap((of) => Object.values(of))) each[Symbol.dispose]()
  })
  const file = await writeConfiguration(folder, user)
  for (const [index] of ports.entries()) {
    const etcd = new EngineProcess(programs.etcd, etcdParameters(folder, ports, index), user)
    started.defer(() => etcd.stop("SIGKILL"))
  }
  const nodes: RunningNode[] = []
  for (const [index, own] of ports.entries()) {
    const ways = await Promise.all(ports.map(({ client }) => openWay(client.port)))
    for (const way of ways) started.defer(() => way.close())
    const node = new RunningNode({ index, own, ways, engines, program: programs.patroni, file, folder, user })
    started.defer(() => node.remove())
    node.start()
    nodes.push(node)
  }
  const port = await startProxy(programs.haproxy, ports, started)
  await untilReplicated(nodes)
  const running = started.move()
  const leader = () => leaderOf(nodes)
  return {
    url: `postgres://restwell:${PASSWORD}@127.0.0.1:${port}/restwell`,
    nodes,
    leader,
    async switchOver() {
      const from = await leader()
      const body = JSON.stringify({ leader: from.name })
      const answer = await fetch(`${from.rest}/switchover`, { method: "POST", body })
      if (!answer.ok) throw new Error(`Patroni refused to switch over: ${await answer.text()}`)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** The files as they are shipped, with another place for the script. */
async function writeConfiguration(folder: string, user: OsUser | undefined): Promise<string> {
  const file = join(folder, "patroni.yml")
  const script = join(folder, "make-database.sh")
  await copyFile(join(DEPLOY, "make-database.sh"), script)
  await chmod(script, 0o755)
  const text = await readFile(join(DEPLOY, "patroni.yml"), "utf8")
  await writeFile(file, text.replace("/etc/patroni/make-database.sh", script))
  if (user) for (const path of [file, script]) await chown(path, user.uid, user.gid)
  return file
}

function etcdParameters(folder: string, ports: readonly Ports[], index: number): string[] {
  const at = (port: number | undefined) => `http://127.0.0.1:${port}`
  const own = ports[index]
  return Object.entries({
    name: `etcd${index}`,
    "data-dir": join(folder, `etcd${index}`),
    "listen-peer-urls": at(own?.peer.port),
    "initial-advertise-peer-urls": at(own?.peer.port),
    "listen-client-urls": at(own?.client.port),
    "advertise-client-urls": at(own?.client.port),
    "initial-cluster": ports.map(({ peer }, each) => `etcd${each}=${at(peer.port)}`).join(","),
  }).flatMap(([name, value]) => [`--${name}`, value])
}

async function startProxy(program: string, ports: readonly Ports[], started: AsyncDisposableStack): Promise<number> {
  const listen = started.use(reservePort())
  const environment = {
    LISTEN: `127.0.0.1:${listen.port}`,
    ...Object.fromEntries(
      ports.flatMap(({ postgres, rest }, index) => [
        [`DB${index + 1}`, `127.0.0.1:${postgres.port}`],
        [`REST${index + 1}`, String(rest.port)],
      ]),
    ),
  }
  const proxy = new EngineProcess(program, ["-db", "-f", join(DEPLOY, "haproxy.cfg")], undefined, environment)
  started.defer(() => proxy.stop("SIGKILL"))
  return listen.port
}

interface NodeOptions {
  readonly index: number
  readonly own: Ports
  /** To each member of etcd. */
  readonly ways: readonly Way[]
  readonly engines: Engines
  readonly program: string
  readonly file: string
  readonly folder: string
  readonly user: OsUser | undefined
}

class RunningNode implements PatroniNode {
  readonly name: string
  readonly rest: string
  readonly #options: NodeOptions
  #patroni: EngineProcess | undefined

  constructor(options: NodeOptions) {
    this.#options = options
    this.name = `db${options.index + 1}`
    this.rest = `http://127.0.0.1:${options.own.rest.port}`
  }

  start(): void {
    const { program, file, user } = this.#options
    this.#patroni = new EngineProcess(program, [file], user, this.#environment())
  }

  /** What `node.env` has. */
  #environment(): Readonly<Record<string, string>> {
    const { own, ways, engines } = this.#options
    const postgres = `127.0.0.1:${own.postgres.port}`
    const rest = `127.0.0.1:${own.rest.port}`
    return {
      PATH: process.env["PATH"] ?? "",
      PATRONI_NAME: this.name,
      PATRONI_POSTGRESQL_LISTEN: postgres,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: postgres,
      PATRONI_POSTGRESQL_DATA_DIR: this.#dataDir,
      PATRONI_POSTGRESQL_BIN_DIR: engines.postgres,
      PATRONI_POSTGRESQL_PGPASS: `${this.#dataDir}.pgpass`,
      PATRONI_RESTAPI_LISTEN: rest,
      PATRONI_RESTAPI_CONNECT_ADDRESS: rest,
      PATRONI_ETCD3_HOSTS: ways.map(({ port }) => `127.0.0.1:${port}`).join(","),
      // Otherwise Patroni asks etcd for its addresses, and goes around the ways that a test cuts.
      PATRONI_ETCD3_USE_PROXIES: "true",
      PATRONI_SUPERUSER_USERNAME: "postgres",
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_USERNAME: "replicator",
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
      RESTWELL_DATABASE_PASSWORD: PASSWORD,
    }
  }

  get #dataDir(): string {
    return join(this.#options.folder, this.name)
  }

  /** What Patroni says of the cluster. Undefined while it does not answer. */
  async members(): Promise<z.infer<typeof MembersSchema>["members"] | undefined> {
    try {
      const answer = await fetch(`${this.rest}/cluster`, { signal: AbortSignal.timeout(1_000) })
      return MembersSchema.parse(await answer.json()).members
    } catch {
      return undefined
    }
  }

  async isPrimary(): Promise<boolean | undefined> {
    const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${this.#options.own.postgres.port}/postgres?connect_timeout=1`
    const asked = queryOnce<{ is: boolean }>(url, "select not pg_is_in_recovery() as is").catch(() => [])
    const rows = await Promise.race([asked, wait(1_000, [])])
    return rows[0]?.is
  }

  async kill(): Promise<void> {
    await this.#signal("SIGKILL")
    await this.#patroni?.ended
  }

  freeze = (): Promise<void> => this.#signal("SIGSTOP")
  thaw = (): Promise<void> => this.#signal("SIGCONT")

  async cutFromEtcd(isCut: boolean): Promise<void> {
    await Promise.all(this.#options.ways.map((way) => way.set(isCut ? "drop" : "open")))
  }

  async remove(): Promise<void> {
    await this.#signal("SIGCONT")
    await this.#signal("SIGKILL")
    await this.#patroni?.ended
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const [line] = (await readFile(join(this.#dataDir, "postmaster.pid"), "utf8").catch(() => "")).split("\n")
    if (this.#patroni?.isRunning) await signalAll(this.#patroni.pid, signal)
    if (line) await signalAll(Number(line), signal)
  }
}

const isReady = (members: Awaited<ReturnType<RunningNode["members"]>>): boolean =>
  members?.filter(({ role, state }) => role !== "leader" && (state === "running" || state === "streaming")).length === 2

async function untilReplicated(nodes: readonly RunningNode[]): Promise<void> {
  const deadline = performance.now() + LONGEST_START_MS
  for (;;) {
    const views = await Promise.all(nodes.map((node) => node.members()))
    if (views.every(isReady)) return
    if (performance.now() > deadline) throw new Error(`the cluster did not start: ${JSON.stringify(views)}`)
    await wait(LOOK_AGAIN_MS)
  }
}

async function leaderOf(nodes: readonly RunningNode[]): Promise<RunningNode> {
  for (const node of nodes) {
    const found = (await node.members())?.find(({ role }) => role === "leader")
    const leader = nodes.find(({ name }) => name === found?.name)
    if (leader) return leader
  }
  throw new Error("no node leads")
}
