import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"

const OURS = new URL("../../deploy/nginx.conf", import.meta.url)
const START_MS = 5_000

/** The program in NGINX, or the one on the PATH; undefined where there is none. */
export async function findNginx(): Promise<string | undefined> {
  const { NGINX, PATH = "" } = process.env
  const places = NGINX ? [NGINX] : PATH.split(delimiter).map((folder) => join(folder, "nginx"))
  for (const place of places)
    if (
      await access(place).then(
        () => true,
        () => false,
      )
    )
      return place
  return undefined
}

/** deploy/nginx.conf with addresses and folders of this machine in the place of Docker's; nothing else in it is changed. */
export async function ourConfiguration(place: {
  readonly directory: string
  readonly port: number
  readonly replicas: readonly number[]
}): Promise<string> {
  const { directory, port, replicas } = place
  const replace = (text: string, from: string | RegExp, to: (found: string) => string): string => {
    if (!text.match(from)) throw new Error(`deploy/nginx.conf holds no ${from}`)
    return text.replace(from, to)
  }
  let text = await readFile(OURS, "utf8")
  text = replace(text, /^ *server api:3000 resolve(.*)$/m, (line) =>
    replicas.map((replica) => line.replace("api:3000 resolve", `127.0.0.1:${replica}`)).join("\n"),
  )
  text = replace(text, "listen 8080;", () => `listen 127.0.0.1:${port};`)
  text = replace(text, /(?<= )\/tmp\//g, () => `${directory}/`)
  return replace(text, /\/dev\/std(?:out|err)/g, () => join(directory, "log"))
}

export interface Nginx {
  readonly url: string
  readonly log: () => Promise<string>
  stop(): Promise<void>
}

/** Starts nginx with our configuration in a folder of its own, on a port of loopback. */
export async function startNginx(program: string, port: number, replicas: readonly number[]): Promise<Nginx> {
  const directory = await openDirectory()
  await writeFile(join(directory, "nginx.conf"), await ourConfiguration({ directory, port, replicas }))
  const child = runNginx(program, directory, ["-g", "daemon off;"])
  let said = ""
  child.stderr?.on("data", (chunk) => {
    said += chunk
  })
  const ended = once(child, "close")
  const url = `http://localhost:${port}`
  await untilAnswering(url, child, () => said)
  return {
    url,
    log: () => readFile(join(directory, "log"), "utf8"),
    async stop() {
      child.kill("SIGTERM")
      await ended
      await rm(directory, { recursive: true })
    },
  }
}

/** What `nginx -t` says of a configuration. */
export async function testConfiguration(program: string): Promise<string> {
  const directory = await openDirectory()
  await writeFile(
    join(directory, "nginx.conf"),
    await ourConfiguration({ directory, port: 18080, replicas: [13001, 13002] }),
  )
  const child = runNginx(program, directory, ["-t"])
  let said = ""
  child.stderr?.on("data", (chunk) => {
    said += chunk
  })
  await once(child, "close")
  await rm(directory, { recursive: true })
  return said
}

function runNginx(program: string, directory: string, more: readonly string[]): ChildProcess {
  // To nginx the variable NGINX means sockets of a former process.
  const { NGINX: _, ...env } = process.env
  const from = ["-p", directory, "-e", join(directory, "log"), "-c", join(directory, "nginx.conf")]
  return spawn(program, [...from, ...more], { env, stdio: ["ignore", "ignore", "pipe"] })
}

/** Its workers are nobody when it is started by root. */
async function openDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "restwell-nginx-"))
  await chmod(directory, 0o755)
  await mkdir(join(directory, "logs"))
  return directory
}

async function untilAnswering(url: string, child: ChildProcess, said: () => string): Promise<void> {
  const deadline = performance.now() + START_MS
  while (child.exitCode === null && performance.now() < deadline) {
    if (await fetch(url).then(Boolean, () => false)) return
    await wait(20)
  }
  throw new Error(`nginx does not answer: ${said()}`)
}
