import { type ListedPerson, listPeople, readOwnerId } from "@restwell/core"
import { withStore } from "./with-store.ts"

/** `restwell people`: the accounts as a table, or as a JSON list. */
export const main = ({ isJson }: { readonly isJson: boolean }): Promise<void> =>
  withStore(async (store) => {
    const people: ListedPerson[] = []
    const ownerId = await readOwnerId(store)
    for await (const page of listPeople(store)) people.push(...page)
    if (isJson) return print(`${JSON.stringify(people.map((person) => describe(person, ownerId)))}\n`)
    if (people.length === 0) return print("there is no account yet\n")
    print(tableOf(people, ownerId))
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

const HEADERS = ["E-MAIL", "CREATED", "PLAN", "ROLE", "LAST READ", "VENDORS"]

function tableOf(people: readonly ListedPerson[], ownerId: string | undefined): string {
  const rows = people.map(({ id, email, createdAt, plan, connections, lastReadAt }) => [
    email,
    dateOf(createdAt),
    plan,
    id === ownerId ? "owner" : "",
    lastReadAt ? dateOf(lastReadAt) : "never",
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
const dateOf = (instant: Date): string => instant.toISOString().slice(0, 10)

function print(text: string): void {
  process.stdout.write(text)
}
