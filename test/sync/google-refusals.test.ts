// What people are told when Google refuses their account, or the app of the operator, for a reason that only Google has.
import { deleteAccount } from "@restwell/core"
import { startGoogleHealthBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, storedRows } from "@restwell/testing/world"
import { expect, test } from "vitest"

const HOUR_MS = 3_600_000
const NOW = new Date("2026-11-20T12:00:00Z")

test("an account that is not linked to Google Health is told so with the step that helps, and is read once it is", async () => {
  await using opened = new AsyncDisposableStack()
  const simulator = await startVendor({ seed: "google refusals", now: NOW, days: 10, wearsAlways: true })
  const google = await startGoogleHealthBeside(simulator)
  const world = await createWorld({ simulator, vendor: "google_health", beside: { google_health: google } })
  for (const each of [simulator, google, world]) opened.defer(() => each.close())
  const person = simulator.people.add({ email: "unlinked@example.com" })
  const userId = await world.addUser()
  const body = JSON.stringify({
    error: {
      code: 400,
      message: "The account is not linked to Google Health.",
      status: "FAILED_PRECONDITION",
      details: [{ reason: "ACCOUNT_NOT_LINKED", domain: "googleapis.com" }],
    },
  })
  const link = google.faults.add({ kind: "status", status: 400, body, match: { path: /^\/v4/ } })
  await world.connect(userId, person)
  const stateOf = async () =>
    (await world.store.pool.query("select status, status_reason from restwell.connection where user_id = $1", [userId]))
      .rows[0]
  expect(await stateOf()).toEqual({
    status: "vendor_unavailable",
    status_reason: expect.stringMatching(
      /^Fitbit \(Google Health\): this Google account is not linked to Google Health\. Open the Fitbit app with this account /,
    ),
  })
  link()
  simulator.clock.advance(3 * HOUR_MS)
  await world.runDue()
  expect(await stateOf()).toMatchObject({ status: "ok" })
  expect((await storedRows(world, userId)).length).toBeGreaterThan(20)
})

test.each(["USER_PROJECT_DENIED", "RESOURCE_PERMISSION_DENIED"])(
  "a grant that Google no longer honours, %s, is told with the step that cures it, at connect and later",
  async (reason) => {
    await using opened = new AsyncDisposableStack()
    const simulator = await startVendor({ seed: "google grants", now: NOW, days: 10, wearsAlways: true })
    const google = await startGoogleHealthBeside(simulator)
    const world = await createWorld({ simulator, vendor: "google_health", beside: { google_health: google } })
    for (const each of [simulator, google, world]) opened.defer(() => each.close())
    const person = simulator.people.add({ email: "denied@example.com" })
    const userId = await world.addUser()
    opened.defer(() => deleteAccount(world.context, userId))
    const stateOf = async () => {
      const query = "select status, status_reason, gaps from restwell.connection where user_id = $1"
      return (await world.store.pool.query(query, [userId])).rows[0]
    }
    const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "googleapis.com" }]
    const error = { code: 403, message: "Not authorized to access health data.", status: "PERMISSION_DENIED", details }
    const refuse = (path: RegExp) =>
      google.faults.add({ kind: "status", status: 403, body: JSON.stringify({ error }), match: { path } })
    const nextStep = "Remove the app at myaccount.google.com/connections and connect again"
    const allowAll = refuse(/^\/v4/)
    await world.connect(userId, person)
    expect(await stateOf()).toMatchObject({
      status: "vendor_unavailable",
      status_reason: expect.stringMatching(new RegExp(`^Fitbit \\(Google Health\\): Google .+\\. ${nextStep}$`)),
    })
    allowAll()
    simulator.clock.advance(3 * HOUR_MS)
    await world.runDue()
    expect(await stateOf()).toMatchObject({ status: "ok", gaps: [] })
    const before = await storedRows(world, userId)
    refuse(/\/dataTypes\/exercise\//)
    simulator.clock.advance(HOUR_MS)
    await world.runDue()
    expect((await stateOf()).gaps).toMatchObject([{ collection: "exercise", nextStep, helpsReconnect: true }])
    expect(await storedRows(world, userId)).toEqual(expect.arrayContaining(before))
  },
)
