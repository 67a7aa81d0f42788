import { useState } from "react"
import { useReplaceRecoveryCodes, useTurnOffTwoFactor } from "../api/two-factor.ts"
import { Button } from "../components/button.tsx"
import { Notice } from "../components/notice.tsx"
import { Panel } from "../components/panel.tsx"
import { PasswordAndCodeForm } from "./password-and-code-form.tsx"
import { RecoveryCodes } from "./recovery-codes.tsx"
import { TwoFactorSetup } from "./two-factor-setup.tsx"

/** Turns the codes that follow the password on and off, and replaces the recovery codes. */
export function TwoFactorPanel({ isOn, hasPassword }: { isOn: boolean; hasPassword: boolean }) {
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const [isTurnedOff, setTurnedOff] = useState(false)
  const confirmed = (codes: readonly string[]) => {
    setRecoveryCodes(codes)
    setTurnedOff(false)
  }
  const turnedOff = () => {
    setRecoveryCodes(undefined)
    setTurnedOff(true)
  }
  return (
    <Panel title="Sign-in codes" description={descriptionOf(isOn, hasPassword)}>
      <div className="flex flex-col gap-4">
        {isTurnedOff && <Notice tone="good">Sign-in codes are off.</Notice>}
        {recoveryCodes && <RecoveryCodes codes={recoveryCodes} />}
        {isOn && <Changes onNewCodes={setRecoveryCodes} onTurnedOff={turnedOff} />}
        {!isOn && hasPassword && <TwoFactorSetup onConfirmed={confirmed} />}
      </div>
    </Panel>
  )
}

function descriptionOf(isOn: boolean, hasPassword: boolean): string {
  if (isOn) return "On. After your password, signing in asks for a code. Passkeys and other services need none."
  return hasPassword
    ? "Off. With an authenticator app, a stolen password is not enough to sign in."
    : "Sign-in codes follow a password. Set a password first."
}

type Change = "none" | "replace" | "turn-off"

function Changes({
  onNewCodes,
  onTurnedOff,
}: {
  onNewCodes: (codes: readonly string[]) => void
  onTurnedOff: () => void
}) {
  const [change, setChange] = useState<Change>("none")
  const replace = useReplaceRecoveryCodes()
  const turnOff = useTurnOffTwoFactor(onTurnedOff)
  const close = () => setChange("none")
  if (change === "replace")
    return (
      <PasswordAndCodeForm
        action={replace}
        submitLabel="Make new recovery codes"
        onSuccess={(codes) => {
          onNewCodes(codes)
          close()
        }}
        onCancel={close}
      >
        <p>Your former recovery codes stop working.</p>
      </PasswordAndCodeForm>
    )
  if (change === "turn-off")
    return (
      <PasswordAndCodeForm action={turnOff} submitLabel="Turn off sign-in codes" onCancel={close}>
        <Notice tone="fair">Your password alone is enough to sign in then.</Notice>
      </PasswordAndCodeForm>
    )
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setChange("replace")}>New recovery codes</Button>
      <Button onClick={() => setChange("turn-off")}>Turn off</Button>
    </div>
  )
}
