import { type CreateShipment } from './create-shipment.ts';
import { type Followed, type FollowOptions } from './follow-operation.ts';
import type { Methods } from './methods.ts';
import { type RetryLimits } from './retry-delay.ts';
export type ClientSettings = {
    /** Where the service is, without `/v1`. */
    readonly baseUrl: string;
    /** `svc_test_…` or `svc_live_…`; it stays in this client and is in no error. */
    readonly apiKey: string;
    /** Another fetch than the platform's. */
    readonly fetch?: typeof globalThis.fetch;
    readonly retry?: Partial<RetryLimits>;
};
export type Client = Omit<Methods, 'shipments'> & {
    readonly shipments: Omit<Methods['shipments'], 'create'> & {
        readonly create: CreateShipment;
    };
    /** Follows an operation until it has a result or the time is up. */
    waitForOperation(operationId: string, options?: FollowOptions): Promise<Followed>;
};
/** A client of one API key. It keeps nothing between calls and may be used by many at once. */
export declare function createClient(settings: ClientSettings): Client;
