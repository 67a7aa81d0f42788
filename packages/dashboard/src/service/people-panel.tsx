import type { PeopleResponse } from "@restwell/client"
import { useState } from "react"
import { Button } from "../components/button.tsx"
import { Form, useFields } from "../components/form.tsx"
import { Panel } from "../components/panel.tsx"
import { TextField } from "../components/text-field.tsx"
import { PersonItem } from "./person-item.tsx"

/** So many people are found without a search. */
const FEW = 10

/** Everybody with an account. */
export function PeoplePanel({
  people,
  hasMore,
  search,
  onSearch,
}: {
  people: PeopleResponse["people"]
  hasMore: boolean
  search: string
  onSearch: (search: string) => void
}) {
  const [hasSearch] = useState(people.length > FEW || hasMore)
  const { values, field } = useFields({ search })
  return (
    <Panel title="People" description="Who has an account here. You see no measurements of others.">
      {hasSearch && (
        <Form onSubmit={() => onSearch(values.search.trim())} className="max-w-sm gap-3">
          <TextField label="Name or address" type="search" autoComplete="off" maxLength={100} {...field("search")} />
          <div>
            <Button type="submit">Search</Button>
          </div>
        </Form>
      )}
      {people.length === 0 && <p className="text-sm text-muted">Nobody with this name or address.</p>}
      <ul aria-label="People" className="divide-y divide-line">
        {people.map((person) => (
          <PersonItem key={person.id} person={person} />
        ))}
      </ul>
      {hasMore && <p className="text-sm text-muted">There are more people. Search for a name or an address.</p>}
    </Panel>
  )
}
