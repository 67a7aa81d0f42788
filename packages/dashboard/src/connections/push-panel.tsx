import type { IngestToken } from "@restwell/client"
import { useAccount } from "../api/account.ts"
import { useCreateIngestToken, useEndIngestToken, useIngestTokens } from "../api/imports.ts"
import { Button } from "../components/button.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { StepTabs } from "../components/instructions.tsx"
import { FailureNotice, Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { SecretItem } from "../components/secret-item.tsx"
import { whoCanOpen } from "../format/address-reach.ts"

/** The tokens of phones that push, and how to make another one with the steps for its program. @param program the phone whose program alone is explained */
export const PushTokens = ({ program }: { program?: keyof typeof PROGRAMS }) => (
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
    <AddToken programs={program === undefined ? Object.values(PROGRAMS) : [PROGRAMS[program]]} />
  </div>
)

function TokenItem({ token: { id, name, prefix, last_used_at: lastUsedAt } }: { token: IngestToken }) {
  const end = useEndIngestToken()
  return (
    <SecretItem kind="token" {...{ name, prefix, lastUsedAt }} lastUse="last push" onEnd={() => end.mutateAsync(id)}>
      Nothing that this phone sends is stored any more. What it has sent stays.
    </SecretItem>
  )
}

/** Said before a token is made: at an address of this computer alone, the phone would send to itself. */
function PhoneReach() {
  const address = useAccount().data?.address
  const limit = address && whoCanOpen(address)
  return (
    limit !== undefined && (
      <Notice tone="fair" title={limit}>
        {address?.reach === "home"
          ? "The phone sends only while it is at home."
          : "The phone does not reach it. The owner gives Restwell another address on the page Service, under “Public address”, first."}
      </Notice>
    )
  )
}

function AddToken({ programs }: { programs: readonly Program[] }) {
  const add = useCreateIngestToken()
  const { values, field, reset } = useFields({ name: "" })
  const { error, isPending, data: token } = add
  return (
    <>
      <PhoneReach />
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
      {token !== undefined && <NewToken token={token} programs={programs} />}
    </>
  )
}

const NewToken = ({ token, programs }: { token: string; programs: readonly Program[] }) => {
  const url = (path: string) => ({ label: "Address", text: `${window.location.origin}/api/ingest/${path}` })
  return (
    <div className="flex flex-col gap-3 text-sm text-muted">
      <p role="status" className="font-medium text-text">
        Copy the token now. You cannot view it again.
      </p>
      <CodeBlock label="Header Authorization" text={`Bearer ${token}`} />
      <StepTabs
        label="Program on the phone"
        tabs={programs.map(({ path, ...program }) => ({ ...program, code: url(path) }))}
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

interface Program {
  readonly name: string
  readonly path: string
  readonly steps: readonly string[]
}

const PROGRAMS = {
  iphone: {
    name: "Health Auto Export",
    path: "health-auto-export",
    steps: [
      "On the iPhone, open Health Auto Export, Automations, and add one of the type REST API with this address.",
      "Add a header with the name Authorization and the text above as its value. Choose JSON and export version 2.",
      "Turn Summarize Data off, or nights have no stages. Choose all health metrics and workouts, and the shortest sync cadence.",
    ],
  },
  android: {
    name: "Shortcuts, Tasker",
    path: "records",
    steps: [
      "Send a POST request to this address, with the header Authorization and JSON as its body.",
      "The body has a list records, of which each row has type, start, end, value, unit and source.",
    ],
  },
} as const satisfies Readonly<Record<string, Program>>
