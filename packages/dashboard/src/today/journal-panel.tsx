import { Toggle } from "@base-ui/react/toggle"
import { ToggleGroup } from "@base-ui/react/toggle-group"
import {
  type JournalFactorsResponse,
  nameOfWords,
  OWN_JOURNAL,
  OWN_TOPIC,
  type OwnJournalResponse,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { plural } from "@restwell/client/figures"
import { ChevronDown, ChevronUp, Plus } from "lucide-react"
import { type FormEvent, useEffect, useId, useState } from "react"
import { type JournalChange, useEnterJournal, useJournalFactors, useOwnJournal } from "../api/journal.ts"
import { absentIn, factorName } from "../charts/journal-marks.tsx"
import { Button } from "../components/button.tsx"
import { useDraft } from "../components/draft.ts"
import { FailureNotice, Loaded, Skeleton } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { tickDate } from "../format/date.ts"
import { providerName } from "../format/provider-name.ts"

interface JournalPanelProps {
  readonly date: string
  readonly isToday: boolean
  /** From `dataVersion`. */
  readonly version: string
}

/** The journal of a date, as one line that opens: yes or no for the person's topics, topics of their own, and a note. */
export function JournalPanel({ date, isToday, version }: JournalPanelProps) {
  const journal = useOwnJournal(date, version)
  // What was typed and not saved is never behind a closed line.
  const hasDraft = useDraft(noteDraft(date))[0] !== undefined
  const [isOpen, setOpen] = useState(hasDraft)
  const title = isToday ? "Log yesterday" : `Log ${tickDate(addDays(date, -1))}`
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <Panel
      title={title}
      description={
        isOpen ? (
          "Your journal for this day: the day and evening before."
        ) : (
          <p className="min-h-5">{answersText(journal.data)}</p>
        )
      }
      actions={
        <Button
          className="min-h-11 min-w-11 px-2"
          aria-expanded={isOpen}
          aria-label={isOpen ? "Close the journal" : "Open the journal"}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron size={18} aria-hidden="true" />
        </Button>
      }
    >
      {isOpen ? (
        <Loaded query={journal} skeleton={SKELETON}>
          {(own) => <OpenJournal key={date} journal={own} version={version} />}
        </Loaded>
      ) : undefined}
    </Panel>
  )
}

/** What was answered, in the line. */
function answersText(journal: OwnJournalResponse | undefined): string {
  if (!journal) return ""
  const { answers, note } = journal
  if (answers.length === 0) return note === null ? "Yes or no, to what you usually note" : "A note"
  return `${plural(answers.length, "answer")}${note === null ? "" : " and a note"}`
}

const OpenJournal = ({ journal, version }: { journal: OwnJournalResponse; version: string }) => (
  <Loaded query={useJournalFactors(version)} skeleton={SKELETON}>
    {(known) => <Entries journal={journal} factors={known} />}
  </Loaded>
)

const noteDraft = (date: string): string => `note of ${date}`

const SKELETON = <Skeleton className="h-64" label="Loading the journal" />

type Factors = JournalFactorsResponse["factors"]

/** Topics of a new journal. */
const FIRST_TOPICS = 4
/** More topics than these are behind a button. */
const MOST_TOPICS = 8

/** The topics of a date: those that are answered, and those that the person used last. */
function topicsOf(journal: OwnJournalResponse, factors: Factors, { all }: { all: boolean }) {
  const answered = [...journal.answers, ...journal.vendor_answers]
  const used = factors.filter(({ last_used }) => last_used !== null)
  const usual = used.length > 0 ? used : factors.slice(0, FIRST_TOPICS)
  const shown = new Map<string, Topic>()
  for (const { factor, title } of [...answered, ...(all ? usual : usual.slice(0, MOST_TOPICS))])
    shown.set(factor, { factor, title: shown.get(factor)?.title ?? title })
  return {
    topics: [...shown.values()].sort((one, other) => one.title.localeCompare(other.title, "en")),
    hidden: usual.filter(({ factor }) => !shown.has(factor)).length,
  }
}

function Entries({ journal, factors }: { journal: OwnJournalResponse; factors: Factors }) {
  const enter = useEnterJournal(journal.date)
  const [added, setAdded] = useState<readonly Topic[]>([])
  const [showsAll, setShowsAll] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const { topics, hidden } = topicsOf(journal, factors, { all: showsAll })
  const rows = [...topics, ...added.filter(({ factor }) => topics.every((topic) => topic.factor !== factor))]
  const unused = factors.filter(({ factor }) => rows.every((row) => row.factor !== factor))
  return (
    <div className="@container flex flex-col gap-4">
      <ul className="grid gap-x-8 @lg:grid-cols-2">
        {rows.map((topic) => (
          <TopicRow
            key={topic.factor}
            topic={topic}
            isAsked={rows.some(({ factor }) => factor === absentIn(topic.factor))}
            journal={journal}
            onChange={enter.mutate}
          />
        ))}
      </ul>
      {enter.error && <FailureNotice error={enter.error} />}
      <div className="flex flex-wrap gap-2">
        {hidden > 0 && (
          <Button className="min-h-11" onClick={() => setShowsAll(true)}>
            {hidden} more {hidden === 1 ? "topic" : "topics"}
          </Button>
        )}
        <Button className="min-h-11" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          <Plus size={16} aria-hidden="true" />
          Add a topic
        </Button>
      </div>
      {isAdding && (
        <TopicForm
          known={unused}
          onAdd={(topic) => {
            setAdded([...added, topic])
            setAdding(false)
          }}
        />
      )}
      <JournalNote
        date={journal.date}
        note={journal.note}
        isSaving={enter.isPending}
        onSave={(note) => enter.mutate({ note })}
      />
    </div>
  )
}

interface TopicRowProps {
  readonly topic: Topic
  /** Whether what the topic is the absence of is a row itself. */
  readonly isAsked: boolean
  readonly journal: OwnJournalResponse
  readonly onChange: (change: JournalChange) => void
}

/** A vendor's "No caffeine" is asked as "Caffeine", because a no to a no needs a second thought. */
function TopicRow({ topic, isAsked, journal, onChange }: TopicRowProps) {
  const absent = isAsked ? undefined : absentIn(topic.factor)
  const title = absent === undefined ? topic.title : factorName(absent)
  const yes = absent === undefined
  const own = journal.answers.find(({ factor }) => factor === topic.factor)
  const vendors = journal.vendor_answers.filter(({ factor, answer }) => factor === topic.factor && answer !== null)
  return (
    <li className="flex items-center justify-between gap-3 border-b border-line py-1.5">
      <div className="min-w-0">
        <p className="text-sm break-words">{title}</p>
        {vendors.map(({ source, answer }) => (
          <p key={source} className="text-xs text-muted">
            {providerName(source)}: {answer === yes ? "yes" : "no"}
          </p>
        ))}
      </div>
      <ToggleGroup
        aria-label={title}
        value={own ? [own.answer === yes ? "yes" : "no"] : []}
        onValueChange={([chosen]) =>
          onChange({ ...topic, answer: chosen === undefined ? null : (chosen === "yes") === yes })
        }
        className="inline-flex shrink-0 overflow-hidden rounded-lg border border-line-strong"
      >
        {(["yes", "no"] as const).map((answer) => (
          <Toggle
            key={answer}
            value={answer}
            className="min-h-11 min-w-13 px-3 text-sm text-muted capitalize not-first:border-l not-first:border-line-strong hover:bg-raised focus-visible:-outline-offset-2 data-pressed:bg-text data-pressed:font-medium data-pressed:text-canvas"
          >
            {answer}
          </Toggle>
        ))}
      </ToggleGroup>
    </li>
  )
}

interface JournalNoteProps {
  readonly date: string
  readonly note: string | null
  readonly isSaving: boolean
  readonly onSave: (note: string | null) => void
}

/** The note of a date. It is saved by the button, and when the person leaves the field. */
function JournalNote({ date, note, isSaving, onSave }: JournalNoteProps) {
  const id = useId()
  const [draft, setDraft] = useDraft(noteDraft(date))
  const text = draft ?? note ?? ""
  const isChanged = draft !== undefined && draft.trim() !== (note ?? "").trim()
  const isStored = draft !== undefined && !isChanged && !isSaving
  // While a change is sent, the note is already what it may become.
  useEffect(() => {
    if (isStored) setDraft(undefined)
  })
  const save = () => {
    if (isChanged) onSave(text.trim() === "" ? null : text.trim())
  }
  return (
    <div>
      <div className="flex items-center justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          Note
        </label>
        <span role="status" className="text-xs text-muted">
          {isChanged ? "Not saved yet" : isSaving ? "Saving" : note === null ? "" : "Saved"}
        </span>
      </div>
      <textarea
        id={id}
        value={text}
        rows={2}
        maxLength={OWN_JOURNAL.note}
        aria-describedby={`${id}-who`}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={save}
        className="mt-1 block field-sizing-content min-h-16 w-full rounded-lg border border-line-strong bg-canvas px-3 py-2 text-base sm:text-sm"
      />
      <div className="mt-1 flex min-h-11 items-center justify-between gap-2">
        <p id={`${id}-who`} className="text-xs text-muted">
          Only you see the note. Assistants and API keys never get it.
        </p>
        {isChanged && (
          <Button className="min-h-11" onClick={save}>
            Save
          </Button>
        )}
      </div>
    </div>
  )
}

interface Topic {
  readonly factor: string
  readonly title: string
}

interface TopicFormProps {
  /** Topics that are not in the list yet. */
  readonly known: readonly Topic[]
  readonly onAdd: (topic: Topic) => void
}

/** Adds a common topic by one tap, or one of the person's own words. */
function TopicForm({ known, onAdd }: TopicFormProps) {
  const id = useId()
  const [words, setWords] = useState("")
  const title = words.trim().replaceAll(/\s+/g, " ")
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (nameOfWords(title) === "") return
    const same = known.find((topic) => topic.title.toLowerCase() === title.toLowerCase())
    onAdd(same ?? { factor: `${OWN_TOPIC}${nameOfWords(title)}`, title })
  }
  return (
    <div className="flex flex-col gap-3 rounded-xl bg-raised p-3">
      {known.length > 0 && (
        <ul aria-label="Topics to add" className="flex flex-wrap gap-2">
          {known.map((topic) => (
            <li key={topic.factor}>
              <Button className="min-h-11 font-normal" onClick={() => onAdd(topic)}>
                {topic.title}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={add} className="flex items-end gap-2">
        <label htmlFor={id} className="flex min-w-0 flex-1 flex-col gap-1 text-sm font-medium">
          Your own topic
          <input
            id={id}
            value={words}
            onChange={({ target }) => setWords(target.value)}
            maxLength={OWN_JOURNAL.title}
            autoComplete="off"
            placeholder="Cold shower"
            className="min-h-11 w-full rounded-lg border border-line-strong bg-surface px-3 text-base font-normal sm:text-sm"
          />
        </label>
        <Button type="submit" look="primary" className="min-h-11" disabled={nameOfWords(title) === ""}>
          Add
        </Button>
      </form>
    </div>
  )
}
