import type { Answered, Operation } from './methods.ts';
export type FollowOptions = {
    /** How long to follow, in milliseconds; four minutes unless given. */
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal;
};
/**
 * Where an operation stands: its result, or `reconciling` when the time was up. `human_review` waits
 * for a person; follow again, or listen for the webhook `operation.resolved`.
 */
export type Followed = {
    readonly kind: NonNullable<Operation['result']> | 'reconciling';
    readonly operation: Operation;
};
type Read = (id: string) => Promise<Answered<Operation>>;
/** Reads an operation until it has a result or the time is up; it changes nothing. */
export declare function followOperation(read: Read, id: string, { timeoutMs, signal }?: FollowOptions): Promise<Followed>;
export {};
