import { createContext, useContext } from "react"
import type { Host } from "./host.ts"

/** The chat around the view. Undefined until it has answered. */
export const HostConnection = createContext<Host | undefined>(undefined)

export const useHost = (): Host | undefined => useContext(HostConnection)
