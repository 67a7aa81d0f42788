import { randomUUID } from "node:crypto"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, UNLIMITED_QUOTA } from "@restwell/testing/service"
import { expect, test } from "vitest"

const CONNECTIONS = 10

const signUp = (url: string): Promise<Response> =>
  fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      name: "Ada",
      email: `${randomUUID()}@example.com`,
      password: "correct horse battery staple",
    }),
  })

test("a database that became a standby is away until it is the primary again, without a restart", async () => {
  const service = await startTestService({ days: 5, environment: UNLIMITED_QUOTA })
  const { store, url } = service
  // What a standby does with the sessions that begin on it.
  const become = (state: "on" | "off") =>
    store.pool.query(
      `begin read write; alter database ${store.connection.database} set default_transaction_read_only = ${state}; commit`,
    )
  try {
    const { key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" }))
    const readAll = () =>
      Promise.all(
        Array.from({ length: CONNECTIONS }, (_, index) => readHealth(url, key, `?type=sleep&days=${index + 1}`)),
      )
    await become("on")
    await store.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    )
    const refused = async () => {
      const answers = await readAll()
      return answers.every(({ status, headers }) => status === 503 && Number(headers.get("retry-after")) >= 1)
    }
    await expect.poll(refused).toBe(true)
    expect((await signUp(url)).status).toBe(503)
    const readiness = async () => (await fetch(`${url}/readyz`)).status
    expect(await readiness()).toBe(503)
    await become("off")
    // Sessions of the standby stay read-only, so none of them may be used again.
    expect((await readAll()).map(({ status }) => status)).toEqual(Array(CONNECTIONS).fill(200))
    expect((await signUp(url)).status).toBe(200)
    await expect.poll(readiness).toBe(200)
  } finally {
    await service.close()
  }
})
