import { TREND_CARDS, type TrendCardId } from "@restwell/client"
import { useState } from "react"
import { Button } from "../components/button.tsx"
import { moved, OrderList } from "../components/order-list.tsx"
import { Panel } from "../components/page.tsx"
import { CARD_TITLES } from "./trend-card.tsx"

interface CardEditorProps {
  /** Cards that have values. */
  readonly available: readonly TrendCardId[]
  /** The cards of the page. */
  readonly cards: readonly TrendCardId[]
  /** Why the last change was not saved. */
  readonly failure: string | undefined
  /** @param chosen null for the usual cards */
  readonly onChange: (chosen: readonly TrendCardId[] | null) => void
}

/** Changes the order of the cards, and hides some. Each change is saved at once. A hidden card keeps its row, so that the focus stays. */
export function CardEditor({ available, cards, failure, onChange }: CardEditorProps) {
  const [rows, setRows] = useState([...cards, ...available.filter((id) => !cards.includes(id))])
  const [status, setStatus] = useState("")
  const change = (changed: readonly TrendCardId[], shown: readonly TrendCardId[], text: string) => {
    setRows([...changed])
    onChange(changed.filter((id) => shown.includes(id)))
    setStatus(text)
  }
  const reset = () => {
    setRows(TREND_CARDS.filter((id) => available.includes(id)))
    onChange(null)
    setStatus("The usual cards are back.")
  }
  return (
    <Panel
      title="Your cards"
      description="Their order, and which are hidden. It is kept for your account, in every browser."
      actions={<Button onClick={reset}>Reset</Button>}
    >
      <OrderList
        purpose="of cards"
        items={rows.map((id) => ({
          key: id,
          name: CARD_TITLES[id],
          ...(!cards.includes(id) && { note: "hidden" }),
        }))}
        onMove={(from, to) => {
          const name = CARD_TITLES[rows[from] ?? "recovery_score"]
          change(moved(rows, from, to), cards, `${name} is now number ${to + 1} of ${rows.length}.`)
        }}
        actionOf={({ key, name }) => {
          const isShown = cards.some((id) => id === key)
          const shown = isShown
            ? cards.filter((id) => id !== key)
            : rows.filter((id) => id === key || cards.includes(id))
          return (
            <Button
              look="quiet"
              className="w-16 max-sm:w-12 max-sm:px-0"
              aria-label={`${isShown ? "Hide" : "Show"} ${name}`}
              onClick={() => change(rows, shown, `${name} is ${isShown ? "hidden" : "shown"}.`)}
            >
              {isShown ? "Hide" : "Show"}
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
