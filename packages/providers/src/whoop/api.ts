// The calls of WHOOP's API v2: addresses and parameters. https://developer.whoop.com/api

import { RequestRefused } from "../contract/errors.ts"
import type { Json, PageRequest, RecordKind } from "../contract/records.ts"
import type { VendorClient } from "../http/vendor-client.ts"
import { known } from "../normalize/known.ts"
import { parseWhole } from "../normalize/read-records.ts"
import { type WhoopBody, WhoopBodySchema, WhoopPageSchema, type WhoopProfile, WhoopProfileSchema } from "./wire.ts"

/** WHOOP's maximum. */
const MAX_LIMIT = 25

const LISTS: Readonly<Record<RecordKind, string>> = {
  sleep: "/developer/v2/activity/sleep",
  recovery: "/developer/v2/recovery",
  workout: "/developer/v2/activity/workout",
  cycle: "/developer/v2/cycle",
}

/** The address of a recovery is its cycle's. */
const RECORDS: Readonly<Record<RecordKind, string>> = {
  sleep: "/developer/v2/activity/sleep/{id}",
  recovery: "/developer/v2/cycle/{id}/recovery",
  workout: "/developer/v2/activity/workout/{id}",
  cycle: "/developer/v2/cycle/{id}",
}

const PROFILE = "/developer/v2/user/profile/basic"
const BODY = "/developer/v2/user/measurement/body"
const ACCESS = "/developer/v2/user/access"

/** One page of a list. Its records are not parsed. */
interface WhoopPage {
  readonly records: readonly Json[]
  readonly nextToken?: string
}

/** Returns one page, newest first. Request the next page with the same bounds and limit, and the token. */
export async function listRecords(client: VendorClient, accessToken: string, request: PageRequest): Promise<WhoopPage> {
  const path = LISTS[request.kind]
  const body = await client.read({ path, accessToken, query: listQuery(request) })
  if (body === undefined) throw new RequestRefused(`GET ${path} answered 404`)
  const page = parseWhole(WhoopPageSchema, body, `GET ${path}`)
  return { records: page.records, ...known({ nextToken: page.next_token || undefined }) }
}

/** Kinds whose ids are UUIDs. Lists may name others, and nothing else depends on their form. */
const HAVE_UUIDS: readonly RecordKind[] = ["sleep", "workout"]
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function listQuery(request: PageRequest): Record<string, string> {
  const limit = Math.max(1, Math.min(request.limit ?? MAX_LIMIT, MAX_LIMIT))
  return {
    limit: String(limit),
    ...known({ start: request.from?.toISOString(), end: request.to?.toISOString(), nextToken: request.cursor }),
  }
}

/** Returns one record, or undefined when WHOOP does not have it. The id of a recovery is its cycle's. */
export async function getRecord(
  client: VendorClient,
  accessToken: string,
  input: { kind: RecordKind; providerId: string },
): Promise<Json | undefined> {
  const path = RECORDS[input.kind]
  // Ids of webhooks come this way, and another text could lead to another address.
  if (!/^[0-9A-Za-z-]{1,64}$/.test(input.providerId)) throw new RequestRefused(`GET ${path} was given an invalid id`)
  // WHOOP answers 400 instead of 404 for these. A record that it once listed so would stop every later sync.
  if (HAVE_UUIDS.includes(input.kind) && !UUID.test(input.providerId)) return undefined
  return client.read({ path, accessToken, parameters: { id: input.providerId } })
}

/** Returns the person and their measurements, parsed and raw. `body` is undefined when WHOOP has none. */
export async function getProfile(client: VendorClient, accessToken: string) {
  const basic = await client.read({ path: PROFILE, accessToken })
  if (basic === undefined) throw new RequestRefused(`GET ${PROFILE} answered 404`)
  const body = await client.read({ path: BODY, accessToken })
  const profile: WhoopProfile = parseWhole(WhoopProfileSchema, basic, `GET ${PROFILE}`)
  const measurements: WhoopBody | undefined =
    body === undefined ? undefined : parseWhole(WhoopBodySchema, body, `GET ${BODY}`)
  const raw: Json = { profile: basic, ...known({ body }) }
  return { profile, body: measurements, raw }
}

/** Ends the person's grant and their webhooks. @see https://developer.whoop.com/docs/developing/oauth */
export function deleteAccess(client: VendorClient, accessToken: string): Promise<void> {
  return client.remove({ path: ACCESS, accessToken })
}
