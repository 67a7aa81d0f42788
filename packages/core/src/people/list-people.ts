import { PAGE_SIZE, readPages } from "../account/read-pages.ts"
import type { Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import type { Plan } from "../quota/plans.ts"
import type { ConnectionStatus } from "../store/connection.ts"
import { NO_PERSON } from "./set-plan.ts"

/** People in one page. */
export const PEOPLE_PAGE = PAGE_SIZE

export interface ListedPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly createdAt: Date
  readonly plan: Plan
  readonly connections: readonly { readonly provider: string; readonly status: ConnectionStatus }[]
  /** The last read by the person's key or an assistant within 90 days, which the access log keeps. */
  readonly lastReadAt: Date | null
}

type Store = Pick<Context, "database">
type Position = Pick<ListedPerson, "createdAt" | "id">

/** Everybody with an account, in the order of their sign-ups, in pages. */
export const listPeople = ({ database }: Store): AsyncIterable<readonly ListedPerson[]> =>
  readPages((after?: Position) => readPeople({ database }, after === undefined ? {} : { after }))

/** A page of people. @param search a part of the name or the address */
export async function readPeople(
  { database }: Store,
  { id, after, search = "" }: { readonly id?: string; readonly after?: Position; readonly search?: string },
): Promise<ListedPerson[]> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const people = await database
    .selectFrom("user")
    .innerJoin("person", "person.user_id", "user.id")
    .select(["user.id", "name", "email", "createdAt", "plan"])
    .select((row) =>
      row
        .selectFrom("access_log")
        .select("at")
        .whereRef("access_log.user_id", "=", "user.id")
        .where("outcome", "=", "answered")
        .orderBy("access_log.id", "desc")
        .limit(1)
        .as("lastReadAt"),
    )
    .$if(id !== undefined, (query) => query.where("user.id", "=", id ?? ""))
    .$if(search !== "", (query) =>
      query.where((row) => row.or([row("email", "ilike", pattern), row("name", "ilike", pattern)])),
    )
    .$if(after !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row("createdAt", ">", after?.createdAt ?? new Date(0)),
          row.and([row("createdAt", "=", after?.createdAt ?? new Date(0)), row("user.id", ">", after?.id ?? "")]),
        ]),
      ),
    )
    .orderBy("createdAt")
    .orderBy("user.id")
    .limit(PAGE_SIZE)
    .execute()
  const connections = await readConnectionsOf(
    { database },
    people.map(({ id }) => id),
  )
  return people.map((person) => ({ ...person, connections: connections.get(person.id) ?? [] }))
}

async function readConnectionsOf({ database }: Store, userIds: readonly string[]) {
  const rows =
    userIds.length === 0
      ? []
      : await database
          .selectFrom("connection")
          .select(["user_id", "provider", "status"])
          .where("user_id", "in", userIds)
          .where("status", "<>", "disconnected")
          .orderBy("provider")
          .execute()
  return Map.groupBy(rows, ({ user_id }) => user_id)
}

/** One person. @throws {NotFound} */
export async function readPerson(store: Store, id: string): Promise<ListedPerson> {
  const [person] = await readPeople(store, { id })
  if (!person) throw new NotFound(NO_PERSON)
  return person
}
