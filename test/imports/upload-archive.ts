import type { Member } from "@restwell/testing/member"
import { expect, vi } from "vitest"
import { z } from "zod"

export const ImportsSchema = z.object({
  imports: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      report: z.any(),
      error: z.string().nullable(),
      file_name: z.string(),
    }),
  ),
})

/** Uploads a file as a browser does. */
export async function uploadArchive(
  url: string,
  member: Member,
  bytes: Buffer,
  fields: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData()
  form.set("file", new Blob([new Uint8Array(bytes)]), "my_whoop_data.zip")
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return fetch(`${url}/api/imports`, { method: "POST", headers: { cookie: member.cookie }, body: form })
}

/** Uploads a file, and waits for the end of its import. */
export async function importedArchive(url: string, member: Member, bytes: Buffer, fields: Record<string, string> = {}) {
  const started = await uploadArchive(url, member, bytes, fields)
  expect(started.status).toBe(202)
  const { id } = z.object({ id: z.string() }).parse(await started.json())
  const find = async () => {
    const list = ImportsSchema.parse(await (await member.send("GET", "/api/imports")).json())
    return list.imports.find((listed) => listed.id === id && ["done", "failed"].includes(listed.status))
  }
  return vi.waitFor(
    async () => {
      const found = await find()
      expect(found).toBeDefined()
      return found
    },
    { timeout: 100_000, interval: 100 },
  )
}
