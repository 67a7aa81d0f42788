import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFile, rm, writeFile } from "node:fs/promises"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { connect as connectTls, getCACertificates, setDefaultCACertificates } from "node:tls"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { makeFolder } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { reservePort } from "@restwell/testing/port"
import { startServiceProcess, TEST_SECRET } from "@restwell/testing/service"
import { expect, test } from "vitest"
import { DEPLOY } from "./documents.ts"

const isThere = spawnSync("caddy", ["version"]).status === 0
const LONGEST_START_MS = 10_000

/** Ports and files of the test, and nothing that needs root. `localhost` gets a certificate of Caddy's own authority (`tls internal`). */
const OPTIONS = (https: number, http: number) => `{
  admin off
  skip_install_trust
  https_port ${https}
  http_port ${http}
`

/** Runs Caddy with deploy/caddy/Caddyfile, and trusts its authority. */
async function startCaddy(folder: string, ports: { https: number; http: number; restwell: number }) {
  const file = await readFile(`${DEPLOY}caddy/Caddyfile`, "utf8")
  expect(file).toContain("restwell:3000")
  expect(file).toMatch(/^\{$/m)
  const configuration = join(folder, "Caddyfile")
  await writeFile(
    configuration,
    file.replace(/^\{$/m, OPTIONS(ports.https, ports.http)).replace("restwell:3000", `127.0.0.1:${ports.restwell}`),
  )
  const { PATH = "" } = process.env
  const caddy = spawn("caddy", ["run", "--config", configuration, "--adapter", "caddyfile"], {
    env: { PATH, DOMAIN: "localhost", HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: "ignore",
  })
  const ended = once(caddy, "exit")
  const root = await readWhenThere(join(folder, "caddy", "pki", "authorities", "local", "root.crt"))
  setDefaultCACertificates([...getCACertificates("default"), root])
  return {
    async [Symbol.asyncDispose]() {
      caddy.kill()
      await ended
    },
  }
}

/** Errors of the proxy are JSON, as the service's are. */
async function expectError(answer: Response, status: number, error: string): Promise<void> {
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/json"])
  expect(await answer.json()).toMatchObject({ error, message: expect.any(String) })
}

/** How long a connection stays open whose header goes on and never ends. */
async function secondsOf(socket: Socket): Promise<number> {
  const began = performance.now()
  socket.on("error", () => {})
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n")
  const more = setInterval(() => socket.write("X-More: 1\r\n"), 500)
  socket.resume()
  await once(socket, "close")
  clearInterval(more)
  return (performance.now() - began) / 1000
}

async function readWhenThere(path: string): Promise<string> {
  const deadline = performance.now() + LONGEST_START_MS
  for (;;) {
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" && performance.now() < deadline) return ""
      throw error
    })
    if (text !== "") return text
    await wait(50)
  }
}

test.skipIf(!isThere)(
  `behind Caddy with TLS people sign in and assistants connect${isThere ? "" : " (skipped: there is no caddy on the PATH)"}`,
  async () => {
    await using opened = new AsyncDisposableStack()
    const folder = await makeFolder("caddy")
    opened.defer(() => rm(folder, { recursive: true }))
    const [https, http, restwell] = [1, 2, 3].map(() => opened.use(reservePort()).port)
    const url = `https://localhost:${https}`
    const service = await startServiceProcess({
      ...(restwell !== undefined && { port: restwell }),
      environment: {
        BASE_URL: url,
        TRUST_PROXY: "loopback",
        DATA_DIR: join(folder, "data"),
        RESTWELL_SECRET: TEST_SECRET,
        SIGN_UP: "open",
      },
    })
    opened.defer(async () => void (await service.stop()))
    opened.use(await startCaddy(folder, { https: Number(https), http: Number(http), restwell: service.port }))
    const member = new Member({ url })
    await member.signUp()
    expect(member.cookie).toContain("__Secure-restwell.session_token=")
    const home = await fetch(url)
    expect(home.status).toBe(200)
    await expectError(await fetch(`${url}/metrics`), 404, "route_not_found")
    const held = [
      connect(Number(http), "127.0.0.1"),
      connectTls(Number(https), "localhost", { servername: "localhost" }),
    ]
    // The limit is 10 s, seen later on a busy machine.
    for (const seconds of await Promise.all(held.map(secondsOf))) expect(Math.round(seconds)).toBeLessThan(50)
    const metadata = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()
    expect(metadata).toMatchObject({ issuer: url, token_endpoint: `${url}/oauth/token` })

    const { access_token: token } = await connectAssistant({ url }, member)
    expect(await callTool({ url }, token, "get_sleep")).toBeDefined()

    await service.stop()
    await expectError(await fetch(url), 503, "unavailable")
  },
)
