/* The people of the comparison: one to five sources, devices that begin and end, archives, and sources that were disconnected. */
import type { NormalizedProfile, NormalizedRecord } from "@restwell/providers"
import { DEVICES, Measurement } from "./devices.ts"
import { Dice } from "./dice.ts"
import type { Installation, Someone } from "./installation.ts"
import { DAY_MS, type Habits, type LivedDay, live } from "./lives.ts"
import type { Status } from "./truth.ts"

export type DeviceName = keyof typeof DEVICES

interface Worn {
  readonly device: DeviceName
  /** Days ago. @default the whole life */
  readonly from?: number
  readonly to?: number
  /** Records that are older than this number of days come from an archive. */
  readonly archivedBefore?: number
  /** @default "ok" */
  readonly status?: Status
}

interface Role {
  readonly name: string
  readonly habits?: Partial<Habits>
  readonly devices: readonly Worn[]
}

const USUAL: Habits = { days: 130, wakesAt: 7, naps: 25, workouts: 50, trainsAtMidnight: false, offsets: [60] }

const CAST: readonly Role[] = [
  { name: "one source", devices: [{ device: "whoop" }] },
  { name: "two sources", devices: [{ device: "whoop" }, { device: "oura" }] },
  {
    name: "a change of device",
    devices: [
      { device: "whoop", to: 50 },
      { device: "oura", from: 70 },
    ],
  },
  {
    name: "three sources on journeys",
    habits: { offsets: [60, 120, -300, 345, 840] },
    devices: [{ device: "whoop" }, { device: "oura", archivedBefore: 60 }, { device: "apple_health", from: 90 }],
  },
  {
    name: "wakes at midnight",
    habits: { wakesAt: 0 },
    devices: [{ device: "oura" }, { device: "polar" }, { device: "whoop", archivedBefore: 0, status: "archive" }],
  },
  {
    name: "trains at midnight",
    habits: { trainsAtMidnight: true, offsets: [-480] },
    devices: [{ device: "whoop" }, { device: "apple_health" }, { device: "polar" }],
  },
  {
    name: "two archives",
    devices: [
      { device: "oura", archivedBefore: 0, status: "archive" },
      { device: "apple_health", archivedBefore: 0, status: "archive" },
    ],
  },
  {
    name: "four sources, two of them archives",
    habits: { naps: 60, workouts: 80 },
    devices: [
      { device: "whoop" },
      { device: "oura" },
      { device: "garmin", archivedBefore: 0, status: "archive" },
      { device: "apple_health", archivedBefore: 0, status: "archive" },
    ],
  },
  {
    name: "three archives beside a band that came later",
    habits: { offsets: [60, -300, 540] },
    devices: [
      { device: "whoop", from: 60 },
      { device: "garmin", archivedBefore: 0, status: "archive" },
      { device: "google_health", archivedBefore: 0, status: "archive" },
      { device: "apple_health", archivedBefore: 20 },
    ],
  },
  {
    name: "a disconnected source",
    devices: [{ device: "whoop", status: "disconnected" }, { device: "oura" }, { device: "polar", to: 20 }],
  },
  {
    name: "a source that needs the person",
    habits: { naps: 80, workouts: 90 },
    devices: [{ device: "oura", status: "reauthorization_required" }, { device: "whoop" }, { device: "polar" }],
  },
  { name: "no source any more", devices: [{ device: "oura", status: "disconnected" }] },
  { name: "without sources", devices: [] },
  {
    name: "five sources, live and archives mixed",
    habits: { naps: 60, workouts: 80, offsets: [60, 120, -240] },
    devices: [
      { device: "polar" },
      { device: "google_health", archivedBefore: 40 },
      { device: "whoop", from: 90 },
      { device: "garmin", archivedBefore: 0, status: "archive" },
      { device: "apple_health", archivedBefore: 20 },
    ],
  },
  {
    name: "five sources, one that ended and two archives",
    habits: { wakesAt: 0, offsets: [-480, 540] },
    devices: [
      { device: "oura" },
      { device: "polar", to: 30, status: "reauthorization_required" },
      { device: "google_health" },
      { device: "whoop", archivedBefore: 0, status: "archive" },
      { device: "garmin", archivedBefore: 0, status: "archive" },
    ],
  },
]

/** Somebody of the cast, with records that have not arrived yet. */
export interface Member extends Someone {
  readonly name: string
  readonly late: { readonly provider: string; readonly records: NormalizedRecord[] }[]
}

/** Records of the last days, and a few older ones, arrive late. */
const LATE_DAYS = 5
const LATE_PERCENT = 3

export async function addCast(installation: Installation, seed: number): Promise<Member[]> {
  const members: Member[] = []
  for (const [index, role] of CAST.entries()) members.push(await addRole(installation, new Dice(seed + index), role))
  return members
}

async function addRole(installation: Installation, dice: Dice, role: Role): Promise<Member> {
  const member: Member = { ...(await installation.addSomeone()), name: role.name, late: [] }
  const days = live(dice, { ...USUAL, ...role.habits }, installation.now)
  for (const worn of role.devices) await addDevice(installation, { member, dice, days }, worn)
  return member
}

async function addDevice(
  installation: Installation,
  { member, dice, days }: { member: Member; dice: Dice; days: readonly LivedDay[] },
  { device, from = 1000, to = -1, archivedBefore, status = "ok" }: Worn,
): Promise<void> {
  const measurement = new Measurement(dice, DEVICES[device], installation.now)
  const early: NormalizedRecord[] = []
  const late: NormalizedRecord[] = []
  const archived: NormalizedRecord[] = []
  for (const day of days) {
    const daysAgo = (installation.now.getTime() - day.midnightMs) / DAY_MS
    if (daysAgo > from || daysAgo < to) continue
    const records = measurement.of(day)
    const isArchived = archivedBefore !== undefined && daysAgo >= archivedBefore
    for (const record of records) {
      const isLate = !isArchived && (daysAgo < LATE_DAYS || dice.percent(LATE_PERCENT))
      ;(isLate ? late : early).push(record)
      if (isArchived) archived.push(record)
    }
  }
  await installation.connect(member, device)
  await installation.sync(member, device, { records: early, profile: profileOf(dice, device) })
  if (archivedBefore !== undefined) await installation.archive(member, device, archived)
  if (status === "disconnected") await installation.disconnect(member, device, false)
  else if (status !== "ok") await installation.setStatus(member, device, status)
  member.late.push({ provider: device, records: late })
}

function profileOf(dice: Dice, device: string): NormalizedProfile {
  const providerId = `person-${dice.below(1_000_000_000)}`
  return {
    data: {
      id: `${device}-${providerId}`,
      providerId,
      email: `${providerId}@${device}.example`,
      ...(dice.percent(70) && { firstName: "Ada", lastName: device }),
      body: {
        heightMeters: dice.between(1.5, 2, 0.01),
        ...(dice.percent(60) && { weightKilograms: dice.between(50, 90, 0.1) }),
      },
    },
    raw: {},
  }
}
