import type { UseMutationResult } from "@tanstack/react-query"
import { generate } from "lean-qr"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { ServiceFailure } from "../api/send.ts"
import {
  useBeginTwoFactor,
  useConfirmTwoFactor,
  useReplaceRecoveryCodes,
  useTurnOffTwoFactor,
} from "../api/sign-in-methods.ts"
import { Button, ExternalButtonLink } from "../components/button.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { CodeField, Form, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { isWrongPassword, OwnPasswordField } from "./confirmation.tsx"

/** Light modules around the code. ISO/IEC 18004, 6.3.8 */
const QUIET_ZONE = 4

/** A QR code, dark on light in every theme, because cameras expect that. */
function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text)
  const width = code.size + 2 * QUIET_ZONE
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${width} ${width}`}
      className="h-auto w-full max-w-60 rounded-lg border border-line"
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={width} height={width} fill="white" />
      <path d={pathOf(code)} fill="black" />
    </svg>
  )
}

/** A square for each dark module. */
function pathOf({ size, get }: { readonly size: number; get(x: number, y: number): boolean }): string {
  const modules = Array.from({ length: size * size }, (_, index) => [index % size, Math.floor(index / size)] as const)
  return modules.map(([x, y]) => (get(x, y) ? `M${x} ${y}h1v1h-1z` : "")).join("")
}

/** A change that needs the password and a code. */
function PasswordAndCodeForm<Output>({
  action,
  submitLabel,
  onSuccess,
  onCancel,
  children,
}: {
  action: UseMutationResult<Output, Error, { password: string; code: string }>
  submitLabel: string
  /** Called after the account was fetched again, if the form is still there. */
  onSuccess?: (output: Output) => void
  onCancel: () => void
  children: ReactNode
}) {
  const { values, field } = useFields({ password: "", code: "" })
  const { error, isPending } = action
  const isWrongCode = error instanceof ServiceFailure && error.status === 401
  return (
    <Form onSubmit={() => action.mutate(values, onSuccess && { onSuccess })} className="max-w-sm gap-4">
      <div className="text-sm text-muted">{children}</div>
      {error && !isWrongCode && !isWrongPassword(error) && <FailureNotice error={error} />}
      <OwnPasswordField failure={error} {...field("password")} />
      <CodeField
        label="Code of your app, or a recovery code"
        error={isWrongCode ? "Incorrect code. Each code works once: wait for the next one." : undefined}
        {...field("code")}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={isPending}>
          {submitLabel}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

type Begin = ReturnType<typeof useBeginTwoFactor>

/** The password, then the app's QR code and its first code. */
function TwoFactorSetup({ onConfirmed }: { onConfirmed: (recoveryCodes: readonly string[]) => void }) {
  const begin = useBeginTwoFactor()
  if (!begin.data) return <PasswordForm begin={begin} />
  const { uri, key } = begin.data
  return <AppForm uri={uri} secret={key} onConfirmed={onConfirmed} onCancel={begin.reset} />
}

function PasswordForm({ begin }: { begin: Begin }) {
  const { values, field } = useFields({ password: "" })
  const { error } = begin
  return (
    <Form onSubmit={() => begin.mutate(values.password)} className="max-w-sm gap-4">
      {error && !isWrongPassword(error) && <FailureNotice error={error} />}
      <OwnPasswordField failure={error} {...field("password")} />
      <div>
        <Button type="submit" isBusy={begin.isPending}>
          Set up sign-in codes
        </Button>
      </div>
    </Form>
  )
}

function AppForm({
  uri,
  secret,
  onConfirmed,
  onCancel,
}: {
  uri: string
  secret: string
  onConfirmed: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}) {
  const confirm = useConfirmTwoFactor(onConfirmed)
  const { values, field } = useFields({ code: "" })
  const { error } = confirm
  const isWrong = error instanceof ServiceFailure && error.status === 401
  return (
    <Form onSubmit={() => confirm.mutate(values.code)} className="gap-4">
      <p className="text-sm text-muted">Scan this with an authenticator app, or type the key into it.</p>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <CodeBlock label="key for your authenticator app" text={(secret.match(/.{1,4}/g) ?? []).join(" ")} />
      {error && !isWrong && <FailureNotice error={error} />}
      <CodeField
        label="Code that your app displays now"
        hint="Six digits."
        error={isWrong ? "Incorrect code. Check the clock of your device, and enter the newest code." : undefined}
        isNextStep
        {...field("code")}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" isBusy={confirm.isPending}>
          Turn on sign-in codes
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

/** New recovery codes. They are in the memory of this page and nowhere else. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join("\n")
  const frame = useRef<HTMLDivElement>(null)
  // The form with the focus has disappeared.
  useEffect(() => frame.current?.focus(), [])
  return (
    <div ref={frame} tabIndex={-1} className="flex flex-col gap-3 text-sm text-muted outline-none">
      <p role="status" className="font-medium text-text">
        Store your recovery codes now, not on the device with your app. You cannot view them again.
      </p>
      <CodeBlock label="recovery codes" text={text} />
      <div>
        <ExternalButtonLink
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${HEADING}${text}\n`)}`}
          download="restwell-recovery-codes.txt"
        >
          Download
        </ExternalButtonLink>
      </div>
      <p>
        Each code replaces a code of your app once. Without your app and these codes you cannot sign in with your
        password.
      </p>
    </div>
  )
}

const HEADING = "Restwell recovery codes. Each works once.\n\n"

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
