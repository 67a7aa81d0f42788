/* The MQTT broker and the Home Assistant of the house: set up, tried, and what does not work. */
import type { HomeAssistantRequest, HomeAssistantTest, ServiceResponse } from "@restwell/client"
import { useLateConfirmation } from "../account/confirmation.tsx"
import { useSetHomeAssistant, useTryHomeAssistant } from "../api/service.ts"
import { Button } from "../components/button.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Disclosure, Panel } from "../components/page.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { sentence } from "../format/number.ts"

type HomeAssistant = ServiceResponse["home_assistant"]

const NAMES = { broker: "The MQTT broker", history: "Home Assistant's history" } as const
type Link = keyof typeof NAMES
const LINKS: readonly Link[] = ["broker", "history"]
const VARIABLES = { broker: "MQTT_URL", history: "HOME_ASSISTANT_URL and HOME_ASSISTANT_TOKEN" } as const

export function HomeAssistantPanel({ settings }: { settings: HomeAssistant }) {
  const isSetUp = LINKS.some((link) => settings[link].source !== null)
  const isFixed = LINKS.every((link) => settings[link].source === "environment")
  return (
    <Panel
      title="Home Assistant"
      description={
        <>
          Figures of the people who want it, as devices of a Home Assistant over MQTT, and their history.{" "}
          <a href="/docs/home-assistant" className="text-accent underline underline-offset-2">
            What it needs
          </a>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        {isSetUp && <SetUp settings={settings} />}
        {!isFixed && (
          // Closed and empty once something is saved.
          <Disclosure
            key={`${settings.broker.server} ${settings.history.server}`}
            summary={isSetUp ? "Change it" : "Set up Home Assistant"}
            summaryClass="w-fit font-medium"
          >
            <SettingsForm current={settings} />
          </Disclosure>
        )}
      </div>
    </Panel>
  )
}

/** The settings in use: whether they work, a test, and their removal. */
function SetUp({ settings }: { settings: HomeAssistant }) {
  const { people, failures } = settings
  const test = useTryHomeAssistant()
  const remove = useSetHomeAssistant()
  const error = test.error ?? remove.error
  const removable = {
    ...(settings.broker.source === "page" && { mqtt_url: null }),
    ...(settings.history.source === "page" && { home_assistant_url: null }),
  }
  return (
    <>
      <ul aria-label="Addresses" className="flex flex-col gap-1 break-words text-muted">
        {LINKS.map((link) => (
          <li key={link}>
            {NAMES[link]}: {stateText(link, settings)}
          </li>
        ))}
      </ul>
      <p className="text-muted">
        {people === 0 ? "Nobody has" : people === 1 ? "One person has" : `${people} people have`} switched it on. Each
        person does so on the page Notifications.
      </p>
      {failures.map(({ link, since, failure }) => (
        <Notice key={link} tone="poor" title={`${NAMES[link]} does not work`}>
          {sentence(failure)} That is so since <TimeAgo instant={since} />. It is tried again by itself.
        </Notice>
      ))}
      {error && <FailureNotice error={error} />}
      {test.data && !test.isPending && <Outcome {...test.data} />}
      <div className="flex flex-wrap gap-2">
        <Button isBusy={test.isPending} onClick={() => test.mutate({})}>
          Try it
        </Button>
        {Object.keys(removable).length > 0 && (
          <Button isBusy={remove.isPending} onClick={() => remove.mutate({ settings: removable, confirm: "session" })}>
            Remove it
          </Button>
        )}
      </div>
    </>
  )
}

function stateText(link: Link, settings: HomeAssistant): string {
  const { source, server } = settings[link]
  if (source === null || server === null) return "not set up."
  return source === "environment"
    ? `${server}. Set by environment variables: ${VARIABLES[link]} take precedence over this page.`
    : `${server}.`
}

const Outcome = (test: HomeAssistantTest) => (
  <>
    {LINKS.map((link) => {
      const outcome = test[link]
      if (outcome === null) return null
      return outcome.problem === null ? (
        <Notice key={link} tone="good">
          {NAMES[link]} works.
        </Notice>
      ) : (
        <Notice key={link} tone="poor" title={`${NAMES[link]} does not work`}>
          {sentence(outcome.problem)}
        </Notice>
      )
    })}
  </>
)

const EMPTY = { broker: "", user: "", password: "", url: "", token: "" } as const

/** The broker's address with the user, as one text. An address without a scheme is one of the home network. */
function brokerUrl({ broker, user, password }: Readonly<Record<keyof typeof EMPTY, string>>): string {
  const [, scheme = "mqtt://", host = ""] = /^(\w+:\/\/)?(.*)$/.exec(broker.trim()) ?? []
  const credentials = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  return `${scheme}${credentials}${host}`
}

function SettingsForm({ current: { broker, history } }: { current: HomeAssistant }) {
  const save = useSetHomeAssistant()
  const { confirm, field: confirmation, failure } = useLateConfirmation(save.error)
  const test = useTryHomeAssistant()
  const { values, field } = useFields<keyof typeof EMPTY>(EMPTY)
  const settings: HomeAssistantRequest = {
    ...(values.broker.trim() !== "" && { mqtt_url: brokerUrl(values) }),
    ...(values.url.trim() !== "" && { home_assistant_url: values.url.trim().replace(/\/$/, "") }),
    ...(values.token.trim() !== "" && { home_assistant_token: values.token.trim() }),
  }
  const isEmpty = Object.keys(settings).length === 0
  const error = failure ?? test.error
  const text = (name: keyof typeof EMPTY, wireName: string) => ({
    ...field(name),
    autoComplete: "off",
    spellCheck: false,
    error: fieldError(error, wireName),
  })
  const tryIt = () => {
    save.reset()
    test.mutate(settings)
  }
  return (
    <Form onSubmit={() => save.mutate({ settings, confirm })} className="mt-3 max-w-xl gap-4">
      {broker.source !== "environment" && (
        <>
          <TextField
            label="Address of the MQTT broker"
            placeholder="192.168.1.20"
            hint="With mqtts:// before it for TLS. Home Assistant's own is the add-on Mosquitto."
            {...text("broker", "mqtt_url")}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label="User of the broker" {...text("user", "")} />
            <TextField label="Its password" type="password" hint="Stored encrypted." {...text("password", "")} />
          </div>
        </>
      )}
      {history.source !== "environment" && (
        <>
          <TextField
            label="Address of Home Assistant"
            placeholder="http://192.168.1.20:8123"
            hint="Only for the history, which goes into its statistics."
            {...text("url", "home_assistant_url")}
          />
          <TextField
            label="Long-lived access token"
            type="password"
            hint="In Home Assistant: the profile of an administrator, Security. Stored encrypted."
            {...text("token", "home_assistant_token")}
          />
        </>
      )}
      {confirmation}
      {error && !isFieldError(error, ["mqtt_url", "home_assistant_url", "home_assistant_token"]) && (
        <FailureNotice error={error} />
      )}
      {test.data && !test.isPending && <Outcome {...test.data} />}
      <div className="flex flex-wrap gap-2">
        <Button isBusy={test.isPending} disabled={isEmpty} onClick={tryIt}>
          Try it
        </Button>
        <Button type="submit" look="primary" isBusy={save.isPending} disabled={isEmpty}>
          Save
        </Button>
      </div>
    </Form>
  )
}
