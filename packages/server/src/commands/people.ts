import { utcDateOf } from "@restwell/client/calendar-dates"
import {
  createInvitation,
  createPasswordReset,
  createTokenCipher,
  deleteAccount,
  type ListedPerson,
  listPeople,
  PLANS,
  type Plan,
  readOwnerId,
  readPeople,
  setOwner,
  setPlan,
} from "@restwell/core"
import { z } from "zod"
import { invitationLink, resetLink } from "../accounts/links.ts"
import { readEffectiveSettings } from "../config/live-settings.ts"
import { openSecrets } from "../config/secret-files.ts"
import { createVendors } from "../config/vendors.ts"
import { waitInRealTime } from "../process/wait.ts"
import { CommandFailed, type Given, printResult } from "./command.ts"
import { accountOf, baseUrlOf, withStore } from "./with-database.ts"

/** `restwell people`: the accounts as a table, or as a JSON list. */
export const listCommand = (given: Given): Promise<void> =>
  withStore(async (store) => {
    const people: ListedPerson[] = []
    const ownerId = await readOwnerId(store)
    for await (const page of listPeople(store)) people.push(...page)
    const json = people.map((person) => describe(person, ownerId))
    printResult(given, json, people.length === 0 ? "there is no account yet\n" : tableOf(people, ownerId))
  })

const describe = (
  { id, name, email, createdAt, plan, connections, lastReadAt }: ListedPerson,
  ownerId: string | undefined,
) => ({
  id,
  name,
  email,
  is_owner: id === ownerId,
  created_at: createdAt.toISOString(),
  plan,
  connections: connections.map(({ provider, status }) => ({ provider, status })),
  last_read_at: lastReadAt?.toISOString() ?? null,
})

const HEADERS = ["EMAIL", "CREATED", "PLAN", "ROLE", "LAST READ", "VENDORS"]

function tableOf(people: readonly ListedPerson[], ownerId: string | undefined): string {
  const rows = people.map(({ id, email, createdAt, plan, connections, lastReadAt }) => [
    email,
    utcDateOf(createdAt),
    plan,
    id === ownerId ? "owner" : "",
    lastReadAt ? utcDateOf(lastReadAt) : "never",
    connections.map(({ provider, status }) => `${provider} (${status})`).join(", ") || "none",
  ])
  const widths = HEADERS.map((header, column) =>
    Math.max(header.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  )
  return [HEADERS, ...rows]
    .map(
      (cells) =>
        `${cells
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("")
}

/** A UTC date. */

/** `restwell people invite`: prints a link that creates one account. */
export const inviteCommand = (given: Given): Promise<void> =>
  withStore(async (store) => {
    const email = given.optionalArgument("EMAIL")
    const invited = email === undefined ? undefined : addressOf(email)
    const plan = planOf(given.optionalValue("plan") ?? "free")
    const { id, token, expiresAt } = await createInvitation(store, { email: invited, plan })
    const url = invitationLink(await baseUrlOf(store), token)
    const whose = invited === undefined ? "the person who opens it first" : invited
    const until = expiresAt.toISOString()
    const text = `${url}\nIt creates one account, for ${whose}, until ${until}.\n`
    printResult(given, { id, link: url, expires_at: until }, text)
  })

/** @throws {CommandFailed} */
export function planOf(text: string): Plan {
  const plan = PLANS.find((known) => known === text)
  if (plan === undefined) throw new CommandFailed(`the plan must be one of ${PLANS.join(", ")}, not ${text}`)
  return plan
}

function addressOf(text: string): string {
  const parsed = z.email().max(254).safeParse(text.trim().toLowerCase())
  if (!parsed.success) throw new CommandFailed(`${text} is no email address, like ada@example.com`)
  return parsed.data
}

/** `restwell people remove`: deletes an account as the account page does. */
export const removeCommand = (given: Given): Promise<void> =>
  withStore(async (store, signal) => {
    const email = given.argument("EMAIL")
    const userId = await accountOf(store, email)
    if (!given.has("yes")) throw new CommandFailed(await describeRemoval(store, userId, email))
    const { config, database, clock, logger } = store
    const cipher = createTokenCipher(await openSecrets(config))
    const { vendors } = await readEffectiveSettings({ config, database, cipher, address: "" })
    const { adaptersFor } = createVendors({ vendors: () => vendors, database, clock, wait: waitInRealTime, signal })
    await deleteAccount({ database, clock, logger, cipher, adaptersFor }, userId)
    process.stdout.write(`${email} and all its data are deleted\n`)
  })

async function describeRemoval(
  store: Parameters<typeof readPeople>[0],
  userId: string,
  email: string,
): Promise<string> {
  const person = (await readPeople(store, { search: email })).find(({ id }) => id === userId)
  const vendors = person?.connections.map(({ provider }) => provider) ?? []
  const ends = vendors.length === 0 ? "" : ` It also ends the access to ${vendors.join(", ")}.`
  return `nothing was deleted. This deletes ${email} with all records, keys and sessions, for good.${ends} Add --yes to do it`
}

/** `restwell people set-owner`: the account that sees the page Service, invites people and sets up vendors. */
export const setOwnerCommand = (given: Given): Promise<void> =>
  withStore(async (store) => {
    const email = given.argument("EMAIL")
    await setOwner(store, await accountOf(store, email))
    process.stdout.write(`${email} owns this Restwell\n`)
  })

/** `restwell people set-plan`: changes how many requests an account has in a month. */
export const setPlanCommand = (given: Given): Promise<void> =>
  withStore(async (store) => {
    const email = given.argument("EMAIL")
    const chosen = planOf(given.argument("PLAN"))
    await setPlan(store, await accountOf(store, email), chosen)
    process.stdout.write(`${email} has the plan ${chosen}: ${store.config.plans[chosen]} requests a month\n`)
  })

/** `restwell reset-password`: prints a link that sets a new password once. */
export const resetPasswordCommand = (given: Given): Promise<void> =>
  withStore(async (store) => {
    const userId = await accountOf(store, given.argument("EMAIL"))
    const removesTwoFactor = given.has("remove-two-factor")
    const link = await createPasswordReset(store, userId, { by: "operator", removesTwoFactor })
    if (!link) throw new CommandFailed("the account was deleted meanwhile")
    const url = resetLink(await baseUrlOf(store), link.token)
    const expiresAt = link.expiresAt.toISOString()
    const codes = removesTwoFactor ? "Using it also turns sign-in codes off.\n" : ""
    const text = `${url}\nIt works once, until ${expiresAt}. Give it only to the person whose account it is.\n${codes}`
    printResult(given, { link: url, expires_at: expiresAt, removes_two_factor: removesTwoFactor }, text)
  })
