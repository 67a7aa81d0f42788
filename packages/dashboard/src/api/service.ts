import {
  AddressCheckSchema,
  AddressRequestSchema,
  BackupRequestSchema,
  type HomeAssistantRequest,
  HomeAssistantStateSchema,
  HomeAssistantTestSchema,
  LinkResponseSchema,
  MailTestSchema,
  PeopleResponseSchema,
  type Person,
  PrivateHostsResponseSchema,
  type ServiceResponse,
  ServiceResponseSchema,
  SetPlanRequestSchema,
  SetupResponseSchema,
  SignedInResponseSchema,
  SignUpRequestSchema,
  SyncResponseSchema,
  VendorAppCheckSchema,
} from "@restwell/client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { NO_BODY, send, useChange } from "./send.ts"
import { type Confirm, confirmationOf } from "./sign-in-methods.ts"

const POLL_MS = 15_000
/** While a backup is written. */
const BACKUP_POLL_MS = 2_000

/** Fails with 404 once there is an owner. */
export const useSetup = () =>
  useQuery({ queryKey: ["setup"], queryFn: () => send("/api/setup", SetupResponseSchema), retry: false })

export const useCreateOwner = () =>
  useMutation({
    mutationFn: (body: { name: string; email: string; password: string; code: string }) =>
      send("/api/setup/owner", SignedInResponseSchema, { method: "POST", body }),
  })

/** The state of the installation, for its owner. */
export const useService = () =>
  useQuery({
    queryKey: ["service"],
    queryFn: () => send("/api/service", ServiceResponseSchema),
    refetchInterval: ({ state }) => (state.data?.backup.is_running ? BACKUP_POLL_MS : POLL_MS),
  })

/** Lets messages of people go to one more host of the home network. */
export const useAllowPrivateHost = () =>
  useChange(async ({ host, confirm }: Confirmed & { host: string }) => {
    const { private_hosts: allowed } = await send("/api/service", ServiceResponseSchema)
    return setPrivateHosts([...allowed.value.filter((each) => each !== host), host], await confirmed(confirm))
  }, 0)

/** For fewer hosts, which need no confirmation. */
export const useSetPrivateHosts = () => useChange((hosts: readonly string[]) => setPrivateHosts(hosts))

const setPrivateHosts = (hosts: readonly string[], confirmation: object = {}) =>
  send("/api/service/private-hosts", PrivateHostsResponseSchema, { method: "PUT", body: { hosts, ...confirmation } })

/** A change that the service wants confirmed where the sign-in is older than an hour. */
interface Confirmed {
  readonly confirm: Confirm
}

/** The part of the body that confirms a change. */
const confirmed = async (confirm: Confirm): Promise<object> =>
  confirm === "session" ? {} : { confirm: await confirmationOf(confirm) }

export const useCheckAddress = () =>
  useMutation({
    mutationFn: (address: string) =>
      send("/api/service/address/check", AddressCheckSchema, { method: "POST", body: { address } }),
  })

/** Nothing is refetched: the page continues at the new address. The password must not stay in the mutation cache. */
export const useSetAddress = () =>
  useMutation({
    mutationFn: async ({ address, confirm }: Confirmed & { address: string }) => {
      const body = { address, ...(await confirmed(confirm)) }
      return send("/api/service/address", AddressRequestSchema, { method: "PUT", body })
    },
    gcTime: 0,
  })

export interface VendorApp {
  readonly client_id: string
  readonly client_secret: string
  readonly portal?: "current" | "legacy"
}

/** The credentials must not stay in the mutation cache, hence a gcTime of 0. */
export const useSetVendorApp = (provider: string) =>
  useChange(
    (body: VendorApp) => send(`/api/service/vendors/${provider}`, VendorAppCheckSchema, { method: "PUT", body }),
    0,
  )

export const useRemoveVendorApp = (provider: string) =>
  useChange(() => send(`/api/service/vendors/${provider}`, NO_BODY, { method: "DELETE" }))

export const useSetSignUp = () =>
  useChange((sign_up: "open" | "closed") =>
    send("/api/service/sign-up", SignUpRequestSchema, { method: "PUT", body: { sign_up } }),
  )

export interface MailServer {
  readonly host: string
  readonly port: number
  readonly user?: string
  readonly password?: string
  readonly from: string
}

/** The password must not stay in the mutation cache, hence a gcTime of 0. */
export const useSetMail = () =>
  useChange(async ({ server, confirm }: Confirmed & { server: MailServer }) => {
    const body = { ...server, ...(await confirmed(confirm)) }
    return send("/api/service/mail", MailTestSchema, { method: "PUT", body })
  }, 0)

export const useTestMail = () => useChange(() => send("/api/service/mail/test", MailTestSchema, { method: "POST" }))

export const useRemoveMail = () => useChange(() => send("/api/service/mail", NO_BODY, { method: "DELETE" }))

/** Password and token must not stay in the mutation cache, hence a gcTime of 0. */
export const useSetHomeAssistant = () =>
  useChange(async ({ settings, confirm }: Confirmed & { settings: HomeAssistantRequest }) => {
    const body = { ...settings, ...(await confirmed(confirm)) }
    return send("/api/service/home-assistant", HomeAssistantStateSchema, { method: "PUT", body })
  }, 0)

/** Signs in at the broker and at Home Assistant, with the settings in use where the request gives none. */
export const useTryHomeAssistant = () =>
  useChange(
    (body: HomeAssistantRequest) =>
      send("/api/service/home-assistant/test", HomeAssistantTestSchema, { method: "POST", body }),
    0,
  )

type BackupSettings = NonNullable<ServiceResponse["backup"]["schedule"]>

export const useSetBackup = () =>
  useChange((body: BackupSettings) => send("/api/service/backup", BackupRequestSchema, { method: "PUT", body }))

export const useRemoveBackup = () => useChange(() => send("/api/service/backup", NO_BODY, { method: "DELETE" }))

export const useRunBackup = () =>
  useChange(() => send("/api/service/backup/run", SyncResponseSchema, { method: "POST" }))

/** The people of this installation, for its owner. @param search a part of a name or an address */
export const usePeople = (search: string) =>
  useQuery({
    queryKey: ["people", search],
    queryFn: () =>
      send(`/api/service/people${search === "" ? "" : `?${new URLSearchParams({ search })}`}`, PeopleResponseSchema),
    refetchInterval: POLL_MS,
    placeholderData: (previous) => previous,
  })

export const useSetPlan = (id: string) =>
  useChange((plan: Person["plan"]) =>
    send(`/api/service/people/${id}`, SetPlanRequestSchema, { method: "PUT", body: { plan } }),
  )

/** A new link, or the owner's password, must not stay in the mutation cache, hence a gcTime of 0. */
const FORGET = 0

export const useRemovePerson = (id: string) =>
  useChange(
    async ({ email, confirm }: { email: string; confirm: Confirm }) =>
      send(`/api/service/people/${id}`, NO_BODY, {
        method: "DELETE",
        body: { email, ...(await confirmationOf(confirm)) },
      }),
    FORGET,
  )

export const useResetLinkOf = (id: string) =>
  useChange(
    async ({ removesTwoFactor, confirm }: { removesTwoFactor: boolean; confirm: Confirm }) =>
      send(`/api/service/people/${id}/reset-link`, LinkResponseSchema, {
        method: "POST",
        body: { remove_two_factor: removesTwoFactor, ...(await confirmationOf(confirm)) },
      }),
    FORGET,
  )

export const useInvite = () =>
  useChange(
    (body: { email?: string; plan: Person["plan"]; send: boolean }) =>
      send("/api/service/invitations", LinkResponseSchema, { method: "POST", body }),
    FORGET,
  )

export const useRenewInvitation = (id: string) =>
  useChange(
    (isSent: boolean) =>
      send(`/api/service/invitations/${id}/link`, LinkResponseSchema, { method: "POST", body: { send: isSent } }),
    FORGET,
  )

export const useRevokeInvitation = (id: string) =>
  useChange(() => send(`/api/service/invitations/${id}`, NO_BODY, { method: "DELETE" }))
