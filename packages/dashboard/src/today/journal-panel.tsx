import { Toggle } from "@base-ui/react/toggle"
import { ToggleGroup } from "@base-ui/react/toggle-group"
import type { JournalFactorsResponse, OwnJournalResponse } from "@restwell/client"
import { Plus } from "lucide-react"
import { useState } from "react"
import { type JournalChange, useEnterJournal, useJournalFactors, useOwnJournal } from "../api/journal.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice, Loaded, Skeleton } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { providerName } from "../format/provider-name.ts"
import { JournalNote } from "./journal-note.tsx"
import { type Topic, TopicForm } from "./topic-form.tsx"

interface JournalPanelProps {
  readonly date: string
  /** From `dataVersion`. */
  readonly version: string
}

/** The journal of a date: yes or no for the person's topics, topics of their own, and a note. */
export function JournalPanel({ date, version }: JournalPanelProps) {
  const journal = useOwnJournal(date, version)
  const factors = useJournalFactors(version)
  return (
    <Panel title="Journal" description="Your journal for this day: the day and evening before.">
      <Loaded query={journal} skeleton={SKELETON}>
        {(own) => (
          <Loaded query={factors} skeleton={SKELETON}>
            {(known) => <Entries key={date} journal={own} factors={known} />}
          </Loaded>
        )}
      </Loaded>
    </Panel>
  )
}

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
    <div className="flex flex-col gap-4">
      <ul className="grid gap-x-8 sm:grid-cols-2 lg:grid-cols-1">
        {rows.map((topic) => (
          <TopicRow key={topic.factor} topic={topic} journal={journal} onChange={enter.mutate} />
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
      <JournalNote note={journal.note} isSaving={enter.isPending} onSave={(note) => enter.mutate({ note })} />
    </div>
  )
}

interface TopicRowProps {
  readonly topic: Topic
  readonly journal: OwnJournalResponse
  readonly onChange: (change: JournalChange) => void
}

function TopicRow({ topic, journal, onChange }: TopicRowProps) {
  const own = journal.answers.find(({ factor }) => factor === topic.factor)
  const vendors = journal.vendor_answers.filter(({ factor, answer }) => factor === topic.factor && answer !== null)
  return (
    <li className="flex items-center justify-between gap-3 border-b border-line py-1.5">
      <div className="min-w-0">
        <p className="text-sm break-words">{topic.title}</p>
        {vendors.map(({ source, answer }) => (
          <p key={source} className="text-xs text-muted">
            {providerName(source)}: {answer ? "yes" : "no"}
          </p>
        ))}
      </div>
      <ToggleGroup
        aria-label={topic.title}
        value={own ? [own.answer ? "yes" : "no"] : []}
        onValueChange={([chosen]) => onChange({ ...topic, answer: chosen === undefined ? null : chosen === "yes" })}
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
