/** Debian's MQTT broker, with a user of its own, and what it retains as another client sees it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { rm, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import mqtt from "mqtt"
import { firstOf } from "./engines.ts"
import { makeFolder, reservePort } from "./port-and-folder.ts"

/** The path of the program. Undefined if it is not installed. */
export const findMosquitto = (): Promise<string | undefined> =>
  firstOf([...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"].map((folder) => join(folder, "mosquitto")))

export interface Mosquitto {
  /** mqtt:// with user and password. */
  readonly url: string
  /** The payloads that are retained, by topic. */
  readonly retained: ReadonlyMap<string, string>
  /** Kills it with -9. What it retained is lost. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  close(): Promise<void>
}

const USER = "restwell"
const PASSWORD = "a secret of MQTT"
const LOOK_AGAIN_MS = 50
const START_TRIES = 200

export async function startMosquitto(program: string): Promise<Mosquitto> {
  const folder = await makeFolder("mosquitto")
  const reserved = reservePort()
  const { port } = reserved
  const passwords = join(folder, "passwords")
  await writeFile(passwords, `${USER}:${PASSWORD}\n`, { mode: 0o600 })
  const hashed = spawnSync("mosquitto_passwd", ["-U", passwords], { encoding: "utf8" })
  if (hashed.status !== 0) throw new Error(`mosquitto_passwd failed: ${hashed.stderr}`)
  const lines = [
    `listener ${port} 127.0.0.1`,
    "allow_anonymous false",
    `password_file ${passwords}`,
    "persistence false",
    "user root",
  ]
  await writeFile(join(folder, "mosquitto.conf"), `${lines.join("\n")}\n`)
  const url = `mqtt://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`
  const retained = new Map<string, string>()
  let running: ChildProcess | undefined
  const start = async () => {
    running = spawn(program, ["-c", join(folder, "mosquitto.conf")], { stdio: "ignore" })
    for (let tries = 0; !client.connected; tries += 1) {
      if (tries === START_TRIES) throw new Error("mosquitto does not take connections")
      await wait(LOOK_AGAIN_MS)
    }
    await client.subscribeAsync("#", { qos: 1 })
  }
  const kill = async () => {
    const child = running
    running = undefined
    if (!child) return
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
    retained.clear()
  }
  const client = mqtt.connect(url, { reconnectPeriod: LOOK_AGAIN_MS, connectTimeout: 2_000, resubscribe: false })
  client.on("error", () => {})
  client.on("message", (topic, payload) => {
    if (payload.length === 0) retained.delete(topic)
    else retained.set(topic, payload.toString())
  })
  await start()
  return {
    url,
    retained,
    kill,
    start,
    async close() {
      await client.endAsync(true)
      await kill()
      reserved[Symbol.dispose]()
      await rm(folder, { recursive: true })
    },
  }
}
