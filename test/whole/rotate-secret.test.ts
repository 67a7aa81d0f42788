import { authorize, type ClientSchema, postToken, redemptionOf, register } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { runCommand, startTestService, type TestService } from "@restwell/testing/service"
import { createRemoteJWKSet, jwtVerify } from "jose"
import { afterEach, beforeEach, expect, test } from "vitest"
import { z } from "zod"
import { type Balancer, startBalancer } from "./balancer.ts"
import { refreshAll } from "./refresh-all.ts"

const OLD = "an-old-secret-of-at-least-32-characters"
const NEW = "another-secret-of-at-least-32-characters"

const IdTokenSchema = z.looseObject({ id_token: z.string() })

let balancer: Balancer
let service: TestService
beforeEach(async () => {
  balancer = await startBalancer()
  service = await startTestService({ environment: { BASE_URL: balancer.url, RESTWELL_SECRET: OLD }, days: 4 })
})
afterEach(async () => {
  await balancer.close()
  await service.close()
})

async function keysInUse(): Promise<string[]> {
  const { rows } = await service.store.pool.query<{ id: string }>(
    `select key_id as id from restwell.vendor_grant union select refresh_key_id from restwell.vendor_grant
     union select secret_key_id from restwell.oauth_client where secret is not null union select key_id from restwell.signing_key`,
  )
  return rows.map(({ id }) => id)
}

/** Signs in with the client's secret, and verifies the ID token with the published key. Returns the id of that key. */
async function signIn(member: Member, client: z.infer<typeof ClientSchema>): Promise<string | undefined> {
  const authorized = await authorize(balancer, member, { client, scope: "openid sleep:read" })
  const secret = { client_secret: client.client_secret ?? "" }
  const answer = await postToken(balancer, { ...redemptionOf(balancer, authorized), ...secret })
  expect(answer.status, await answer.clone().text()).toBe(200)
  const keys = createRemoteJWKSet(new URL(`${balancer.url}/oauth/jwks`))
  const { id_token } = IdTokenSchema.parse(await answer.json())
  const { protectedHeader } = await jwtVerify(id_token, keys)
  return protectedHeader.kid
}

test("two services change to another secret while they sync, and nobody connects, registers or signs in again", async () => {
  const start = (current: string, former: string) =>
    service.startReplica("all", { RESTWELL_SECRET: current, RESTWELL_FORMER_SECRETS: former })
  const second = await start(OLD, "")
  balancer.between(service, second)
  const members: Member[] = []
  for (let index = 0; index < 6; index += 1) {
    const person = service.simulator.people.add({ email: `member-${index}@vendor.example` })
    members.push((await Member.connected(balancer, person)).member)
  }
  const [ada] = members
  if (!ada) throw new Error("nobody is connected")
  const client = await register(balancer, { token_endpoint_auth_method: "client_secret_post" })
  const signingKey = await signIn(ada, client)
  const before = await keysInUse()
  expect(before).toHaveLength(1)

  // 1. All processes can decrypt with the new secret.
  const decrypting = [await start(OLD, NEW), await start(OLD, NEW)] as const
  balancer.between(...decrypting)
  await Promise.all([service.closeFirst(), second.close()])
  await refreshAll(service.simulator, members)

  // 2. One process after the other encrypts with the new secret. For a while both secrets are in use.
  const encrypting = await start(NEW, OLD)
  balancer.between(decrypting[1], encrypting)
  await decrypting[0].close()
  for (let round = 0; round < 3; round += 1) await refreshAll(service.simulator, members)
  const successor = await start(NEW, OLD)
  balancer.between(encrypting, successor)
  await decrypting[1].close()
  expect(await signIn(ada, client)).toBe(signingKey)

  // 3. All stored secrets are re-encrypted, while tokens are refreshed.
  let isReencrypted = false
  const refreshing = (async () => {
    while (!isReencrypted) await refreshAll(service.simulator, members)
  })()
  const environment = { DATABASE_URL: service.store.url, RESTWELL_SECRET: NEW }
  const unknown = await runCommand(["re-encrypt"], environment)
  const reencrypted = await runCommand(["re-encrypt"], { ...environment, RESTWELL_FORMER_SECRETS: OLD })
  isReencrypted = true
  await refreshing
  expect(unknown.output).toContain("OAuth client secrets: 0 re-encrypted, 1 cannot be decrypted")
  expect(unknown.code).toBe(1)
  expect(reencrypted.output).toContain("OAuth client secrets: 1 re-encrypted\nsigning keys: 1 re-encrypted\n")
  expect(reencrypted.output).toContain("everything is encrypted with the current secret")
  expect(reencrypted.code).toBe(0)
  const after = await keysInUse()
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)

  // 4. Once all cookies are renewed, the old secret is removed.
  await service.store.pool.query(`update restwell.session set "expiresAt" = "expiresAt" - interval '25 hours'`)
  for (const member of members) await member.send("GET", "/api/account")
  const last = [await start(NEW, ""), await start(NEW, "")]
  balancer.between(...last)
  await Promise.all([encrypting.close(), successor.close()])
  await refreshAll(service.simulator, members)
  expect(await signIn(ada, client)).toBe(signingKey)
  const log = service.log.join("\n")
  expect(log).not.toMatch(/UnreadableSecret|could not decrypt|authorization_revoked|sync failed/)
  for (const secret of [OLD, NEW]) expect(log + unknown.output + reencrypted.output).not.toContain(secret)
}, 120_000)
