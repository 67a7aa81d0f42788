import {
  PasskeySchema,
  PasskeysResponseSchema,
  RecoveryCodesResponseSchema,
  SignedInResponseSchema,
  SuccessResponseSchema,
  TwoFactorBegunResponseSchema,
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
import { useMutation, useQuery } from "@tanstack/react-query"
import { z } from "zod"
import { NO_BODY, send, useChange } from "./send.ts"

export const hasPasskeySupport: boolean = browserSupportsWebAuthn()

const optionsOf = <Options>() => z.custom<Options>((value) => WebAuthnOptionsSchema.safeParse(value).success)
const CreationOptionsSchema = optionsOf<PublicKeyCredentialCreationOptionsJSON>()
const RequestOptionsSchema = optionsOf<PublicKeyCredentialRequestOptionsJSON>()

export const usePasskeys = () =>
  useQuery({ queryKey: ["passkeys"], queryFn: () => send("/api/auth/passkeys", PasskeysResponseSchema) })

/** What confirms a change of how to sign in. An account with neither has only its session. */
export type Confirm = { readonly password: string } | "passkey" | "session"

const SIGN_IN_PATH = "/api/auth/sign-in/passkey"

/** Asks the device for a passkey. */
async function askForPasskey() {
  const optionsJSON = await send(`${SIGN_IN_PATH}/options`, RequestOptionsSchema, { method: "POST", body: {} })
  return startAuthentication({ optionsJSON }).catch(rethrowPromptError)
}

/** The body that confirms a change. */
export async function confirmationOf(confirm: Confirm): Promise<object> {
  if (confirm === "session") return {}
  return confirm === "passkey" ? { passkey: await askForPasskey() } : confirm
}

export const useAddPasskey = () =>
  useChange(async ({ name, confirm }: { name: string; confirm: Confirm }) => {
    const body = await confirmationOf(confirm)
    const optionsJSON = await send("/api/auth/passkeys/options", CreationOptionsSchema, { method: "POST", body })
    const response = await startRegistration({ optionsJSON }).catch(rethrowPromptError)
    return send("/api/auth/passkeys", PasskeySchema, { method: "POST", body: { name, response } })
  })

export const useDeletePasskey = () =>
  useChange(async ({ id, confirm }: { id: string; confirm: Confirm }) => {
    const body = await confirmationOf(confirm)
    return send(`/api/auth/passkeys/${encodeURIComponent(id)}`, NO_BODY, { method: "DELETE", body })
  })

/** Sets the first password of an account. */
export const useSetPassword = () =>
  useChange(async ({ newPassword, confirm }: { newPassword: string; confirm: Confirm }) => {
    const body = { newPassword, ...(await confirmationOf(confirm)) }
    return send("/api/auth/set-password", SuccessResponseSchema, { method: "POST", body })
  })

export const usePasskeySignIn = () =>
  useMutation({
    mutationFn: async () => {
      const response = await askForPasskey()
      return send(SIGN_IN_PATH, SignedInResponseSchema, { method: "POST", body: { response } })
    },
  })

/** Browsers do not distinguish a cancelled prompt from a missing passkey, to protect privacy. */
function rethrowPromptError(cause: unknown): never {
  const isKnown = cause instanceof WebAuthnError && cause.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED"
  if (isKnown) throw new Error("this device already has a passkey for your account", { cause })
  throw new Error("the passkey prompt was cancelled, or this device has no passkey for Restwell", { cause })
}

interface PasswordAndCode {
  readonly password: string
  readonly code: string
}

/** Secrets must not stay in the mutation cache. */
const FORGET = 0

/** Makes a secret for the person's app. Nothing changes before a code is confirmed. */
export const useBeginTwoFactor = () =>
  useMutation({
    mutationFn: (password: string) =>
      send("/api/auth/two-factor", TwoFactorBegunResponseSchema, { method: "POST", body: { password } }),
    gcTime: FORGET,
  })

/** Turns codes on. @param onConfirmed gets the recovery codes, before the account is fetched again and the form disappears */
export const useConfirmTwoFactor = (onConfirmed: (recoveryCodes: readonly string[]) => void) =>
  useChange(async (code: string) => {
    const body = { code }
    const answer = await send("/api/auth/two-factor/confirm", RecoveryCodesResponseSchema, { method: "POST", body })
    onConfirmed(answer.recovery_codes)
  })

export const useReplaceRecoveryCodes = () =>
  useChange(
    async (body: PasswordAndCode) =>
      (await send("/api/auth/two-factor/recovery-codes", RecoveryCodesResponseSchema, { method: "POST", body }))
        .recovery_codes,
    FORGET,
  )

/** Turns codes off. @param onTurnedOff is called before the account is fetched again and the form disappears */
export const useTurnOffTwoFactor = (onTurnedOff: () => void) =>
  useChange(async (body: PasswordAndCode) => {
    await send("/api/auth/two-factor/turn-off", SuccessResponseSchema, { method: "POST", body })
    onTurnedOff()
  })
