import { nameOfWords, OWN_JOURNAL, OWN_TOPIC } from "@restwell/client"
import { type FormEvent, useId, useState } from "react"
import { Button } from "../components/button.tsx"

export interface Topic {
  readonly factor: string
  readonly title: string
}

interface TopicFormProps {
  /** Topics that are not in the list yet. */
  readonly known: readonly Topic[]
  readonly onAdd: (topic: Topic) => void
}

/** Adds a common topic by one tap, or one of the person's own words. */
export function TopicForm({ known, onAdd }: TopicFormProps) {
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
