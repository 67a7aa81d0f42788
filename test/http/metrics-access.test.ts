import { networkInterfaces } from "node:os"
import { reservePort } from "@restwell/testing/port"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const TOKEN = "a token for Prometheus of at least 32 characters"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 1 })
})
afterAll(() => service.close())

const read = (url: string, authorization?: string): Promise<Response> =>
  fetch(`${url}/metrics`, { headers: authorization === undefined ? {} : { authorization } })

/** An address of this machine that others reach. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address

describe.each(["api", "worker"] as const)("without METRICS_TOKEN the role %s", (role) => {
  test("gives no metrics on its own port, and says which settings do", async () => {
    const replica = await service.startReplica(role, { METRICS_TOKEN: "" })
    const refused = await read(replica.url)
    expect(refused.status).toBe(404)
    expect(await refused.json()).toEqual({
      error: "not_found",
      message: expect.stringMatching(/METRICS_TOKEN.*METRICS_PORT/),
    })
    await replica.close()
  })

  test.skipIf(outside === undefined)("gives them on METRICS_PORT to this machine only, whatever HOST is", async () => {
    using reserved = reservePort()
    const { port } = reserved
    const settings = { METRICS_PORT: String(port), METRICS_TOKEN: "", HOST: "0.0.0.0" }
    const replica = await service.startReplica(role, settings)
    const answer = await read(`http://127.0.0.1:${port}`)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain("process_resident_memory_bytes")
    await expect(read(`http://${outside}:${port}`)).rejects.toThrow("fetch failed")
    expect((await fetch(`http://${outside}:${new URL(replica.url).port}/healthz`)).status).toBe(200)
    await replica.close()
  })
})

describe.each(["api", "worker"] as const)("the role %s", (role) => {
  test("with METRICS_TOKEN gives metrics to that token only", async () => {
    const replica = await service.startReplica(role, { METRICS_TOKEN: TOKEN })
    expect((await read(replica.url, `Bearer ${TOKEN}`)).status).toBe(200)
    expect((await read(replica.url, `bearer ${TOKEN}`)).status).toBe(200)
    for (const wrong of [
      undefined,
      "",
      "Bearer",
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `Basic ${btoa(TOKEN)}`,
    ]) {
      const refused = await read(replica.url, wrong)
      expect(refused.status).toBe(401)
      expect(refused.headers.get("www-authenticate")).toBe("Bearer")
      expect(await refused.json()).toEqual({ error: "unauthorized", message: expect.stringContaining("METRICS_TOKEN") })
    }
    for (const path of ["/healthz", "/readyz"]) expect((await fetch(replica.url + path)).status).toBe(200)
    await replica.close()
  })

  test("with METRICS_PORT serves metrics there, and not on the port of the service", async () => {
    using reserved = reservePort()
    const metricsUrl = `http://127.0.0.1:${reserved.port}`
    const replica = await service.startReplica(role, { METRICS_PORT: String(reserved.port), METRICS_TOKEN: TOKEN })
    expect((await read(metricsUrl)).status).toBe(401)
    const answer = await read(metricsUrl, `Bearer ${TOKEN}`)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain("restwell_connections")
    expect((await read(replica.url, `Bearer ${TOKEN}`)).status).toBe(404)
    for (const path of ["/", "/healthz", "/api/v1/health"]) expect((await fetch(metricsUrl + path)).status).toBe(404)
    await replica.close()
    await expect(read(metricsUrl)).rejects.toThrow()
  })
})
