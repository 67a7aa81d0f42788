import { randomBytes } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"

const DemoStateSchema = z.object({
  name: z.string(),
  email: z.string(),
  password: z.string(),
  apiKey: z.string().optional(),
  /** Start of the simulated history. Another one would change its records. */
  historyFrom: z.coerce.date(),
})

/** What the demo stores between starts, with the key that the service stores only as a hash. */
export type DemoState = z.infer<typeof DemoStateSchema>

const fileIn = (directory: string): string => join(directory, "demo.json")

/** The stored state, or that of a new account. */
export async function readState(directory: string, historyFrom: Date): Promise<DemoState> {
  try {
    return DemoStateSchema.parse(JSON.parse(await readFile(fileIn(directory), "utf8")))
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
    return { name: "Lena", email: "lena@example.com", password: randomBytes(9).toString("base64url"), historyFrom }
  }
}

/** Only this user of the machine can read the file. */
export async function writeState(directory: string, state: DemoState): Promise<void> {
  await mkdir(directory, { recursive: true })
  await writeFile(fileIn(directory), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
}
