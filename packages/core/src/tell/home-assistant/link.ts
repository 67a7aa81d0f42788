/** The ways to Home Assistant: its broker, which one process is connected to, and its own address. */
import { randomBytes } from "node:crypto"
import { sql } from "kysely"
import type { Context } from "../../context/context.ts"
import { scheduleJob } from "../../jobs/job-queue.ts"
import type { HomeAssistantLinkTable } from "../../store/people-tables.ts"

type Link = HomeAssistantLinkTable["link"]

/** The job of the connection to the broker. The process that has it is the one that is connected. */
export const BROKER_JOB = { kind: "home_assistant", key: "broker" } as const

/** Requests the connection to the broker. Call it when work begins, and for a new address. */
export const scheduleBroker = ({ database }: Pick<Context, "database">): Promise<void> =>
  scheduleJob({ database }, BROKER_JOB, async () => "at_once")

const INSTALLATION_BYTES = 4

/** The part of the topics that sets the installations of one broker apart. It is made once. */
export async function installationOf({ database }: Pick<Context, "database">): Promise<string> {
  const made = randomBytes(INSTALLATION_BYTES).toString("hex")
  const { installation } = await database
    .insertInto("home_assistant_link")
    .values({ link: "broker", installation: made, failing_since: null, failure: null })
    .onConflict((conflict) =>
      conflict.column("link").doUpdateSet({
        installation: sql<string>`coalesce(nullif(restwell.home_assistant_link.installation, ''), excluded.installation)`,
      }),
    )
    .returning("installation")
    .executeTakeFirstOrThrow()
  return installation
}

/** Stores that a link fails, and since when, or that it works. @param failure in words, without a secret */
export async function noteLink(
  { database, clock }: Pick<Context, "database" | "clock">,
  link: Link,
  failure: string | null,
): Promise<void> {
  const since = failure === null ? null : clock.now()
  await database
    .insertInto("home_assistant_link")
    .values({ link, installation: "", failing_since: since, failure })
    .onConflict((conflict) =>
      conflict.column("link").doUpdateSet({
        failure,
        failing_since: failure === null ? null : sql`coalesce(restwell.home_assistant_link.failing_since, ${since})`,
      }),
    )
    .execute()
}

/** How the links work, and how many people are published. */
export interface HomeAssistantHealth {
  readonly people: number
  readonly failures: readonly { readonly link: Link; readonly since: Date; readonly failure: string }[]
}

/** Reads the state of the links, for the operator. */
export async function readHomeAssistantHealth({ database }: Pick<Context, "database">): Promise<HomeAssistantHealth> {
  const [links, { people }] = await Promise.all([
    database.selectFrom("home_assistant_link").select(["link", "failing_since", "failure"]).orderBy("link").execute(),
    database
      .selectFrom("home_assistant")
      .select(({ fn }) => fn.countAll<string>().as("people"))
      .executeTakeFirstOrThrow(),
  ])
  return {
    people: Number(people),
    failures: links.flatMap(({ link, failing_since: since, failure }) =>
      since !== null && failure !== null ? { link, since, failure } : [],
    ),
  }
}
