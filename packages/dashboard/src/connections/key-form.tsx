import type { Vendor } from "@restwell/client"
import { useConnectWithKey } from "../api/account.ts"
import { Button } from "../components/button.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"

const EMPTY = { key: "" }

/** Connects a vendor by a key that the person makes there, or replaces the key. Nothing for a vendor without keys. */
export function KeyForm({ vendor: { provider, display_name: name, key } }: { vendor: Vendor }) {
  const connect = useConnectWithKey(provider)
  const { values, field, reset } = useFields(EMPTY)
  if (key === null) return null
  return (
    <div className="flex flex-col gap-4 text-sm text-muted">
      <ol className="flex list-decimal flex-col gap-1 pl-5">
        <li>
          Open{" "}
          <a
            href={`https://${key.page}`}
            className="break-all text-accent underline underline-offset-2"
            rel="noreferrer"
            target="_blank"
          >
            {key.page}
          </a>
          .
        </li>
        {key.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Form onSubmit={() => connect.mutate(values.key, { onSuccess: reset })} className="gap-4 text-text">
        <TextField
          label={`${name} key`}
          type="password"
          autoComplete="off"
          spellCheck={false}
          required={true}
          hint="Stored encrypted. Nobody can read it on a page again."
          error={fieldError(connect.error, "key")}
          {...field("key")}
        />
        {connect.error && !isFieldError(connect.error, ["key"]) && <FailureNotice error={connect.error} />}
        {connect.isSuccess && <Notice tone="good">{name} accepted the key. Your history is syncing.</Notice>}
        <div>
          <Button type="submit" look="primary" isBusy={connect.isPending}>
            Connect {name}
          </Button>
        </div>
      </Form>
    </div>
  )
}
