export { type CollectedOptions, CollectedRows } from "./apple-health/collected-rows.ts"
export type { CollectedWorkout } from "./apple-health/normalize.ts"
export {
  type CollectedRow,
  deviceKindOf,
  ROW_TYPES,
  type RowType,
  SERIES_OF_ROWS,
} from "./apple-health/rows.ts"
export {
  type ArchivedRecord,
  type ArchiveFile,
  type ArchiveItem,
  type JournalAnswer,
  leftOutReason,
  UnreadableArchive,
} from "./archive/archive-items.ts"
export { readJsonEntries } from "./archive/json-entries.ts"
export { isSqlite } from "./archive/sqlite-file.ts"
export { piecesOf } from "./archive/zip-entries.ts"
export {
  type AdapterOptions,
  APP_PORTALS,
  type AppPortal,
  type EventName,
  type KeyAdapter,
  type OauthAdapter,
  type OauthAdapterOptions,
  type ReadWebhook,
  type TokenSet,
  type VendorAdapter,
  type VendorEvent,
  type WebhookRequest,
  type WebhookSubscriber,
} from "./contract/adapter.ts"
export {
  failsAlone,
  type Holding,
  neededBy,
  type VendorCollection,
  type VendorCollections,
  withheldBy,
} from "./contract/collections.ts"
export {
  AccessTokenRejected,
  AppRefused,
  AuthorizationRevoked,
  ContractViolation,
  ProviderError,
  RateLimited,
  RequestRefused,
  VendorUnavailable,
  type WaitReason,
} from "./contract/errors.ts"
export { hrvMethodOf } from "./contract/hrv-method.ts"
export type { JournalEntry, JournalRead, JournalWindow } from "./contract/journal-entries.ts"
export type { OneDeviceRule } from "./contract/one-device-rule.ts"
export {
  type FailedCollection,
  type FieldCoverage,
  isOfStrava,
  type Json,
  type KnownStages,
  type LeftOutField,
  NO_TIME_OF_CHANGE_MS,
  type NormalizedCycle,
  type NormalizedProfile,
  type NormalizedRecord,
  type NormalizedRecovery,
  type NormalizedSleep,
  type NormalizedWorkout,
  OTHER_SOURCE,
  type Page,
  type PageRequest,
  RECORD_KINDS,
  RECORD_SCHEMAS,
  type RecordKind,
  type RecordRequest,
  type RejectedRecord,
  type Rejoin,
  SLEEP_PHASES,
  type SleepCourse,
  type SleepNeedParts,
  type SleepPhase,
  type ZoneDurations,
} from "./contract/records.ts"
export type { SampleRead, SampleRequest, SamplesOfWindow } from "./contract/sample-read.ts"
export type { DeviceKind, LeftOut, Sample, SampleSet, SampleWindow, SeriesCoverage } from "./contract/series.ts"
export { DEVICE_KINDS } from "./contract/series.ts"
export { isStorableText } from "./contract/storable.ts"
export {
  CALL_PURPOSES,
  type CallBudget,
  type CallGate,
  type CallLimits,
  type CallPurpose,
  type OpenRecordPolicy,
  type ReportedLimits,
  SPARE_PURPOSES,
  type SyncPolicy,
} from "./contract/sync-policy.ts"
export type { DataSource, KeyVendor, OauthVendor, Vendor } from "./contract/vendor.ts"
export { DEVICES } from "./devices.ts"
export { decodeFit } from "./garmin/fit.ts"
export { createGoogleHealthAdapter } from "./google-health/adapter.ts"
export { createHealthProvider, type HealthProviderOptions, pageThrough } from "./health-provider.ts"
export { exchange } from "./http/exchange.ts"
export { createIntervalsAdapter } from "./intervals/adapter.ts"
export {
  type Counted,
  type CountingDevice,
  CountSweep,
  countingDevices,
  DayCounts,
  isOfLongDay,
  partsByDate,
} from "./normalize/counts.ts"
export {
  BASELINE_NIGHTS,
  CYCLE_DATE_AFTER_START_MS,
  localDateOf,
  MIN_BASELINE_NIGHTS,
  offsetInZone,
} from "./normalize/derive.ts"
export { deviceNameOf } from "./normalize/device-name.ts"
export { entryOf } from "./normalize/entry-of.ts"
export { known } from "./normalize/known.ts"
export { groupNights, type NightPart, type PartsOfNight } from "./normalize/nights.ts"
export { OneDeviceDays } from "./normalize/one-device.ts"
export { isPlausibleInstant, plausibleProfile, plausibleRecord } from "./normalize/plausible.ts"
export { plausibleSamples, SAMPLE_BOUNDS, sumLeftOut } from "./normalize/plausible-samples.ts"
export { reasonsOf } from "./normalize/read-records.ts"
export { cutText, toStorableJson, unstorablePath, withoutControls } from "./normalize/storable-text.ts"
export { usableOf } from "./normalize/usable-fields.ts"
export { factorOf, JOURNAL_FACTORS, sportTypeOf } from "./normalize/vocabulary.ts"
export { READ_ARCHIVES, READABLE_EXPORTS, READABLE_FILES, refuseForeignFile } from "./other-vendors.ts"
export { createOuraAdapter } from "./oura/adapter.ts"
export { createPolarAdapter } from "./polar/adapter.ts"
export { PUSH_FORMATS, pushFormatOf } from "./push/formats.ts"
export { readHealthAutoExport } from "./push/health-auto-export.ts"
export { InvalidJson } from "./push/json-body.ts"
export { type GiveTurn, InvalidPush, type PushOptions } from "./push/plain-push.ts"
export {
  derivePushed,
  isKept,
  mergedRows,
  type PushedRow,
  rowKey,
  SERIES_OF_KEPT,
  samplesOfRows,
  withClock,
} from "./push/pushed-rows.ts"
export { type PushedPiece, PushedTable, PushTooLarge } from "./push/pushed-table.ts"
export { readVendorArchive, type VendorArchive } from "./read-archive.ts"
export {
  archiveSourceOf,
  collectsOnPhone,
  DATA_SOURCES,
  deliversKind,
  deliversSeries,
  deliversStrain,
  findsAll,
  hasDayForEachDate,
  type OauthVendorName,
  oneDeviceRuleOf,
  repeatsActivities,
  saysTimeOfChange,
  seriesMeaning,
  VENDOR_LIST,
  VENDORS,
  type VendorName,
  vendorOf,
} from "./registry.ts"
export { createUltrahumanAdapter } from "./ultrahuman/adapter.ts"
export { createWhoopAdapter } from "./whoop/adapter.ts"
export { WHOOP_SCOPES } from "./whoop/oauth.ts"
export { verifyWhoopSignature } from "./whoop/webhook.ts"
export { createWithingsAdapter } from "./withings/adapter.ts"
