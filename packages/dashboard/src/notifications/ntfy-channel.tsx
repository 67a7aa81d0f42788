/* A topic of ntfy, whose app shows messages on a phone. */
import type { NotificationsResponse } from "@restwell/client"
import { useSaveNotifications } from "../api/notifications.ts"
import { Button } from "../components/button.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Disclosure } from "../components/page.tsx"
import { Instant } from "../components/time-ago.tsx"
import { sentence } from "../format/number.ts"
import { ChannelSection, TestButton } from "./channel-section.tsx"
import { isPrivateRefusal, ReceiverFailure } from "./receiver-failure.tsx"

interface NtfyChannelProps {
  readonly ntfy: NotificationsResponse["ntfy"]
  readonly isOwner: boolean
}

export function NtfyChannel({ ntfy, isOwner }: NtfyChannelProps) {
  const remove = useSaveNotifications()
  return (
    <ChannelSection title="ntfy">
      {ntfy === null ? (
        <p className="text-muted">A free app for Android and iPhone that shows what arrives at an address of yours.</p>
      ) : (
        <>
          <p className="break-words text-muted">
            To {ntfy.url}
            {ntfy.has_token && ", with a token"}.
          </p>
          {ntfy.disabled && (
            <Notice tone="poor" title="Nothing is sent to this topic any more">
              {sentence(ntfy.disabled.reason)} That was on <Instant at={ntfy.disabled.at} />. Repair it and send a test:
              if it arrives, the topic is on again.
            </Notice>
          )}
          <TestButton channel="ntfy" isOwner={isOwner} url={ntfy.url} />
          {remove.error && <FailureNotice error={remove.error} />}
          <div>
            <Button isBusy={remove.isPending} onClick={() => remove.mutate({ ntfy: null })}>
              Remove the address of ntfy
            </Button>
          </div>
        </>
      )}
      <Disclosure
        summary={ntfy === null ? "Set up ntfy" : "Change the address of ntfy"}
        summaryClass="w-fit font-medium"
      >
        <NtfyForm key={ntfy?.url} isOwner={isOwner} />
      </Disclosure>
    </ChannelSection>
  )
}

function NtfyForm({ isOwner }: Pick<NtfyChannelProps, "isOwner">) {
  const save = useSaveNotifications()
  const { values, field } = useFields({ url: "", token: "" })
  const { error } = save
  const submit = () =>
    save.mutate({ ntfy: { url: values.url.trim(), token: values.token === "" ? null : values.token } })
  return (
    <Form onSubmit={submit} className="mt-3 max-w-md gap-4">
      <TextField
        label="Address of the topic"
        type="url"
        required
        placeholder="https://ntfy.sh/restwell-3f0c2b1a"
        hint="Subscribe to it in the app. On a public server everybody who guesses the name can read it: choose one that nobody guesses."
        autoComplete="off"
        error={isPrivateRefusal(error) ? undefined : fieldError(error, "ntfy.url")}
        {...field("url")}
      />
      <TextField
        label="Access token"
        type="password"
        hint="Only if your topic needs one. Stored encrypted, and never shown again."
        autoComplete="off"
        error={fieldError(error, "ntfy.token")}
        {...field("token")}
      />
      {error && isPrivateRefusal(error) && (
        <ReceiverFailure error={error} isOwner={isOwner} url={values.url.trim()} onAllowed={submit} />
      )}
      {error && !isFieldError(error, ["ntfy.url", "ntfy.token"]) && <FailureNotice error={error} />}
      <div>
        <Button type="submit" isBusy={save.isPending}>
          Save the address
        </Button>
      </div>
    </Form>
  )
}
