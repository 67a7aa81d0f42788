import type { Passkey } from "@restwell/client"
import { type FormEvent, useState } from "react"
import { useAddPasskey, useDeletePasskey, usePasskeys } from "../api/passkeys.ts"
import { Button } from "../components/button.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Panel } from "../components/panel.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { TextField } from "../components/text-field.tsx"
import { instantDate } from "../format/date.ts"

/** Passkeys: added on this device, and deleted. */
export function PasskeysPanel() {
  const passkeys = usePasskeys()
  return (
    <Panel
      title="Passkeys"
      description="Sign in with your fingerprint, face or screen lock. Nothing to remember, nothing to steal."
    >
      <div className="flex flex-col gap-4">
        {passkeys.isPending && <Skeleton className="h-10" label="Your passkeys are being read" />}
        {passkeys.isError && <FailureNotice error={passkeys.error} onRetry={() => passkeys.refetch()} />}
        {passkeys.isSuccess && <List passkeys={passkeys.data.passkeys} />}
        <AddPasskey />
      </div>
    </Panel>
  )
}

function List({ passkeys }: { passkeys: readonly Passkey[] }) {
  const remove = useDeletePasskey()
  if (passkeys.length === 0) return <p className="text-sm text-muted">You have none yet.</p>
  return (
    <ul className="divide-y divide-line">
      {passkeys.map(({ id, name, created_at }) => (
        <li key={id} className="flex items-center justify-between gap-3 py-2">
          <div className="min-w-0 text-sm">
            <p className="truncate font-medium">{name}</p>
            <p className="text-muted">Added {instantDate(created_at)}</p>
          </div>
          <ConfirmDialog
            trigger="Delete"
            label={`Delete ${name}`}
            title={`Delete “${name}”?`}
            confirmLabel="Delete"
            onConfirm={() => remove.mutateAsync(id)}
          >
            <p>It no longer signs you in. The device may still offer it: remove it there as well.</p>
          </ConfirmDialog>
        </li>
      ))}
    </ul>
  )
}

function AddPasskey() {
  const add = useAddPasskey()
  const [name, setName] = useState("This device")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(name)
  }
  return (
    <form onSubmit={submit} className="flex max-w-sm flex-col gap-3">
      {add.error && <FailureNotice error={add.error} />}
      <TextField
        label="Name of the new passkey"
        maxLength={100}
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <div>
        <Button type="submit" isBusy={add.isPending}>
          Add a passkey
        </Button>
      </div>
    </form>
  )
}
