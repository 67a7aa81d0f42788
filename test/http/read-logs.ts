// Steps of the tests of the access log and the security log.

import {
  type AccessLogResponse,
  AccessLogResponseSchema,
  AccountResponseSchema,
  type SecurityLogResponse,
  SecurityLogResponseSchema,
} from "@restwell/client"
import { Member } from "@restwell/testing/member"
import type { TestService } from "@restwell/testing/service"

export const LOGS = ["access_log", "security_event"] as const

export const connectNewMember = (service: TestService): ReturnType<typeof Member.connected> =>
  Member.connected(service, service.simulator.people.addOne())

export const readAccessLog = async (member: Member, search = ""): Promise<AccessLogResponse> =>
  AccessLogResponseSchema.parse(await (await member.send("GET", `/api/account/access-log${search}`)).json())

export const readSecurityLog = async (member: Member, search = ""): Promise<SecurityLogResponse> =>
  SecurityLogResponseSchema.parse(await (await member.send("GET", `/api/account/security-log${search}`)).json())

/** The newest security events as "type: detail". */
export const listSecurityEvents = async (member: Member): Promise<string[]> =>
  (await readSecurityLog(member)).entries.map(({ type, detail }) => (detail === null ? type : `${type}: ${detail}`))

const readAccount = async (member: Member) =>
  AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json())

export const readUsage = async (member: Member): Promise<number> => (await readAccount(member)).usage.used

export const readUserId = async (member: Member): Promise<string> => (await readAccount(member)).user.id

/** Adds entries of this age to both logs. */
export async function fillLogs({ store }: TestService, userId: string, count: number, ageDays: number): Promise<void> {
  const values = [userId, count, ageDays]
  await store.pool.query(
    `insert into restwell.access_log (user_id, at, reader, operation, types, outcome)
     select $1, now() - make_interval(days => $3::int), 'api_key', '/api/v1/health', '{sleep}', 'answered' from generate_series(1, $2::int)`,
    values,
  )
  await store.pool.query(
    `insert into restwell.security_event (user_id, at, type)
     select $1, now() - make_interval(days => $3::int), 'signed_out' from generate_series(1, $2::int)`,
    values,
  )
}

/** The number of a user's entries in a log, by their age in days. */
export async function countByAge(
  { store }: TestService,
  userId: string,
  log: (typeof LOGS)[number],
): Promise<Record<string, number>> {
  const { rows } = await store.pool.query(
    `select (now()::date - at::date) as days, count(*)::int as count from restwell.${log} where user_id = $1 group by 1`,
    [userId],
  )
  return Object.fromEntries(rows.map(({ days, count }) => [days, count]))
}
