import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { access, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { makeFolder } from "./port-and-folder.ts"

const CONFIGURATION = new URL("../../../../deploy/nginx.conf", import.meta.url)
const START_MS = 5_000

/** The path in the variable NGINX, or nginx on the PATH. Undefined if there is none. */
export async function findNginx(): Promise<string | undefined> {
  const { NGINX, PATH = "" } = process.env
  const paths = NGINX ? [NGINX] : PATH.split(delimiter).map((folder) => join(folder, "nginx"))
  for (const path of paths)
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path
  return undefined
}

/** deploy/nginx.conf with the addresses and folders of Docker replaced by local ones, and nothing else changed. */
async function localConfiguration(local: {
  readonly directory: string
  readonly port: number
  readonly replicas: readonly number[]
}): Promise<string> {
  const { directory, port, replicas } = local
  const replace = (text: string, from: string | RegExp, to: (found: string) => string): string => {
    if (!text.match(from)) throw new Error(`deploy/nginx.conf does not contain ${from}`)
    return text.replace(from, to)
  }
  let text = await readFile(CONFIGURATION, "utf8")
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

/** Starts nginx with our configuration on a port of 127.0.0.1, with a folder of its own. */
export async function startNginx(program: string, port: number, replicas: readonly number[]): Promise<Nginx> {
  const directory = await openDirectory()
  await writeFile(join(directory, "nginx.conf"), await localConfiguration({ directory, port, replicas }))
  const child = runNginx(program, directory, ["-g", "daemon off;"])
  let errors = ""
  child.stderr?.on("data", (chunk) => {
    errors += chunk
  })
  const ended = once(child, "close")
  const url = `http://localhost:${port}`
  await untilAnswering(url, child, () => errors)
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

/** What `nginx -t` prints about our configuration. */
export async function testConfiguration(program: string): Promise<string> {
  const directory = await openDirectory()
  await writeFile(
    join(directory, "nginx.conf"),
    await localConfiguration({ directory, port: 18080, replicas: [13001, 13002] }),
  )
  const child = runNginx(program, directory, ["-t"])
  let errors = ""
  child.stderr?.on("data", (chunk) => {
    errors += chunk
  })
  await once(child, "close")
  await rm(directory, { recursive: true })
  return errors
}

function runNginx(program: string, directory: string, more: readonly string[]): ChildProcess {
  // nginx itself reads NGINX as a list of sockets that it inherits.
  const { NGINX: _, ...env } = process.env
  const from = ["-p", directory, "-e", join(directory, "log"), "-c", join(directory, "nginx.conf")]
  return spawn(program, [...from, ...more], { env, stdio: ["ignore", "ignore", "pipe"] })
}

/** Started by root, its workers run as nobody and must be able to enter the folder. */
async function openDirectory(): Promise<string> {
  const directory = await makeFolder("nginx")
  await mkdir(join(directory, "logs"))
  return directory
}

async function untilAnswering(url: string, child: ChildProcess, errors: () => string): Promise<void> {
  const deadline = performance.now() + START_MS
  while (child.exitCode === null && performance.now() < deadline) {
    if (await fetch(url).then(Boolean, () => false)) return
    await wait(20)
  }
  throw new Error(`nginx does not answer: ${errors()}`)
}
