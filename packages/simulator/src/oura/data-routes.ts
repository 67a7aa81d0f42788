/** The collections. Every request is checked in the same order: token, rate limit, scope. */
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Grant } from "../grants/grants.ts"
import { bearerToken, queryOf } from "../http/request.ts"
import type { Entry } from "../records/collection.ts"
import { isWithinDays, pageOfDocuments, parseDocumentQuery, SCOPE_OF } from "./collections.ts"
import { ouraError } from "./errors.ts"
import { personalInfo } from "./records/person-documents.ts"
import { COLLECTIONS, type CollectionName, type OuraDocuments, type WireRingConfiguration } from "./records/wire.ts"
import type { OuraVendor } from "./vendor.ts"

const PATH = "/v2/usercollection"

export function addOuraDataRoutes(app: FastifyInstance, vendor: OuraVendor): void {
  for (const name of COLLECTIONS) {
    app.get(`${PATH}/${name}`, async (request) => list(vendor, name, request))
    app.get<{ Params: { id: string } }>(`${PATH}/${name}/:id`, async (request) => single(vendor, name, request))
  }
  app.get(`${PATH}/personal_info`, async (request) => {
    const { userId, scopes } = admit(vendor, request)
    if (!scopes.includes("personal")) throw ouraError(refusalOf(vendor), "The scope personal is missing")
    const info = personalInfo(vendor.people.get(userId), vendor.clock.nowMs())
    return scopes.includes("email") ? info : { ...info, email: null }
  })
  // A list without dates.
  app.get(`${PATH}/ring_configuration`, async (request) => {
    const { userId } = admit(vendor, request)
    return { data: [ringOf(vendor, userId)], next_token: null }
  })
}

function admit(vendor: OuraVendor, request: FastifyRequest): Grant {
  const token = bearerToken(request)
  if (token === undefined) throw ouraError(400, "Token is missing from Request Authorization Header")
  const grant = vendor.grants.authorize(token)
  if (!grant) throw ouraError(401, "The access token is invalid or expired")
  vendor.rateLimiter.take(token)
  return grant
}

const refusalOf = ({ settings }: OuraVendor) => (settings.missingScope === "empty" ? 403 : settings.missingScope)

/** Returns whether the grant has the collection's scope. Without it some collections are empty instead of refused. */
function hasScope(vendor: OuraVendor, name: CollectionName, { scopes }: Grant): boolean {
  if (scopes.includes(SCOPE_OF[name])) return true
  if (vendor.settings.missingScope === "empty") return false
  throw ouraError(refusalOf(vendor), `The scope ${SCOPE_OF[name]} is missing`)
}

function list(vendor: OuraVendor, name: CollectionName, request: FastifyRequest) {
  const grant = admit(vendor, request)
  const nowMs = vendor.clock.nowMs()
  const query = parseDocumentQuery(queryOf(request), nowMs)
  if (!hasScope(vendor, name, grant)) return { data: [], next_token: null }
  const { dateSemantics, pageSize } = vendor.settings
  const entries: readonly Entry<OuraDocuments[CollectionName]>[] = vendor
    .documentsOf(grant.userId)
    .of[name].visibleAt(nowMs)
  const within = entries.filter((entry) => isWithinDays(name, entry, query, dateSemantics)).reverse()
  return pageOfDocuments(within, query, pageSize)
}

function single(vendor: OuraVendor, name: CollectionName, request: FastifyRequest<{ Params: { id: string } }>): object {
  const grant = admit(vendor, request)
  const document = hasScope(vendor, name, grant)
    ? vendor.documentsOf(grant.userId).of[name].at(request.params.id, vendor.clock.nowMs())
    : null
  if (document === null) throw ouraError(404, "Document not found")
  return document
}

function ringOf({ people }: OuraVendor, userId: number): WireRingConfiguration {
  const { traits } = people.get(userId)
  return {
    id: `ring-${userId}`,
    meta: { updated_at: "2025-01-01T00:00:00.000Z", version: 1 },
    color: "tide",
    design: "ceramic",
    firmware_version: "3.4.2",
    hardware_type: traits.strapGeneration === 5 ? "gen4" : "gen3",
    set_up_at: "2025-01-01T00:00:00.000Z",
    size: 10,
  }
}
