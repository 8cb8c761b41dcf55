import type { AnswerInfo, CallOptions } from './methods.ts';
import { type RetryLimits } from './retry-delay.ts';
export type Transport = {
    readonly baseUrl: string;
    readonly apiKey: string;
    readonly fetch: typeof globalThis.fetch;
    readonly limits: RetryLimits;
};
export type Request = {
    readonly method: string;
    /** With its query. */
    readonly path: string;
    readonly body: object | undefined;
    readonly accept: 'application/json' | 'application/pdf';
    readonly takesKey: boolean;
    readonly options: CallOptions;
};
export type Answer = {
    readonly body: unknown;
    readonly info: AnswerInfo;
};
/** Sends a request, again where that is safe, and answers with what succeeds or throws. */
export declare function send(transport: Transport, request: Request): Promise<Answer>;
/** Waits, or throws the signal's reason as soon as it is aborted. */
export declare function pause(ms: number, signal?: AbortSignal): Promise<void>;
