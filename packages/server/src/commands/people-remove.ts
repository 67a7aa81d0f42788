import { createTokenCipher, deleteAccount, readPeople } from "@restwell/core"
import { openSecrets } from "../config/open-secrets.ts"
import { waitInRealTime } from "../time/wait.ts"
import { createVendors } from "../vendors/create-vendors.ts"
import { accountOf } from "./account-of.ts"
import { CommandFailed } from "./command.ts"
import { withStore } from "./with-store.ts"

export interface RemoveArguments {
  readonly email: string
  readonly isConfirmed: boolean
}

/** `restwell people remove`: deletes an account as the account page does. */
export const main = ({ email, isConfirmed }: RemoveArguments): Promise<void> =>
  withStore(async (store, signal) => {
    const userId = await accountOf(store, email)
    if (!isConfirmed) throw new CommandFailed(await describe(store, userId, email))
    const { config, database, clock, logger } = store
    const { vendors } = config
    const cipher = createTokenCipher(await openSecrets(config))
    const { adaptersFor } = createVendors({ vendors, database, clock, wait: waitInRealTime, signal })
    await deleteAccount({ database, clock, logger, cipher, adaptersFor }, userId)
    process.stdout.write(`${email} and all its data are deleted\n`)
  })

async function describe(store: Parameters<typeof readPeople>[0], userId: string, email: string): Promise<string> {
  const person = (await readPeople(store, { search: email })).find(({ id }) => id === userId)
  const vendors = person?.connections.map(({ provider }) => provider) ?? []
  const ends = vendors.length === 0 ? "" : ` It also ends the access to ${vendors.join(", ")}.`
  return `nothing was deleted. This deletes ${email} with all records, keys and sessions, for good.${ends} Add --yes to do it`
}
