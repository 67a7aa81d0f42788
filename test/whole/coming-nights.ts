import { type Simulator, startSimulator } from "@restwell/simulator"
import type { Member } from "@restwell/testing/member"

/** Enough nights that every person wears the strap in at least one. */
const NIGHTS = 3
const DAY_MS = 86_400_000

/** A vendor whose clock is some nights behind, so that the nights that `letNightsPass` adds are not in the future. */
export const startVendorBehind = (): Promise<Simulator> =>
  startSimulator({
    now: new Date(Date.now() - NIGHTS * DAY_MS),
    ticking: true,
    days: 20,
    defaultPeople: false,
    wearsAlways: true,
    autoApprove: true,
    rateLimits: "off",
  })

export const letNightsPass = (vendor: Simulator): void => vendor.clock.advance(NIGHTS * DAY_MS)

/** The date of the newest night that the service has stored for a member. */
export async function newestNight(member: Member): Promise<string> {
  const answer = await member.send("GET", "/api/account/health?type=sleep&days=14")
  return (await answer.json()).records[0]?.date ?? ""
}
