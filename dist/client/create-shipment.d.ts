import { type FollowOptions } from './follow-operation.ts';
import type { Answered, CallOptions, Methods, Operation, Schemas, Shipment } from './methods.ts';
export type ShipmentRequest = Schemas['ShipmentRequest'];
/**
 * How a creation ended. Only after `nothing_created` may the order be shipped with another key;
 * after `human_review` and `reconciling` the guide may exist, and may have to be paid.
 */
export type CreationResult = {
    readonly kind: 'guide_exists';
    readonly shipment: Answered<Shipment>;
} | {
    readonly kind: 'nothing_created';
    readonly operation: Operation;
} | {
    readonly kind: 'human_review';
    readonly operation: Operation;
} | {
    readonly kind: 'reconciling';
    readonly operation: Operation;
};
export type CreateShipment = {
    /** Answers the shipment, or throws; after `unknown_outcome` follow the error's `operationId`. */
    (request: ShipmentRequest, options?: CallOptions): Promise<Answered<Shipment>>;
    /** Follows the operation when the outcome is unknown, and answers how the creation ended. */
    (request: ShipmentRequest, options: CallOptions & {
        readonly follow: FollowOptions;
    }): Promise<CreationResult>;
};
/** Wraps the plain call, which never creates again once the outcome is unknown. */
export declare function createShipment(methods: Methods): CreateShipment;
