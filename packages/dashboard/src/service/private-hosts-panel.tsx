/* Devices of the home network that people's messages may be sent to. */
import type { ServiceResponse } from "@restwell/client"
import { useLateConfirmation } from "../account/confirmation.tsx"
import { useAllowPrivateHost, useSetPrivateHosts } from "../api/service.ts"
import { Button } from "../components/button.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"

export const PrivateHostsPanel = ({
  settings: { value: hosts, source },
}: {
  settings: ServiceResponse["private_hosts"]
}) => (
  <Panel
    title="Home network"
    description="Messages of people, by webhook or ntfy, go to addresses of the internet, and to the devices listed here: a Home Assistant, or a server of your own."
  >
    <div className="flex flex-col gap-4 text-sm">
      {hosts.length === 0 ? (
        <p className="text-muted">No device of your home network is allowed.</p>
      ) : (
        <HostList hosts={hosts} canChange={source !== "environment"} />
      )}
      {source === "environment" ? (
        <p className="text-muted">
          Set by an environment variable: ALLOWED_PRIVATE_HOSTS takes precedence over this page.
        </p>
      ) : (
        <AllowForm />
      )}
    </div>
  </Panel>
)

function HostList({ hosts, canChange }: { hosts: readonly string[]; canChange: boolean }) {
  const set = useSetPrivateHosts()
  return (
    <>
      <ul aria-label="Allowed devices" className="divide-y divide-line border-y border-line">
        {hosts.map((host) => (
          <li key={host} className="flex min-h-12 items-center justify-between gap-3 py-2">
            <span className="min-w-0 font-mono break-all">{host}</span>
            {canChange && (
              <Button
                aria-label={`Remove ${host}`}
                isBusy={set.isPending}
                onClick={() => set.mutate(hosts.filter((each) => each !== host))}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {set.error && <FailureNotice error={set.error} />}
    </>
  )
}

function AllowForm() {
  const allow = useAllowPrivateHost()
  const { confirm, field: confirmation, failure } = useLateConfirmation(allow.error)
  const { values, field, reset } = useFields({ host: "" })
  return (
    <Form
      onSubmit={() => allow.mutate({ host: values.host.trim(), confirm }, { onSuccess: reset })}
      className="max-w-md gap-3"
    >
      <TextField
        label="Address of a device"
        required
        placeholder="192.168.1.20:8123"
        hint="Its address or name, with a port or for all ports but those of mail and databases. Everybody with an account here can then send messages to it."
        autoComplete="off"
        spellCheck={false}
        error={fieldError(allow.error, "hosts")}
        {...field("host")}
      />
      {confirmation}
      {failure && !isFieldError(failure, ["hosts"]) && <FailureNotice error={failure} />}
      <div>
        <Button type="submit" isBusy={allow.isPending}>
          Allow it
        </Button>
      </div>
    </Form>
  )
}
