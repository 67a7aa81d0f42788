import { useState } from "react"
import { Segmented } from "./segmented.tsx"

const OPTIONS = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const

type Theme = (typeof OPTIONS)[number]["value"]

/** The look of the page: the system's, or the one chosen in this browser. `theme.js` applies it before anything is drawn. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme)
  const choose = (next: Theme) => {
    setTheme(next)
    if (next === "system") {
      localStorage.removeItem("theme")
      delete document.documentElement.dataset["theme"]
      return
    }
    localStorage.setItem("theme", next)
    document.documentElement.dataset["theme"] = next
  }
  return <Segmented label="Theme" options={OPTIONS} value={theme} onChange={choose} />
}

const chosenTheme = (): Theme =>
  OPTIONS.find(({ value }) => value === document.documentElement.dataset["theme"])?.value ?? "system"
