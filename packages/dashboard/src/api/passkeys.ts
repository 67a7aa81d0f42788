import { PasskeySchema, PasskeysResponseSchema, SignedInResponseSchema, WebAuthnOptionsSchema } from "@restwell/client"
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser"
import { useMutation, useQuery } from "@tanstack/react-query"
import { z } from "zod"
import { NO_BODY, send } from "./send.ts"
import { useChange } from "./use-change.ts"

export const hasPasskeySupport: boolean = browserSupportsWebAuthn()

const optionsOf = <Options>() => z.custom<Options>((value) => WebAuthnOptionsSchema.safeParse(value).success)
const CreationOptionsSchema = optionsOf<PublicKeyCredentialCreationOptionsJSON>()
const RequestOptionsSchema = optionsOf<PublicKeyCredentialRequestOptionsJSON>()

export const usePasskeys = () =>
  useQuery({ queryKey: ["passkeys"], queryFn: () => send("/api/auth/passkeys", PasskeysResponseSchema) })

export const useAddPasskey = () =>
  useChange(async (name: string) => {
    const optionsJSON = await send("/api/auth/passkeys/options", CreationOptionsSchema, { method: "POST", body: {} })
    const response = await startRegistration({ optionsJSON }).catch(rethrowPromptError)
    return send("/api/auth/passkeys", PasskeySchema, { method: "POST", body: { name, response } })
  })

export const useDeletePasskey = () =>
  useChange((id: string) => send(`/api/auth/passkeys/${encodeURIComponent(id)}`, NO_BODY, { method: "DELETE" }))

export const usePasskeySignIn = () =>
  useMutation({
    mutationFn: async () => {
      const path = "/api/auth/sign-in/passkey"
      const optionsJSON = await send(`${path}/options`, RequestOptionsSchema, { method: "POST", body: {} })
      const response = await startAuthentication({ optionsJSON }).catch(rethrowPromptError)
      return send(path, SignedInResponseSchema, { method: "POST", body: { response } })
    },
  })

/** Browsers do not distinguish a cancelled prompt from a missing passkey, to protect privacy. */
function rethrowPromptError(cause: unknown): never {
  const isKnown = cause instanceof WebAuthnError && cause.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED"
  if (isKnown) throw new Error("this device already has a passkey for your account", { cause })
  throw new Error("the passkey prompt was cancelled, or this device has no passkey for Restwell", { cause })
}
