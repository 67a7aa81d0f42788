import {
  AddressCheckSchema,
  AddressRequestSchema,
  ServiceResponseSchema,
  SetupResponseSchema,
  SignedInResponseSchema,
  VendorAppCheckSchema,
} from "@restwell/client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { NO_BODY, send } from "./send.ts"
import { useChange } from "./use-change.ts"

const POLL_MS = 15_000

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
    refetchInterval: POLL_MS,
  })

export const useCheckAddress = () =>
  useMutation({
    mutationFn: (address: string) =>
      send("/api/service/address/check", AddressCheckSchema, { method: "POST", body: { address } }),
  })

/** Nothing is refetched: the page continues at the new address. */
export const useSetAddress = () =>
  useMutation({
    mutationFn: (address: string) =>
      send("/api/service/address", AddressRequestSchema, { method: "PUT", body: { address } }),
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
