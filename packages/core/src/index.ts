export { CALL_PURPOSES, type CallPurpose } from "@restwell/providers"
export { listImports, undoImport } from "./archives/finish-import.ts"
export { endFormerImports, importFolderFile, isImported } from "./archives/folder-files.ts"
export { ImportThreads } from "./archives/import-thread.ts"
export { PushThread } from "./archives/push-thread.ts"
export { type PushTurns, pushTurns } from "./archives/push-turns.ts"
export { IMPORT_PLACES, receiveImport } from "./archives/receive-import.ts"
export {
  acknowledgePush,
  type ClaimedPush,
  type PushStatus,
  readPush,
  receivePush,
  tokenEnded,
} from "./archives/receive-push.ts"
export { runImports, sweepBrokenUploads } from "./archives/run-imports.ts"
export { LARGEST_PUSH, type PushOutcome, runPush } from "./archives/run-push.ts"
export { type AssistantAccess, createTokenOpener, type OpenAccessToken } from "./assistants/access-tokens.ts"
export {
  type Allowance,
  allowAssistant,
  findAllowance,
  findLastAsking,
  type ListedAssistant,
  listAssistants,
  revokeAssistant,
  SHARED_DAYS,
} from "./assistants/assistants.ts"
export {
  createOauthClients,
  type OauthClients,
} from "./assistants/oauth-clients.ts"
export { AlreadyUsed, createOauthRecords, type OauthRecords, sweepOauthRecords } from "./assistants/oauth-records.ts"
export {
  HEALTH_SCOPES,
  type HealthScope,
  isHealthScope,
  SCOPE_OF,
  SUMMARY_SCOPES,
  UNCHECKED_SCOPES,
} from "./assistants/scopes.ts"
export { limitOfEach } from "./base/batch.ts"
export { type Clock, countDates, resolveDateRange } from "./base/calendar.ts"
export {
  createTokenCipher,
  deriveKey,
  SECRET_LENGTH,
  type Secrets,
  type TokenCipher,
  UnreadableSecret,
} from "./base/encryption.ts"
export { OperatorError } from "./base/operator-errors.ts"
export { plainText } from "./base/plain-text.ts"
export { PLANS, type Plan, type Quota } from "./base/plans.ts"
export { beginConnection, completeConnection } from "./connect/complete-connection.ts"
export { connectWithKey } from "./connect/connect-with-key.ts"
export { disconnect } from "./connect/end-grant.ts"
export { failureText } from "./connect/failure-texts.ts"
export { freshAccessToken, recoverUnreadableGrants, UNREADABLE_REASON } from "./connect/grants.ts"
export { checkApp } from "./connect/vendor-app.ts"
export { sweepSeenEvents } from "./connect/vendor-events.ts"
export {
  answerChallenge,
  type CallbackUrlOf,
  createWebhookReceiver,
  keepSubscribed,
  type ReceiveWebhook,
  scheduleSubscription,
  type WebhookOutcome,
} from "./connect/webhooks.ts"
export type { Context, JobQueue, Logger, Urgency, Wait } from "./context/context.ts"
export {
  createAccessLog,
  type LogAccess,
  readAccessLog,
  readSecurityEvents,
  recordFailedSignIn,
  recordSecurityEvent,
  type SecurityEvent,
  sweepAudit,
} from "./context/context.ts"
export {
  accountGone,
  Conflict,
  Forbidden,
  InvalidRequest,
  NotFound,
  QuotaExceeded,
  ReceiverFailed,
  ServiceError,
  TooManyAttempts,
  TooManyRequests,
  Unauthorized,
  Unavailable,
} from "./context/errors.ts"
export { type LimitAtATime, limitAtATime } from "./context/limit-at-a-time.ts"
export { Bell, LOOK_EVERY_MS } from "./jobs/bell.ts"
export { holdJob } from "./jobs/hold-job.ts"
export { addJob, type ClaimedJob, claimJob, type DueTime, type JobKind, type JobPlace } from "./jobs/job-queue.ts"
export { JobRunner, type JobWork } from "./jobs/job-runner.ts"
export { UnusableBackup } from "./operate/backup-archive.ts"
export { type VerifiedBackup, verifyBackup } from "./operate/backup-content.ts"
export { backupFolderFault } from "./operate/backup-folder.ts"
export {
  type DatabaseState,
  JOBS_CONNECTION,
  readDatabaseState,
  readOperation,
  readSyncHealth,
  type SyncHealth,
} from "./operate/diagnosis.ts"
export { countUnreadable, reencryptSecrets, type SealedCount } from "./operate/encrypted-data.ts"
export { NotRestored, restoreBackup } from "./operate/restore-backup.ts"
export {
  type BackupEntry,
  type BackupSchedule,
  backupName,
  readBackups,
  requestBackup,
  runBackup,
  type ScheduledBackupContext,
  scheduleBackups,
  writeLoggedBackup,
} from "./operate/scheduled-backup.ts"
export {
  readServiceSettings,
  readSettingsVersion,
  type ServiceSettings,
  writeServiceSettings,
} from "./operate/settings.ts"
export { findSigningKey, forgetSigningKeys, readSigningKey } from "./operate/signing-keys.ts"
export { FileExists, fileTrouble, makeFolders, othersCan, writeWholeFile } from "./operate/whole-file.ts"
export { NoData, writeBackup } from "./operate/write-backup.ts"
export { tellLongFailures } from "./outbox/connection-events.ts"
export { type Message, queueMessage } from "./outbox/outbox.ts"
export {
  deleteAccount,
  findUserByEmail,
  hasAccounts,
  openTwoFactor,
  readAccount,
  sealTwoFactor,
  sweepExpired,
} from "./people/account.ts"
export { type ApiKey, apiKeyOf, generateApiKey, parseApiKey, rotateApiKey } from "./people/api-key.ts"
export {
  type AttemptDelays,
  type AttemptLimit,
  forgetAttempts,
  returnAttempt,
  takeAttempt,
  takeDelayedAttempt,
} from "./people/attempts.ts"
export { EXPORTED_TYPES, type ExportedType, exportAccount, exportCsv } from "./people/export-account.ts"
export { foldAccessLog } from "./people/fold-access-log.ts"
export {
  createIngestToken,
  endIngestToken,
  listIngestTokens,
  openIngestToken,
  type Pusher,
} from "./people/ingest-tokens.ts"
export { createKey, endKey, listKeys } from "./people/keys.ts"
export {
  claimInvitation,
  createInvitation,
  createPasswordReset,
  findInvitation,
  findPasswordReset,
  INVITATION_DAYS,
  type Invitation,
  type InvitationLink,
  listInvitations,
  RESET_HOURS,
  renewInvitation,
  resetPassword,
  revokeInvitation,
} from "./people/links.ts"
export {
  beginMail,
  type DueMail,
  type MailContent,
  type MailReader,
  markMailFailed,
  markMailSent,
  type PasskeyMail,
  queueInvitationMail,
  queuePasskeyMail,
  queuePasswordResetMail,
  readMailStatus,
} from "./people/mail.ts"
export { readNotifications, readNtfyToken } from "./people/notification-settings.ts"
export { isOwnTopic, readJournalFactors, readOwnJournal, writeOwnJournal } from "./people/own-journal.ts"
export {
  createOwner,
  hasOwner,
  type ListedPerson,
  listPeople,
  PEOPLE_PAGE,
  readOwnerId,
  readPeople,
  readPerson,
  readPreferences,
  savePreferences,
  setOwner,
  setPlan,
  setReconnectMail,
} from "./people/people.ts"
export { endPushOfSessions, movePushToSession } from "./people/push-sessions.ts"
export { createShare, endShare, listShares, openShare, readSharedReport } from "./people/shares.ts"
export type { ReadQuery, ReadType } from "./read/answer.ts"
export { type AwaitScore, createScoreWait } from "./read/await-score.ts"
export { csvOf, fieldsOf, LIST_TYPES, type ListType } from "./read/columns.ts"
export type { ComputedAnswer } from "./read/compute-statistics.ts"
export { createHealthReader, type HealthReader } from "./read/health-reader.ts"
export type { InsightLimits, InsightQuery, InsightType } from "./read/insight-query.ts"
export { groupOfMetric, METRIC_GROUPS, type MetricGroup } from "./read/metric-groups.ts"
export type { PageQuery } from "./read/pages.ts"
export { type AnyQuery, datesOfQuery } from "./read/query-types.ts"
export type { AssistantCall, HealthReadRequest } from "./read/read-call.ts"
export { MEANS_NOTE, THIRDS_NOTE, WEEK_NOTE } from "./read/relations.ts"
export { bodyOf, type HealthResponse } from "./read/response-cache.ts"
export type { SeriesReadQuery } from "./read/series.ts"
export {
  computeInThread,
  limitExpensiveReads,
  type Statistics,
  StatisticsThread,
} from "./read/statistics-thread.ts"
export { MOST_TREND_DAYS, readTrends } from "./read/trends.ts"
export { writeSourcePreferences } from "./sources/source-settings.ts"
export type { ConnectionId } from "./store/connection-tables.ts"
export { type Database, openDatabase } from "./store/database.ts"
export {
  type Disk,
  databaseTrouble,
  isAccountGone,
  isDatabaseAway,
  isDiskFull,
  isDiskLow,
  LOW_BYTES,
  LOW_DISK,
} from "./store/database-trouble.ts"
export { migrate, UnusableDatabase } from "./store/migrate.ts"
export type { SampleColumns } from "./store/packed-samples.ts"
export { isBehindPooler, openPool, type PoolSettings, WatchedPool } from "./store/pool.ts"
export type { Credential } from "./store/statements/read-health.ts"
export { readSeriesDays, type SeriesDay, type SeriesQuery } from "./store/statements/read-series.ts"
export {
  mergeSamples,
  type RecordSamples,
  replaceRecordSamples,
  replaceSamples,
  type SeriesChange,
  type SeriesOwner,
} from "./store/statements/write-series.ts"
export { createCallGate } from "./sync/call-gate.ts"
export { retryRejected } from "./sync/ingest.ts"
export { type SyncFailure, syncConnection } from "./sync/sync-connection.ts"
export {
  connectionOf,
  createJobQueue,
  healSchedules,
  requestDueSyncs,
  requestSync,
  SYNC_PLACES,
} from "./sync/sync-schedule.ts"
export { readSyncCounts } from "./sync/sync-state.ts"
export { changeNotifications } from "./tell/change-notifications.ts"
export { DELIVERY_PLACES, type DeliveryContext, deliverMessages, LONGEST_BRIEFING_AGE_MS } from "./tell/deliver.ts"
export { listDeliveries, redeliver, type StoredDelivery, sweepDeliveries } from "./tell/deliveries.ts"
export { availabilityTopic, BIRTH_TOPIC, discoveryOf, topicsOf } from "./tell/home-assistant/discovery.ts"
export { sendHistory } from "./tell/home-assistant/history.ts"
export {
  BROKER_JOB,
  type HomeAssistantHealth,
  installationOf,
  noteLink,
  readHomeAssistantHealth,
  scheduleBroker,
} from "./tell/home-assistant/link.ts"
export {
  type HomeAssistantContext,
  markPublished,
  type Publication,
  preparePublication,
  removedDevice,
  requestAllPublications,
} from "./tell/home-assistant/people.ts"
export type { HomeStatistic } from "./tell/home-assistant/statistics.ts"
export type { NotifyContext } from "./tell/mornings.ts"
export { runNotifyJob } from "./tell/notify-person.ts"
export { createNtfySender } from "./tell/ntfy-sender.ts"
export { previewRule } from "./tell/preview-rule.ts"
export { endPushSubscription, listPushSubscriptions, savePushSubscription } from "./tell/push-subscriptions.ts"
export { testChannel } from "./tell/send-test.ts"
export type { OpenReceiver, OutgoingMessage, Sender, Senders, SendResult } from "./tell/sender.ts"
export { readTellingHealth } from "./tell/telling-health.ts"
export { createWebhookSender, type Post, type PostResult, type SendPost } from "./tell/webhook-sender.ts"
export { createWebhook, endWebhook, listWebhooks, rotateWebhookSecret, testWebhook } from "./tell/webhooks.ts"
