import { AlreadyUsed, type Clock, type OauthClients, type OauthRecords } from "@restwell/core"
import { isStorableText } from "@restwell/providers"
import type { Adapter, AdapterPayload } from "oidc-provider"
import { z } from "zod"
import { errors } from "./oidc-library.ts"

const PayloadSchema = z.record(z.string(), z.unknown())

export interface OauthStores {
  readonly records: OauthRecords
  readonly clients: OauthClients
  readonly clock: Clock
}

/** Stores oidc-provider's records in our tables. @see its documentation, "adapter" */
export const oauthAdapter = (stores: OauthStores) => (kind: string) =>
  kind === "Client" ? clientAdapter(stores) : recordAdapter(stores, kind)

function recordAdapter({ records, clients, clock }: OauthStores, kind: string): Adapter {
  return {
    ...unusedFinders,
    async upsert(id, { jti: _, ...payload }, expiresInSeconds = 0) {
      await records.put(kind, id, payload, new Date(clock.now().getTime() + expiresInSeconds * 1000))
      if (kind === "AuthorizationCode" && payload.clientId !== undefined) await clients.touch(payload.clientId)
    },
    async find(id) {
      const record = await records.find(kind, id)
      if (!record) return undefined
      const payload: AdapterPayload = { ...PayloadSchema.parse(record.payload), jti: id }
      // A record with a stored reply may be a repeated request. `consume` decides whether it is a replay.
      if (record.consumedAt && !record.hasReply) payload.consumed = Math.floor(record.consumedAt.getTime() / 1000)
      return payload
    },
    async consume(id) {
      try {
        await records.consume(kind, id)
      } catch (error) {
        if (!(error instanceof AlreadyUsed)) throw error
        throw new errors.InvalidGrant("it was already used")
      }
    },
    destroy: (id) => records.remove(kind, id),
    revokeByGrantId: (grantId) => records.removeGrant(grantId),
  }
}

function clientAdapter({ clients }: OauthStores): Adapter {
  return {
    ...unusedFinders,
    upsert: (id, metadata) => clients.put(id, metadata),
    // An id also comes from places that no parser of ours sees, such as Basic credentials and client assertions.
    find: async (id) => (isStorableText(id) ? clients.find(id) : undefined),
    destroy: (id) => clients.remove(id),
    async consume() {},
    async revokeByGrantId() {},
  }
}

/** For device codes and for sessions that end tokens. We use neither. */
const unusedFinders = {
  async findByUserCode() {
    return undefined
  },
  async findByUid() {
    return undefined
  },
}
