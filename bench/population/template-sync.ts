/** Syncs people of the simulated vendor through core, so that the copies have the rows that a real sync stores. */

import { startVendor } from "@restwell/testing/vendor"
import { createWorld, newKey } from "@restwell/testing/world"
import type { Pool } from "pg"

export interface SyncedPerson {
  readonly userId: string
  readonly email: string
  /** The vendor's number of this person. */
  readonly vendorUserId: number
  readonly keyHash: string
  readonly keyPrefix: string
}

export interface TemplateSync {
  /** Adds an account, connects it, syncs its whole history, and reads once with its key. */
  addPerson(number: number, days: number): Promise<SyncedPerson>
  close(): Promise<void>
}

/** Calls of templates leave no rows in the database that is filled. */
const UNCOUNTED = { acquire: async () => {}, report: async () => {} }

export async function openTemplateSync(pool: Pool): Promise<TemplateSync> {
  const simulator = await startVendor({ seed: "population", wearsAlways: true })
  const world = await createWorld({ simulator, pool, gateFor: () => UNCOUNTED, cacheBytes: 0 })
  return {
    async addPerson(number, days) {
      const id = idOfTemplate(number)
      const email = `${id.toLowerCase()}@example.com`
      // An earlier fill that was interrupted may have left this account.
      await pool.query(`delete from restwell."user" where id = $1`, [id])
      const person = simulator.people.add({ email, days })
      const userId = await world.addUser({ id, email })
      await world.authorize(userId, person)
      await world.runJob(userId)
      const { keyHash, prefix } = await newKey(world.context, userId)
      const query = { type: "summary", days: 7 } as const
      await world.reader.read({ credential: { keyHash }, query, ifNoneMatch: [], isCounted: true })
      return { userId, email, vendorUserId: person.userId, keyHash, keyPrefix: prefix }
    },
    async close() {
      await world.close()
      await simulator.close()
    },
  }
}

/** As long as the ids of better-auth. It is fixed, so that every run makes the same history for a template. */
const idOfTemplate = (number: number): string => `Template${String(number).padStart(24, "0")}`
