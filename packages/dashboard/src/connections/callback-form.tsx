import type { Vendor } from "@restwell/client"
import { usePasteCallback } from "../api/account.ts"
import { Button } from "../components/button.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Disclosure } from "../components/page.tsx"

const EMPTY = { url: "" }

/** Completes a connection where the browser cannot open the address that the vendor leads it to. Nothing for a vendor of keys. */
export function CallbackForm({
  vendor: { provider, display_name: name, key, code_seconds: seconds },
}: {
  vendor: Vendor
}) {
  const complete = usePasteCallback(provider)
  const { values, field, reset } = useFields(EMPTY)
  if (key !== null) return null
  return (
    <Disclosure
      summary="The browser ended on a page that does not open?"
      summaryClass="w-fit text-muted hover:text-text"
    >
      <div className="mt-3 flex flex-col gap-4 text-sm text-muted">
        <p>
          Press Connect {name}, approve access there, and copy the whole address on which your browser ends, although
          its page does not open.
          {seconds !== null && ` Paste it here at once: ${name} accepts it for ${seconds} seconds.`}
        </p>
        <Form onSubmit={() => complete.mutate(values.url, { onSuccess: reset })} className="gap-4 text-text">
          <TextField
            label={`Address after ${name}`}
            autoComplete="off"
            spellCheck={false}
            required={true}
            hint="It begins with http and contains code= and state=."
            error={fieldError(complete.error, "url")}
            {...field("url")}
          />
          {complete.error && !isFieldError(complete.error, ["url"]) && <FailureNotice error={complete.error} />}
          {complete.isSuccess && <Notice tone="good">{name} is connected. Your history is syncing.</Notice>}
          <div>
            <Button type="submit" isBusy={complete.isPending}>
              Complete
            </Button>
          </div>
        </Form>
      </div>
    </Disclosure>
  )
}
