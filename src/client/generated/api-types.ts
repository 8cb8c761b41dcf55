// Generated from docs/openapi.json by `npm run generate`.
export interface paths {
    "/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List workspaces, newest first */
        get: operations["listWorkspaces"];
        put?: never;
        /** Create a workspace, once for each external_reference */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a workspace */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename a workspace or set its retention */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/v1/workspaces/{id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a legal hold on a workspace
         * @description Until it is lifted, the personal data of none of its shipments is erased, later ones included: erasures are refused with 409 `legal_hold`, and retention waits. What was erased before stays erased. The note is kept encrypted. Repeating the call changes nothing.
         */
        post: operations["placeWorkspaceHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{id}/release-hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift the legal hold on a workspace
         * @description Shipments with a hold of their own stay held. Retention continues, and erases what has become due meanwhile. Repeating the call changes nothing.
         */
        post: operations["liftWorkspaceHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List courier connections, newest first */
        get: operations["listCourierConnections"];
        put?: never;
        /** Connect a courier account to a workspace */
        post: operations["createCourierConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a courier connection */
        get: operations["getCourierConnection"];
        put?: never;
        post?: never;
        /** Remove a connection that has no unresolved operation */
        delete: operations["deleteCourierConnection"];
        options?: never;
        head?: never;
        /** Rename, rotate the credentials, disable or enable */
        patch: operations["updateCourierConnection"];
        trace?: never;
    };
    "/v1/courier-connections/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the courier whether it accepts the credentials
         * @description Answers 200 either way: `status` is `active` or, when the courier refuses the credentials, `needs_reauth`.
         */
        post: operations["verifyCourierConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/couriers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the couriers that this key may use */
        get: operations["listCouriers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search the agencies of a connection's courier, best match first */
        get: operations["listAgencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agencies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an agency */
        get: operations["getAgency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/package-products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List package products, of one connection or of all couriers of this key */
        get: operations["listPackageProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read this key and its scopes */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the organization's keys of this mode, newest first, without their secrets */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key of this mode that may do no more than this one
         * @description The answer shows the key itself, only this once. A repeat with the same Idempotency-Key returns `key: null`. The new key has no scope that the calling key does not have, reaches no other workspace, has the same mode and ends no later.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one of the organization's keys, without its secret */
        get: operations["getKeyById"];
        put?: never;
        post?: never;
        /**
         * Revoke a key, everywhere within 5 seconds
         * @description Revoking a revoked key changes nothing and answers the same. A key may revoke itself: it may keep working for up to 5 seconds. Keys that it created stay.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's operators, newest first
         * @description Operators belong to the organization: keys of both modes see the same ones.
         */
        get: operations["listOperators"];
        put?: never;
        /**
         * Create an operator: a person who decides
         * @description Not with a key that is restricted to a workspace: operators belong to the organization. Name and address are in no event, webhook or log.
         */
        post: operations["createOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operators/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an operator */
        get: operations["getOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename, disable or enable an operator
         * @description The keys of a disabled operator stop working everywhere within 5 seconds, including the calling key. `status: active` lets them work again, except those that were revoked or have expired. Not with a key that is restricted to a workspace.
         */
        patch: operations["updateOperator"];
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the plan's limits and their use, in the mode of the key
         * @description Any key of the organization may ask: the limits are those of the organization, not of a workspace. A key of one workspace sees the limits and whether they are reached, not the use.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhook endpoints, newest first */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Have a workspace's events sent to a URL
         * @description The answer shows the signing secret, only this once. A repeat with the same Idempotency-Key returns the endpoint with `secret: null`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook endpoint; its secret is not shown again */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /** Remove an endpoint and discard its pending deliveries */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change the URL or the subscription, disable or enable
         * @description Disabling discards pending deliveries, and events that happen meanwhile are not sent either; `recover` sends them later. `status: enabled` and another `url` reset earlier failures.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an endpoint a new secret; the previous one also signs for 24 hours
         * @description The answer shows the new secret, only this once. A repeat with the same Idempotency-Key rotates nothing and returns `secret: null`. Rotating again within the 24 hours ends the older of the two previous secrets.
         */
        post: operations["rotateWebhookEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an example event to this endpoint
         * @description The type need not be subscribed to. At most one example a second. It is sent at once, even while the endpoint is paused, and signed and retried like any other event. `sequence` is null, and the ids in `data` belong to no real object.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend the events of a period that an endpoint missed
         * @description Resends every event of the workspace from `since` on and before `until`, on its clock, that the endpoint now subscribes to and that is neither delivered nor pending: dead and discarded deliveries as well as events never sent to it. Bytes and ids are the original ones. 8 of them are sent at once, even while the endpoint is paused; a success ends the pause and the rest follows. At most 14 days and 10000 events a call, oldest first; while `has_more`, repeat with `next_since`. Repeating is safe.
         */
        post: operations["recoverWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/recoverable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the events of a period that an endpoint missed
         * @description What `recover` with the same range would resend if it were called now. It changes nothing.
         */
        get: operations["countRecoverableWebhookEndpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhook events, newest first, subscribed to or not */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook event */
        get: operations["getWebhookEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deliveries, newest first; `state=dead` is the dead-letter queue */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a delivery with every attempt and the receiver's response */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, whatever its state
         * @description Sends the original bytes and id with a new timestamp, at once, even while the endpoint is paused. If that fails, the same retry schedule follows. A success ends the pause. Repeated calls within one second count as one.
         */
        post: operations["redeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what a parcel costs
         * @description A service without a price is listed in `errors`; the others are still priced. A creation that names the quote within 30 minutes gets its price, or no guide. Nothing is reserved, so a failed quote can be requested again.
         */
        post: operations["createQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quotes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a quote; quotes are kept for 7 days */
        get: operations["getQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List shipments, newest first */
        get: operations["listShipments"];
        put?: never;
        /**
         * Create a shipment: one key, one guide
         * @description The `Idempotency-Key` is the logical attempt to ship an order. Repeating the request with the same key never creates a second guide. On 409 `unknown_outcome` the guide may exist: read the operation.
         */
        post: operations["createShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a shipment, as it is or as it was */
        get: operations["getShipment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the whole history of a shipment, oldest first */
        get: operations["listShipmentEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a shipment before it is handed over
         * @description The `Idempotency-Key` is the logical attempt to cancel this shipment; other shipments may use the same key. On 409 `unknown_outcome` the guide may be cancelled: read the operation. A shipment that is already cancelled answers 200 to any key.
         */
        post: operations["cancelShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/erase-personal-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a shipment's personal data permanently
         * @description The data key of the shipment is destroyed: recipient, declared content, metadata, label and every courier text are gone from every version of it. The history stays, and so do the notes of decisions and the comments, unless `include_notes` asks for them too. A shipment that is being created or cancelled, or whose cancellation has an unknown outcome, cannot be erased. A creation whose outcome is unknown is still reconciled. A legal hold on the shipment or its workspace refuses it until it is lifted. Repeating the call changes nothing.
         */
        post: operations["erasePersonalData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a legal hold on a shipment
         * @description Until it is lifted, the shipment's personal data is not erased: erasures are refused with 409 `legal_hold`, and retention leaves it out. The hold also keeps the notes of decisions and the comments: an erased shipment can be held while it has any, but the note of that hold is not kept. Nothing else changes. Repeating the call changes nothing.
         */
        post: operations["placeShipmentHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/release-hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift the legal hold on a shipment
         * @description A hold on its workspace stays. If its retention has ended meanwhile, it is erased. Repeating the call changes nothing.
         */
        post: operations["liftShipmentHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/tracking": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read where the parcel is */
        get: operations["getTracking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/tracking/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the courier now where the parcel is
         * @description At most once in 10 s. Restarts automatic tracking if it had expired. If the courier does not answer, nothing changes. Without a guide the courier is not asked.
         */
        post: operations["refreshTracking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a shipment's documents */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/documents/label": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the label as a PDF */
        get: operations["getLabel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a bundle of evidence about a shipment as a ZIP file
         * @description A report for people, the whole history with its proofs, the signed checkpoint with the cosignatures of witnesses, a program that checks all of it offline, and a signed list of the files. Each bundle is recorded in the audit. The last events must be sealed: wait for `Retry-After` if they are not yet. The report shows operators by name if the key has the scope `operations:read`.
         */
        get: operations["getShipmentEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List operations whose outcome was unknown, newest first unless asked otherwise */
        get: operations["listOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an operation
         * @description Works for every attempt; one whose outcome was never unknown has `cause: null`.
         */
        get: operations["getOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{id}/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the courier now
         * @description At most once in 10 s; the answer counts by the same rules as the automatic looks.
         */
        post: operations["lookAtOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide an operation that reconciliation cannot conclude
         * @description Once the notes of the shipment are erased (`include_notes`), a decision is recorded without its note, and the answer has `note: null`.
         */
        post: operations["resolveOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an operation to an operator
         * @description The operator must be an active one of the key's organization; `null` gives the operation back. Nothing else changes: anyone with the scope may still decide it. It keeps its operator when it is resolved. The same operator again changes nothing.
         */
        post: operations["assignOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{id}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put an operation off until a time
         * @description Only lists change: until then the operation is in `snoozed=true` and not in `snoozed=false`. Reconciliation goes on, and anyone with the scope may decide it. It ends by itself at that time, and earlier if the operation comes into review, is contradicted or is resolved. At most 30 days; `null` ends it now.
         */
        post: operations["snoozeOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the comments on an operation, oldest first */
        get: operations["listOperationComments"];
        put?: never;
        /**
         * Comment on an operation
         * @description The text is kept encrypted outside the ledger, and an erasure of the shipment's person keeps it, unless `include_notes` asks for that too: do not write more about the person than the work needs. An operation takes 200 comments.
         */
        post: operations["createOperationComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the last signed checkpoint of the ledger
         * @description Every event is covered within two seconds while the service keeps up.
         */
        get: operations["getLedgerCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/proof/{position}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that an event is in the sealed ledger
         * @description Takes the position of a ledger event. An event that is not sealed yet, or is out of reach of the key, is not found.
         */
        get: operations["getLedgerProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prove that an earlier state of the sealed ledger is the beginning of a later one */
        get: operations["getLedgerConsistency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the public keys that have signed checkpoints, oldest first */
        get: operations["listLedgerKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the administrative acts on the organization's resources, newest first
         * @description What was created, changed, deleted and revoked, by whom, and what the platform read with its commands. A key sees the acts in its mode, and those on the organization as a whole; a key of one workspace sees only the acts in that workspace. An act appears about a second after it was recorded.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an administrative act */
        get: operations["getAuditEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the operations that need attention now
         * @description The platform counts the operations of every organization, other keys their own. Each count stops at 10000. A change is counted about a second after it was recorded.
         */
        get: operations["countOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/creations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count creations over time, by outcome
         * @description Each call to the courier is counted once, when it ended: a key that is tried again is counted again. Every interval is in the answer. Times are the times at which events were recorded, in test mode on the workspace's clock; an event is counted about a second later. The platform sees the sums of every organization.
         */
        get: operations["countCreations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/reconciliations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count unknown outcomes and their conclusions over time, and how long they took
         * @description Every interval is in the answer. Times are the times at which events were recorded, in test mode on the workspace's clock.
         */
        get: operations["countReconciliations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/couriers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count calls to couriers over time, their failures and how long they took
         * @description The calls that create, cancel and look for guides, each request of a safe retry included. Every interval is in the answer. Times are the times at which events were recorded, in test mode on the workspace's clock; latency is real time. The platform sees the sums of every organization.
         */
        get: operations["countCourierCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statistics/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count attempts to deliver webhooks over time, by endpoint
         * @description Every interval is in the answer. An attempt is counted when it ended, in test mode on the workspace's clock.
         */
        get: operations["countWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests of the last seven days, newest first
         * @description For finding out what a client did: route, status and time, never bodies, queries or the values in a path. Of an organization and mode, each process notes up to twenty successes, twenty answers 429 and twenty other errors of each second, and `represents` says how many each stands for. A request appears about a second after its answer. It is no evidence: the ledger is. At most the newest 200,000 requests are kept per organization and mode. Requests without a valid key are in no list.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a request of the last seven days, the newest with this id */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find objects by an id, a reference, a guide number or a key
         * @description Ids are found by their beginning, at least 6 characters after the prefix, in any case, with the prefix or without. External references are found by their beginning, idempotency keys and guide numbers whole, all exactly as written. A guide number that a look has shown leads to the operation, even if the shipment has another guide. At most 10 of each, within the reach of the key and the kinds of object that its scopes may read. Operations are found by their id only if their outcome was once unknown.
         */
        get: operations["findByText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the scenarios */
        get: operations["listSandboxScenarios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a test workspace's clock */
        get: operations["getSandboxClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Advance a test workspace's clock; whatever falls due happens along the way */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the health of the service, within the reach of this key
         * @description The platform sees the operations of every organization, other keys see their own.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A delivery to an endpoint
         * @description The body is serialized once: every attempt and redelivery sends the same bytes. Verify before you parse, answer 2xx within 15 s, and do the work afterwards. Delivery is at least once and in no order: deduplicate by `id`, order by `sequence`.
         */
        post: operations["receiveWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @example {
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "origin": {
         *         "agency_id": "agy_0aB1cD2eF3gH4iJ5kL6mN7"
         *       },
         *       "destination": {
         *         "agency_id": "agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0"
         *       },
         *       "package": {
         *         "product_id": "pkg_0aB1cD2eF3gH4iJ5kL6mN7",
         *         "quantity": 1,
         *         "weight_kg": 0.8,
         *         "height_m": 0.05,
         *         "length_m": 0.2,
         *         "width_m": 0.15
         *       }
         *     }
         */
        QuoteRequest: {
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            /** @example ccn_0aB1cD2eF3gH4iJ5kL6mN7 */
            courier_connection_id: string;
            origin: {
                /** @example agy_0aB1cD2eF3gH4iJ5kL6mN7 */
                agency_id: string;
            };
            destination: {
                /** @example agy_0aB1cD2eF3gH4iJ5kL6mN7 */
                agency_id: string;
            };
            package: {
                /** @example pkg_0aB1cD2eF3gH4iJ5kL6mN7 */
                product_id: string;
                quantity: number;
                /** @description Kilograms per piece */
                weight_kg: number;
                /** @description Meters per piece */
                height_m: number;
                /** @description Meters per piece */
                length_m: number;
                /** @description Meters per piece */
                width_m: number;
            };
            /** @description If absent or null: every service of the courier. */
            service?: {
                /** @enum {string} */
                mode: "terrestrial" | "air";
                /** @enum {string} */
                payer: "sender" | "recipient";
            } | null;
        };
        /**
         * @example {
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "external_reference": "order-1001",
         *       "origin": {
         *         "agency_id": "agy_0aB1cD2eF3gH4iJ5kL6mN7"
         *       },
         *       "destination": {
         *         "agency_id": "agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0"
         *       },
         *       "package": {
         *         "product_id": "pkg_0aB1cD2eF3gH4iJ5kL6mN7",
         *         "quantity": 1,
         *         "weight_kg": 0.8,
         *         "height_m": 0.05,
         *         "length_m": 0.2,
         *         "width_m": 0.15
         *       },
         *       "service": {
         *         "mode": "terrestrial",
         *         "payer": "sender"
         *       },
         *       "declared_content": "Books",
         *       "recipient": {
         *         "document_type": "DNI",
         *         "document": "45678912",
         *         "first_name": "Ana",
         *         "last_name": "Torres"
         *       }
         *     }
         */
        ShipmentRequest: {
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            /** @example ccn_0aB1cD2eF3gH4iJ5kL6mN7 */
            courier_connection_id: string;
            /** @description Your own order reference. It is stored unencrypted: do not put personal data in it. */
            external_reference: string;
            origin: {
                /** @example agy_0aB1cD2eF3gH4iJ5kL6mN7 */
                agency_id: string;
            };
            destination: {
                /** @example agy_0aB1cD2eF3gH4iJ5kL6mN7 */
                agency_id: string;
            };
            package: {
                /** @example pkg_0aB1cD2eF3gH4iJ5kL6mN7 */
                product_id: string;
                quantity: number;
                /** @description Kilograms per piece */
                weight_kg: number;
                /** @description Meters per piece */
                height_m: number;
                /** @description Meters per piece */
                length_m: number;
                /** @description Meters per piece */
                width_m: number;
            };
            service: {
                /** @enum {string} */
                mode: "terrestrial" | "air";
                /** @enum {string} */
                payer: "sender" | "recipient";
            };
            declared_content: string;
            recipient: {
                /** @enum {string} */
                document_type: "DNI" | "CE" | "RUC" | "PASSPORT";
                document: string;
                first_name: string;
                last_name: string;
            };
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description A quote of the same connection, agencies and package: the guide is made at its price or not at all. */
            quote_id?: string | null;
        };
        Workspace: {
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "workspace";
            livemode: boolean;
            name: string;
            external_reference: string;
            personal_data_retention_days: number | null;
            /** @description While it stands, the personal data of none of its shipments is erased */
            legal_hold: {
                /** Format: date-time */
                since: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        /**
         * @description An error, after RFC 9457.
         * @example {
         *       "type": "/docs/errors#unknown_outcome",
         *       "title": "The courier's answer was lost; the request may have been executed",
         *       "status": 409,
         *       "detail": "The courier's answer was lost; the request may have been executed. Do not create or cancel again. Read the operation until it is resolved.",
         *       "instance": "/v1/requests/req_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "reason": "unknown_outcome",
         *       "outcome": "unknown",
         *       "retryable": false,
         *       "request_id": "req_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "operation_id": "op_0aB1cD2eF3gH4iJ5kL6mN701",
         *       "shipment_id": "shp_0aB1cD2eF3gH4iJ5kL6mN7"
         *     }
         */
        Problem: {
            /** Format: uri-reference */
            type: string;
            title: string;
            status: number;
            /** @description For people; may change at any time. */
            detail: string;
            /** Format: uri-reference */
            instance: string;
            /**
             * @description For programs; docs/errors.md lists them.
             * @enum {string}
             */
            reason: "unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "validation_failed" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "unknown_outcome" | "nothing_created" | "shipment_not_cancellable" | "not_cancelled" | "courier_rejected" | "courier_not_available" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "shipment_has_no_guide" | "operation_open" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "operation_already_resolved" | "operation_full" | "guide_unconfirmed" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing" | (string & {});
            /**
             * @description What this request did. Present on every error of a changing call.
             * @enum {string}
             */
            outcome?: "not_executed" | "executed" | "unknown" | (string & {});
            /** @description Whether repeating the same request can help. */
            retryable: boolean;
            request_id: string;
            operation_id?: string;
            shipment_id?: string;
            /** @description With `quote_price_changed`: the courier's new price. */
            price?: components["schemas"]["Money"];
            errors?: {
                pointer: string;
                reason: string;
                detail: string;
            }[];
        };
        Money: {
            amount: number;
            currency: string;
        };
        CourierConnection: {
            /** @example ccn_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "courier_connection";
            livemode: boolean;
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            provider_code: string;
            display_name: string;
            /** @enum {string} */
            status: "active" | "needs_reauth" | "disabled" | (string & {});
            verified_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        Courier: {
            /** @constant */
            object: "courier";
            provider_code: string;
            display_name: string;
            modes: ("test" | "live")[];
            /** @description null while the courier is unreachable */
            capabilities: {
                find: boolean;
                cancel: boolean;
                tracking: boolean;
                label: boolean;
                quote: boolean;
            } | null;
        };
        Agency: {
            /** @example agy_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "agency";
            livemode: boolean;
            name: string;
            address: string;
            department: string;
            province: string;
            district: string;
            capabilities: ("drop_off" | "pickup")[];
            provider_code: string;
            /** @description Always null: couriers do not report it */
            created_at: string | null;
        };
        PackageProduct: {
            /** @example pkg_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "package_product";
            livemode: boolean;
            name: string;
            max_weight_kg: number;
            max_length_m: number;
            max_width_m: number;
            max_height_m: number;
            provider_code: string;
            /** @description Always null: couriers do not report it */
            created_at: string | null;
        };
        ApiKey: {
            /** @example key_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "api_key";
            livemode: boolean;
            /** @example org_0aB1cD2eF3gH4iJ5kL6mN7 */
            organization_id: string;
            /** @enum {string} */
            organization_type: "external" | "internal" | "platform" | (string & {});
            workspace_id: string | null;
            /** @description The operator whose key it is; `null` if it belongs to none */
            operator_id: string | null;
            scopes: ("shipments:read" | "shipments:write" | "connections:read" | "connections:write" | "webhooks:read" | "webhooks:write" | "workspaces:read" | "workspaces:write" | "keys:write" | "operators:write" | "operations:read" | "operations:review" | "ledger:read")[];
            last4: string;
            expires_at: string | null;
            revoked_at: string | null;
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ApiKeyWithSecret: {
            /** @example key_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "api_key";
            livemode: boolean;
            /** @example org_0aB1cD2eF3gH4iJ5kL6mN7 */
            organization_id: string;
            /** @enum {string} */
            organization_type: "external" | "internal" | "platform" | (string & {});
            workspace_id: string | null;
            /** @description The operator whose key it is; `null` if it belongs to none */
            operator_id: string | null;
            scopes: ("shipments:read" | "shipments:write" | "connections:read" | "connections:write" | "webhooks:read" | "webhooks:write" | "workspaces:read" | "workspaces:write" | "keys:write" | "operators:write" | "operations:read" | "operations:review" | "ledger:read")[];
            last4: string;
            expires_at: string | null;
            revoked_at: string | null;
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The key itself, shown only this once. Null if an earlier request with the same Idempotency-Key created it; if that answer was lost, revoke the key and create another. */
            key: string | null;
        };
        /**
         * @example {
         *       "id": "opr_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "operator",
         *       "organization_id": "org_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "name": "Ana Torres",
         *       "email": "ana.torres@shop.example",
         *       "status": "active",
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T12:00:00.000Z",
         *       "version": 1
         *     }
         */
        Operator: {
            /** @example opr_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "operator";
            /** @example org_0aB1cD2eF3gH4iJ5kL6mN7 */
            organization_id: string;
            name: string;
            /** @description `null` for a key that is restricted to a workspace */
            email: string | null;
            /** @enum {string} */
            status: "active" | "disabled" | (string & {});
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        Usage: {
            /** @constant */
            object: "usage";
            livemode: boolean;
            /** @description Opaque: do not derive anything from its name */
            plan: string;
            /**
             * @description The calendar month in UTC
             * @example 2026-03
             */
            month: string;
            /**
             * Format: date-time
             * @description When the next month begins
             */
            resets_at: string;
            /** @description Of the organization in this month and mode; a creation that ends without a guide is not counted */
            shipments: {
                /** @description null for a key of one workspace, which must not see the use of the others */
                used: number | null;
                /** @description null = unlimited */
                limit: number | null;
                /** @description Whether the next one is refused */
                reached: boolean;
            };
            /** @description Of each key */
            requests_per_minute: {
                /** @description null = unlimited */
                limit: number | null;
            };
            workspaces: {
                /** @description null for a key of one workspace, which must not see the use of the others */
                used: number | null;
                /** @description null = unlimited */
                limit: number | null;
                /** @description Whether the next one is refused */
                reached: boolean;
            };
            courier_connections: {
                /** @description null for a key of one workspace, which must not see the use of the others */
                used: number | null;
                /** @description null = unlimited */
                limit: number | null;
                /** @description Whether the next one is refused */
                reached: boolean;
            };
            webhook_endpoints: {
                /** @description null for a key of one workspace, which must not see the use of the others */
                used: number | null;
                /** @description null = unlimited */
                limit: number | null;
                /** @description Whether the next one is refused */
                reached: boolean;
            };
        };
        WebhookEndpointWithSecret: {
            /** @example whe_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            livemode: boolean;
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            url: string;
            description: string | null;
            event_types: ("shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.witness_silent" | "shipment.*" | "label.*" | "operation.*" | "tracking.*" | "connection.*" | "webhook_endpoint.*" | "quota.*" | "alert.*")[];
            /** @enum {string} */
            status: "enabled" | "disabled" | (string & {});
            /** @description `gone`: it answered 410. `failing`: no attempt succeeded for five days. `by_owner`: disabled by a PATCH. */
            disabled_reason: ("by_owner" | "gone" | "failing") | null;
            /** @description On the workspace's clock. It changes by itself, without a new `version`. */
            health: {
                /**
                 * @description `failing`: from the third failure in a row until a success.
                 * @enum {string}
                 */
                state: "ok" | "failing" | (string & {});
                /** @description The first of those failures */
                failing_since: string | null;
                last_success_at: string | null;
                /** @description While the endpoint is paused: when the next attempt is due. Deliveries requested by hand are sent at once. */
                next_probe_at: string | null;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
            /** @description The secret that signs deliveries, shown only this once. Null if an earlier request with the same Idempotency-Key created it; if that answer was lost, rotate the secret with another key. */
            secret: string | null;
            /** @description Until then the previous secret also signs deliveries. Real time. */
            previous_secret_expires_at: string | null;
        };
        /**
         * @example {
         *       "id": "whe_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "webhook_endpoint",
         *       "livemode": false,
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "url": "https://shop.example/webhooks",
         *       "description": "Orders",
         *       "event_types": [
         *         "shipment.*",
         *         "operation.*",
         *         "tracking.delivered"
         *       ],
         *       "status": "enabled",
         *       "disabled_reason": null,
         *       "health": {
         *         "state": "ok",
         *         "failing_since": null,
         *         "last_success_at": "2026-03-01T12:00:00.000Z",
         *         "next_probe_at": null
         *       },
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T12:00:00.000Z",
         *       "version": 1
         *     }
         */
        WebhookEndpoint: {
            /** @example whe_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            livemode: boolean;
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            url: string;
            description: string | null;
            event_types: ("shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.witness_silent" | "shipment.*" | "label.*" | "operation.*" | "tracking.*" | "connection.*" | "webhook_endpoint.*" | "quota.*" | "alert.*")[];
            /** @enum {string} */
            status: "enabled" | "disabled" | (string & {});
            /** @description `gone`: it answered 410. `failing`: no attempt succeeded for five days. `by_owner`: disabled by a PATCH. */
            disabled_reason: ("by_owner" | "gone" | "failing") | null;
            /** @description On the workspace's clock. It changes by itself, without a new `version`. */
            health: {
                /**
                 * @description `failing`: from the third failure in a row until a success.
                 * @enum {string}
                 */
                state: "ok" | "failing" | (string & {});
                /** @description The first of those failures */
                failing_since: string | null;
                last_success_at: string | null;
                /** @description While the endpoint is paused: when the next attempt is due. Deliveries requested by hand are sent at once. */
                next_probe_at: string | null;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        /**
         * @example {
         *       "id": "dlv_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "webhook_delivery",
         *       "livemode": false,
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "event_id": "evt_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "event_type": "shipment.created",
         *       "endpoint_id": "whe_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "shipment_id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "state": "pending",
         *       "attempts": [
         *         {
         *           "at": "2026-03-01T12:00:00.400Z",
         *           "status_code": 503,
         *           "latency_ms": 41,
         *           "error": null,
         *           "response_excerpt": "Service Unavailable"
         *         }
         *       ],
         *       "next_attempt_at": "2026-03-01T12:00:05.441Z",
         *       "dead_reason": null,
         *       "created_at": "2026-03-01T12:00:00.120Z",
         *       "updated_at": "2026-03-01T12:00:00.441Z",
         *       "version": 2
         *     }
         */
        WebhookDelivery: {
            /** @example dlv_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "webhook_delivery";
            livemode: boolean;
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            /** @example evt_0aB1cD2eF3gH4iJ5kL6mN7 */
            event_id: string;
            event_type: string;
            /** @example whe_0aB1cD2eF3gH4iJ5kL6mN7 */
            endpoint_id: string;
            shipment_id: string | null;
            /**
             * @description `dead`: it is not tried again; these are the dead letters. `discarded`: the endpoint was disabled or deleted.
             * @enum {string}
             */
            state: "pending" | "delivered" | "dead" | "discarded" | (string & {});
            /** @description Oldest first */
            attempts: {
                /** Format: date-time */
                at: string;
                /** @description Null: no answer came */
                status_code: number | null;
                latency_ms: number;
                /** @description Why no status came. `blocked`: the address is private. After `reset`, `protocol` and `timeout` the receiver may still have it. */
                error: ("dns" | "blocked" | "connect" | "tls" | "timeout" | "reset" | "protocol") | null;
                /** @description The first 2 KiB of the receiver's answer; null in lists */
                response_excerpt: string | null;
            }[];
            /** @description On the workspace's clock */
            next_attempt_at: string | null;
            /** @description `attempts_exhausted`: every attempt failed. `expired`: the endpoint failed for the whole duration of the retry schedule, so not every attempt was made. `endpoint_gone`: it answered 410. `unsendable`: this service could not make the request, so nothing was sent at the last turn; an operator must mend the cause, then redeliver it. */
            dead_reason: ("attempts_exhausted" | "expired" | "endpoint_gone" | "unsendable" | "endpoint_disabled" | "endpoint_deleted") | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        /**
         * @example {
         *       "object": "webhook_recovery",
         *       "endpoint_id": "whe_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "since": "2026-03-01T00:00:00.000Z",
         *       "until": "2026-03-02T00:00:00.000Z",
         *       "recovered": 17,
         *       "has_more": false,
         *       "next_since": null
         *     }
         */
        WebhookRecovery: {
            /** @constant */
            object: "webhook_recovery";
            /** @example whe_0aB1cD2eF3gH4iJ5kL6mN7 */
            endpoint_id: string;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
            /** @description Deliveries that this call made pending */
            recovered: number;
            /** @description Whether the call stopped before the end of the range */
            has_more: boolean;
            /** @description Where to continue if has_more; else null */
            next_since: string | null;
        };
        WebhookRecoverable: {
            /** @constant */
            object: "webhook_recoverable";
            /** @example whe_0aB1cD2eF3gH4iJ5kL6mN7 */
            endpoint_id: string;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
            /** @description Events that a recovery of the range would resend now */
            count: number;
            /** @description False if the range has more than 50000 events: only the first ones were looked at */
            is_complete: boolean;
        };
        /**
         * @example {
         *       "id": "evt_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "type": "shipment.created",
         *       "timestamp": "2026-03-01T12:00:00.120Z",
         *       "api_version": "v1",
         *       "livemode": false,
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "sequence": 1,
         *       "resource": {
         *         "type": "shipment",
         *         "id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *         "version": 3
         *       },
         *       "data": {
         *         "object": {
         *           "id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *           "object": "shipment",
         *           "livemode": false,
         *           "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *           "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *           "external_reference": "order-1001",
         *           "origin": {
         *             "agency_id": "agy_0aB1cD2eF3gH4iJ5kL6mN7"
         *           },
         *           "destination": {
         *             "agency_id": "agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0"
         *           },
         *           "package": {
         *             "product_id": "pkg_0aB1cD2eF3gH4iJ5kL6mN7",
         *             "quantity": 1,
         *             "weight_kg": 0.8,
         *             "height_m": 0.05,
         *             "length_m": 0.2,
         *             "width_m": 0.15
         *           },
         *           "service": {
         *             "mode": "terrestrial",
         *             "payer": "sender"
         *           },
         *           "declared_content": null,
         *           "recipient": null,
         *           "idempotency_key": "order-1001",
         *           "status": "created",
         *           "failure": null,
         *           "guide_number": "100000000001",
         *           "pickup_code": null,
         *           "operation_id": null,
         *           "quote_id": null,
         *           "price": {
         *             "amount": 1000,
         *             "currency": "PEN"
         *           },
         *           "label": {
         *             "status": "pending"
         *           },
         *           "tracking": {
         *             "status": "registered",
         *             "phase": "pre_transit",
         *             "exception": null
         *           },
         *           "metadata": null,
         *           "sandbox_scenario": "happy_path",
         *           "legal_hold": null,
         *           "created_at": "2026-03-01T12:00:00.000Z",
         *           "updated_at": "2026-03-01T12:00:00.120Z",
         *           "version": 3
         *         }
         *       },
         *       "previous": {
         *         "guide_number": null,
         *         "price": null,
         *         "tracking": {
         *           "status": null,
         *           "phase": null,
         *           "exception": null
         *         },
         *         "status": "creating"
         *       },
         *       "request_id": "req_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "webhook_event",
         *       "created_at": "2026-03-01T12:00:00.120Z"
         *     }
         */
        WebhookEvent: {
            /**
             * @description The same on every delivery: deduplicate by it
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description - `shipment.created`: The creation call itself was confirmed
             *     - `shipment.reconciled`: A guide was established by reconciliation or decision; sent instead
             *     - `shipment.rejected`: The courier refused: nothing was created
             *     - `shipment.outcome_unknown`: The answer of the creation call was lost: the guide may exist
             *     - `shipment.cancelled`: The guide was cancelled, however it was found out
             *     - `label.ready`: The label can be fetched
             *     - `operation.needs_review`: Reconciliation cannot conclude: a person must decide
             *     - `operation.resolved`: An operation whose outcome was unknown ended, by evidence or decision
             *     - `operation.contradicted`: Evidence turned up against a conclusion
             *     - `tracking.updated`: New scans, or another status, exception or time of arrival
             *     - `tracking.delivered`: The parcel was delivered; in addition
             *     - `tracking.returned`: The parcel is back at its sender; in addition
             *     - `tracking.lost`: The courier declared the parcel lost; in addition
             *     - `tracking.exception_raised`: Something holds the parcel up; in addition
             *     - `tracking.exception_resolved`: Nothing holds the parcel up any more; in addition
             *     - `connection.needs_reauth`: The courier refuses the credentials of a connection
             *     - `webhook_endpoint.disabled`: An endpoint was disabled; sent to the other endpoints
             *     - `quota.threshold_reached`: 80 % or 100 % of a quota are used; once each a month and mode
             *     - `alert.review_needed`: An operation waits for a person to decide, or no longer does
             *     - `alert.contradicted`: A conclusion is contradicted by evidence, until a person closes it
             *     - `alert.endpoint_failing`: An endpoint fails or was disabled for it; sent to the other endpoints
             *     - `alert.courier_unreachable`: Most calls to the courier of a connection have no usable answer
             *     - `alert.projection_stopped`: Lists and webhooks of shipments are out of date, at every shop
             *     - `alert.witness_silent`: A witness has not cosigned the newest checkpoints of the ledger
             * @enum {string}
             */
            type: "shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.witness_silent" | (string & {});
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock
             */
            timestamp: string;
            /** @example v1 */
            api_version: string;
            livemode: boolean;
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            /** @description Counts a shipment's events from 1 without a gap, subscribed to or not; null for alerts and for events that are not about a shipment */
            sequence: number | null;
            resource: {
                type: string;
                id: string;
                version: number | null;
            };
            data: {
                /** @description The resource at that version as a read shows it, without personal data, free text and pickup code; a tracking has only the new scans */
                object: {
                    [key: string]: unknown;
                };
            };
            /** @description The previous values of the changed fields */
            previous: {
                [key: string]: unknown;
            } | null;
            request_id: string | null;
            /** @constant */
            object: "webhook_event";
            /** Format: date-time */
            created_at: string;
        };
        Quote: {
            /** @example quo_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "quote";
            livemode: boolean;
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            /** @example ccn_0aB1cD2eF3gH4iJ5kL6mN7 */
            courier_connection_id: string;
            origin: {
                /** @example agy_0aB1cD2eF3gH4iJ5kL6mN7 */
                agency_id: string;
            };
            destination: {
                /** @example agy_0aB1cD2eF3gH4iJ5kL6mN7 */
                agency_id: string;
            };
            package: {
                /** @example pkg_0aB1cD2eF3gH4iJ5kL6mN7 */
                product_id: string;
                quantity: number;
                weight_kg: number;
                height_m: number;
                length_m: number;
                width_m: number;
            };
            /** @description The requested service; null: all */
            service: {
                mode: string;
                payer: string;
            } | null;
            /**
             * @description `partial`: at least one service, possibly every one, has no price
             * @enum {string}
             */
            status: "complete" | "partial" | (string & {});
            rates: {
                service: {
                    mode: string;
                    payer: string;
                };
                /** @description Minor units (céntimos) */
                amount: number;
                currency: string;
                breakdown: {
                    /** @enum {string} */
                    code: "freight" | "air" | "insurance" | "surcharge" | "discount" | "tax" | "other" | (string & {});
                    amount: number;
                }[];
                transit_days: {
                    min: number;
                    max: number;
                };
            }[];
            errors: {
                service: {
                    mode: string;
                    payer: string;
                };
                /** @enum {string} */
                reason: "no_capacity" | "not_served" | "package_not_accepted" | "unavailable" | (string & {});
                detail: string;
            }[];
            sandbox_scenario: string | null;
            /**
             * Format: date-time
             * @description On the workspace's clock
             */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @example {
         *       "id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "shipment",
         *       "livemode": false,
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "external_reference": "order-1001",
         *       "origin": {
         *         "agency_id": "agy_0aB1cD2eF3gH4iJ5kL6mN7"
         *       },
         *       "destination": {
         *         "agency_id": "agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0"
         *       },
         *       "package": {
         *         "product_id": "pkg_0aB1cD2eF3gH4iJ5kL6mN7",
         *         "quantity": 1,
         *         "weight_kg": 0.8,
         *         "height_m": 0.05,
         *         "length_m": 0.2,
         *         "width_m": 0.15
         *       },
         *       "service": {
         *         "mode": "terrestrial",
         *         "payer": "sender"
         *       },
         *       "declared_content": "Books",
         *       "recipient": {
         *         "document_type": "DNI",
         *         "document": "45678912",
         *         "first_name": "Ana",
         *         "last_name": "Torres"
         *       },
         *       "idempotency_key": "order-1001",
         *       "status": "created",
         *       "failure": null,
         *       "guide_number": "100000000001",
         *       "pickup_code": "4821",
         *       "operation_id": null,
         *       "quote_id": null,
         *       "price": {
         *         "amount": 1000,
         *         "currency": "PEN"
         *       },
         *       "label": {
         *         "status": "pending"
         *       },
         *       "tracking": {
         *         "status": "registered",
         *         "phase": "pre_transit",
         *         "exception": null
         *       },
         *       "metadata": null,
         *       "sandbox_scenario": "happy_path",
         *       "legal_hold": null,
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T12:00:00.120Z",
         *       "version": 3
         *     }
         */
        Shipment: {
            /** @example shp_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "shipment";
            livemode: boolean;
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            /** @example ccn_0aB1cD2eF3gH4iJ5kL6mN7 */
            courier_connection_id: string;
            external_reference: string;
            idempotency_key: string;
            /** @enum {string} */
            status: "creating" | "created" | "rejected" | "not_executed" | "unknown_outcome" | "not_created" | "cancelling" | "cancelled" | (string & {});
            failure: {
                /** @enum {string} */
                reason: "unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "validation_failed" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "unknown_outcome" | "nothing_created" | "shipment_not_cancellable" | "not_cancelled" | "courier_rejected" | "courier_not_available" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "shipment_has_no_guide" | "operation_open" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "operation_already_resolved" | "operation_full" | "guide_unconfirmed" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing" | (string & {});
                detail: string | null;
                /** Format: date-time */
                at: string;
            } | null;
            guide_number: string | null;
            pickup_code: string | null;
            /** @description The open operation */
            operation_id: string | null;
            origin: {
                /** @example agy_0aB1cD2eF3gH4iJ5kL6mN7 */
                agency_id: string;
            };
            destination: {
                /** @example agy_0aB1cD2eF3gH4iJ5kL6mN7 */
                agency_id: string;
            };
            package: {
                /** @example pkg_0aB1cD2eF3gH4iJ5kL6mN7 */
                product_id: string;
                quantity: number;
                weight_kg: number;
                height_m: number;
                length_m: number;
                width_m: number;
            };
            service: {
                mode: string;
                payer: string;
            };
            declared_content: string | null;
            recipient: {
                document_type: string;
                document: string;
                first_name: string;
                last_name: string;
            } | null;
            quote_id: string | null;
            price: components["schemas"]["Money"] | null;
            label: {
                /** @enum {string} */
                status: "pending" | "ready" | "erased" | (string & {});
            };
            tracking: {
                status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
                phase: ("pre_transit" | "origin" | "transit" | "destination" | "return" | "final") | null;
                exception: components["schemas"]["TrackingException"] | null;
            };
            metadata: {
                [key: string]: string;
            } | null;
            sandbox_scenario: string | null;
            /** @description Its own legal hold. One on its workspace also keeps its personal data, and is shown there */
            legal_hold: {
                /** Format: date-time */
                since: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Number of events in its history; `as_of` reads the shipment at any of them */
            version: number;
        };
        TrackingException: {
            code: string;
            /** Format: date-time */
            since: string;
            action_required: boolean;
        };
        LedgerEvent: {
            /** Format: uuid */
            id: string;
            /** @constant */
            object: "ledger_event";
            livemode: boolean;
            /** Format: date-time */
            created_at: string;
            type: string;
            schema: number;
            shipment_id: string | null;
            /** @description Counts the events of the stream from 0 */
            revision: number;
            /** Format: date-time */
            recorded_at: string;
            /** Format: date-time */
            occurred_at: string;
            workspace_id: string | null;
            actor: {
                /** @enum {string} */
                type: "api_key" | "reconciliation" | "poller" | "system" | "cli" | "operator" | (string & {});
                key_id: string | null;
                /** @description Only for what an operator did; otherwise left out, as it is in the leaf */
                operator_id?: string;
                /** @description Only for a command without an operator: the user of the operating system */
                system_user?: string;
            };
            request_id: string | null;
            causation_id: string | null;
            correlation_id: string;
            data: {
                [key: string]: unknown;
            };
            position: string;
            /** @description SHA-256 over the RFC 8785 form, hexadecimal */
            leaf: string;
        };
        Tracking: {
            /** @example shp_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "tracking";
            livemode: boolean;
            /** @example shp_0aB1cD2eF3gH4iJ5kL6mN7 */
            shipment_id: string;
            status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
            phase: ("pre_transit" | "origin" | "transit" | "destination" | "return" | "final") | null;
            sub_status: string | null;
            exception: components["schemas"]["TrackingException"] | null;
            eta: string | null;
            events: {
                id: string;
                /** @constant */
                object: "tracking_event";
                code: string;
                status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
                sub_status: string | null;
                mapped: boolean;
                /** Format: date-time */
                occurred_at: string;
                /** Format: date-time */
                received_at: string;
                agency_id: string | null;
                description: string;
            }[];
            monitoring: {
                /** @enum {string} */
                state: "not_started" | "active" | "unreachable" | "completed" | "expired" | (string & {});
                last_checked_at: string | null;
                last_changed_at: string | null;
                next_check_at: string | null;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        /**
         * @example {
         *       "id": "op_0aB1cD2eF3gH4iJ5kL6mN701",
         *       "object": "operation",
         *       "livemode": false,
         *       "type": "shipment_creation",
         *       "status": "resolved",
         *       "result": "guide_exists",
         *       "cause": "response_lost",
         *       "shipment_id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "external_reference": "order-1001",
         *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "provider_code": "mock",
         *       "destination": {
         *         "agency_id": "agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0"
         *       },
         *       "amount": {
         *         "amount": 1450,
         *         "currency": "PEN"
         *       },
         *       "looks": [
         *         {
         *           "at": "2026-03-01T12:00:02.000Z",
         *           "method": "by_client_reference",
         *           "answer": "found",
         *           "guide_numbers": [
         *             "100000000001"
         *           ],
         *           "counted": false,
         *           "failure": null,
         *           "latency_ms": 180
         *         }
         *       ],
         *       "next_look_at": null,
         *       "settle_until": "2026-03-01T12:02:20.000Z",
         *       "deadline_at": "2026-03-01T20:00:00.000Z",
         *       "resolution": {
         *         "decision": "guide_exists",
         *         "by": "reconciliation",
         *         "operator_id": null,
         *         "decided_by": null,
         *         "note": null,
         *         "guide_number": "100000000001",
         *         "confirmed": true,
         *         "at": "2026-03-01T12:00:02.000Z"
         *       },
         *       "resolutions": [
         *         {
         *           "decision": "guide_exists",
         *           "by": "reconciliation",
         *           "operator_id": null,
         *           "decided_by": null,
         *           "note": null,
         *           "guide_number": "100000000001",
         *           "confirmed": true,
         *           "at": "2026-03-01T12:00:02.000Z"
         *         }
         *       ],
         *       "surplus_guide_numbers": [],
         *       "reason_for_review": null,
         *       "assignee": null,
         *       "snoozed_until": null,
         *       "comments": [],
         *       "comment_count": 0,
         *       "contradicted": false,
         *       "escalated": false,
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T12:00:02.000Z",
         *       "version": 4
         *     }
         */
        Operation: {
            /** @example op_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "operation";
            livemode: boolean;
            /** @enum {string} */
            type: "shipment_creation" | "shipment_cancellation" | (string & {});
            /** @enum {string} */
            status: "reconciling" | "needs_review" | "resolved" | (string & {});
            result: ("guide_exists" | "nothing_created" | "cancelled" | "not_cancelled" | "human_review") | null;
            cause: ("response_lost" | "response_unreadable" | "courier_error" | "deadline_passed" | "process_died") | null;
            /** @example shp_0aB1cD2eF3gH4iJ5kL6mN7 */
            shipment_id: string;
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            external_reference: string;
            /** @example ccn_0aB1cD2eF3gH4iJ5kL6mN7 */
            courier_connection_id: string;
            provider_code: string;
            destination: {
                /** @example agy_0aB1cD2eF3gH4iJ5kL6mN7 */
                agency_id: string;
            };
            /** @description What the guide costs: its price if it is known, else the quoted price; `null` if the shipment has neither */
            amount: components["schemas"]["Money"] | null;
            looks: {
                /**
                 * Format: date-time
                 * @description When the look started
                 */
                at: string;
                method: string;
                /** @enum {string} */
                answer: "found" | "ambiguous" | "absent" | "inconclusive" | "cancelled" | "standing" | (string & {});
                guide_numbers: string[];
                counted: boolean;
                /** @description Why the courier gave no answer */
                failure: {
                    /** @enum {string} */
                    kind: "courier_unreachable" | "courier_throttled" | "courier_rejected" | "response_lost" | "response_unreadable" | "courier_error" | "deadline_passed" | (string & {});
                    status_code: number | null;
                } | null;
                /** @description `null` for looks recorded before this field existed */
                latency_ms: number | null;
            }[];
            next_look_at: string | null;
            /** Format: date-time */
            settle_until: string;
            /** Format: date-time */
            deadline_at: string;
            /** @description The conclusion in force; `null` while the operation is open */
            resolution: {
                /** @enum {string} */
                decision: "guide_exists" | "nothing_created" | "cancelled" | "not_cancelled" | (string & {});
                /** @enum {string} */
                by: "reconciliation" | "operator" | (string & {});
                operator_id: string | null;
                decided_by: string | null;
                note: string | null;
                guide_number: string | null;
                /** @description Whether the courier has confirmed the guide; `null` if the decision names no guide. */
                confirmed: boolean | null;
                /** Format: date-time */
                at: string;
            } | null;
            /** @description Every conclusion, oldest first, including contradicted ones */
            resolutions: {
                /** @enum {string} */
                decision: "guide_exists" | "nothing_created" | "cancelled" | "not_cancelled" | (string & {});
                /** @enum {string} */
                by: "reconciliation" | "operator" | (string & {});
                operator_id: string | null;
                decided_by: string | null;
                note: string | null;
                guide_number: string | null;
                /** @description Whether the courier has confirmed the guide; `null` if the decision names no guide. */
                confirmed: boolean | null;
                /** Format: date-time */
                at: string;
            }[];
            /** @description Guides that the courier's last clear answer listed and that the decision in force does not use. You may pay for them, so ask the courier to cancel them. Empty while nothing is decided, and once a look no longer finds them. */
            surplus_guide_numbers: string[];
            /** @description Why a person must review it; set only while the operation needs review */
            reason_for_review: {
                /** @enum {string} */
                code: "ambiguous" | "courier_cannot_be_asked" | "deadline_passed" | "contradicted" | (string & {});
                text: string;
            } | null;
            /** @description The operator who works on it, with the name as it is now; `name` is `null` in webhooks, and for an operator of another organization to the platform. */
            assignee: {
                operator_id: string;
                name: string | null;
            } | null;
            /** @description Until then it is out of the work list. A time in the past is over. It is set back to `null` when the operation comes into review, is contradicted or is resolved. */
            snoozed_until: string | null;
            /** @description The newest 20, oldest first; `GET /v1/operations/{id}/comments` lists all. Webhooks show fewer, without their texts. */
            comments: components["schemas"]["OperationComment"][];
            comment_count: number;
            /** @description Evidence once contradicted a conclusion; only a person can close such an operation */
            contradicted: boolean;
            escalated: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        /**
         * @example {
         *       "id": "cmt_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "operation_comment",
         *       "livemode": false,
         *       "operation_id": "op_0aB1cD2eF3gH4iJ5kL6mN701",
         *       "by": {
         *         "operator_id": "opr_0aB1cD2eF3gH4iJ5kL6mN7",
         *         "name": "Ana Torres",
         *         "key_id": "key_0aB1cD2eF3gH4iJ5kL6mN7"
         *       },
         *       "text": "The agency calls back tomorrow at nine.",
         *       "created_at": "2026-03-01T12:00:01.000Z"
         *     }
         */
        OperationComment: {
            /** @example cmt_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "operation_comment";
            livemode: boolean;
            /** @example op_0aB1cD2eF3gH4iJ5kL6mN7 */
            operation_id: string;
            /** @description Who wrote it. `operator_id` and `name` are `null` for a key that belongs to no operator, `key_id` for the command line. The platform does not see the names of an organization's operators. */
            by: {
                operator_id: string | null;
                name: string | null;
                key_id: string | null;
            };
            /** @description `null` once erased, and for the platform unless its own operator wrote it */
            text: string | null;
            /** Format: date-time */
            created_at: string;
        };
        LedgerCheckpoint: {
            /** @constant */
            object: "ledger_checkpoint";
            /** @description Leaves of the tree, that is, how many events it covers from the first */
            tree_size: number;
            /**
             * @description 32 bytes, hexadecimal
             * @example abababababababababababababababababababababababababababababababab
             */
            root_hash: string;
            /** @description Id of the key in `GET /v1/ledger/keys` */
            key_id: string;
            /**
             * Format: date-time
             * @description When it was signed
             */
            created_at: string;
            /** @description What is signed, and signatures: C2SP tlog-checkpoint */
            note: string;
        };
        LedgerProof: {
            /** @constant */
            object: "ledger_proof";
            position: string;
            /** Format: uuid */
            event_id: string;
            /**
             * @description Digest of the ledger event; the tree hashes 0x00 followed by these bytes
             * @example abababababababababababababababababababababababababababababababab
             */
            leaf: string;
            /** @description From 0, in the order of the ledger */
            leaf_index: number;
            /** @description Leaves of the tree, that is, how many events it covers from the first */
            tree_size: number;
            /**
             * @description 32 bytes, hexadecimal
             * @example abababababababababababababababababababababababababababababababab
             */
            root_hash: string;
            /** @description As RFC 9162 orders them */
            hashes: string[];
        };
        LedgerConsistency: {
            /** @constant */
            object: "ledger_consistency";
            /** @description Leaves of the tree, that is, how many events it covers from the first */
            from_size: number;
            /**
             * @description 32 bytes, hexadecimal
             * @example abababababababababababababababababababababababababababababababab
             */
            from_root_hash: string;
            /** @description Leaves of the tree, that is, how many events it covers from the first */
            to_size: number;
            /**
             * @description 32 bytes, hexadecimal
             * @example abababababababababababababababababababababababababababababababab
             */
            to_root_hash: string;
            /** @description As RFC 9162 orders them */
            hashes: string[];
        };
        LedgerKey: {
            /** @constant */
            object: "ledger_key";
            key_id: string;
            /** @description Ed25519, 32 bytes in base64 */
            public_key: string;
            /** @description The same key as text for tools, in the C2SP signed-note format */
            verifier: string;
            /** @description The first checkpoint signed by this key; the previous key signed it too */
            since_tree_size: number;
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @example {
         *       "id": "0b1f3c1e-6d0f-4a86-9b5e-3a2f1c7d9e40",
         *       "object": "audit_event",
         *       "livemode": false,
         *       "workspace_id": "ws_0n3kXQe7RzVb2LmYcD8pTa",
         *       "action": "WorkspaceChanged",
         *       "actor": {
         *         "type": "api_key",
         *         "key_id": "key_5Tn8wQ1rYkZs4VbXcE7mJd",
         *         "operator_id": null
         *       },
         *       "resource": {
         *         "type": "workspace",
         *         "id": "ws_0n3kXQe7RzVb2LmYcD8pTa"
         *       },
         *       "changed_fields": [
         *         "name",
         *         "personal_data_retention_days"
         *       ],
         *       "before": {
         *         "personal_data_retention_days": null
         *       },
         *       "after": {
         *         "personal_data_retention_days": 90
         *       },
         *       "data": {
         *         "workspace_id": "ws_0n3kXQe7RzVb2LmYcD8pTa",
         *         "fields": [
         *           "name",
         *           "personal_data_retention_days"
         *         ],
         *         "changes": {
         *           "personal_data_retention_days": {
         *             "before": null,
         *             "after": 90
         *           }
         *         }
         *       },
         *       "request_id": "req_2Hs9vLq4NxWc6RtYbF3kPg",
         *       "position": "00000000000000000042",
         *       "created_at": "2026-03-01T12:00:00.000Z"
         *     }
         */
        AuditEvent: {
            /**
             * Format: uuid
             * @description The id of the event in the ledger, as in an export
             */
            id: string;
            /** @constant */
            object: "audit_event";
            /** @description False for an act on the organization as a whole, which belongs to no mode */
            livemode: boolean;
            workspace_id: string | null;
            /**
             * @description The type of the event
             * @enum {string}
             */
            action: "OrganizationCreated" | "OrganizationPlanChanged" | "OrganizationSuspended" | "OrganizationResumed" | "PlanCreated" | "PlanChanged" | "ApiKeyCreated" | "ApiKeyRevoked" | "OperatorCreated" | "OperatorDisabled" | "OperatorChanged" | "WorkspaceCreated" | "WorkspaceChanged" | "WorkspaceHoldPlaced" | "WorkspaceHoldLifted" | "CourierConnectionCreated" | "CourierConnectionChanged" | "CourierCredentialsReplaced" | "CourierConnectionVerified" | "OperationsSeenByPlatform" | "CourierRegistered" | "CourierReplaced" | "WebhookEndpointCreated" | "WebhookEndpointChanged" | "WebhookEndpointDeleted" | "CourierConnectionDeleted" | "WebhookSecretRotated" | "PersonalDataErasureOrdered" | "WebhookRedelivered" | "WebhookPeriodRecovered" | "WebhookDeliveriesSeen" | "AuditEventsSeen" | "AuthenticationsFailed" | "ShipmentReplayed" | "LedgerExported" | "EvidenceExported" | "LedgerMoved" | "MasterKeyRotated" | (string & {});
            actor: {
                /** @enum {string} */
                type: "api_key" | "reconciliation" | "poller" | "system" | "cli" | "operator" | (string & {});
                key_id: string | null;
                operator_id: string | null;
            };
            resource: {
                /** @enum {string} */
                type: "organization" | "plan" | "api_key" | "operator" | "workspace" | "courier_connection" | "courier" | "webhook_endpoint" | "webhook_delivery" | "operation" | "shipment" | "audit_log" | "ledger" | "master_key" | (string & {});
                /** @description Null for an act on several at once */
                id: string | null;
            };
            /** @description Every field that changed, also those whose values are not recorded */
            changed_fields: string[];
            /** @description The recorded values of changed fields. Names, descriptions, secrets and webhook URLs are never recorded; older events lack some values */
            before: {
                [key: string]: unknown;
            };
            after: {
                [key: string]: unknown;
            };
            /** @description The data of the event, as the ledger holds it */
            data: {
                [key: string]: unknown;
            };
            request_id: string | null;
            /** @description Where the event is in the ledger: `GET /v1/ledger/proof/{position}` proves it */
            position: string;
            /** Format: date-time */
            created_at: string;
        };
        OperationStatistics: {
            /** @constant */
            object: "operation_statistics";
            livemode: boolean;
            reconciling: number;
            needs_review: number;
            /** @description Of those that need review: put off */
            snoozed: number;
            /** @description Of those that need review */
            contradicted: number;
            /** @description Of the open ones */
            escalated: number;
            /** @description Decided for a guide that the courier has not confirmed so far */
            unconfirmed: number;
            /** @description Decided, but the courier lists a guide that the decision does not use */
            surplus: number;
            /** @description Of the open ones: older than the 8 hours after which a person must decide */
            past_deadline: number;
            /** @description The open operation of the highest age on its workspace's clock; null = none is open */
            oldest: {
                operation_id: string;
                /** @enum {string} */
                status: "reconciling" | "needs_review" | (string & {});
                /** Format: date-time */
                created_at: string;
                /** @description On its workspace's clock */
                age_seconds: number;
            } | null;
        };
        CreationStatistics: {
            /** @constant */
            object: "creation_statistics";
            livemode: boolean;
            /** @enum {string} */
            interval: "minute" | "hour" | "day" | (string & {});
            /**
             * Format: date-time
             * @description The start of the first interval
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the last interval, exclusive
             */
            to: string;
            /** @description How calls to the courier that create a guide ended: `rejected` by the courier, `not_executed`, or `unknown_outcome`, which reconciliation concludes later. More may be added. */
            total: {
                created: number;
                rejected: number;
                not_executed: number;
                unknown_outcome: number;
            };
            data: {
                /**
                 * Format: date-time
                 * @description The start of the interval
                 */
                at: string;
                /** @description How calls to the courier that create a guide ended: `rejected` by the courier, `not_executed`, or `unknown_outcome`, which reconciliation concludes later. More may be added. */
                outcomes: {
                    created: number;
                    rejected: number;
                    not_executed: number;
                    unknown_outcome: number;
                };
            }[];
        };
        ReconciliationStatistics: {
            /** @constant */
            object: "reconciliation_statistics";
            livemode: boolean;
            /** @enum {string} */
            interval: "minute" | "hour" | "day" | (string & {});
            /**
             * Format: date-time
             * @description The start of the first interval
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the last interval, exclusive
             */
            to: string;
            data: {
                /**
                 * Format: date-time
                 * @description The start of the interval
                 */
                at: string;
                /** @description Calls whose outcome became unknown */
                unknown: number;
                needs_review: number;
                contradicted: number;
                concluded: {
                    guide_exists: number;
                    nothing_created: number;
                    cancelled: number;
                    not_cancelled: number;
                };
            }[];
            /** @description Over the whole period: seconds from the unknown outcome, or the contradiction, to the conclusion */
            durations: {
                /** @description Concluded by looks at the courier */
                reconciliation: {
                    count: number;
                    p50: number | null;
                    p90: number | null;
                    p99: number | null;
                    buckets: {
                        /** @description Values above the bucket before and up to this; null = no limit */
                        up_to: number | null;
                        count: number;
                    }[];
                };
                /** @description Decided by a person */
                operator: {
                    count: number;
                    p50: number | null;
                    p90: number | null;
                    p99: number | null;
                    buckets: {
                        /** @description Values above the bucket before and up to this; null = no limit */
                        up_to: number | null;
                        count: number;
                    }[];
                };
            };
        };
        CourierStatistics: {
            /** @constant */
            object: "courier_statistics";
            livemode: boolean;
            /** @enum {string} */
            interval: "minute" | "hour" | "day" | (string & {});
            /**
             * Format: date-time
             * @description The start of the first interval
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the last interval, exclusive
             */
            to: string;
            /** @description At most 20: those with the most calls, first. One that is asked for by its code is always in it. */
            couriers: {
                provider_code: string;
                calls: number;
                /** @description Calls that the courier did not answer as it should. A refused shipment, refused credentials and a call given up before it was sent are not counted. */
                failed: number;
                /** @description How calls ended: `ok`, or courier_unreachable, courier_throttled, connection_needs_reauth, courier_rejected, too_late, response_lost, response_unreadable, courier_error, deadline_passed */
                ends: {
                    /** @enum {string} */
                    call: "create" | "cancel" | "look" | (string & {});
                    end: string;
                    count: number;
                }[];
                /** @description Milliseconds from the start of a call to its end */
                latency_ms: {
                    count: number;
                    p50: number | null;
                    p90: number | null;
                    p99: number | null;
                    buckets: {
                        /** @description Values above the bucket before and up to this; null = no limit */
                        up_to: number | null;
                        count: number;
                    }[];
                };
                data: {
                    /**
                     * Format: date-time
                     * @description The start of the interval
                     */
                    at: string;
                    calls: number;
                    /** @description Calls that the courier did not answer as it should. A refused shipment, refused credentials and a call given up before it was sent are not counted. */
                    failed: number;
                    /** @description Milliseconds from the start of a call to its end */
                    latency_ms: {
                        count: number;
                        p50: number | null;
                        p90: number | null;
                        p99: number | null;
                    };
                }[];
            }[];
        };
        WebhookStatistics: {
            /** @constant */
            object: "webhook_statistics";
            livemode: boolean;
            /** @enum {string} */
            interval: "minute" | "hour" | "day" | (string & {});
            /**
             * Format: date-time
             * @description The start of the first interval
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the last interval, exclusive
             */
            to: string;
            /** @description At most 20: those with the most attempts, first. One that is asked for by its id is always in it. */
            endpoints: {
                endpoint_id: string;
                attempts: number;
                /** @description Attempts without an answer of 2xx */
                failed: number;
                /** @description How attempts ended: `ok`, a class of status such as `5xx`, or an error */
                ends: {
                    end: string;
                    count: number;
                }[];
                /** @description Milliseconds from the start of an attempt to its end */
                latency_ms: {
                    count: number;
                    p50: number | null;
                    p90: number | null;
                    p99: number | null;
                    buckets: {
                        /** @description Values above the bucket before and up to this; null = no limit */
                        up_to: number | null;
                        count: number;
                    }[];
                };
                data: {
                    /**
                     * Format: date-time
                     * @description The start of the interval
                     */
                    at: string;
                    attempts: number;
                    failed: number;
                    /** @description Milliseconds from the start of an attempt to its end */
                    latency_ms: {
                        count: number;
                        p50: number | null;
                        p90: number | null;
                        p99: number | null;
                    };
                }[];
            }[];
        };
        /**
         * @example {
         *       "id": "req_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "request",
         *       "livemode": false,
         *       "workspace_id": null,
         *       "key_id": "key_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "method": "POST",
         *       "route": "/v1/shipments",
         *       "status": 409,
         *       "reason": "unknown_outcome",
         *       "outcome": "unknown",
         *       "duration_ms": 1204,
         *       "represents": 1,
         *       "created_at": "2026-03-01T12:00:00.000Z"
         *     }
         */
        Request: {
            /** @example req_0aB1cD2eF3gH4iJ5kL6mN7 */
            id: string;
            /** @constant */
            object: "request";
            livemode: boolean;
            /** @description The workspace that the key is restricted to; null for a key of all of them */
            workspace_id: string | null;
            /** @example key_0aB1cD2eF3gH4iJ5kL6mN7 */
            key_id: string;
            method: string;
            /** @description The pattern of the route, without the values in it */
            route: string;
            status: number;
            /** @description Of a problem */
            reason: ("unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "validation_failed" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "unknown_outcome" | "nothing_created" | "shipment_not_cancellable" | "not_cancelled" | "courier_rejected" | "courier_not_available" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "shipment_has_no_guide" | "operation_open" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "operation_already_resolved" | "operation_full" | "guide_unconfirmed" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing") | null;
            /** @description For a failed change: what was done */
            outcome: ("not_executed" | "executed" | "unknown") | null;
            duration_ms: number;
            /** @description How many requests this one stands for: 1, unless there were more than twenty of its kind in its second. The kinds are successes, answers 429 and other errors. */
            represents: number;
            /**
             * Format: date-time
             * @description When it was answered
             */
            created_at: string;
        };
        Search: {
            /** @constant */
            object: "search";
            livemode: boolean;
            data: {
                id: string;
                /** @constant */
                object: "search_result";
                livemode: boolean;
                /** @enum {string} */
                type: "shipment" | "operation" | "request" | "webhook_event" | "webhook_delivery" | "webhook_endpoint" | "workspace" | "courier_connection" | "quote" | "api_key" | "operator" | (string & {});
                /**
                 * @description What the text was found in
                 * @enum {string}
                 */
                matched: "id" | "external_reference" | "idempotency_key" | "guide_number" | (string & {});
                /** @description What names it to a person: a reference, a name, a type of event or a route */
                title: string | null;
                status: string | null;
                workspace_id: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description Whether one kind of object has more than 10 matches; lists show them all */
            has_more: boolean;
        };
        SandboxScenario: {
            number: number;
            /** @enum {string} */
            name: "happy_path" | "slow_success" | "courier_rejected" | "credentials_invalid" | "courier_throttled" | "courier_unreachable" | "lost_response_guide_created" | "lost_response_nothing_created" | "lost_response_late_guide" | "lost_response_human_review" | "duplicate_guides" | "malformed_success" | "label_delayed" | "quote_partial" | "cancel_response_lost" | "delivery_exception" | "not_collected_returned" | "lost_parcel" | "noisy_tracking" | (string & {});
            summary: string;
            steps: string[];
            ends: string;
            calls: {
                method: string;
                path: string;
                headers: {
                    [key: string]: string;
                };
                body: {
                    [key: string]: unknown;
                } | null;
            }[];
            expected: {
                answer: {
                    status: number;
                    reason: string | null;
                };
                repeated: {
                    status: number;
                    reason: string | null;
                };
                operation: string | null;
                shipment: string;
                tracking: string | null;
                tracked: string[];
                webhooks: ("shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.witness_silent")[];
                after_seconds: number;
            };
        };
        SandboxClock: {
            /** @constant */
            object: "sandbox_clock";
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            /** @constant */
            livemode: false;
            /** Format: date-time */
            now: string;
            advancing_to: string | null;
        };
        Health: {
            /** @constant */
            object: "health";
            livemode: boolean;
            /**
             * @description `degraded`: a projection is stalled, a courier is unreachable, or a webhook endpoint is failing or was disabled by the service. For the platform also: a witness is silent.
             * @enum {string}
             */
            status: "ok" | "degraded" | (string & {});
            projections: {
                name: string;
                /** @enum {string} */
                state: "working" | "stopped" | (string & {});
                generation: number;
                position: string | null;
                lag_seconds: number;
            }[];
            /** @description Open operations, at most the 10 000 oldest of each status. */
            operations: {
                /** @enum {string} */
                status: "reconciling" | "needs_review" | (string & {});
                count: number;
                oldest_age_seconds: number | null;
                ages: {
                    under_10_minutes: number;
                    under_1_hour: number;
                    under_1_day: number;
                    older: number;
                };
            }[];
            couriers: {
                provider_code: string;
                /** @enum {string} */
                status: "reachable" | "unreachable" | (string & {});
            }[];
            /** @description The webhook event that has waited longest for its endpoint, on its workspace's clock. */
            oldest_undelivered: {
                event_id: string;
                age_seconds: number;
            } | null;
            /** @description Webhook deliveries of the last 30 days, at most 10 000 of each state. */
            deliveries: {
                pending: number;
                dead: number;
                discarded: number;
            };
            /** @description `failing`: enabled, with three failures in a row or more. */
            webhook_endpoints: {
                ok: number;
                failing: number;
                disabled: number;
            };
            /** @description The witnesses of the ledger. Only the platform sees them. */
            witnesses: {
                name: string;
                key_id: string;
                /**
                 * @description `silent`: a checkpoint has been waiting for its cosignature for over a minute.
                 * @enum {string}
                 */
                state: "cosigning" | "silent" | (string & {});
                /** @description Events covered by the last one; 0 = none */
                cosigned_tree_size: number;
                cosigned_at: string | null;
                /** @description Age of the oldest checkpoint after it; 0 = none waits */
                waiting_seconds: number;
            }[];
        };
        /**
         * @example {
         *       "id": "evt_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "type": "shipment.created",
         *       "timestamp": "2026-03-01T12:00:00.120Z",
         *       "api_version": "v1",
         *       "livemode": false,
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "sequence": 1,
         *       "resource": {
         *         "type": "shipment",
         *         "id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *         "version": 3
         *       },
         *       "data": {
         *         "object": {
         *           "id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *           "object": "shipment",
         *           "livemode": false,
         *           "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *           "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *           "external_reference": "order-1001",
         *           "origin": {
         *             "agency_id": "agy_0aB1cD2eF3gH4iJ5kL6mN7"
         *           },
         *           "destination": {
         *             "agency_id": "agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0"
         *           },
         *           "package": {
         *             "product_id": "pkg_0aB1cD2eF3gH4iJ5kL6mN7",
         *             "quantity": 1,
         *             "weight_kg": 0.8,
         *             "height_m": 0.05,
         *             "length_m": 0.2,
         *             "width_m": 0.15
         *           },
         *           "service": {
         *             "mode": "terrestrial",
         *             "payer": "sender"
         *           },
         *           "declared_content": null,
         *           "recipient": null,
         *           "idempotency_key": "order-1001",
         *           "status": "created",
         *           "failure": null,
         *           "guide_number": "100000000001",
         *           "pickup_code": null,
         *           "operation_id": null,
         *           "quote_id": null,
         *           "price": {
         *             "amount": 1000,
         *             "currency": "PEN"
         *           },
         *           "label": {
         *             "status": "pending"
         *           },
         *           "tracking": {
         *             "status": "registered",
         *             "phase": "pre_transit",
         *             "exception": null
         *           },
         *           "metadata": null,
         *           "sandbox_scenario": "happy_path",
         *           "legal_hold": null,
         *           "created_at": "2026-03-01T12:00:00.000Z",
         *           "updated_at": "2026-03-01T12:00:00.120Z",
         *           "version": 3
         *         }
         *       },
         *       "previous": {
         *         "guide_number": null,
         *         "price": null,
         *         "tracking": {
         *           "status": null,
         *           "phase": null,
         *           "exception": null
         *         },
         *         "status": "creating"
         *       },
         *       "request_id": "req_0aB1cD2eF3gH4iJ5kL6mN7"
         *     }
         */
        WebhookPayload: {
            /**
             * @description The same on every delivery: deduplicate by it
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description - `shipment.created`: The creation call itself was confirmed
             *     - `shipment.reconciled`: A guide was established by reconciliation or decision; sent instead
             *     - `shipment.rejected`: The courier refused: nothing was created
             *     - `shipment.outcome_unknown`: The answer of the creation call was lost: the guide may exist
             *     - `shipment.cancelled`: The guide was cancelled, however it was found out
             *     - `label.ready`: The label can be fetched
             *     - `operation.needs_review`: Reconciliation cannot conclude: a person must decide
             *     - `operation.resolved`: An operation whose outcome was unknown ended, by evidence or decision
             *     - `operation.contradicted`: Evidence turned up against a conclusion
             *     - `tracking.updated`: New scans, or another status, exception or time of arrival
             *     - `tracking.delivered`: The parcel was delivered; in addition
             *     - `tracking.returned`: The parcel is back at its sender; in addition
             *     - `tracking.lost`: The courier declared the parcel lost; in addition
             *     - `tracking.exception_raised`: Something holds the parcel up; in addition
             *     - `tracking.exception_resolved`: Nothing holds the parcel up any more; in addition
             *     - `connection.needs_reauth`: The courier refuses the credentials of a connection
             *     - `webhook_endpoint.disabled`: An endpoint was disabled; sent to the other endpoints
             *     - `quota.threshold_reached`: 80 % or 100 % of a quota are used; once each a month and mode
             *     - `alert.review_needed`: An operation waits for a person to decide, or no longer does
             *     - `alert.contradicted`: A conclusion is contradicted by evidence, until a person closes it
             *     - `alert.endpoint_failing`: An endpoint fails or was disabled for it; sent to the other endpoints
             *     - `alert.courier_unreachable`: Most calls to the courier of a connection have no usable answer
             *     - `alert.projection_stopped`: Lists and webhooks of shipments are out of date, at every shop
             *     - `alert.witness_silent`: A witness has not cosigned the newest checkpoints of the ledger
             * @enum {string}
             */
            type: "shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.witness_silent" | (string & {});
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock
             */
            timestamp: string;
            /** @example v1 */
            api_version: string;
            livemode: boolean;
            /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
            workspace_id: string;
            /** @description Counts a shipment's events from 1 without a gap, subscribed to or not; null for alerts and for events that are not about a shipment */
            sequence: number | null;
            resource: {
                type: string;
                id: string;
                version: number | null;
            };
            data: {
                /** @description The resource at that version as a read shows it, without personal data, free text and pickup code; a tracking has only the new scans */
                object: {
                    [key: string]: unknown;
                };
            };
            /** @description The previous values of the changed fields */
            previous: {
                [key: string]: unknown;
            } | null;
            request_id: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listWorkspaces: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                external_reference?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Another shop",
                 *       "external_reference": "another-shop"
                 *     }
                 */
                "application/json": {
                    name: string;
                    external_reference: string;
                    /** @description For a new workspace. An existing one keeps its own value; use PATCH to change it. */
                    personal_data_retention_days?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: the change is made only to that version; otherwise the answer is 412. */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Another shop"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    personal_data_retention_days?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    placeWorkspaceHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: the change is made only to that version; otherwise the answer is 412. */
                "if-match"?: string;
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Claim 2026-114: keep everything until the court has decided."
                 *     }
                 */
                "application/json": {
                    /** @description Why; kept encrypted */
                    note: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    liftWorkspaceHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: the change is made only to that version; otherwise the answer is 412. */
                "if-match"?: string;
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Claim 2026-114: keep everything until the court has decided."
                 *     }
                 */
                "application/json": {
                    /** @description Why; kept encrypted */
                    note: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    listCourierConnections: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                workspace_id?: string;
                provider_code?: string;
                status?: "active" | "needs_reauth" | "disabled";
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CourierConnection"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createCourierConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
                 *       "provider_code": "mock",
                 *       "display_name": "Simulated courier",
                 *       "credentials": {
                 *         "username": "sandbox",
                 *         "password": "any"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
                    workspace_id: string;
                    provider_code: string;
                    display_name: string;
                    credentials: {
                        username: string;
                        password: string;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourierConnection"];
                };
            };
        };
    };
    getCourierConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourierConnection"];
                };
            };
        };
    };
    deleteCourierConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: the change is made only to that version; otherwise the answer is 412. */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCourierConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: the change is made only to that version; otherwise the answer is 412. */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credentials": {
                 *         "username": "sandbox",
                 *         "password": "any"
                 *       }
                 *     }
                 */
                "application/json": {
                    display_name?: string;
                    credentials?: {
                        username: string;
                        password: string;
                    };
                    /** @enum {string} */
                    status?: "active" | "disabled";
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourierConnection"];
                };
            };
        };
    };
    verifyCourierConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a test key: one of the scenarios that `GET /v1/sandbox/scenarios` lists. */
                "sandbox-scenario"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourierConnection"];
                };
            };
        };
    };
    listCouriers: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Courier"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listAgencies: {
        parameters: {
            query: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                courier_connection_id: string;
                /** @description At most 12 words. Each must be the start of a word in the name, address, district, province or department. Punctuation only separates words. A search without a word returns every agency. */
                search?: string;
                department?: string;
                province?: string;
                district?: string;
                capability?: "drop_off" | "pickup";
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Agency"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getAgency: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agency"];
                };
            };
        };
    };
    listPackageProducts: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                courier_connection_id?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PackageProduct"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scopes": [
                 *         "shipments:read",
                 *         "shipments:write"
                 *       ],
                 *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7"
                 *     }
                 */
                "application/json": {
                    /** @description Only scopes that the calling key has itself. */
                    scopes: ("shipments:read" | "shipments:write" | "connections:read" | "connections:write" | "webhooks:read" | "webhooks:write" | "workspaces:read" | "workspaces:write" | "keys:write" | "operators:write" | "operations:read" | "operations:review" | "ledger:read")[];
                    /** @description Reaches only this workspace. Absent: as far as the calling key. A key of one workspace creates keys of that workspace only. */
                    workspace_id?: string | null;
                    /** @description When it ends, not later than the calling key. Absent: when the calling key ends; null: never. */
                    expires_at?: string | null;
                    /** @description The active operator whose key it is. Only a key that itself belongs to an operator may name one. Absent or null: it belongs to none. */
                    operator_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
        };
    };
    getKeyById: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    listOperators: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                status?: "active" | "disabled";
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Operator"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ana Torres",
                 *       "email": "ana.torres@shop.example"
                 *     }
                 */
                "application/json": {
                    /** @description Shown with their decisions. */
                    name: string;
                    /** @description Where the person is reached. */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operator"];
                };
            };
        };
    };
    getOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operator"];
                };
            };
        };
    };
    updateOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: the change is made only to that version; otherwise the answer is 412. */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ana Torres"
                 *     }
                 */
                "application/json": {
                    /** @description Shown with their decisions. */
                    name?: string;
                    /** @description Where the person is reached. */
                    email?: string;
                    /** @enum {string} */
                    status?: "active" | "disabled";
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operator"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                workspace_id?: string;
                status?: "enabled" | "disabled";
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
                 *       "url": "https://shop.example/webhooks",
                 *       "description": "Orders",
                 *       "event_types": [
                 *         "shipment.*",
                 *         "operation.*",
                 *         "tracking.delivered"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
                    workspace_id: string;
                    /** @description https in live mode; never a private, loopback or link-local address. No credentials and no fragment. */
                    url: string;
                    description?: string | null;
                    /**
                     * @description Types, or families such as `shipment.*`:
                     *     - `shipment.created`: The creation call itself was confirmed
                     *     - `shipment.reconciled`: A guide was established by reconciliation or decision; sent instead
                     *     - `shipment.rejected`: The courier refused: nothing was created
                     *     - `shipment.outcome_unknown`: The answer of the creation call was lost: the guide may exist
                     *     - `shipment.cancelled`: The guide was cancelled, however it was found out
                     *     - `label.ready`: The label can be fetched
                     *     - `operation.needs_review`: Reconciliation cannot conclude: a person must decide
                     *     - `operation.resolved`: An operation whose outcome was unknown ended, by evidence or decision
                     *     - `operation.contradicted`: Evidence turned up against a conclusion
                     *     - `tracking.updated`: New scans, or another status, exception or time of arrival
                     *     - `tracking.delivered`: The parcel was delivered; in addition
                     *     - `tracking.returned`: The parcel is back at its sender; in addition
                     *     - `tracking.lost`: The courier declared the parcel lost; in addition
                     *     - `tracking.exception_raised`: Something holds the parcel up; in addition
                     *     - `tracking.exception_resolved`: Nothing holds the parcel up any more; in addition
                     *     - `connection.needs_reauth`: The courier refuses the credentials of a connection
                     *     - `webhook_endpoint.disabled`: An endpoint was disabled; sent to the other endpoints
                     *     - `quota.threshold_reached`: 80 % or 100 % of a quota are used; once each a month and mode
                     *     - `alert.review_needed`: An operation waits for a person to decide, or no longer does
                     *     - `alert.contradicted`: A conclusion is contradicted by evidence, until a person closes it
                     *     - `alert.endpoint_failing`: An endpoint fails or was disabled for it; sent to the other endpoints
                     *     - `alert.courier_unreachable`: Most calls to the courier of a connection have no usable answer
                     *     - `alert.projection_stopped`: Lists and webhooks of shipments are out of date, at every shop
                     *     - `alert.witness_silent`: A witness has not cosigned the newest checkpoints of the ledger
                     */
                    event_types: ("shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.witness_silent" | "shipment.*" | "label.*" | "operation.*" | "tracking.*" | "connection.*" | "webhook_endpoint.*" | "quota.*" | "alert.*")[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: the change is made only to that version; otherwise the answer is 412. */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: the change is made only to that version; otherwise the answer is 412. */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event_types": [
                 *         "shipment.*",
                 *         "operation.*",
                 *         "tracking.delivered"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description https in live mode; never a private, loopback or link-local address. No credentials and no fragment. */
                    url?: string;
                    description?: string | null;
                    /**
                     * @description Types, or families such as `shipment.*`:
                     *     - `shipment.created`: The creation call itself was confirmed
                     *     - `shipment.reconciled`: A guide was established by reconciliation or decision; sent instead
                     *     - `shipment.rejected`: The courier refused: nothing was created
                     *     - `shipment.outcome_unknown`: The answer of the creation call was lost: the guide may exist
                     *     - `shipment.cancelled`: The guide was cancelled, however it was found out
                     *     - `label.ready`: The label can be fetched
                     *     - `operation.needs_review`: Reconciliation cannot conclude: a person must decide
                     *     - `operation.resolved`: An operation whose outcome was unknown ended, by evidence or decision
                     *     - `operation.contradicted`: Evidence turned up against a conclusion
                     *     - `tracking.updated`: New scans, or another status, exception or time of arrival
                     *     - `tracking.delivered`: The parcel was delivered; in addition
                     *     - `tracking.returned`: The parcel is back at its sender; in addition
                     *     - `tracking.lost`: The courier declared the parcel lost; in addition
                     *     - `tracking.exception_raised`: Something holds the parcel up; in addition
                     *     - `tracking.exception_resolved`: Nothing holds the parcel up any more; in addition
                     *     - `connection.needs_reauth`: The courier refuses the credentials of a connection
                     *     - `webhook_endpoint.disabled`: An endpoint was disabled; sent to the other endpoints
                     *     - `quota.threshold_reached`: 80 % or 100 % of a quota are used; once each a month and mode
                     *     - `alert.review_needed`: An operation waits for a person to decide, or no longer does
                     *     - `alert.contradicted`: A conclusion is contradicted by evidence, until a person closes it
                     *     - `alert.endpoint_failing`: An endpoint fails or was disabled for it; sent to the other endpoints
                     *     - `alert.courier_unreachable`: Most calls to the courier of a connection have no usable answer
                     *     - `alert.projection_stopped`: Lists and webhooks of shipments are out of date, at every shop
                     *     - `alert.witness_silent`: A witness has not cosigned the newest checkpoints of the ledger
                     */
                    event_types?: ("shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.witness_silent" | "shipment.*" | "label.*" | "operation.*" | "tracking.*" | "connection.*" | "webhook_endpoint.*" | "quota.*" | "alert.*")[];
                    /** @enum {string} */
                    status?: "enabled" | "disabled";
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    rotateWebhookEndpointSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "shipment.created"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    type: "shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.witness_silent";
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    recoverWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-03-01T00:00:00.000Z",
                 *       "until": "2026-03-02T00:00:00.000Z"
                 *     }
                 */
                "application/json": {
                    /** Format: date-time */
                    since: string;
                    /** Format: date-time */
                    until: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
        };
    };
    countRecoverableWebhookEndpoint: {
        parameters: {
            query: {
                since: string;
                until: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRecoverable"];
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                type?: "shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.witness_silent";
                workspace_id?: string;
                shipment_id?: string;
                "created_at[gte]"?: string;
                "created_at[gt]"?: string;
                "created_at[lte]"?: string;
                "created_at[lt]"?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEvent"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getWebhookEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                endpoint_id?: string;
                event_id?: string;
                event_type?: "shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.witness_silent";
                /** @description `dead` lists the dead letters. */
                state?: "pending" | "delivered" | "dead" | "discarded";
                shipment_id?: string;
                workspace_id?: string;
                "created_at[gte]"?: string;
                "created_at[gt]"?: string;
                "created_at[lte]"?: string;
                "created_at[lt]"?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    redeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    createQuote: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a test key: one of the scenarios that `GET /v1/sandbox/scenarios` lists. */
                "sandbox-scenario"?: string;
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    getQuote: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    listShipments: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                workspace_id?: string;
                courier_connection_id?: string;
                status?: "creating" | "created" | "rejected" | "not_executed" | "unknown_outcome" | "not_created" | "cancelling" | "cancelled";
                tracking_status?: "registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled";
                external_reference?: string;
                idempotency_key?: string;
                guide_number?: string;
                has_open_operation?: "true" | "false";
                "created_at[gte]"?: string;
                "created_at[gt]"?: string;
                "created_at[lte]"?: string;
                "created_at[lt]"?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Shipment"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createShipment: {
        parameters: {
            query?: never;
            header: {
                /** @description With a test key: one of the scenarios that `GET /v1/sandbox/scenarios` lists. */
                "sandbox-scenario"?: string;
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShipmentRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
        };
    };
    getShipment: {
        parameters: {
            query?: {
                /** @description A version (number of events, from 1) or a time (RFC 3339). */
                as_of?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
        };
    };
    listShipmentEvents: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LedgerEvent"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    cancelShipment: {
        parameters: {
            query?: never;
            header: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
        };
    };
    erasePersonalData: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "include_notes": false
                 *     }
                 */
                "application/json": {
                    /** @description Also erases the notes of decisions and the comments, which may name the person. Only with the key of an operator who has the scope `operations:review`. Who decided what, and when, stays. */
                    include_notes?: boolean;
                } | null;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
        };
    };
    placeShipmentHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Claim 2026-114: keep everything until the court has decided."
                 *     }
                 */
                "application/json": {
                    /** @description Why; kept encrypted */
                    note: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
        };
    };
    liftShipmentHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Claim 2026-114: keep everything until the court has decided."
                 *     }
                 */
                "application/json": {
                    /** @description Why; kept encrypted */
                    note: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
        };
    };
    getTracking: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tracking"];
                };
            };
        };
    };
    refreshTracking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tracking"];
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @enum {string} */
                            type: "label" | (string & {});
                            /** @enum {string} */
                            status: "pending" | "ready" | "erased" | (string & {});
                            content_type: string | null;
                            /** @description Bytes */
                            size: number | null;
                            sha256: string | null;
                        }[];
                    };
                };
            };
        };
    };
    getLabel: {
        parameters: {
            query?: {
                size?: "a6" | "a4";
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The label */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getShipmentEvidence: {
        parameters: {
            query?: {
                /** @description Also what the vault holds: the recipient, notes, the bodies of requests to the courier, labels. Also requires the scopes `shipments:read` and `operations:read`. If it was erased, the bundle says so. */
                include_personal?: "true" | "false";
                /** @description The time zone of the report, by its name in the time zone database. The report has every time in UTC as well. Default: UTC */
                time_zone?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bundle */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    listOperations: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                type?: "shipment_creation" | "shipment_cancellation";
                status?: "reconciling" | "needs_review" | "resolved";
                /** @description Reconciling or in review, so not resolved */
                open?: "true" | "false";
                result?: "guide_exists" | "nothing_created" | "cancelled" | "not_cancelled" | "human_review";
                cause?: "response_lost" | "response_unreadable" | "courier_error" | "deadline_passed" | "process_died";
                contradicted?: "true" | "false";
                escalated?: "true" | "false";
                /** @description Decided for a guide that the courier has not confirmed so far */
                unconfirmed?: "true" | "false";
                /** @description The courier lists a guide that the decision does not use */
                surplus?: "true" | "false";
                /** @description An operator's id, `me` for the operator of the key, or `none` */
                assignee?: ("me" | "none") | string;
                /** @description Put off until a time that is still to come on the workspace's clock */
                snoozed?: "true" | "false";
                provider_code?: string;
                workspace_id?: string;
                shipment_id?: string;
                external_reference?: string;
                idempotency_key?: string;
                "created_at[gte]"?: string;
                "created_at[gt]"?: string;
                "created_at[lte]"?: string;
                "created_at[lt]"?: string;
                /** @description Only operations created at least this long ago */
                older_than_seconds?: number;
                /** @description Which come first; `newest` unless given */
                order?: "newest" | "oldest";
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Operation"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    lookAtOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    resolveOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decision": "nothing_created",
                 *       "note": "The courier confirmed by telephone that there is no guide.",
                 *       "decided_by": "ana.torres"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The first two are for a creation, the last two for a cancellation
                     * @enum {string}
                     */
                    decision: "guide_exists" | "nothing_created" | "cancelled" | "not_cancelled";
                    /** @description Required for guide_exists; the courier is asked about it */
                    guide_number?: string;
                    /** @description With guide_exists: decide even if the courier cannot be asked now. Without it, that case is 409 `guide_unconfirmed`. */
                    accept_unconfirmed?: boolean;
                    note: string;
                    /** @description Who decides. Required from a key that belongs to no operator. Not allowed from an operator's key: the operator decides. Kept with the note. */
                    decided_by?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    assignOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "operator_id": "opr_0aB1cD2eF3gH4iJ5kL6mN7"
                 *     }
                 */
                "application/json": {
                    operator_id: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    snoozeOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "until": "2026-03-02T14:00:00.000Z"
                 *     }
                 */
                "application/json": {
                    /** @description On the workspace's clock */
                    until: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    listOperationComments: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperationComment"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createOperationComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "The agency calls back tomorrow at nine."
                 *     }
                 */
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationComment"];
                };
            };
        };
    };
    getLedgerCheckpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerCheckpoint"];
                };
            };
        };
    };
    getLedgerProof: {
        parameters: {
            query?: {
                /** @description A number of leaves, from 1 to the tree_size of the last checkpoint */
                tree_size?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                position: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerProof"];
                };
            };
        };
    };
    getLedgerConsistency: {
        parameters: {
            query: {
                /** @description A number of leaves, from 1 to the tree_size of the last checkpoint */
                from: string;
                /** @description A number of leaves, from 1 to the tree_size of the last checkpoint */
                to?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerConsistency"];
                };
            };
        };
    };
    listLedgerKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LedgerKey"][];
                    };
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                operator_id?: string;
                key_id?: string;
                action?: "OrganizationCreated" | "OrganizationPlanChanged" | "OrganizationSuspended" | "OrganizationResumed" | "PlanCreated" | "PlanChanged" | "ApiKeyCreated" | "ApiKeyRevoked" | "OperatorCreated" | "OperatorDisabled" | "OperatorChanged" | "WorkspaceCreated" | "WorkspaceChanged" | "WorkspaceHoldPlaced" | "WorkspaceHoldLifted" | "CourierConnectionCreated" | "CourierConnectionChanged" | "CourierCredentialsReplaced" | "CourierConnectionVerified" | "OperationsSeenByPlatform" | "CourierRegistered" | "CourierReplaced" | "WebhookEndpointCreated" | "WebhookEndpointChanged" | "WebhookEndpointDeleted" | "CourierConnectionDeleted" | "WebhookSecretRotated" | "PersonalDataErasureOrdered" | "WebhookRedelivered" | "WebhookPeriodRecovered" | "WebhookDeliveriesSeen" | "AuditEventsSeen" | "AuthenticationsFailed" | "ShipmentReplayed" | "LedgerExported" | "EvidenceExported" | "LedgerMoved" | "MasterKeyRotated";
                resource_type?: "organization" | "plan" | "api_key" | "operator" | "workspace" | "courier_connection" | "courier" | "webhook_endpoint" | "webhook_delivery" | "operation" | "shipment" | "audit_log" | "ledger" | "master_key";
                resource_id?: string;
                workspace_id?: string;
                "created_at[gte]"?: string;
                "created_at[gt]"?: string;
                "created_at[lte]"?: string;
                "created_at[lt]"?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEvent"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getAuditEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEvent"];
                };
            };
        };
    };
    countOperations: {
        parameters: {
            query?: {
                workspace_id?: string;
                provider_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationStatistics"];
                };
            };
        };
    };
    countCreations: {
        parameters: {
            query?: {
                /** @description `hour` unless given. Minutes are kept for 48 hours, hours for 400 days. */
                interval?: "minute" | "hour" | "day";
                /** @description Rounded down to a whole interval in UTC. Unless given, the last 60 minutes, 24 hours or 30 days. */
                from?: string;
                /** @description Exclusive, rounded up to a whole interval. Unless given, now: in test mode on the clock of the workspace, if one is named or the key reaches only one. At most 1,500 intervals after `from`. */
                to?: string;
                workspace_id?: string;
                provider_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreationStatistics"];
                };
            };
        };
    };
    countReconciliations: {
        parameters: {
            query?: {
                /** @description `hour` unless given. Minutes are kept for 48 hours, hours for 400 days. */
                interval?: "minute" | "hour" | "day";
                /** @description Rounded down to a whole interval in UTC. Unless given, the last 60 minutes, 24 hours or 30 days. */
                from?: string;
                /** @description Exclusive, rounded up to a whole interval. Unless given, now: in test mode on the clock of the workspace, if one is named or the key reaches only one. At most 1,500 intervals after `from`. */
                to?: string;
                workspace_id?: string;
                provider_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconciliationStatistics"];
                };
            };
        };
    };
    countCourierCalls: {
        parameters: {
            query?: {
                /** @description `hour` unless given. Minutes are kept for 48 hours, hours for 400 days. */
                interval?: "minute" | "hour" | "day";
                /** @description Rounded down to a whole interval in UTC. Unless given, the last 60 minutes, 24 hours or 30 days. */
                from?: string;
                /** @description Exclusive, rounded up to a whole interval. Unless given, now: in test mode on the clock of the workspace, if one is named or the key reaches only one. At most 1,500 intervals after `from`. */
                to?: string;
                workspace_id?: string;
                provider_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourierStatistics"];
                };
            };
        };
    };
    countWebhookAttempts: {
        parameters: {
            query?: {
                /** @description `hour` unless given. Minutes are kept for 48 hours, hours for 400 days. */
                interval?: "minute" | "hour" | "day";
                /** @description Rounded down to a whole interval in UTC. Unless given, the last 60 minutes, 24 hours or 30 days. */
                from?: string;
                /** @description Exclusive, rounded up to a whole interval. Unless given, now: in test mode on the clock of the workspace, if one is named or the key reaches only one. At most 1,500 intervals after `from`. */
                to?: string;
                workspace_id?: string;
                endpoint_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookStatistics"];
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Items in a page; 25 unless given. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description The id or its beginning, at least 6 characters, in any case, with or without req_. */
                id?: string;
                key_id?: string;
                method?: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
                route?: string;
                status?: "2xx" | "3xx" | "4xx" | "5xx";
                reason?: "unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "validation_failed" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "unknown_outcome" | "nothing_created" | "shipment_not_cancellable" | "not_cancelled" | "courier_rejected" | "courier_not_available" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "shipment_has_no_guide" | "operation_open" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "operation_already_resolved" | "operation_full" | "guide_unconfirmed" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing";
                outcome?: "not_executed" | "executed" | "unknown";
                min_duration_ms?: string;
                "created_at[gte]"?: string;
                "created_at[gt]"?: string;
                "created_at[lte]"?: string;
                "created_at[lt]"?: string;
            };
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Request"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: if it is the current version, the answer is 304. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Request"];
                };
            };
        };
    };
    findByText: {
        parameters: {
            query: {
                text: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Search"];
                };
            };
        };
    };
    listSandboxScenarios: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SandboxScenario"][];
                    };
                };
            };
        };
    };
    getSandboxClock: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "by": "P2D"
                 *     }
                 */
                "application/json": {
                    /** @example ws_0aB1cD2eF3gH4iJ5kL6mN7 */
                    workspace_id?: string;
                    /** @description How far, at most 60 days: a duration of ISO 8601. */
                    by: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            /** @description The clock advances in the background */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    receiveWebhook: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id: the same on every delivery */
                "webhook-id": string;
                /** @description Time of this attempt in seconds since 1970, in real time; reject anything older than 300 s */
                "webhook-timestamp": string;
                /** @description `v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`, as in Standard Webhooks 1.0. During a rotation there are two, separated by a space. */
                "webhook-signature": string;
                /** @description `sha256=` and hex of HMAC-SHA256 over the body alone; it does not protect the time. One for each signature in the other header. */
                "webhook-body-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPayload"];
            };
        };
        responses: {
            /** @description The receiver is gone for good: the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again after 5 s, then ever longer, for three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
