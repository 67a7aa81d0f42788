/**
 * What is registered of the metadata that a client sends, or publishes in a document of its own. The server may replace what a client asks
 * for, and ignores what it does not know: RFC 7591 2 and 3.2.1. What is not listed here, as `default_max_age`, would break sign-ins or
 * mean nothing.
 */
import { HEALTH_SCOPES, isHealthScope, plainText } from "@restwell/core"
import { z } from "zod"

const GRANTS = ["authorization_code", "refresh_token"]
/** OpenID Connect's, beside those of the data. */
const FURTHER_SCOPES: readonly string[] = ["openid", "offline_access"]
/** Of client assertions. */
const SIGNING_ALGORITHMS: readonly unknown[] = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"]
const SECRET_METHODS: readonly unknown[] = ["client_secret_basic", "client_secret_post"]
const LONGEST_TEXT = 200

type Metadata = Readonly<Record<string, unknown>>

const ObjectSchema = z.record(z.string(), z.unknown())
const KeysSchema = z.object({ keys: z.array(ObjectSchema).min(1) })
const KeysUriSchema = z.url({ protocol: /^https$/ })
const ListSchema = z.array(z.unknown())

/** Metadata of a registration. RFC 7591 2. A value that is no object is left as it is, and refused. */
export const narrowRegistration = (given: unknown): unknown => narrow(given, (metadata) => methodOf(metadata) ?? {})

/**
 * Metadata of a client's document. Nobody but the client may know a secret, so a document has none: one with a secret is refused.
 * @see https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 */
export const narrowDocument = (given: unknown): unknown =>
  narrow(given, (metadata) => {
    const { client_id, client_secret } = metadata
    const method = methodOf(metadata)
    const isSecret = method === undefined || SECRET_METHODS.includes(method["token_endpoint_auth_method"])
    return {
      client_id,
      // The person decides about scopes at each authorization.
      scope: undefined,
      ...(isSecret ? { token_endpoint_auth_method: "none" } : method),
      ...(isEmpty(client_secret) ? {} : { client_secret }),
    }
  })

function narrow(given: unknown, more: (metadata: Metadata) => Metadata): unknown {
  const parsed = ObjectSchema.safeParse(given)
  if (!parsed.success) return given
  const metadata = parsed.data
  const { client_name, software_id, redirect_uris, grant_types, scope } = metadata
  const kept = {
    client_name: textOf(client_name),
    software_id: textOf(software_id),
    redirect_uris,
    grant_types: grantsOf(grant_types),
    response_types: ["code"],
    scope: scopeOf(scope),
    ...more(metadata),
  }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ""

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? plainText(value, LONGEST_TEXT) || undefined : undefined

/** Without a code there is no sign-in. Undefined for the server's default. */
function grantsOf(value: unknown): string[] | undefined {
  const list = ListSchema.safeParse(value).data ?? []
  const supported = GRANTS.filter((grant) => list.includes(grant))
  return supported.length === 0 ? undefined : GRANTS.filter((grant) => grant === GRANTS[0] || supported.includes(grant))
}

/** Undefined where none of the data's scopes is named: then the client may ask for all, and the person decides. */
function scopeOf(value: unknown): string | undefined {
  const named = typeof value === "string" ? value.split(" ") : []
  const supported = [...HEALTH_SCOPES, ...FURTHER_SCOPES].filter((scope) => named.includes(scope))
  return supported.some(isHealthScope) ? supported.join(" ") : undefined
}

/** How the client proves who it is. Undefined for the server's default. */
function methodOf(metadata: Metadata): Metadata | undefined {
  const { token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: algorithm } = metadata
  if (method === "none" || SECRET_METHODS.includes(method)) return { token_endpoint_auth_method: method }
  const keys = keysOf(metadata)
  if (method !== "private_key_jwt" || keys === undefined) return undefined
  return {
    token_endpoint_auth_method: method,
    ...(SIGNING_ALGORITHMS.includes(algorithm) && { token_endpoint_auth_signing_alg: algorithm }),
    ...keys,
  }
}

function keysOf({ jwks, jwks_uri }: Metadata): Metadata | undefined {
  if (KeysSchema.safeParse(jwks).success) return { jwks }
  return KeysUriSchema.safeParse(jwks_uri).success ? { jwks_uri } : undefined
}
