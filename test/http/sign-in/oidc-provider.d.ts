/** The package has no types of its own; this is what the test issuer uses. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }
  type Context = {
    readonly oidc: {
      readonly client: { readonly clientId: string }
      readonly session: { readonly accountId: string }
    }
  }
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    readonly Grant: new (of: {
      readonly clientId: string
      readonly accountId: string
    }) => Grant
  }
  export type { Context }
}
