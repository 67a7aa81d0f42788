import { createContext, useContext } from "react"
import type { Marks } from "./marks.ts"

/** The marks that charts draw. Undefined for none. */
export const MarksContext = createContext<Marks | undefined>(undefined)

export const useMarks = (): Marks | undefined => useContext(MarksContext)
