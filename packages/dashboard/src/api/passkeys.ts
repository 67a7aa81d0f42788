import {
  type Passkey,
  PasskeySchema,
  PasskeysResponseSchema,
  SignedInResponseSchema,
  WebAuthnOptionsSchema,
} from "@restwell/client"
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { z } from "zod"
import { NOTHING, send } from "./send.ts"

export const hasPasskeySupport: boolean = browserSupportsWebAuthn()

const CreationOptionsSchema = z.custom<PublicKeyCredentialCreationOptionsJSON>(
  (value) => WebAuthnOptionsSchema.safeParse(value).success,
)
const RequestOptionsSchema = z.custom<PublicKeyCredentialRequestOptionsJSON>(
  (value) => WebAuthnOptionsSchema.safeParse(value).success,
)

const PASSKEYS = ["passkeys"] as const

export const usePasskeys = () =>
  useQuery({ queryKey: PASSKEYS, queryFn: () => send("/api/auth/passkeys", PasskeysResponseSchema) })

export function useAddPasskey() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (name: string): Promise<Passkey> => {
      const optionsJSON = await send("/api/auth/passkeys/options", CreationOptionsSchema, { method: "POST", body: {} })
      const response = await startRegistration({ optionsJSON }).catch(explain)
      return send("/api/auth/passkeys", PasskeySchema, { method: "POST", body: { name, response } })
    },
    onSuccess: () => queries.invalidateQueries(),
  })
}

export function useDeletePasskey() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => send(`/api/auth/passkeys/${encodeURIComponent(id)}`, NOTHING, { method: "DELETE" }),
    onSuccess: () => queries.invalidateQueries(),
  })
}

export const usePasskeySignIn = () =>
  useMutation({
    mutationFn: async () => {
      const path = "/api/auth/sign-in/passkey"
      const optionsJSON = await send(`${path}/options`, RequestOptionsSchema, { method: "POST", body: {} })
      const response = await startAuthentication({ optionsJSON }).catch(explain)
      return send(path, SignedInResponseSchema, { method: "POST", body: { response } })
    },
  })

/** Browsers say little on purpose: a closed window and a missing passkey look alike. */
function explain(cause: unknown): never {
  const isKnown = cause instanceof WebAuthnError && cause.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED"
  if (isKnown) throw new Error("this device has a passkey for your account already", { cause })
  throw new Error("no passkey was used: it was cancelled, or this device has none for Restwell", { cause })
}
