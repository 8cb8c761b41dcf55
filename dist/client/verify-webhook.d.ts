export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
export type WebhookOptions = {
    readonly toleranceSeconds?: number;
    /** The time to compare with, in milliseconds; now unless given. */
    readonly now?: number;
};
/** What every webhook carries; the rest depends on its type. */
export type WebhookEvent = {
    /** Stable: the same on every delivery. Deduplicate by it. */
    readonly id: string;
    readonly type: string;
    readonly [field: string]: unknown;
};
export type WebhookRefusal = 'header_missing' | 'outside_tolerance' | 'wrong_signature' | 'not_json';
/** A body that must not be believed. Answer it with 400. */
export declare class WebhookRefused extends Error {
    readonly name = "WebhookRefused";
    readonly reason: WebhookRefusal;
    constructor(reason: WebhookRefusal);
}
/**
 * Checks a webhook after Standard Webhooks 1.0 and answers the event; throws `WebhookRefused`. The
 * body must be the raw bytes or text as received, before any parsing. Several secrets are tried, so
 * that a rotation needs no moment at which both sides change. Signatures are compared by the
 * platform's own verification, in constant time.
 */
export declare function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secrets: string | readonly string[], options?: WebhookOptions): Promise<WebhookEvent>;
