import { useState } from "react"
import { usePeople } from "../api/people.ts"
import { Loaded } from "../components/loaded.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { InvitationsPanel } from "./invitations-panel.tsx"
import { MailPanel } from "./mail-panel.tsx"
import { PeoplePanel } from "./people-panel.tsx"

/** The people of this installation, their invitations, and e-mail. */
export function PeopleSections() {
  const [search, setSearch] = useState("")
  return (
    <Loaded query={usePeople(search)} skeleton={<Skeleton className="h-64" label="Loading the people" />}>
      {(data) => (
        <>
          <PeoplePanel people={data.people} hasMore={data.has_more} search={search} onSearch={setSearch} />
          <InvitationsPanel {...data} />
          <MailPanel {...data.mail} />
        </>
      )}
    </Loaded>
  )
}
