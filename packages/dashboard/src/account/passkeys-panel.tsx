import type { AccountResponse, Passkey } from "@restwell/client"
import { useAddPasskey, useDeletePasskey, usePasskeys } from "../api/sign-in-methods.ts"
import { Button } from "../components/button.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { Form, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { instantDate } from "../format/date.ts"
import { ConfirmationField, isWrongPassword, useConfirmation } from "./confirmation.tsx"

interface Props {
  readonly methods: AccountResponse["sign_in"]
}

/** Lists, adds and deletes passkeys. */
export const PasskeysPanel = ({ methods }: Props) => (
  <Panel title="Passkeys" description="Sign in with your fingerprint, face or screen lock instead of a password.">
    <div className="flex flex-col gap-4">
      <PasskeyList methods={methods} />
      <AddPasskey methods={methods} />
    </div>
  </Panel>
)

/** After a new password: a person who added a passkey before can still sign in with it. */
export const PasskeyQuestion = ({ methods }: Props) => (
  <Notice title="Your passkeys still sign in">
    <p>
      If somebody else knew your password, that person may have added one. Delete the passkeys that you do not know.
    </p>
    <div className="mt-2 text-text">
      <PasskeyList methods={methods} />
    </div>
  </Notice>
)

const PasskeyList = ({ methods }: Props) => (
  <Loaded query={usePasskeys()} skeleton={<Skeleton className="h-10" label="Loading passkeys" />}>
    {({ passkeys }) =>
      passkeys.length === 0 ? (
        <p className="text-sm text-muted">No passkeys yet.</p>
      ) : (
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} methods={methods} />
          ))}
        </ul>
      )
    }
  </Loaded>
)

function PasskeyItem({ passkey: { id, name, created_at }, methods }: Props & { passkey: Passkey }) {
  const remove = useDeletePasskey()
  const { confirm, isComplete, reset, input } = useConfirmation(methods)
  return (
    <li className="flex items-center justify-between gap-3 py-2">
      <div className="min-w-0 text-sm">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-muted">Added {instantDate(created_at)}</p>
      </div>
      <ConfirmDialog
        trigger="Delete"
        label={`Delete ${name}`}
        title={`Delete “${name}”?`}
        confirmLabel="Delete"
        canConfirm={isComplete}
        onConfirm={() => remove.mutateAsync({ id, confirm }, { onSettled: reset })}
      >
        <p>You can no longer sign in with it. Your device may still offer it, so remove it there too.</p>
        <div className="text-text">
          <ConfirmationField failure={null} {...input} />
        </div>
      </ConfirmDialog>
    </li>
  )
}

function AddPasskey({ methods }: Props) {
  const add = useAddPasskey()
  const { values, field } = useFields({ name: "This device" })
  const { confirm, reset, input } = useConfirmation(methods)
  const { error, isPending } = add
  return (
    <Form onSubmit={() => add.mutate({ ...values, confirm }, { onSuccess: reset })} className="max-w-sm gap-3">
      {error && !isWrongPassword(error) && <FailureNotice error={error} />}
      <TextField label="Name of the new passkey" maxLength={100} required {...field("name")} />
      <ConfirmationField failure={error} {...input} />
      <div>
        <Button type="submit" isBusy={isPending}>
          Add a passkey
        </Button>
      </div>
    </Form>
  )
}
