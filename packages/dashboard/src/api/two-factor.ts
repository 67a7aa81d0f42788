import { RecoveryCodesResponseSchema, SuccessResponseSchema, TwoFactorBegunResponseSchema } from "@restwell/client"
import { useMutation } from "@tanstack/react-query"
import { send } from "./send.ts"
import { useChange } from "./use-change.ts"

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
