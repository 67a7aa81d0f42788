import { once } from "node:events"
import { rm } from "node:fs/promises"
import { connect } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { makeFolder } from "@restwell/testing/database"
import { startServiceProcess } from "@restwell/testing/service"
import { expect, onTestFinished, test } from "vitest"

/** Where Node's inspector listens. */
const INSPECTOR_PORT = 9229
const OPENING_MS = 500

/** Whether a program listens on the port. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1")
  try {
    await once(socket, "connect")
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

test("SIGUSR1 opens no inspector and ends nothing", async () => {
  const dataDir = await makeFolder("inspector")
  const service = await startServiceProcess({ environment: { DATA_DIR: dataDir } })
  onTestFinished(async () => {
    await service.stop()
    await rm(dataDir, { recursive: true })
  })
  expect(await isListening(INSPECTOR_PORT)).toBe(false)
  for (let count = 0; count < 3; count += 1) process.kill(service.pid, "SIGUSR1")
  await wait(OPENING_MS)
  expect(await isListening(INSPECTOR_PORT)).toBe(false)
  expect(service.errors()).not.toContain("Debugger")
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  expect(await service.stop()).toBe(0)
})
