import type { Member } from "@restwell/testing/member"
import { expect } from "vitest"

export async function expectRefusal(answer: Response, error: string | RegExp): Promise<void> {
  const body = await answer.text()
  expect(answer.status, body).toBeGreaterThanOrEqual(400)
  expect(answer.status, body).toBeLessThan(500)
  expect(JSON.parse(body)).toMatchObject({ error: expect.stringMatching(error) })
  expect(body).not.toContain("access_token")
}

/** Ends the access of all assistants of the member. */
export async function revokeAssistants(member: Member): Promise<void> {
  const { assistants } = await (await member.send("GET", "/api/account")).json()
  for (const { id } of assistants)
    expect((await member.send("DELETE", `/api/account/assistants/${id}`)).status).toBe(204)
}
