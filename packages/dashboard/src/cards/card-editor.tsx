import type { TrendCardId } from "@restwell/client"
import { useState } from "react"
import type { CardChoice } from "../api/preferences.ts"
import { Button } from "../components/button.tsx"
import { moved, OrderList } from "../components/order-list.tsx"
import { Panel } from "../components/page.tsx"
import { CARD_TITLES, inChosenOrder } from "./trend-card.tsx"

interface CardEditorProps {
  /** Cards that have values. */
  readonly available: readonly TrendCardId[]
  readonly chosen: CardChoice
  /** Why the last change was not saved. */
  readonly failure: string | undefined
  readonly onChange: (chosen: CardChoice) => void
}

/** Changes the order of the cards, and hides some. Each change is saved at once. A hidden card keeps its place. */
export function CardEditor({ available, chosen: stored, failure, onChange }: CardEditorProps) {
  // A second press must not wait until the first one is saved.
  const [chosen, setChosen] = useState(stored)
  const [status, setStatus] = useState("")
  const all = inChosenOrder(chosen)
  const rows = all.filter((id) => available.includes(id))
  const hidden = chosen.hidden_cards ?? []
  const change = (choice: CardChoice, text: string) => {
    setChosen(choice)
    onChange(choice)
    setStatus(text)
  }
  return (
    <Panel
      title="Your cards"
      description="Their order, and which are hidden. It is kept for your account, in every browser."
      actions={
        <Button onClick={() => change({ trend_cards: null, hidden_cards: null }, "The usual cards are back.")}>
          Reset
        </Button>
      }
    >
      <OrderList
        purpose="of cards"
        items={rows.map((id) => ({ key: id, name: CARD_TITLES[id], ...(hidden.includes(id) && { note: "hidden" }) }))}
        onMove={(from, to) => {
          const name = CARD_TITLES[rows[from] ?? "recovery_score"]
          // Cards without values keep their order, after the others.
          const order = [...new Set([...moved(rows, from, to), ...all])]
          change(
            { trend_cards: order, hidden_cards: [...hidden] },
            `${name} is now number ${to + 1} of ${rows.length}.`,
          )
        }}
        actionOf={({ key, name }) => {
          const isHidden = hidden.some((id) => id === key)
          const others = hidden.filter((id) => id !== key)
          const next = isHidden ? others : [...others, ...rows.filter((id) => id === key)]
          return (
            <Button
              look="quiet"
              className="w-16 max-sm:w-12 max-sm:px-0"
              aria-label={`${isHidden ? "Show" : "Hide"} ${name}`}
              onClick={() => change({ ...chosen, hidden_cards: next }, `${name} is ${isHidden ? "shown" : "hidden"}.`)}
            >
              {isHidden ? "Show" : "Hide"}
            </Button>
          )
        }}
      />
      <p role="status" className="mt-3 min-h-5 text-sm text-muted">
        {failure === undefined ? status : `The change was not saved: ${failure}.`}
      </p>
    </Panel>
  )
}
