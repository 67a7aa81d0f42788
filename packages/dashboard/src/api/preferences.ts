import {
  DEFAULT_DAYS_OFF,
  type DisplayPreferences,
  type PreferencesChange,
  type PreferencesResponse,
  PreferencesResponseSchema,
} from "@restwell/client"

import { type QueryClient, skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"

import { z } from "zod"
import { instantText } from "../format/date.ts"
import { localeOf } from "../format/locale.ts"
import { accountOptions } from "./account.ts"
import { send } from "./send.ts"

const KEY = ["preferences"]
const PATH = "/api/account/preferences"

/** They come with the account, which the frame of every page asks for. */
function useStored() {
  const { data: account } = useQuery({ ...accountOptions, enabled: false })
  return useQuery({
    queryKey: KEY,
    queryFn: account ? () => withBrowsers(account.preferences) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** How figures and clock times are written: as the person set it, else as the browser does. */
export const usePreferences = (): DisplayPreferences => useStored().data ?? browserPreferences()

/** Sets the preferences of a reader without an account. */
export const keepBrowserPreferences = (queries: QueryClient): void =>
  void queries.setQueryData<PreferencesResponse>(KEY, {
    ...browserPreferences(),
    days_off: [...DEFAULT_DAYS_OFF],
    time_zone: null,
    trend_cards: null,
    hidden_cards: null,
    no_main_device: false,
    stored: [],
  })

/** Writes an instant with the preferred clock: "Nov 20, 2026, 07:02". */
export function useInstantText(): (instant: string) => string {
  const { clock } = usePreferences()
  return (instant) => instantText(instant, clock)
}

/** The order of the cards of Trends, and which are hidden. */
export type CardChoice = Pick<PreferencesResponse, "trend_cards" | "hidden_cards">

/** The person's choice of cards. A change is visible while it is saved. */
export function useTrendCards() {
  const { data, isPending: isLoading } = useStored()
  const { mutate, isPending, variables, error } = useSavePreferences()
  const { trend_cards = null, hidden_cards = null } = { ...data, ...(isPending && variables) }
  return {
    /** Undefined until it is known. */
    chosen: isLoading ? undefined : { trend_cards, hidden_cards },
    choose: (choice: CardChoice) => mutate(choice),
    error,
  }
}

/** The person's days off. A change is visible while it is saved. */
export function useDaysOff() {
  const { data } = useStored()
  const { mutate, isPending, variables, error } = useSavePreferences()
  return {
    daysOff: (isPending ? variables.days_off : data?.days_off) ?? DEFAULT_DAYS_OFF,
    choose: (daysOff: PreferencesResponse["days_off"]) => mutate({ days_off: daysOff }),
    error,
  }
}

/** Whether the person lets Restwell choose among several devices. A change is visible while it is saved. */
export function useNoMainDevice() {
  const { data, isPending: isLoading } = useStored()
  const { mutate, isPending, variables, error } = useSavePreferences()
  return {
    /** Undefined until it is known. */
    isChosen: isLoading ? undefined : ((isPending ? variables.no_main_device : data?.no_main_device) ?? false),
    choose: () => mutate({ no_main_device: true }),
    error,
  }
}

/** What the person has not set is set to what the browser prefers, so that every browser of the person shows the same. */
async function withBrowsers(read: PreferencesResponse): Promise<PreferencesResponse> {
  const ofBrowser = { ...browserPreferences(), time_zone: browserTimeZone() }
  const missing = Object.entries(ofBrowser).filter(([key]) => !read.stored.some((stored) => stored === key))
  if (missing.length === 0) return read
  const change = Object.fromEntries(missing)
  // Without a connection the browser's own are shown, and set the next time.
  return savePreferences({ ...change, suggested: true }).catch(() => ({ ...read, ...change }))
}

const savePreferences = (change: PreferencesChange): Promise<PreferencesResponse> =>
  send(PATH, PreferencesResponseSchema, { method: "PUT", body: change })

/** Saves preferences. Every page follows at once. */
export function useSavePreferences() {
  const queries = useQueryClient()
  return useMutation({
    // One after the other, so that the last change is the one that stays.
    scope: { id: PATH },
    mutationFn: savePreferences,
    onSuccess(stored) {
      queries.setQueryData(KEY, stored)
      queries.setQueryData(accountOptions.queryKey, (account) => account && { ...account, preferences: stored })
    },
  })
}

const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The United States, Liberia and Myanmar. */
const IMPERIAL_REGIONS: readonly (string | undefined)[] = ["US", "LR", "MM"]
const DAYS_OF_WEEK: Readonly<Record<number, DisplayPreferences["first_weekday"]>> = { 6: "saturday", 7: "sunday" }

/** What the browser's language and region suggest. */
export function browserPreferences(language: string = navigator.language): DisplayPreferences {
  const locale = localeOf(language)
  const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions()
  const isImperial = IMPERIAL_REGIONS.includes(locale.maximize().region)
  const firstDay = firstDayOf(locale) ?? (isImperial ? 7 : 1)
  return {
    units: isImperial ? "imperial" : "metric",
    clock: hourCycle === "h11" || hourCycle === "h12" ? "12h" : "24h",
    first_weekday: DAYS_OF_WEEK[firstDay] ?? "monday",
  }
}

/** 1 for Monday to 7 for Sunday. Undefined in a browser that does not know the weeks of a locale. */
function firstDayOf(locale: Intl.Locale): number | undefined {
  if (!("getWeekInfo" in locale) || typeof locale.getWeekInfo !== "function") return undefined
  const week: unknown = locale.getWeekInfo()
  return z.object({ firstDay: z.int() }).safeParse(week).data?.firstDay
}
