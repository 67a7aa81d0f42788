import type { SeriesType } from "@restwell/client"
import { APPLE_COVERAGE, APPLE_SERIES } from "./apple-health/coverage.ts"
import type { OneDeviceRule } from "./contract/one-device-rule.ts"
import type { RecordKind } from "./contract/records.ts"
import type { DataSource, OauthVendor, Vendor } from "./contract/vendor.ts"
import { GADGETBRIDGE_COVERAGE, GADGETBRIDGE_SERIES } from "./gadgetbridge/coverage.ts"
import { GARMIN_COVERAGE, GARMIN_SERIES } from "./garmin/coverage.ts"
import { GOOGLE_HEALTH_VENDOR } from "./google-health/vendor.ts"
import { HEALTH_CONNECT_RULE } from "./health-connect/counted-days.ts"
import { HEALTH_CONNECT_COVERAGE, HEALTH_CONNECT_SERIES } from "./health-connect/coverage.ts"
import { INTERVALS_VENDOR } from "./intervals/vendor.ts"
import { OURA_VENDOR } from "./oura/vendor.ts"
import { POLAR_VENDOR } from "./polar/vendor.ts"
import { PHONE_COVERAGE, PHONE_SERIES } from "./push/coverage.ts"
import { SLEEP_AS_ANDROID_COVERAGE, SLEEP_AS_ANDROID_SERIES } from "./sleep-as-android/coverage.ts"
import { ULTRAHUMAN_VENDOR } from "./ultrahuman/vendor.ts"
import { WHOOP_VENDOR } from "./whoop/vendor.ts"
import { WITHINGS_VENDOR } from "./withings/vendor.ts"

/** Every vendor that people connect, by the name that prefixes its ids. */
export const VENDORS = {
  whoop: WHOOP_VENDOR,
  oura: OURA_VENDOR,
  polar: POLAR_VENDOR,
  intervals: INTERVALS_VENDOR,
  withings: WITHINGS_VENDOR,
  google_health: GOOGLE_HEALTH_VENDOR,
  ultrahuman: ULTRAHUMAN_VENDOR,
} as const satisfies Readonly<Record<string, Vendor>>

export type VendorName = keyof typeof VENDORS

/** Vendors with an app of the operator. */
export type OauthVendorName = {
  [Name in VendorName]: (typeof VENDORS)[Name] extends OauthVendor ? Name : never
}[VendorName]

/** All vendors, with names that are not known in advance. */
export const VENDOR_LIST: readonly (readonly [provider: string, vendor: Vendor])[] = Object.entries(VENDORS)

/** Returns a vendor that people connect. Undefined for other names. */
export const vendorOf = (provider: string): Vendor | undefined => VENDOR_LIST.find(([name]) => name === provider)?.[1]

/** Sources without a connection, by the name that prefixes their ids. All of their data come from archives, or from pushes of a phone. */
const ARCHIVE_SOURCES = {
  garmin: {
    archiveSteps: [
      "Garmin lets no private person connect, so its archive is the way. Sign in at garmin.com/account/datamanagement and choose Export Your Data.",
      "Garmin sends a link by email, within hours or weeks. Upload the zip file as it is.",
      "Order it again every half year: Garmin keeps values within the day whole for about six months, then thins them.",
    ],
    coverage: GARMIN_COVERAGE,
    series: GARMIN_SERIES,
    bounds: [],
  },
  apple_health: {
    isCollectedOnPhone: true,
    archiveSteps: [
      "On the iPhone, open the Health app, tap your picture, and choose Export All Health Data. It takes some minutes.",
      "Send the file export.zip to this device, and upload it as it is. It may have a name in your language.",
      "Apple offers no connection, so export it again when you want the newest days. What is stored stays once.",
    ],
    coverage: APPLE_COVERAGE,
    series: APPLE_SERIES,
    bounds: [],
  },
  health_connect: {
    isCollectedOnPhone: true,
    archiveSteps: [
      "On Android 14 or newer, open Settings, search for Health Connect, and choose Manage data, then Backup and restore, then Export.",
      "Upload the file Health Connect.zip as it is. It has what Samsung Health, Fitbit, Garmin and other apps wrote.",
      "Export it again when you want the newest days. What is stored stays once.",
    ],
    oneDevice: HEALTH_CONNECT_RULE,
    coverage: HEALTH_CONNECT_COVERAGE,
    series: HEALTH_CONNECT_SERIES,
    bounds: [],
  },
  gadgetbridge: {
    archiveSteps: [
      "In Gadgetbridge, open the menu, choose Data management, then Export zip or Export database.",
      "Upload the file as it is. It has what bands and watches of Xiaomi and Amazfit measured. Keys of devices in it are never read.",
      "Export it again when you want the newest days. What is stored stays once.",
    ],
    coverage: GADGETBRIDGE_COVERAGE,
    series: GADGETBRIDGE_SERIES,
    bounds: [],
  },
  sleep_as_android: {
    archiveSteps: [
      "In Sleep as Android, open Settings, Services, Backup and restore, and choose Export data.",
      "Upload sleep-export.zip as it is. Comments in it are never read.",
      "Export it again when you want the newest nights. What is stored stays once.",
    ],
    coverage: SLEEP_AS_ANDROID_COVERAGE,
    series: SLEEP_AS_ANDROID_SERIES,
    bounds: [],
  },
  phone: {
    isCollectedOnPhone: true,
    archiveSteps: undefined,
    coverage: PHONE_COVERAGE,
    series: PHONE_SERIES,
    bounds: [],
  },
} as const satisfies Readonly<Record<string, DataSource>>

/** Every source, connected or not. */
export const DATA_SOURCES: ReadonlyMap<string, DataSource> = new Map<string, DataSource>(
  Object.entries({ ...VENDORS, ...ARCHIVE_SOURCES }),
)

/** Whether a phone collects the source from devices and apps of others. */
export const collectsOnPhone = (provider: string): boolean => DATA_SOURCES.get(provider)?.isCollectedOnPhone === true

/** Whether a source may have one workout several times. */
export const repeatsActivities = (provider: string): boolean => DATA_SOURCES.get(provider)?.repeatsActivities === true

/** Whether a recovery without the id of a cycle belongs to the day of its date. */
export const hasDayForEachDate = (provider: string): boolean => DATA_SOURCES.get(provider)?.hasOwnCycleIds !== true

/** Whether a source says when it last changed a record. */
export const saysTimeOfChange = (provider: string): boolean => DATA_SOURCES.get(provider)?.hasNoTimeOfChange !== true

/** How a source chooses one device for a date. Undefined where devices are added up. */
export const oneDeviceRuleOf = (provider: string): OneDeviceRule | undefined => DATA_SOURCES.get(provider)?.oneDevice

/** Returns a source that has no connection. Undefined for vendors and unknown names. */
export const archiveSourceOf = (provider: string): DataSource | undefined =>
  new Map<string, DataSource>(Object.entries(ARCHIVE_SOURCES)).get(provider)

/** Whether a source may have values of a type. An unknown source has whatever its collector brings. */
export const deliversSeries = (provider: string, type: SeriesType): boolean =>
  DATA_SOURCES.get(provider)?.series.some((covered) => covered.type === type) ?? true

/** What the values of a type mean at a source, where others mean something else. Undefined for usual ones. */
export const seriesMeaning = (provider: string, type: string): string | undefined =>
  DATA_SOURCES.get(provider)?.series.find((covered) => covered.type === type)?.meaning

/** Whether a source may have records of a kind. An unknown source has whatever its collector brings. */
export const deliversKind = (provider: string, kind: RecordKind): boolean =>
  DATA_SOURCES.get(provider)?.coverage.some((covered) => covered.kind === kind) ?? true

/** Whether a source's cycles have a strain. */
export const deliversStrain = (provider: string): boolean =>
  DATA_SOURCES.get(provider)?.coverage.some(({ kind, field }) => kind === "cycle" && field === "strain") ?? false

/**
 * Whether a source would have had a date's workouts or naps, so that none listed are none. What a phone collects is of whichever devices the
 * person has, and says nothing of them.
 */
export const findsAll = (provider: string, activity: "workout" | "nap"): boolean =>
  !collectsOnPhone(provider) &&
  (DATA_SOURCES.get(provider)?.coverage.some(({ kind, field }) =>
    activity === "nap" ? kind === "sleep" && field === "isNap" : kind === "workout",
  ) ??
    false)
