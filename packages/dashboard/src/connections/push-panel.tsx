import type { IngestToken } from "@restwell/client"
import { useCreateIngestToken, useEndIngestToken, useIngestTokens } from "../api/imports.ts"
import { Button } from "../components/button.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { StepTabs } from "../components/instructions.tsx"
import { FailureNotice, Loaded, Skeleton } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { SecretItem } from "../components/secret-item.tsx"

/** Makes, lists and ends the tokens of phones that push, with the steps for their programs. */
export const PushPanel = () => (
  <Panel
    title="Push from a phone"
    description="A program on your phone sends what the phone knows. No vendor has to allow it. A token can only send: it reads nothing."
  >
    <div className="flex flex-col gap-5">
      <Loaded query={useIngestTokens()} skeleton={<Skeleton className="h-10" label="Loading tokens" />}>
        {({ tokens }) =>
          tokens.length > 0 && (
            <ul aria-label="Tokens" className="divide-y divide-line">
              {tokens.map((token) => (
                <TokenItem key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <AddToken />
    </div>
  </Panel>
)

function TokenItem({ token: { id, name, prefix, last_used_at: lastUsedAt } }: { token: IngestToken }) {
  const end = useEndIngestToken()
  return (
    <SecretItem kind="token" {...{ name, prefix, lastUsedAt }} lastUse="last push" onEnd={() => end.mutateAsync(id)}>
      Nothing that this phone sends is stored any more. What it has sent stays.
    </SecretItem>
  )
}

function AddToken() {
  const add = useCreateIngestToken()
  const { values, field, reset } = useFields({ name: "" })
  const { error, isPending, data: token } = add
  return (
    <>
      <Form onSubmit={() => add.mutate(values.name, { onSuccess: reset })} className="max-w-sm gap-3">
        {error && !isFieldError(error, ["name"]) && <FailureNotice error={error} />}
        <TextField
          label="Name of the phone"
          placeholder="My phone"
          maxLength={60}
          required
          error={fieldError(error, "name")}
          {...field("name")}
        />
        <div>
          <Button type="submit" look={token === undefined ? "primary" : "secondary"} isBusy={isPending}>
            Make a token
          </Button>
        </div>
      </Form>
      {token !== undefined && <NewToken token={token} />}
    </>
  )
}

const NewToken = ({ token }: { token: string }) => {
  const url = (path: string) => ({ label: "Address", text: `${window.location.origin}/api/ingest/${path}` })
  return (
    <div className="flex flex-col gap-3 text-sm text-muted">
      <p role="status" className="font-medium text-text">
        Copy the token now. You cannot view it again.
      </p>
      <CodeBlock label="Header Authorization" text={`Bearer ${token}`} />
      <StepTabs
        label="Program on the phone"
        tabs={PROGRAMS.map(({ path, ...program }) => ({ ...program, code: url(path) }))}
      />
      <p>
        The manual has{" "}
        <a href="/docs/recipes" className="text-accent underline underline-offset-2" target="_blank" rel="noreferrer">
          recipes to copy
        </a>
        .
      </p>
    </div>
  )
}

const PROGRAMS = [
  {
    name: "Health Auto Export",
    path: "health-auto-export",
    steps: [
      "On the iPhone, open Health Auto Export, Automations, and add one of the type REST API with this address.",
      "Add a header with the name Authorization and the text above as its value. Choose JSON and export version 2.",
      "Turn Summarize Data off, or nights have no stages. Choose all health metrics and workouts, and the shortest sync cadence.",
    ],
  },
  {
    name: "Shortcuts, Tasker",
    path: "records",
    steps: [
      "Send a POST request to this address, with the header Authorization and JSON as its body.",
      "The body has a list records, of which each row has type, start, end, value, unit and source.",
    ],
  },
] as const
