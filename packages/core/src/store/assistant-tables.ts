import type { Json } from "@restwell/providers"
import type { JsonColumn } from "./json-column.ts"

export interface OauthClientTable {
  client_id: string
  /** As registered (RFC 7591), without the secret. */
  metadata: JsonColumn<Json>
  secret_key_id: string | null
  secret: Buffer | null
  created_at: Date
  /** When it last got an authorization or a token. Null while it has only registered. */
  last_used_at: Date | null
}

export interface OauthRecordTable {
  /** SHA-256 of kind and id. The id itself, which is the token or code, is not stored. */
  id_hash: Buffer
  kind: string
  payload: JsonColumn<Json>
  /** The `id_hash` of its grant. */
  grant_hash: Buffer | null
  user_id: string | null
  client_id: string | null
  /** When a code or refresh token was used. */
  consumed_at: Date | null
  expires_at: Date
}

export interface RefreshReplyTable {
  token_hash: Buffer
  successor_hash: Buffer
  reply: Buffer
  reply_key_id: string
  replied_at: Date
}

export interface SigningKeyTable {
  id: string
  key_id: string
  sealed: Buffer
  created_at: Date
}

export interface AssistantTable {
  user_id: string
  client_id: string
  name: string
  /** The host of the client's metadata document. Null for a client that registered itself. */
  verified_host: string | null
  redirect_host: string
  scopes: string[]
  /** Requested scopes that the person declined. */
  declined: string[]
  /** How many dates back it may read. Null for all. */
  days: number | null
  connected_at: Date
  last_read_at: Date | null
}
