import type { Passkey } from "@restwell/client"
import { useAddPasskey, useDeletePasskey, usePasskeys } from "../api/passkeys.ts"
import { Button } from "../components/button.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Form, useFields } from "../components/form.tsx"
import { Loaded } from "../components/loaded.tsx"
import { Panel } from "../components/panel.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { TextField } from "../components/text-field.tsx"
import { instantDate } from "../format/date.ts"

/** Lists, adds and deletes passkeys. */
export function PasskeysPanel() {
  const passkeys = usePasskeys()
  return (
    <Panel title="Passkeys" description="Sign in with your fingerprint, face or screen lock instead of a password.">
      <div className="flex flex-col gap-4">
        <Loaded query={passkeys} skeleton={<Skeleton className="h-10" label="Loading passkeys" />}>
          {(data) => <List passkeys={data.passkeys} />}
        </Loaded>
        <AddPasskey />
      </div>
    </Panel>
  )
}

function List({ passkeys }: { passkeys: readonly Passkey[] }) {
  const remove = useDeletePasskey()
  if (passkeys.length === 0) return <p className="text-sm text-muted">No passkeys yet.</p>
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
            <p>You can no longer sign in with it. Your device may still offer it, so remove it there too.</p>
          </ConfirmDialog>
        </li>
      ))}
    </ul>
  )
}

function AddPasskey() {
  const add = useAddPasskey()
  const { values, field } = useFields({ name: "This device" })
  return (
    <Form onSubmit={() => add.mutate(values.name)} className="max-w-sm gap-3">
      {add.error && <FailureNotice error={add.error} />}
      <TextField label="Name of the new passkey" maxLength={100} required {...field("name")} />
      <div>
        <Button type="submit" isBusy={add.isPending}>
          Add a passkey
        </Button>
      </div>
    </Form>
  )
}
