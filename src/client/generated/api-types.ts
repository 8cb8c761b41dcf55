// Generated from docs/openapi.json by `npm run generate`.
export interface paths {
    "/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workspaces, newest first
         * @description The workspaces of your organization in the mode of the key. A key of one workspace sees only that one.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace, once for each external_reference
         * @description Call it when you set up a shop. Repeating it with the same `external_reference` creates nothing and returns 200 with the existing workspace, whatever the name, with or without an `Idempotency-Key`. 403 `plan_limit_reached`: the plan allows no more workspaces in this mode.
         */
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
        /**
         * Read a workspace
         * @description Use it to see the retention and a legal hold, or to get the `ETag` for a PATCH.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a workspace, or change its settings
         * @description A shorter retention also applies to existing shipments: the personal data of older ones is erased soon after. Setting a field to its current value changes nothing. With `If-Match`, 412 `precondition_failed` if the workspace has changed since you read it.
         */
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
         * @description Until the hold is lifted, no personal data of the workspace's shipments is erased, including shipments created later: erasures are refused with 409 `legal_hold`, and retention waits. Data erased before stays erased. The note is stored encrypted. Repeating the call changes nothing.
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
         * @description Shipments with a hold of their own stay on hold. Retention resumes and erases what has become due in the meantime. Repeating the call changes nothing.
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
        /**
         * List courier connections, newest first
         * @description Removed connections are not listed.
         */
        get: operations["listCourierConnections"];
        put?: never;
        /**
         * Connect a courier account to a workspace
         * @description Call it once for each account of a shop. `credentials` has the `credential_fields` of the courier in `GET /v1/couriers`; another or a missing one is 422. Whether the courier accepts them shows when they are first used; `verify` checks them at once. 422 `courier_not_available`: there is no courier with this code in the mode of the key. 403 `plan_limit_reached`: the plan allows no more connections.
         */
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
        /**
         * Read a courier connection
         * @description Use it to see whether the courier still accepts the credentials.
         */
        get: operations["getCourierConnection"];
        put?: never;
        post?: never;
        /**
         * Remove a connection that has no unresolved operation
         * @description Its shipments can still be read. 409 `connection_in_use`: an operation still needs the connection to ask the courier; wait until it is resolved. To stop creations at once, set `status` to `disabled` instead.
         */
        delete: operations["deleteCourierConnection"];
        options?: never;
        head?: never;
        /**
         * Rename, rotate the credentials, disable or enable
         * @description After a 424 `connection_needs_reauth`, send new `credentials` here and repeat the creation with the same key. With `If-Match`, 412 `precondition_failed` if the connection has changed since you read it.
         */
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
         * @description Use it after you entered credentials. The answer is 200 in both cases: `status` is `active` or, if the courier refuses the credentials, `needs_reauth`. Repeating it is safe. 503 `courier_unreachable` says nothing about the credentials.
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
        /**
         * List the couriers that this key may use
         * @description Use it to offer couriers to a shop before it connects one.
         */
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
        /**
         * Search the agencies of a connection's courier, best match first
         * @description Use it to let a person choose where a parcel starts and where it is collected. 503 `courier_unreachable`: the list is not known yet and the courier cannot be asked now.
         */
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
        /**
         * Read an agency
         * @description Use it to show the agency of a shipment by its id.
         */
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
        /**
         * List the package products of one connection, or of all couriers of this key
         * @description Use it to choose the `product_id` of a package: the parcel must be within the limits of the product.
         */
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
        /**
         * Read this key and its scopes
         * @description Use it to find out which key is in use and what it may do. Any key may call it.
         */
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
        /**
         * List the organization's keys of this mode, newest first, without their secrets
         * @description Revoked and expired keys are listed too. A key of one workspace sees only the keys of that workspace.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key of this mode that may do no more than this one
         * @description The answer shows the key itself, only this once. A repeat with the same Idempotency-Key returns `key: null`. The new key has only scopes that the calling key has, reaches no other workspace, has the same mode and expires no later. It belongs to the operator of the calling key or to none, never to another operator.
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
        /**
         * Read one of the organization's keys, without its secret
         * @description Use it to see whether a key is still in use before you revoke it.
         */
        get: operations["getKeyById"];
        put?: never;
        post?: never;
        /**
         * Revoke a key, everywhere within 5 seconds
         * @description Revoking a revoked key changes nothing and returns the same answer. A key may revoke itself, whatever its scopes, and may then keep working for up to 5 seconds. Keys that it created stay valid.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a key: create the next one and let the old one live for a while
         * @description The next key has the name, role, scopes, workspace and operator of the old one. The answer shows it, only this once. A repeat with the same Idempotency-Key rolls nothing and returns `key: null`; if that answer was lost, roll the next key. The limits of `POST /v1/keys` apply: a key rolls only keys that it could create.
         */
        post: operations["rollKey"];
        delete?: never;
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
         * Create an operator: a person who decides operations
         * @description Operators belong to the organization, so a key that is restricted to a workspace cannot create one. The name and the address appear in no event, webhook or log.
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
        /**
         * Read an operator
         * @description Use it to show who decided, by the `operator_id` of a decision.
         */
        get: operations["getOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename, disable or enable an operator
         * @description The keys of a disabled operator stop working everywhere within 5 seconds, including the calling key. Keys without an operator that they created keep working unless `revoke_created_keys` is true; the answer lists them, and repeating the request can still revoke them. `status: active` lets the keys of the operator work again, except those that were revoked or have expired. A key that is restricted to a workspace cannot change operators.
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
         * Read the plan's limits and their usage, in the mode of the key
         * @description Any key may call it: the limits apply to the organization, not to a workspace. A key of one workspace sees the limits and whether they are reached, but not the usage.
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
        /**
         * List webhook endpoints, newest first
         * @description Removed endpoints are not listed.
         */
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
        /**
         * Read a webhook endpoint; its secret is not shown again
         * @description Use it to see its health and why it is disabled.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Remove an endpoint and discard its pending deliveries
         * @description Nothing is sent to it again. Its past deliveries can still be read. To stop for a while, set `status` to `disabled` instead: `recover` can later send what was missed.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change the URL or the subscription, disable or enable
         * @description Disabling discards pending deliveries, and events that happen while it is disabled are not sent; `recover` can send them later. `status: enabled` and a new `url` reset earlier failures.
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
         * @description The endpoint need not subscribe to the type. At most one example a second. It is sent at once, even while the endpoint is paused, and signed and retried like any other event. `sequence` is null, and the ids in `data` belong to no real object.
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
         * @description Resends every event of the workspace from `since` on and before `until`, on its clock, that the endpoint now subscribes to and that is neither delivered nor pending. That includes dead and discarded deliveries and events that were never sent to it. The bodies and ids are the original ones. 8 of them are sent at once, even while the endpoint is paused; a success ends the pause, and the rest follows. At most 14 days and 10000 events a call, oldest first; while `has_more`, repeat with `next_since`. Repeating is safe.
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
         * @description How many events `recover` with the same period would resend if it were called now. It changes nothing.
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
        /**
         * List webhook events, newest first, subscribed to or not
         * @description Use it to catch up without an endpoint, or to see what an endpoint should have received. Events are kept for 30 days.
         */
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
        /**
         * Read a webhook event
         * @description Use it to see again what a delivery contained.
         */
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
        /**
         * List deliveries, newest first; `state=dead` is the dead-letter queue
         * @description Use it to find out why events did not arrive. The list leaves out the receivers' responses; read one delivery to see them.
         */
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
        /**
         * Read a delivery with every attempt and the receiver's response
         * @description Use it after `test` or `redeliver` to see how the attempt ended.
         */
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
         * @description Sends the original body and id with a new timestamp, at once, even while the endpoint is paused. If that fails, the retry schedule follows as usual. A success ends the pause. Repeated calls within one second count as one.
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
         * Get the price of a parcel
         * @description A service without a price is listed in `errors`; the others are still priced. A creation that names the quote within 30 minutes gets its price, or no guide. Nothing is reserved, so a failed quote can be requested again.
         *
         *     With `courier_connection_ids` the couriers of up to 10 connections are asked at once, and the answer comes after at most 8 s: the rates of all of them, cheapest first, and an error for each connection that has none. The status is then 201 even if no connection has a price.
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
        /**
         * Read a quote; quotes are kept for 7 days
         * @description Use it to look up the price that a creation was held to.
         */
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
        /**
         * List shipments, newest first
         * @description Filters are combined with *and*. The list follows changes within about a second; reading one shipment never lags.
         */
        get: operations["listShipments"];
        put?: never;
        /**
         * Create a shipment: one key, one guide
         * @description The `Idempotency-Key` identifies the logical attempt to ship an order: use one key per order, and keep it. Repeating the request with the same key and body never creates a second guide, however much later; it returns the outcome of the first request. After a lost connection, a 503 or a 424, repeat with the same key. On 409 `unknown_outcome` the guide may exist: create nothing and read the operation. After 422 `courier_rejected` or 409 `nothing_created` it is certain that nothing was created; another attempt needs a new key.
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
        /**
         * Read a shipment, now or at an earlier version
         * @description Never older than the last response to the same client. Erased data is `null` at every version.
         */
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
        /**
         * Read the whole history of a shipment, oldest first
         * @description Every event of its stream, for auditors: what was requested, sent, answered, looked up and decided, by whom and when. It contains no personal data.
         */
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
         * Cancel a shipment
         * @description The `Idempotency-Key` identifies the logical attempt to cancel this shipment; other shipments may use the same key. On 409 `unknown_outcome` the guide may have been cancelled: read the operation. For a shipment that is already cancelled, any key gets 200.
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
         * @description Destroys the data key of the shipment: its recipient, declared content, metadata, label and all courier texts are gone from every version. The history stays, and so do decision notes and comments, unless `include_notes` is `true`. A shipment that is being created or cancelled, or whose cancellation has an unknown outcome, cannot be erased. A creation whose outcome is unknown is still reconciled. A legal hold on the shipment or its workspace blocks the erasure until it is lifted. Repeating the call changes nothing.
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
         * @description Until the hold is lifted, the shipment's personal data is not erased: erasures are refused with 409 `legal_hold`, and retention skips the shipment. The hold also keeps decision notes and comments: an erased shipment that still has any can be held, but the note of that hold is not kept. Nothing else changes. Repeating the call changes nothing.
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
         * @description A hold on its workspace stays in force. If the retention period has ended meanwhile, the shipment is erased. Repeating the call changes nothing.
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
        /**
         * Read where the parcel is
         * @description Returns what is already known: the courier is not asked. The status is `null` until there is a guide. The webhook `tracking.updated` reports changes, so you need not poll.
         */
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
         * @description At most once every 10 s. Restarts automatic tracking if it had expired. If the courier does not answer, nothing changes. Without a guide the courier is not asked.
         */
        post: operations["refreshTracking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/tracking-link/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the link to the recipient's page
         * @description For a link that reached the wrong person: the former `tracking_url` leads nowhere from now on, including the one printed on a label, and the answer has the new one. Of two requests at once, one replaces it and both get the new link. A link can be rolled 255 times.
         */
        post: operations["rollTrackingLink"];
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
        /**
         * List a shipment's documents
         * @description Use it to check whether the label is ready, without downloading it.
         */
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
        /**
         * Download the label
         * @description One page per piece, in the `label_format` of the workspace unless the query names another. As `pdf` in A6 or A4 without a caption, it is the courier's own file, and otherwise the courier's label on a page of ours: `lang` chooses only the name and title of the file. If the label is not made yet, the courier is asked for it, at most once every 10 s, and the response is 409 `label_not_ready` with `Retry-After`. It is 409 `label_unreadable` for a label that cannot be printed, and 410 `personal_data_erased` after an erasure. One file is printed at a time and a few requests wait; others get 503 `overloaded` with `Retry-After`.
         */
        get: operations["getLabel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Print the labels of many shipments as one file
         * @description Shipments without a label are listed on pages at the front, each with the reason: it was not created or was cancelled, or its label was not fetched yet, was erased or cannot be read. The `label_format` of their workspace applies to what the request leaves out; if the shipments are of workspaces with different ones, none does. Nothing changes, and the courier is not asked. One file is printed at a time and a few requests wait; others get 503 `overloaded` with `Retry-After`.
         */
        post: operations["printLabels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/manifests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Print the manifest of many shipments as one PDF
         * @description One list per workspace and origin agency, for both sides to sign, with each guide number as text and as a Code 128 barcode. Shipments that must not be handed over are listed at the end with the reason: no guide, an unknown outcome, or a cancellation. Recipients are not shown. Nothing changes. One file is printed at a time and a few requests wait; others get 503 `overloaded` with `Retry-After`.
         */
        post: operations["printManifest"];
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
         * @description Contains a report for people, the whole history with its proofs, the signed checkpoint with the cosignatures of witnesses, a program that checks all of it offline, and a signed list of the files. `lang` is the language of `report.pdf` and `README.md`. Each bundle is recorded in the audit. The latest events must be sealed: if they are not yet, wait for `Retry-After`.
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
        /**
         * List operations whose outcome was unknown, newest first by default
         * @description The work list of operators: `status=needs_review` selects what waits for a person. An operation whose outcome was never unknown is not listed, but can be read by its id. The list follows changes within about a second. The platform also sees the escalated operations of other organizations, without personal data.
         */
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
         * @description After a 409 `unknown_outcome`, read the operation at the pace of `Retry-After` until its `status` is `resolved`; `result` then says what to do. Every attempt can be read: one whose outcome was never unknown has `cause: null`.
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
         * @description Use it when the courier may know more by now. At most once every 10 s, otherwise 429 `rate_limited`. The result counts by the same rules as automatic looks. A resolved operation can be looked at too, to see whether a surplus guide is gone, or to confirm a guide. A guide that was not known at the conclusion contradicts it; after `nothing_created`, any guide does.
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
         * @description For an operation in `needs_review`, and for one in `reconciling` whose `settle_until` has passed. 409 `operation_not_settled`: it is too early for this decision. Repeating the same decision succeeds; a different one is 409 `operation_already_resolved`. A guide that the courier does not know under our reference is 422 `guide_not_found`. Once the notes of the shipment are erased (`include_notes`), a decision is recorded without its note, and the response has `note: null`.
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
         * Assign an operation to an operator
         * @description The operator must be active and belong to the key's organization; `null` unassigns the operation. Nothing else changes: anyone with the scope may still decide it. It stays assigned when it is resolved. Assigning the same operator again changes nothing.
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
         * Snooze an operation until a time
         * @description Only lists change: until then the operation is in `snoozed=true` and not in `snoozed=false`. Reconciliation continues, and anyone with the scope may decide it. The snooze ends at that time, or earlier if the operation comes into review, is contradicted or is resolved. At most 30 days; `null` ends it now.
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
        /**
         * List the comments on an operation, oldest first
         * @description Lists all comments; the operation itself shows only the newest.
         */
        get: operations["listOperationComments"];
        put?: never;
        /**
         * Comment on an operation
         * @description The text is stored encrypted outside the ledger. Erasing the shipment's personal data keeps it unless `include_notes` is `true`, so do not write more about the person than the work needs. An operation takes at most 200 comments.
         */
        post: operations["createOperationComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{id}/guides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the guides that the courier has under our reference
         * @description Use it to decide an operation whose reference has several guides. It reads recorded answers and does not ask the courier; `POST /v1/operations/{id}/look` does. Empty for a cancellation.
         */
        get: operations["listOperationGuides"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{id}/guides/{guide_number}/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask the courier now for the scans of a guide under our reference
         * @description Use it to find out which of several guides is on the parcel: only the guide that the shipment follows is tracked. At most once every 10 s for each guide, otherwise 429 `rate_limited`. The answer is not stored and changes neither the operation nor the shipment's tracking.
         */
        get: operations["listOperationGuideScans"];
        put?: never;
        post?: never;
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
         * @description Keep it: later, a consistency proof shows that nothing before it was changed. While the service keeps up, every event is covered within two seconds. 404 `not_found` until the first events are sealed.
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
         * @description Use it with the `position` of a ledger event. An event that is not sealed yet, or that the key does not reach, is not found.
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
        /**
         * Prove that an earlier state of the sealed ledger is the beginning of a later one
         * @description Use it with a checkpoint that you kept: the proof fails if anything before it was changed or removed. A size beyond the last checkpoint is 400 `invalid_filter`.
         */
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
        /**
         * Read the public keys that have signed checkpoints, oldest first
         * @description Use them to check the signatures of checkpoints. Keep your own copy.
         */
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
         * @description What was created, changed, deleted and revoked, and by whom, and what the platform read with its commands. A key sees the acts in its mode and those on the organization as a whole; a key of one workspace sees only the acts in that workspace. An act appears about a second after it was recorded.
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
        /**
         * Read an administrative act
         * @description Use it with the id of an event in an export.
         */
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
         * @description Each call to the courier is counted once, when it ended: a key that is tried again is counted again. Every interval is in the response. Times are the times at which events were recorded, in test mode on the workspace's clock; an event is counted about a second later. The platform sees the sums of all organizations.
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
         * @description Every interval is in the response. Times are the times at which events were recorded, in test mode on the workspace's clock.
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
         * @description The calls that create, cancel and look for guides; each request of a safe retry counts. Every interval is in the response. Times are the times at which events were recorded, in test mode on the workspace's clock; latency is real time. The platform sees the sums of all organizations.
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
         * @description Every interval is in the response. An attempt is counted when it ended, in test mode on the workspace's clock.
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
         * @description Use it to find out what a client did: route, status and time, but no bodies, queries or values in a path. For each organization and mode, each process records up to twenty successes, twenty 429 answers and twenty other errors a second, and `represents` says how many requests each stands for. A request appears about a second after its answer. The list is no evidence; the ledger is. It keeps at most the newest 200,000 requests per organization and mode. Requests without a valid key are not listed.
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
        /**
         * Read the newest request of the last seven days with this id
         * @description Use it with the `request_id` of a problem to see which call failed.
         */
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
         * @description Ids match by their beginning: at least 6 characters after the prefix, in upper or lower case, with the prefix or without. External references match by their beginning, and idempotency keys and guide numbers as a whole; these are case-sensitive. A guide number that a look found leads to the operation, even if the shipment has another guide. At most 10 of each are returned, within the reach of the key and the kinds of object that its scopes may read. Operations are found by their id only if their outcome was once unknown.
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
        /**
         * List the scenarios of the simulated courier
         * @description Everything that you can try with a test key, such as a lost answer. Name a scenario in the header `Sandbox-Scenario` of a creation. A live key gets 400 `sandbox_only`.
         */
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
        /**
         * Read a test workspace's clock
         * @description Use it to wait for the end of an advance: then `advancing_to` is `null`, and `advance.skipped` lists what could not be done. A live key gets 400 `sandbox_only`.
         */
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
        /**
         * Advance a test workspace's clock and do what falls due on the way
         * @description Use it to see in seconds what takes days: looks, tracking, webhook retries, retention. A clock never goes back. While it advances, another advance and creations in the workspace are 409 `clock_advancing`. Jobs of different shipments that fall due within minutes are done at once; the jobs of one shipment are done in order.
         */
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
         * Read the health of the service, as far as the key may see it
         * @description Use it for a dashboard or an alert. It answers 200 in both cases: read `status`. A key of the platform sees the operations of every organization, other keys see those of their own.
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
    "/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List batches, newest first
         * @description Each batch has the current number of its lines in each state.
         */
        get: operations["listBatches"];
        put?: never;
        /**
         * Create many shipments: one key and one guide per line
         * @description At most 1,000 lines as JSON in at most 2 MiB, or 10,000 as NDJSON (`application/x-ndjson`) or CSV (`text/csv`) in at most 8 MiB. A line has at most 64 KiB and 200 fields. The response comes before any line is created: follow the batch, or wait for the webhook `batch.completed`. Each line is checked and answered on its own, exactly as `POST /v1/shipments` does: a bad line never affects the others. Send the same batch again after any failure, and to retry failed lines: a line whose shipment has a guide, or may have one, finds that shipment; a line that certainly created nothing is tried again with a new key. A batch is kept for 90 days after its end.
         */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a batch and how many of its lines are in each state
         * @description Use it to follow the progress of a batch, and to see how many lines need attention.
         */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lines of a batch in order, with their errors
         * @description To retry failed lines, correct them and send the batch again.
         */
        get: operations["listBatchItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}/documents/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Print the labels of a batch as one file, in the order of its lines
         * @description Lines without a label are listed on pages at the front, each with the reason, unless `complete` is `true`. For a large batch, print a range of lines at a time. One file is printed at a time and a few requests wait; others get 503 `overloaded` with `Retry-After`.
         */
        get: operations["getBatchLabels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}/documents/manifest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Print the manifest of a batch as one PDF
         * @description One list per origin agency, for both sides to sign, as `POST /v1/manifests` prints it. Lines that must not be handed over are listed at the end with the reason. One file is printed at a time and a few requests wait; others get 503 `overloaded` with `Retry-After`.
         */
        get: operations["getBatchManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch
         * @description Lines that have not begun are skipped. Lines that have begun are finished, because their guides may exist. No guide is cancelled. A batch that has ended does not change.
         */
        post: operations["cancelBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List couriers' invoices, newest first
         * @description Each invoice has the totals of its findings. It is listed once, whatever the number of its versions.
         */
        get: operations["listCourierInvoices"];
        put?: never;
        /**
         * Import a courier's invoice, to compare it with the ledger
         * @description At most 1,000 lines as JSON, or 100,000 as CSV (`text/csv`) in at most 16 MiB; CSV has the connection, reference and period in the query. The response comes before the lines are compared: read the invoice until its `status` is `compared`. Sending the same lines and period again under the same connection and reference returns the same invoice (`Idempotent-Replayed: true`); other content becomes its next version, and both are kept. An invoice with an invalid line is refused, and the errors name the lines; with `skip_invalid=true` the good lines are imported, and the invalid ones are kept with their errors and bill nothing. An invoice without a good line is always refused. A line for an attempt that was concluded as `nothing_created` starts a look at once: a guide contradicts the conclusion. Weights, dates, references and notes are kept for 730 days, and everything else for good, so that a guide that is billed again years later is recognized.
         */
        post: operations["createCourierInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices/fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch the invoice of a month from the courier, to compare it with the ledger
         * @description For couriers whose `capabilities.invoices` is `true`; for others the response is 422 `validation_failed` with `no_invoices`. The invoice is stored as if you had imported it, under the reference that the courier gives it. Fetching the month again with the same lines, in any order, returns the same invoice; other lines become its next version, which keeps the decisions of the lines that did not change. 409 `invoice_not_ready`: there is no invoice for the month, or not yet. An organization fetches one invoice at a time; other requests wait.
         */
        post: operations["fetchCourierInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a courier's invoice, with the totals of its findings
         * @description Totals change when a line without a final finding is compared again, which happens within seconds of a change of its shipment.
         */
        get: operations["getCourierInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices/{id}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare an invoice with the ledger again
         * @description Use it after a shipment or another invoice has changed. Attempts that created nothing are looked up again. Decisions are kept. A comparison that is under way continues.
         */
        post: operations["compareCourierInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw an invoice that was imported by mistake
         * @description Its lines no longer bill any guide: other invoices of the connection that bill the same guides are compared again by themselves. A withdrawn invoice can still be read, but is neither compared nor decided. Sending it again under its reference makes a new version, which is compared behind the invoices that were imported in the meantime. Withdrawing it again changes nothing.
         */
        post: operations["withdrawCourierInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lines of an invoice in order, with their findings
         * @description To find what needs a person, filter by `finding` and `decided=false`. Lines of earlier versions keep the findings and decisions that they had.
         */
        get: operations["listCourierInvoiceLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shipments/{id}/courier-invoice-lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lines of couriers' invoices that bill a shipment
         * @description The compared lines of the newest versions of all invoices, in the order in which the courier billed them. Lines of withdrawn invoices bill nothing and are not listed.
         */
        get: operations["listShipmentInvoiceLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices/{id}/lines.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the lines of an invoice as CSV
         * @description In UTF-8, separated by commas, with amounts in minor units. A cell that a spreadsheet would run as a formula begins with an apostrophe.
         */
        get: operations["downloadCourierInvoiceLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices/{id}/invalid-lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lines of an invoice that were skipped because they are wrong, in order
         * @description Only an import with `skip_invalid=true` has such lines. They bill nothing: they are in no total, finding, list of what was not billed, evidence or claim. To have them compared, correct them in the file and send the whole file again: it becomes the next version of the invoice.
         */
        get: operations["listInvalidInvoiceLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices/{id}/lines/{line}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept or dispute a line's finding
         * @description For a compared line of the newest version. A later decision replaces it; the audit keeps both. With `seen`, the line is decided only if it is still as you read it. Repeating the same decision with the same note about the same finding changes nothing. A new version of the invoice keeps the decisions of the lines that did not change.
         */
        post: operations["decideCourierInvoiceLine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices/{id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Print the claim about the disputed lines of an invoice as a PDF
         * @description To send to the courier: each disputed line of the newest version, what is claimed for it and why, and the sum for each currency, in the language of `lang`. It has no ids and no names of people. `GET /v1/courier-invoices/{id}/evidence` has the same claim together with the evidence. At most 1,000 lines; for more, `evidence_too_large` says where to split them with `first_line` and `last_line`. Without a disputed line it is 400 `invalid_filter`. Also requires the scope `operations:read`.
         */
        get: operations["getCourierInvoiceClaim"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the evidence about lines of an invoice as one ZIP file
         * @description For disputes: `claim.pdf` for the courier if any of the chosen lines is disputed, the chosen lines as `lines.csv`, a README, and for each of their shipments a folder with the bundle of `GET /v1/shipments/{id}/evidence`. Lines without a shipment are in `lines.csv` and in the README. `lang` is the language of the claim, the README and the reports; names of files and columns are in English. A file has at most 1,000 lines about at most 50 shipments; for more, `evidence_too_large` says where to split them with `first_line` and `last_line`. Each bundle is recorded in the audit. One such file is made at a time for each organization: other requests get 503 `overloaded` with `Retry-After`. Also requires the scope `operations:read`.
         */
        get: operations["getCourierInvoiceEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/courier-invoices/{id}/not-billed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List guides of the invoice's period that no invoice bills, oldest first
         * @description Guides of the connection's shipments that were requested in the period, on the clock of their workspace, and that no invoice of the connection bills. Of each invoice only the newest version counts, and withdrawn invoices do not.
         */
        get: operations["listGuidesNotBilled"];
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
         * @description The body is serialized once, so every attempt and redelivery sends the same bytes. Verify before you parse, answer 2xx within 15 s, and do the work afterwards. Delivery is at least once and in no particular order: deduplicate by `id`, order by `resource.version`.
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
         * @description A parcel and its route, to be priced.
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
         * @example {
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
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
         *       "courier_connection_ids": [
         *         "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *         "ccn_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0"
         *       ]
         *     }
         */
        QuoteRequest: {
            /**
             * @description The shop that asks for the price.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /** @description The account at the courier, a connection of the same workspace. Exactly one of it and `courier_connection_ids` is required. */
            courier_connection_id?: string | null;
            /** @description For the rates of several couriers side by side: 1 to 10 different connections of the same workspace, of one courier or of several. */
            courier_connection_ids?: string[] | null;
            /** @description The agency where the parcel is dropped off. It must have the capability `drop_off`. */
            origin: {
                /**
                 * @description An agency of the connection's courier, from `GET /v1/agencies`.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id?: string;
                /** @description Instead of `agency_id`, for connections of different couriers: at most one agency for each courier, with the capability `drop_off`. */
                agency_ids?: string[];
            };
            /** @description The agency where the recipient collects the parcel. It must have the capability `pickup`. */
            destination: {
                /**
                 * @description An agency of the connection's courier, from `GET /v1/agencies`.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id?: string;
                /** @description Instead of `agency_id`, for connections of different couriers: at most one agency for each courier, with the capability `pickup`. */
                agency_ids?: string[];
            };
            /** @description The parcel. It must be within the limits of its product. */
            package: {
                /**
                 * @description The kind of parcel, from `GET /v1/package-products`.
                 * @example pkg_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                product_id?: string;
                /**
                 * @description How many pieces of this weight and size there are, from 1 to 99.
                 * @example 1
                 */
                quantity: number;
                /**
                 * @description The weight of a piece in kilograms, with at most three decimals.
                 * @example 0.8
                 */
                weight_kg: number;
                /**
                 * @description The height of a piece in meters, with at most three decimals.
                 * @example 0.05
                 */
                height_m: number;
                /**
                 * @description The length of a piece in meters, with at most three decimals.
                 * @example 0.2
                 */
                length_m: number;
                /**
                 * @description The width of a piece in meters, with at most three decimals.
                 * @example 0.15
                 */
                width_m: number;
                /** @description Instead of `product_id`: at most one for each courier. */
                product_ids?: string[];
            };
            /** @description The service to price. If it is absent or `null`, every service of each courier is priced. */
            service?: {
                /**
                 * @description How the parcel travels.
                 * @enum {string}
                 */
                mode: "terrestrial" | "air";
                /**
                 * @description Who pays the courier.
                 * @enum {string}
                 */
                payer: "sender" | "recipient";
            } | null;
            /** @description What the content is worth. The courier needs the capability `declared_value`. */
            declared_value?: {
                /**
                 * @description The amount in minor units of the currency: 1450 is PEN 14.50.
                 * @example 15000
                 */
                amount: number;
                /**
                 * @description The ISO 4217 code.
                 * @example PEN
                 */
                currency: string;
            } | null;
            /** @description What the courier collects from the recipient for the shop. It needs the capability `cash_on_delivery`. */
            cash_on_delivery?: {
                /**
                 * @description The amount in minor units of the currency: 1450 is PEN 14.50.
                 * @example 15000
                 */
                amount: number;
                /**
                 * @description The ISO 4217 code.
                 * @example PEN
                 */
                currency: string;
            } | null;
        };
        /**
         * @description An order to ship a parcel.
         * @example {
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "external_reference": "order-5001",
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
            /**
             * @description The shop that ships.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description The account at the courier, a connection of the same workspace.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id: string;
            /**
             * @description Your own order reference. It need not be unique. It is stored unencrypted: do not put personal data in it.
             * @example order-5001
             */
            external_reference: string;
            /** @description The agency where the parcel is dropped off. It must have the capability `drop_off`. */
            origin: {
                /**
                 * @description An agency of the connection's courier, from `GET /v1/agencies`.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The agency where the recipient collects the parcel. It must have the capability `pickup`. */
            destination: {
                /**
                 * @description An agency of the connection's courier, from `GET /v1/agencies`.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The parcel. It must be within the limits of its product. */
            package: {
                /**
                 * @description The kind of parcel, from `GET /v1/package-products`.
                 * @example pkg_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                product_id: string;
                /**
                 * @description How many pieces of this weight and size there are, from 1 to 99.
                 * @example 1
                 */
                quantity: number;
                /**
                 * @description The weight of a piece in kilograms, with at most three decimals.
                 * @example 0.8
                 */
                weight_kg: number;
                /**
                 * @description The height of a piece in meters, with at most three decimals.
                 * @example 0.05
                 */
                height_m: number;
                /**
                 * @description The length of a piece in meters, with at most three decimals.
                 * @example 0.2
                 */
                length_m: number;
                /**
                 * @description The width of a piece in meters, with at most three decimals.
                 * @example 0.15
                 */
                width_m: number;
            };
            /** @description How the parcel travels, and who pays. */
            service: {
                /**
                 * @description How the parcel travels.
                 * @enum {string}
                 */
                mode: "terrestrial" | "air";
                /**
                 * @description Who pays the courier.
                 * @enum {string}
                 */
                payer: "sender" | "recipient";
            };
            /**
             * @description What is in the parcel, as declared to the courier.
             * @example Books
             */
            declared_content: string;
            /** @description The person who collects the parcel. Kept encrypted until it is erased. */
            recipient: {
                /**
                 * @description The kind of identity document. `RUC` is a tax number.
                 * @enum {string}
                 */
                document_type: "DNI" | "CE" | "RUC" | "PASSPORT";
                /**
                 * @description Its number. DNI: 8 digits; CE: 9 to 12 letters or digits; RUC: 11 digits, the last one a check digit; PASSPORT: 6 to 12 letters or digits.
                 * @example 45678912
                 */
                document: string;
                /**
                 * @description The given names.
                 * @example Ana
                 */
                first_name: string;
                /**
                 * @description The family names.
                 * @example Torres
                 */
                last_name: string;
                /**
                 * @description In the form E.164. Only couriers with the capability `recipient_phone` get it.
                 * @example +51987654321
                 */
                phone?: string;
                /**
                 * Format: email
                 * @description Only couriers with the capability `recipient_phone` get it.
                 * @example ana@example.com
                 */
                email?: string;
            };
            /**
             * @description Your own keys and texts, returned as they are and not sent to the courier. At most 20 keys of 40 characters, 500 characters for each value, and 4096 bytes in all. Kept encrypted until it is erased.
             * @example {
             *       "channel": "web"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description A quote for the same connection, agencies, package, declared value and cash on delivery: the guide is created at its price or not at all. If absent or `null`, the price is what the courier charges. */
            quote_id?: string | null;
            /** @description What the content is worth. The courier needs the capability `declared_value`. */
            declared_value?: {
                /**
                 * @description The amount in minor units of the currency: 1450 is PEN 14.50.
                 * @example 15000
                 */
                amount: number;
                /**
                 * @description The ISO 4217 code.
                 * @example PEN
                 */
                currency: string;
            } | null;
            /** @description What the courier collects from the recipient for the shop. It needs the capability `cash_on_delivery`. */
            cash_on_delivery?: {
                /**
                 * @description The amount in minor units of the currency: 1450 is PEN 14.50.
                 * @example 15000
                 */
                amount: number;
                /**
                 * @description The ISO 4217 code.
                 * @example PEN
                 */
                currency: string;
            } | null;
        };
        /**
         * @description Shipments to create together.
         * @example {
         *       "external_reference": "monday-morning",
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "items": [
         *         {
         *           "external_reference": "order-5001",
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
         *           "declared_content": "Books",
         *           "recipient": {
         *             "document_type": "DNI",
         *             "document": "45678912",
         *             "first_name": "Ana",
         *             "last_name": "Torres"
         *           }
         *         },
         *         {
         *           "external_reference": "order-5002",
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
         *           "declared_content": "Books",
         *           "recipient": {
         *             "document_type": "DNI",
         *             "document": "45678912",
         *             "first_name": "Ana",
         *             "last_name": "Torres"
         *           }
         *         }
         *       ]
         *     }
         */
        BatchRequest: {
            /**
             * @description Your name for the batch. A line without a key gets one derived from this name and the line, so the same batch sent again finds the same shipments, and tries again only the lines that certainly created nothing. It is stored unencrypted: do not put personal data in it.
             * @example monday-morning
             */
            external_reference: string;
            /**
             * @description The shop that ships. The default is that of the first line: all lines belong to one shop.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id?: string;
            /**
             * @description The connection of every line that does not name one.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id?: string;
            /** @description The shipments, at most 1000. Send more as NDJSON or CSV. Each is checked on its own when it is created. */
            items: components["schemas"]["BatchLine"][];
        };
        /** @description One shipment of a batch. */
        BatchLine: {
            /**
             * @description The line's key, like the header of a single creation: 1 to 255 visible ASCII characters. The default is derived from the `external_reference` of the batch and that of the line, wherever the line stands.
             * @example order-5001
             */
            idempotency_key?: string;
            /**
             * @description The shop that ships. The default is that of the first line: all lines belong to one shop.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id?: string;
            /**
             * @description The connection of every line that does not name one.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id?: string;
            /**
             * @description Your own order reference. It need not be unique. It is stored unencrypted: do not put personal data in it.
             * @example order-5001
             */
            external_reference: string;
            /** @description The agency where the parcel is dropped off. It must have the capability `drop_off`. */
            origin: {
                /**
                 * @description An agency of the connection's courier, from `GET /v1/agencies`.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The agency where the recipient collects the parcel. It must have the capability `pickup`. */
            destination: {
                /**
                 * @description An agency of the connection's courier, from `GET /v1/agencies`.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The parcel. It must be within the limits of its product. */
            package: {
                /**
                 * @description The kind of parcel, from `GET /v1/package-products`.
                 * @example pkg_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                product_id: string;
                /**
                 * @description How many pieces of this weight and size there are, from 1 to 99.
                 * @example 1
                 */
                quantity: number;
                /**
                 * @description The weight of a piece in kilograms, with at most three decimals.
                 * @example 0.8
                 */
                weight_kg: number;
                /**
                 * @description The height of a piece in meters, with at most three decimals.
                 * @example 0.05
                 */
                height_m: number;
                /**
                 * @description The length of a piece in meters, with at most three decimals.
                 * @example 0.2
                 */
                length_m: number;
                /**
                 * @description The width of a piece in meters, with at most three decimals.
                 * @example 0.15
                 */
                width_m: number;
            };
            /** @description How the parcel travels, and who pays. */
            service: {
                /**
                 * @description How the parcel travels.
                 * @enum {string}
                 */
                mode: "terrestrial" | "air";
                /**
                 * @description Who pays the courier.
                 * @enum {string}
                 */
                payer: "sender" | "recipient";
            };
            /**
             * @description What is in the parcel, as declared to the courier.
             * @example Books
             */
            declared_content: string;
            /** @description The person who collects the parcel. Kept encrypted until it is erased. */
            recipient: {
                /**
                 * @description The kind of identity document. `RUC` is a tax number.
                 * @enum {string}
                 */
                document_type: "DNI" | "CE" | "RUC" | "PASSPORT";
                /**
                 * @description Its number. DNI: 8 digits; CE: 9 to 12 letters or digits; RUC: 11 digits, the last one a check digit; PASSPORT: 6 to 12 letters or digits.
                 * @example 45678912
                 */
                document: string;
                /**
                 * @description The given names.
                 * @example Ana
                 */
                first_name: string;
                /**
                 * @description The family names.
                 * @example Torres
                 */
                last_name: string;
                /**
                 * @description In the form E.164. Only couriers with the capability `recipient_phone` get it.
                 * @example +51987654321
                 */
                phone?: string;
                /**
                 * Format: email
                 * @description Only couriers with the capability `recipient_phone` get it.
                 * @example ana@example.com
                 */
                email?: string;
            };
            /**
             * @description Your own keys and texts, returned as they are and not sent to the courier. At most 20 keys of 40 characters, 500 characters for each value, and 4096 bytes in all. Kept encrypted until it is erased.
             * @example {
             *       "channel": "web"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description A quote for the same connection, agencies, package, declared value and cash on delivery: the guide is created at its price or not at all. If absent or `null`, the price is what the courier charges. */
            quote_id?: string | null;
            /** @description What the content is worth. The courier needs the capability `declared_value`. */
            declared_value?: {
                /**
                 * @description The amount in minor units of the currency: 1450 is PEN 14.50.
                 * @example 15000
                 */
                amount: number;
                /**
                 * @description The ISO 4217 code.
                 * @example PEN
                 */
                currency: string;
            } | null;
            /** @description What the courier collects from the recipient for the shop. It needs the capability `cash_on_delivery`. */
            cash_on_delivery?: {
                /**
                 * @description The amount in minor units of the currency: 1450 is PEN 14.50.
                 * @example 15000
                 */
                amount: number;
                /**
                 * @description The ISO 4217 code.
                 * @example PEN
                 */
                currency: string;
            } | null;
        };
        /**
         * @description A courier's invoice.
         * @example {
         *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "reference": "F001-000123",
         *       "period": {
         *         "from": "2026-02-01",
         *         "to": "2026-02-28"
         *       },
         *       "lines": [
         *         {
         *           "guide_number": "100000000001",
         *           "amount": 1550,
         *           "currency": "PEN",
         *           "weight_kg": 0.8,
         *           "date": "2026-02-27",
         *           "client_reference": "shp_0aB1cD2eF3gH4iJ5kL6mN7"
         *         }
         *       ]
         *     }
         */
        CourierInvoiceRequest: {
            /**
             * @description The connection whose courier sent the invoice.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id: string;
            /**
             * @description The courier's number of the invoice. Sending the same lines and period again under the same connection and reference returns the same invoice; anything else becomes its next version. It is stored unencrypted: do not put personal data in it.
             * @example F001-000123
             */
            reference: string;
            /** @description The period of the invoice. If it is absent, every guide up to the import may count as not billed. */
            period?: {
                /**
                 * @description The first day, or the time, from which guides are billed. Days are in UTC.
                 * @example 2026-02-01
                 */
                from: string;
                /**
                 * @description The last day whose guides are billed, or the time before which they are.
                 * @example 2026-02-28
                 */
                to: string;
            } | null;
            /** @description The lines, at most 1,000. Send more as CSV. */
            lines: components["schemas"]["CourierInvoiceRequestLine"][];
        };
        /** @description What the courier bills for one guide. */
        CourierInvoiceRequestLine: {
            /**
             * @description What the line is about: `charge`, or `cash_on_delivery` for cash that the courier collected and pays out to the shop. A line without it is a charge.
             * @example charge
             */
            kind?: ("charge" | "cash_on_delivery") | null;
            /**
             * @description The guide that is billed.
             * @example 100000000001
             */
            guide_number: string;
            /**
             * @description The billed amount in minor units of the currency: 1450 is PEN 14.50. Credits are refused, because they are no charges to compare.
             * @example 1450
             */
            amount: number;
            /**
             * @description The ISO 4217 code.
             * @example PEN
             */
            currency: string;
            /**
             * @description The billed weight of all pieces in kilograms, with at most three decimals. If it is absent, the weight is not compared.
             * @example 0.8
             */
            weight_kg?: number | null;
            /**
             * @description The day that the courier names. It is stored and shown, but not compared.
             * @example 2026-03-01
             */
            date?: string | null;
            /**
             * @description The reference that the courier prints: the id of the shipment, if the courier kept it. It identifies the shipment if the guide number does not. Stored encrypted.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            client_reference?: string | null;
        };
        /**
         * @description One shop of an organization, with its courier connections, shipments and webhook endpoints.
         * @example {
         *       "id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "workspace",
         *       "livemode": false,
         *       "name": "Another shop",
         *       "external_reference": "another-shop",
         *       "personal_data_retention_days": 90,
         *       "label_format": null,
         *       "tracking_page": {
         *         "enabled": true,
         *         "shop_name": null,
         *         "support_url": "https://shop.example/help",
         *         "accent": "#1f6f54"
         *       },
         *       "legal_hold": null,
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T12:00:00.000Z",
         *       "version": 1
         *     }
         */
        Workspace: {
            /**
             * @description Identifies the workspace and never changes. The part after `ws_` is opaque.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `workspace`.
             * @constant
             */
            object: "workspace";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description A name for people. It need not be unique.
             * @example Another shop
             */
            name: string;
            /**
             * @description Your own id of the shop, unique within your organization and mode. It never changes.
             * @example another-shop
             */
            external_reference: string;
            /**
             * @description How many days after its creation a shipment's personal data is erased. `null` if it is not erased by age.
             * @example 90
             */
            personal_data_retention_days: number | null;
            /** @description How labels are printed if a request does not say, field by field. `null`: as a PDF in A6 without a caption. */
            label_format: {
                /**
                 * @description The format of the file. The default is `pdf`.
                 * @enum {string}
                 */
                format: "pdf" | "png" | "zpl";
                /**
                 * @description The page size. The default is `a6`.
                 * @enum {string}
                 */
                size: "a6" | "a4" | "4x6" | "80mm";
                /**
                 * @description Dots per inch of `png` and `zpl`. The default is 203.
                 * @enum {number}
                 */
                dpi: 203 | 300;
                /** @description Whether each page has a strip with the order's `external_reference` and the name of the workspace. The default is `false`. */
                caption: boolean;
            } | null;
            /** @description The legal hold. Until it is lifted, no personal data of its shipments is erased. `null` if there is no hold. */
            legal_hold: {
                /**
                 * Format: date-time
                 * @description When the hold was placed.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                since: string;
            } | null;
            /** @description The page for the person who waits for a parcel, which a shipment's `tracking_url` opens. */
            tracking_page: {
                /**
                 * @description Whether the shipments have a `tracking_url`. While it is `false`, links that were sent lead nowhere.
                 * @example true
                 */
                enabled: boolean;
                /**
                 * @description The name of the shop on the page, in at most 80 characters. `null`: the name of the workspace.
                 * @example Tienda Norte
                 */
                shop_name: string | null;
                /**
                 * @description Where a recipient can ask the shop: an address that begins with `https://`, `mailto:` or `tel:`. `null` if the page has no such link.
                 * @example https://shop.example/help
                 */
                support_url: string | null;
                /**
                 * @description The color of the page, like `#1f6f54`. Text on it is black or white, whichever is easier to read. `null`: a gray.
                 * @example #1f6f54
                 */
                accent: string | null;
            };
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Grows with every change. The `ETag` of a read changes with it.
             * @example 1
             */
            version: number;
        };
        /**
         * @description An error, after RFC 9457. A union by `reason`, which may get more values.
         * @example {
         *       "type": "/docs/errors#unknown_outcome",
         *       "title": "The courier's answer was lost; the request may have been executed",
         *       "status": 409,
         *       "detail": "The courier's answer was lost; the request may have been executed. Do not create or cancel again. Read the operation until it is resolved.",
         *       "instance": "/v1/requests/req_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "reason": "unknown_outcome",
         *       "outcome": "unknown",
         *       "retryable": false,
         *       "action": "follow",
         *       "request_id": "req_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "operation_id": "op_0aB1cD2eF3gH4iJ5kL6mN701",
         *       "shipment_id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "shipment_version": 3
         *     }
         */
        Problem: components["schemas"]["OperationProblem"] | components["schemas"]["ValidationProblem"] | components["schemas"]["OtherProblem"];
        /** @description An amount of money. */
        Money: {
            /**
             * @description The amount in minor units of the currency: 1450 is PEN 14.50.
             * @example 1450
             */
            amount: number;
            /**
             * @description The ISO 4217 code.
             * @example PEN
             */
            currency: string;
        };
        /**
         * @description A workspace's account at a courier.
         * @example {
         *       "id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "courier_connection",
         *       "livemode": false,
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "provider_code": "mock",
         *       "display_name": "Simulated courier",
         *       "status": "active",
         *       "verified_at": "2026-03-01T12:00:00.000Z",
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T12:00:00.000Z",
         *       "version": 2
         *     }
         */
        CourierConnection: {
            /**
             * @description Identifies the courier connection and never changes. The part after `ccn_` is opaque.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `courier_connection`.
             * @constant
             */
            object: "courier_connection";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description The courier, by its code in `GET /v1/couriers`.
             * @example mock
             */
            provider_code: string;
            /**
             * @description A name for people, such as the name of the account at the courier.
             * @example Simulated courier
             */
            display_name: string;
            /**
             * @description Whether it can be used for creations and quotes.
             *
             *     - `active`: it can be used.
             *     - `needs_reauth`: the courier refused its credentials. Replace them with PATCH.
             *     - `disabled`: you disabled it. PATCH enables it again.
             * @enum {string}
             */
            status: "active" | "needs_reauth" | "disabled" | (string & {});
            /** @description When `verify` last found that the courier accepts the credentials. `null` if it never did for the current ones. */
            verified_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Grows with every change. The `ETag` of a read changes with it.
             * @example 1
             */
            version: number;
        };
        /**
         * @description A courier that connections can be made to.
         * @example {
         *       "object": "courier",
         *       "provider_code": "mock",
         *       "display_name": "Simulated courier",
         *       "modes": [
         *         "test"
         *       ],
         *       "capabilities": {
         *         "find": true,
         *         "cancel": true,
         *         "tracking": true,
         *         "label": true,
         *         "quote": true,
         *         "invoices": true,
         *         "cash_on_delivery": true,
         *         "declared_value": true,
         *         "recipient_phone": true
         *       },
         *       "credential_fields": [
         *         {
         *           "name": "username",
         *           "label": "User name",
         *           "secret": false,
         *           "required": true
         *         },
         *         {
         *           "name": "password",
         *           "label": "Password",
         *           "secret": true,
         *           "required": true
         *         }
         *       ]
         *     }
         */
        Courier: {
            /**
             * @description The type of the object: always `courier`.
             * @constant
             */
            object: "courier";
            /**
             * @description The code by which connections name the courier.
             * @example mock
             */
            provider_code: string;
            /**
             * @description Its name for people.
             * @example Simulated courier
             */
            display_name: string;
            /** @description The modes in which it can be used. With a test key, the simulated courier answers for it. */
            modes: ("test" | "live")[];
            /** @description What it can do. `null` while the courier is unreachable. */
            capabilities: {
                /** @description Whether it can be asked for guides by our reference. If not, a person decides every unknown outcome. */
                find: boolean;
                /** @description Whether guides can be cancelled. */
                cancel: boolean;
                /** @description Whether parcels can be tracked. */
                tracking: boolean;
                /** @description Whether it makes labels. */
                label: boolean;
                /** @description Whether it can be asked for prices. */
                quote: boolean;
                /** @description Whether it can be asked for its invoices. If not, import them as CSV or JSON. */
                invoices: boolean;
                /** @description Whether a shipment can have `cash_on_delivery`. */
                cash_on_delivery: boolean;
                /** @description Whether a shipment can have a `declared_value`. */
                declared_value: boolean;
                /** @description Whether it takes the recipient's phone and e-mail address. If not, they are kept and not sent to it. */
                recipient_phone: boolean;
            } | null;
            /** @description What the `credentials` of a connection to it consist of. `null` while the courier is unreachable. */
            credential_fields: components["schemas"]["CredentialField"][] | null;
        };
        /** @description A field of an account's credentials. */
        CredentialField: {
            /**
             * @description Its name in the `credentials` of a connection.
             * @example username
             */
            name: string;
            /**
             * @description Its name for people, in the words of the courier.
             * @example User name
             */
            label: string;
            /** @description Whether a form should hide what is typed. */
            secret: boolean;
            /** @description Whether a connection must have it. */
            required: boolean;
        };
        /**
         * @description A branch of a courier, where parcels are dropped off or picked up.
         * @example {
         *       "id": "agy_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "agency",
         *       "livemode": false,
         *       "name": "Agencia Abancay",
         *       "address": "Jirón Tres Molinos 129",
         *       "department": "Apurímac",
         *       "province": "Abancay",
         *       "district": "Abancay",
         *       "capabilities": [
         *         "drop_off",
         *         "pickup"
         *       ],
         *       "provider_code": "mock",
         *       "created_at": null
         *     }
         */
        Agency: {
            /**
             * @description Identifies the agency and never changes. The part after `agy_` is opaque.
             * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `agency`.
             * @constant
             */
            object: "agency";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /** @description Its name at the courier. */
            name: string;
            /** @description The street and number, as the courier writes them. */
            address: string;
            /** @description The first-level division of the country. */
            department: string;
            /** @description The division within the department. */
            province: string;
            /** @description The division within the province. */
            district: string;
            /** @description What it does: `drop_off` takes parcels in, so it can be an origin; `pickup` hands them out, so it can be a destination. */
            capabilities: ("drop_off" | "pickup")[];
            /**
             * @description The courier, by its code in `GET /v1/couriers`.
             * @example mock
             */
            provider_code: string;
            /** @description Always `null`: couriers do not report it. */
            created_at: string | null;
        };
        /**
         * @description A kind of parcel that a courier carries, with its limits.
         * @example {
         *       "id": "pkg_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "package_product",
         *       "livemode": false,
         *       "name": "Box L",
         *       "max_weight_kg": 40,
         *       "max_length_m": 0.8,
         *       "max_width_m": 0.6,
         *       "max_height_m": 0.5,
         *       "provider_code": "mock",
         *       "created_at": null
         *     }
         */
        PackageProduct: {
            /**
             * @description Identifies the package product and never changes. The part after `pkg_` is opaque.
             * @example pkg_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `package_product`.
             * @constant
             */
            object: "package_product";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /** @description Its name at the courier. */
            name: string;
            /** @description The maximum weight of a piece, in kilograms. */
            max_weight_kg: number;
            /** @description The maximum length of a piece, in meters. */
            max_length_m: number;
            /** @description The maximum width of a piece, in meters. */
            max_width_m: number;
            /** @description The maximum height of a piece, in meters. */
            max_height_m: number;
            /**
             * @description The courier, by its code in `GET /v1/couriers`.
             * @example mock
             */
            provider_code: string;
            /** @description Always `null`: couriers do not report it. */
            created_at: string | null;
        };
        /**
         * @description An API key, without the key itself, which is shown once, when it is created.
         * @example {
         *       "id": "key_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "api_key",
         *       "livemode": false,
         *       "organization_id": "org_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "organization_type": "external",
         *       "operator_id": null,
         *       "created_by_key_id": "key_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "created_by_operator_id": "opr_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "name": "Web shop",
         *       "role": "integration",
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "scopes": [
         *         "shipments:read",
         *         "shipments:write",
         *         "connections:read",
         *         "webhooks:read",
         *         "webhooks:write",
         *         "workspaces:read",
         *         "operations:read"
         *       ],
         *       "last4": "9xQ2",
         *       "from_sign_in": false,
         *       "replaced_by_key_id": null,
         *       "expires_at": null,
         *       "revoked_at": null,
         *       "last_used_at": "2026-03-01T12:00:00.000Z",
         *       "created_at": "2026-03-01T12:00:00.000Z"
         *     }
         */
        ApiKey: {
            /**
             * @description Identifies the API key and never changes. The part after `key_` is opaque.
             * @example key_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `api_key`.
             * @constant
             */
            object: "api_key";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The organization that it belongs to.
             * @example org_0aB1cD2eF3gH4iJ5kL6mN7
             */
            organization_id: string;
            /**
             * @description What kind of organization that is.
             *
             *     - `external`: a customer of the service.
             *     - `internal`: one of the service provider's own shops.
             *     - `platform`: the service provider.
             * @enum {string}
             */
            organization_type: "external" | "internal" | "platform" | (string & {});
            /** @description The only workspace that it reaches. `null` if it reaches all of the organization. */
            workspace_id: string | null;
            /** @description The operator that it belongs to. `null` if it belongs to none. */
            operator_id: string | null;
            /** @description The key that created it. `null` if the command line did. */
            created_by_key_id: string | null;
            /** @description The operator whose key created it, or that the command line named. `null` if there is none. */
            created_by_operator_id: string | null;
            /**
             * @description What people call it. `null` if it has no name.
             * @example Web shop
             */
            name: string | null;
            /**
             * @description What it is for. Each role but `custom` is a set of scopes (docs/scopes.md); `scopes` says what the key may do, also after the set of its role has changed.
             *
             *     - `integration`: the back end of a shop: creates shipments and receives webhooks.
             *     - `clerk`: a person who packs and ships: creates, prints and cancels shipments.
             *     - `support`: a person who answers questions: reads everything, cancels guides and erases personal data.
             *     - `accountant`: a person who checks couriers' invoices.
             *     - `operator`: a person who decides operations.
             *     - `admin`: a person who sets up the organization: every scope.
             *     - `custom`: scopes chosen one by one. Keys from before roles existed are custom.
             * @enum {string}
             */
            role: "integration" | "clerk" | "support" | "accountant" | "operator" | "admin" | "custom" | (string & {});
            /** @description What it may do. */
            scopes: ("shipments:read" | "shipments:write" | "connections:read" | "connections:write" | "webhooks:read" | "webhooks:write" | "workspaces:read" | "workspaces:write" | "keys:write" | "operators:write" | "operations:read" | "operations:review" | "ledger:read")[];
            /**
             * @description The last four characters of the key, to recognize it by.
             * @example 9xQ2
             */
            last4: string;
            /** @description Whether a sign-in to the console created it. Such a key lasts for 8 hours and is not rolled. */
            from_sign_in: boolean;
            /** @description The key that replaces it. `null` unless it was rolled. */
            replaced_by_key_id: string | null;
            /** @description When it expires. `null` if it does not. */
            expires_at: string | null;
            /** @description When it was revoked. `null` if it was not. */
            revoked_at: string | null;
            /** @description When it was last used, to about a minute. `null` if it never was. */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description A new API key, with the key itself. */
        ApiKeyWithSecret: {
            /**
             * @description Identifies the API key and never changes. The part after `key_` is opaque.
             * @example key_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `api_key`.
             * @constant
             */
            object: "api_key";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The organization that it belongs to.
             * @example org_0aB1cD2eF3gH4iJ5kL6mN7
             */
            organization_id: string;
            /**
             * @description What kind of organization that is.
             *
             *     - `external`: a customer of the service.
             *     - `internal`: one of the service provider's own shops.
             *     - `platform`: the service provider.
             * @enum {string}
             */
            organization_type: "external" | "internal" | "platform" | (string & {});
            /** @description The only workspace that it reaches. `null` if it reaches all of the organization. */
            workspace_id: string | null;
            /** @description The operator that it belongs to. `null` if it belongs to none. */
            operator_id: string | null;
            /** @description The key that created it. `null` if the command line did. */
            created_by_key_id: string | null;
            /** @description The operator whose key created it, or that the command line named. `null` if there is none. */
            created_by_operator_id: string | null;
            /**
             * @description What people call it. `null` if it has no name.
             * @example Web shop
             */
            name: string | null;
            /**
             * @description What it is for. Each role but `custom` is a set of scopes (docs/scopes.md); `scopes` says what the key may do, also after the set of its role has changed.
             *
             *     - `integration`: the back end of a shop: creates shipments and receives webhooks.
             *     - `clerk`: a person who packs and ships: creates, prints and cancels shipments.
             *     - `support`: a person who answers questions: reads everything, cancels guides and erases personal data.
             *     - `accountant`: a person who checks couriers' invoices.
             *     - `operator`: a person who decides operations.
             *     - `admin`: a person who sets up the organization: every scope.
             *     - `custom`: scopes chosen one by one. Keys from before roles existed are custom.
             * @enum {string}
             */
            role: "integration" | "clerk" | "support" | "accountant" | "operator" | "admin" | "custom" | (string & {});
            /** @description What it may do. */
            scopes: ("shipments:read" | "shipments:write" | "connections:read" | "connections:write" | "webhooks:read" | "webhooks:write" | "workspaces:read" | "workspaces:write" | "keys:write" | "operators:write" | "operations:read" | "operations:review" | "ledger:read")[];
            /**
             * @description The last four characters of the key, to recognize it by.
             * @example 9xQ2
             */
            last4: string;
            /** @description Whether a sign-in to the console created it. Such a key lasts for 8 hours and is not rolled. */
            from_sign_in: boolean;
            /** @description The key that replaces it. `null` unless it was rolled. */
            replaced_by_key_id: string | null;
            /** @description When it expires. `null` if it does not. */
            expires_at: string | null;
            /** @description When it was revoked. `null` if it was not. */
            revoked_at: string | null;
            /** @description When it was last used, to about a minute. `null` if it never was. */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /** @description The key itself, shown only this once. `null` if an earlier request with the same Idempotency-Key created it; if that answer was lost, revoke the key and create another. */
            key: string | null;
        };
        /**
         * @description A person who decides operations. Operators are the same in both modes, so they have no `livemode`.
         * @example {
         *       "id": "opr_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "operator",
         *       "organization_id": "org_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "name": "Ana Torres",
         *       "email": "ana.torres@shop.example",
         *       "subject": null,
         *       "status": "active",
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T12:00:00.000Z",
         *       "version": 1
         *     }
         */
        Operator: {
            /**
             * @description Identifies the operator and never changes. The part after `opr_` is opaque.
             * @example opr_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `operator`.
             * @constant
             */
            object: "operator";
            /**
             * @description The organization that it belongs to.
             * @example org_0aB1cD2eF3gH4iJ5kL6mN7
             */
            organization_id: string;
            /** @description The name, shown with their decisions. */
            name: string;
            /** @description The email address. `null` for a key that is restricted to a workspace. */
            email: string | null;
            /** @description The `sub` of the person at the OpenID Connect issuer. `null` if the person signs in by the verified email address, and for a key that is restricted to a workspace. */
            subject: string | null;
            /**
             * @description `active`, or `disabled`: the keys of the operator do not work.
             * @enum {string}
             */
            status: "active" | "disabled" | (string & {});
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Grows with every change. The `ETag` of a read changes with it.
             * @example 1
             */
            version: number;
        };
        /**
         * @description An operator after a change, with the keys that may keep working.
         * @example {
         *       "id": "opr_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "operator",
         *       "organization_id": "org_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "name": "Ana Torres",
         *       "email": "ana.torres@shop.example",
         *       "subject": null,
         *       "status": "active",
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T12:00:00.000Z",
         *       "version": 1,
         *       "created_keys": null
         *     }
         */
        ChangedOperator: {
            /**
             * @description Identifies the operator and never changes. The part after `opr_` is opaque.
             * @example opr_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `operator`.
             * @constant
             */
            object: "operator";
            /**
             * @description The organization that it belongs to.
             * @example org_0aB1cD2eF3gH4iJ5kL6mN7
             */
            organization_id: string;
            /** @description The name, shown with their decisions. */
            name: string;
            /** @description The email address. `null` for a key that is restricted to a workspace. */
            email: string | null;
            /** @description The `sub` of the person at the OpenID Connect issuer. `null` if the person signs in by the verified email address, and for a key that is restricted to a workspace. */
            subject: string | null;
            /**
             * @description `active`, or `disabled`: the keys of the operator do not work.
             * @enum {string}
             */
            status: "active" | "disabled" | (string & {});
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Grows with every change. The `ETag` of a read changes with it.
             * @example 1
             */
            version: number;
            /** @description The keys without an operator that the operator or its keys created, and those that such keys created in turn, in both modes: those that still work and those revoked since the operator was disabled, at most 2,000. `null` unless the request disables the operator. */
            created_keys: {
                /**
                 * @description Identifies the API key and never changes. The part after `key_` is opaque.
                 * @example key_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                id: string;
                /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
                livemode: boolean;
                /**
                 * @description The last four characters of the key, to recognize it by.
                 * @example 9xQ2
                 */
                last4: string;
                /** @description When it was revoked. `null` if it still works. */
                revoked_at: string | null;
            }[] | null;
        };
        /** @description The limits of the plan and how much of them is used. */
        Usage: {
            /**
             * @description The type of the object: always `usage`.
             * @constant
             */
            object: "usage";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /** @description The name of the plan, for display only. */
            plan: string;
            /**
             * @description The calendar month in UTC.
             * @example 2026-03
             */
            month: string;
            /**
             * Format: date-time
             * @description When the next month begins.
             * @example 2026-03-01T12:00:00.000Z
             */
            resets_at: string;
            /** @description The shipments of the organization in this month and mode. A creation that ends without a guide is not counted. */
            shipments: {
                /** @description How many there are. `null` for a key of one workspace, which does not see the usage of the others. */
                used: number | null;
                /** @description The most that the plan allows. `null` if it is unlimited. */
                limit: number | null;
                /** @description Whether the next one is refused. */
                reached: boolean;
            };
            /** @description How many requests each key may make in a minute. */
            requests_per_minute: {
                /** @description The most that the plan allows. `null` if it is unlimited. */
                limit: number | null;
            };
            /** @description The workspaces of the organization in this mode. */
            workspaces: {
                /** @description How many there are. `null` for a key of one workspace, which does not see the usage of the others. */
                used: number | null;
                /** @description The most that the plan allows. `null` if it is unlimited. */
                limit: number | null;
                /** @description Whether the next one is refused. */
                reached: boolean;
            };
            /** @description The courier connections of the organization in this mode. */
            courier_connections: {
                /** @description How many there are. `null` for a key of one workspace, which does not see the usage of the others. */
                used: number | null;
                /** @description The most that the plan allows. `null` if it is unlimited. */
                limit: number | null;
                /** @description Whether the next one is refused. */
                reached: boolean;
            };
            /** @description The webhook endpoints of the organization in this mode. */
            webhook_endpoints: {
                /** @description How many there are. `null` for a key of one workspace, which does not see the usage of the others. */
                used: number | null;
                /** @description The most that the plan allows. `null` if it is unlimited. */
                limit: number | null;
                /** @description Whether the next one is refused. */
                reached: boolean;
            };
        };
        /** @description A webhook endpoint, with a new signing secret. */
        WebhookEndpointWithSecret: {
            /**
             * @description Identifies the webhook endpoint and never changes. The part after `whe_` is opaque.
             * @example whe_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `webhook_endpoint`.
             * @constant
             */
            object: "webhook_endpoint";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /** @description Where events are sent. */
            url: string;
            /** @description Your own note on what it is for. `null` if there is none. */
            description: string | null;
            /** @description Which events are sent: types, or families such as `shipment.*`. */
            event_types: ("shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "batch.completed" | "courier_invoice.compared" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.ledger_damaged" | "alert.witness_silent" | "shipment.*" | "label.*" | "operation.*" | "tracking.*" | "connection.*" | "webhook_endpoint.*" | "quota.*" | "batch.*" | "courier_invoice.*" | "alert.*")[];
            /**
             * @description `enabled`, or `disabled`: nothing is sent.
             * @enum {string}
             */
            status: "enabled" | "disabled" | (string & {});
            /** @description Why it is disabled. `gone`: it answered 410. `failing`: no attempt succeeded for five days. `by_owner`: disabled by a PATCH. `null` if it is enabled. */
            disabled_reason: ("by_owner" | "gone" | "failing") | null;
            /** @description How deliveries to it are doing, on the workspace's clock. It changes by itself, without a new `version`. */
            health: {
                /**
                 * @description `failing` from the third failure in a row until a success, otherwise `ok`.
                 * @enum {string}
                 */
                state: "ok" | "failing" | (string & {});
                /** @description When the first of those failures happened. `null` while the state is `ok`. */
                failing_since: string | null;
                /** @description When an attempt last succeeded. `null` if none has. */
                last_success_at: string | null;
                /** @description When the next attempt is due while the endpoint is paused. `null` if it is not paused. Deliveries requested by hand are sent at once. */
                next_probe_at: string | null;
            };
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Grows with every change. The `ETag` of a read changes with it.
             * @example 1
             */
            version: number;
            /** @description The secret that signs deliveries, shown only this once. `null` if an earlier request with the same Idempotency-Key created it; if that answer was lost, rotate the secret with another key. */
            secret: string | null;
            /** @description Until then, in real time, the previous secret also signs deliveries. `null` if there is no previous secret. */
            previous_secret_expires_at: string | null;
        };
        /**
         * @description A URL that a workspace's events are sent to.
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
            /**
             * @description Identifies the webhook endpoint and never changes. The part after `whe_` is opaque.
             * @example whe_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `webhook_endpoint`.
             * @constant
             */
            object: "webhook_endpoint";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /** @description Where events are sent. */
            url: string;
            /** @description Your own note on what it is for. `null` if there is none. */
            description: string | null;
            /** @description Which events are sent: types, or families such as `shipment.*`. */
            event_types: ("shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "batch.completed" | "courier_invoice.compared" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.ledger_damaged" | "alert.witness_silent" | "shipment.*" | "label.*" | "operation.*" | "tracking.*" | "connection.*" | "webhook_endpoint.*" | "quota.*" | "batch.*" | "courier_invoice.*" | "alert.*")[];
            /**
             * @description `enabled`, or `disabled`: nothing is sent.
             * @enum {string}
             */
            status: "enabled" | "disabled" | (string & {});
            /** @description Why it is disabled. `gone`: it answered 410. `failing`: no attempt succeeded for five days. `by_owner`: disabled by a PATCH. `null` if it is enabled. */
            disabled_reason: ("by_owner" | "gone" | "failing") | null;
            /** @description How deliveries to it are doing, on the workspace's clock. It changes by itself, without a new `version`. */
            health: {
                /**
                 * @description `failing` from the third failure in a row until a success, otherwise `ok`.
                 * @enum {string}
                 */
                state: "ok" | "failing" | (string & {});
                /** @description When the first of those failures happened. `null` while the state is `ok`. */
                failing_since: string | null;
                /** @description When an attempt last succeeded. `null` if none has. */
                last_success_at: string | null;
                /** @description When the next attempt is due while the endpoint is paused. `null` if it is not paused. Deliveries requested by hand are sent at once. */
                next_probe_at: string | null;
            };
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Grows with every change. The `ETag` of a read changes with it.
             * @example 1
             */
            version: number;
        };
        /**
         * @description The delivery of one event to one endpoint, with its attempts.
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
            /**
             * @description Identifies the webhook delivery and never changes. The part after `dlv_` is opaque.
             * @example dlv_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `webhook_delivery`.
             * @constant
             */
            object: "webhook_delivery";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description The event that is delivered.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            event_id: string;
            /**
             * @description The `type` of the delivered event.
             * @example shipment.created
             */
            event_type: string;
            /**
             * @description The endpoint that it is sent to.
             * @example whe_0aB1cD2eF3gH4iJ5kL6mN7
             */
            endpoint_id: string;
            /** @description The shipment that the event is about. `null` if it is about none. */
            shipment_id: string | null;
            /**
             * @description Current state.
             *
             *     - `pending`: the next attempt is at `next_attempt_at`.
             *     - `delivered`: the receiver answered 2xx.
             *     - `dead`: it is not tried again, because of `dead_reason`. These are the dead letters.
             *     - `discarded`: the endpoint was disabled or removed.
             * @enum {string}
             */
            state: "pending" | "delivered" | "dead" | "discarded" | (string & {});
            /** @description Every attempt so far, oldest first. */
            attempts: {
                /**
                 * Format: date-time
                 * @description When the attempt began.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
                /** @description The status of the response. `null` if there was none. */
                status_code: number | null;
                /** @description How long the attempt took, in milliseconds. */
                latency_ms: number;
                /** @description Why there was no response. `blocked`: the address is private. After `reset`, `protocol` and `timeout` the receiver may still have received it. `null` if there was a response. */
                error: ("dns" | "blocked" | "connect" | "tls" | "timeout" | "reset" | "protocol") | null;
                /** @description The first 2 KiB of the response. `null` in lists, and if there was none. */
                response_excerpt: string | null;
            }[];
            /** @description When the next attempt is due, on the workspace's clock. `null` if none is. */
            next_attempt_at: string | null;
            /** @description Why it is dead. `attempts_exhausted`: every attempt failed. `expired`: the endpoint failed for the whole duration of the retry schedule, so not every attempt was made. `endpoint_gone`: it answered 410. `endpoint_disabled`, `endpoint_deleted`: the endpoint was disabled or removed. `unsendable`: the service could not make the request, so the last attempt sent nothing; an operator must fix the cause and then redeliver it. `null` if it is not dead. */
            dead_reason: ("attempts_exhausted" | "expired" | "endpoint_gone" | "unsendable" | "endpoint_disabled" | "endpoint_deleted") | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Grows with every change. The `ETag` of a read changes with it.
             * @example 1
             */
            version: number;
        };
        /**
         * @description What a recovery sends again.
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
            /**
             * @description The type of the object: always `webhook_recovery`.
             * @constant
             */
            object: "webhook_recovery";
            /**
             * @description The endpoint that missed events.
             * @example whe_0aB1cD2eF3gH4iJ5kL6mN7
             */
            endpoint_id: string;
            /**
             * Format: date-time
             * @description The start of the period, inclusive.
             * @example 2026-03-01T12:00:00.000Z
             */
            since: string;
            /**
             * Format: date-time
             * @description The end of the period, exclusive.
             * @example 2026-03-01T12:00:00.000Z
             */
            until: string;
            /** @description How many deliveries this call made pending. */
            recovered: number;
            /** @description Whether the call stopped before the end of the period. */
            has_more: boolean;
            /** @description The `since` to continue with. `null` unless `has_more`. */
            next_since: string | null;
        };
        /** @description What a recovery would send again. */
        WebhookRecoverable: {
            /**
             * @description The type of the object: always `webhook_recoverable`.
             * @constant
             */
            object: "webhook_recoverable";
            /**
             * @description The endpoint that missed events.
             * @example whe_0aB1cD2eF3gH4iJ5kL6mN7
             */
            endpoint_id: string;
            /**
             * Format: date-time
             * @description The start of the period, inclusive.
             * @example 2026-03-01T12:00:00.000Z
             */
            since: string;
            /**
             * Format: date-time
             * @description The end of the period, exclusive.
             * @example 2026-03-01T12:00:00.000Z
             */
            until: string;
            /** @description How many events a recovery of the period would send again now. */
            count: number;
            /** @description `false` if the period has more than 50000 events: only the first ones were counted. */
            is_complete: boolean;
        };
        /**
         * @description Something that happened in a workspace, as it was sent to webhook endpoints. A union by `type`, which may get more types: ignore those that you do not know.
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
         *           "external_reference": "order-5001",
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
         *           "idempotency_key": "order-5001",
         *           "status": "created",
         *           "failure": null,
         *           "guide_number": "100000000001",
         *           "pickup_code": null,
         *           "operation_id": null,
         *           "quote_id": null,
         *           "declared_value": null,
         *           "cash_on_delivery": null,
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
         *           "tracking_url": "https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w",
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
        WebhookEvent: components["schemas"]["ShipmentWebhookEvent"] | components["schemas"]["OperationWebhookEvent"] | components["schemas"]["TrackingWebhookEvent"] | components["schemas"]["ConnectionWebhookEvent"] | components["schemas"]["EndpointWebhookEvent"] | components["schemas"]["QuotaWebhookEvent"] | components["schemas"]["BatchWebhookEvent"] | components["schemas"]["InvoiceWebhookEvent"] | components["schemas"]["AlertWebhookEvent"];
        /**
         * @description The prices of one or more couriers for a parcel. It never changes.
         * @example {
         *       "id": "quo_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "quote",
         *       "livemode": false,
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "courier_connection_ids": [
         *         "ccn_0aB1cD2eF3gH4iJ5kL6mN7"
         *       ],
         *       "origin": {
         *         "agency_id": "agy_0aB1cD2eF3gH4iJ5kL6mN7",
         *         "agency_ids": [
         *           "agy_0aB1cD2eF3gH4iJ5kL6mN7"
         *         ]
         *       },
         *       "destination": {
         *         "agency_id": "agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0",
         *         "agency_ids": [
         *           "agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0"
         *         ]
         *       },
         *       "package": {
         *         "product_id": "pkg_0aB1cD2eF3gH4iJ5kL6mN7",
         *         "quantity": 1,
         *         "weight_kg": 0.8,
         *         "height_m": 0.05,
         *         "length_m": 0.2,
         *         "width_m": 0.15,
         *         "product_ids": [
         *           "pkg_0aB1cD2eF3gH4iJ5kL6mN7"
         *         ]
         *       },
         *       "service": null,
         *       "declared_value": null,
         *       "cash_on_delivery": null,
         *       "status": "complete",
         *       "rates": [
         *         {
         *           "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
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
         *           "amount": 910,
         *           "currency": "PEN",
         *           "breakdown": [
         *             {
         *               "code": "freight",
         *               "amount": 910
         *             }
         *           ],
         *           "transit_days": {
         *             "min": 1,
         *             "max": 2
         *           }
         *         },
         *         {
         *           "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
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
         *             "mode": "air",
         *             "payer": "sender"
         *           },
         *           "amount": 1520,
         *           "currency": "PEN",
         *           "breakdown": [
         *             {
         *               "code": "freight",
         *               "amount": 910
         *             },
         *             {
         *               "code": "air",
         *               "amount": 610
         *             }
         *           ],
         *           "transit_days": {
         *             "min": 1,
         *             "max": 1
         *           }
         *         }
         *       ],
         *       "errors": [],
         *       "sandbox_scenario": "happy_path",
         *       "expires_at": "2026-03-01T12:30:00.000Z",
         *       "created_at": "2026-03-01T12:00:00.000Z"
         *     }
         */
        Quote: {
            /**
             * @description Identifies the quote and never changes. The part after `quo_` is opaque.
             * @example quo_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `quote`.
             * @constant
             */
            object: "quote";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /** @description The connection whose courier was asked. `null` if the request named `courier_connection_ids`. */
            courier_connection_id: string | null;
            /** @description All connections whose couriers were asked, in the order of the request. */
            courier_connection_ids: string[];
            /** @description Where the parcel is dropped off. */
            origin: {
                /** @description The agency of the request. `null` if it named `agency_ids`. */
                agency_id: string | null;
                /** @description All agencies of the request, at most one for each courier. */
                agency_ids: string[];
            };
            /** @description Where the recipient collects the parcel. */
            destination: {
                /** @description The agency of the request. `null` if it named `agency_ids`. */
                agency_id: string | null;
                /** @description All agencies of the request, at most one for each courier. */
                agency_ids: string[];
            };
            /** @description The parcel. */
            package: {
                /** @description The kind of parcel of the request. `null` if it named `product_ids`. */
                product_id: string | null;
                /**
                 * @description How many pieces of this weight and size there are, from 1 to 99.
                 * @example 1
                 */
                quantity: number;
                /**
                 * @description The weight of a piece in kilograms, with at most three decimals.
                 * @example 0.8
                 */
                weight_kg: number;
                /**
                 * @description The height of a piece in meters, with at most three decimals.
                 * @example 0.05
                 */
                height_m: number;
                /**
                 * @description The length of a piece in meters, with at most three decimals.
                 * @example 0.2
                 */
                length_m: number;
                /**
                 * @description The width of a piece in meters, with at most three decimals.
                 * @example 0.15
                 */
                width_m: number;
                /** @description All kinds of parcel of the request, at most one for each courier. */
                product_ids: string[];
            };
            /** @description The service that was asked for. `null` if every service was. */
            service: {
                /**
                 * @description How the parcel travels.
                 * @example terrestrial
                 */
                mode: string;
                /**
                 * @description Who pays the courier.
                 * @example sender
                 */
                payer: string;
            } | null;
            /** @description The value of the content that was priced. `null` if none was declared. */
            declared_value: components["schemas"]["Money"] | null;
            /** @description What the courier would collect. `null` if it would collect nothing. */
            cash_on_delivery: components["schemas"]["Money"] | null;
            /**
             * @description `complete`: every service of every connection has a price. `partial`: at least one, possibly every one, has none.
             * @enum {string}
             */
            status: "complete" | "partial" | (string & {});
            /** @description The services that have a price. Those of several connections are listed cheapest first, each currency on its own, in the order of the currencies' codes. A creation at a rate repeats its `courier_connection_id`, `origin`, `destination`, `package` and `service`, and the `declared_value` and `cash_on_delivery` of the quote. */
            rates: {
                /**
                 * @description The connection whose courier answered this.
                 * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                courier_connection_id: string;
                /** @description The agency where the parcel is dropped off. It must have the capability `drop_off`. */
                origin: {
                    /**
                     * @description An agency of the connection's courier.
                     * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                     */
                    agency_id: string;
                };
                /** @description The agency where the recipient collects the parcel. It must have the capability `pickup`. */
                destination: {
                    /**
                     * @description An agency of the connection's courier.
                     * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                     */
                    agency_id: string;
                };
                /** @description The parcel. */
                package: {
                    /**
                     * @description The kind of parcel, from `GET /v1/package-products`.
                     * @example pkg_0aB1cD2eF3gH4iJ5kL6mN7
                     */
                    product_id: string;
                    /**
                     * @description How many pieces of this weight and size there are, from 1 to 99.
                     * @example 1
                     */
                    quantity: number;
                    /**
                     * @description The weight of a piece in kilograms, with at most three decimals.
                     * @example 0.8
                     */
                    weight_kg: number;
                    /**
                     * @description The height of a piece in meters, with at most three decimals.
                     * @example 0.05
                     */
                    height_m: number;
                    /**
                     * @description The length of a piece in meters, with at most three decimals.
                     * @example 0.2
                     */
                    length_m: number;
                    /**
                     * @description The width of a piece in meters, with at most three decimals.
                     * @example 0.15
                     */
                    width_m: number;
                };
                /** @description How the parcel travels, and who pays. */
                service: {
                    /**
                     * @description How the parcel travels.
                     * @example terrestrial
                     */
                    mode: string;
                    /**
                     * @description Who pays the courier.
                     * @example sender
                     */
                    payer: string;
                };
                /**
                 * @description The price in minor units of the currency: 1450 is PEN 14.50.
                 * @example 1450
                 */
                amount: number;
                /**
                 * @description The ISO 4217 code.
                 * @example PEN
                 */
                currency: string;
                /** @description The parts of the price, if the courier gives them. */
                breakdown: {
                    /**
                     * @description What this part is for.
                     *
                     *     - `freight`: The transport itself.
                     *     - `air`: The surcharge for transport by air.
                     *     - `insurance`: Insurance of the declared content.
                     *     - `surcharge`: A route, fuel or seasonal surcharge.
                     *     - `discount`: A discount; its amount is negative.
                     *     - `tax`: A tax shown separately.
                     *     - `other`: Anything else.
                     * @enum {string}
                     */
                    code: "freight" | "air" | "insurance" | "surcharge" | "discount" | "tax" | "other" | (string & {});
                    /**
                     * @description In minor units; negative for a discount.
                     * @example 1450
                     */
                    amount: number;
                }[];
                /** @description How long the courier says it takes, in days. */
                transit_days: {
                    /**
                     * @description The fewest days.
                     * @example 1
                     */
                    min: number;
                    /**
                     * @description The most days.
                     * @example 3
                     */
                    max: number;
                };
            }[];
            /** @description The services and connections that have no price. */
            errors: {
                /**
                 * @description The connection whose courier answered this.
                 * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                courier_connection_id: string;
                /** @description The service without a price. `null` if the connection has no price for any service, which happens only beside others. */
                service: {
                    /**
                     * @description How the parcel travels.
                     * @example terrestrial
                     */
                    mode: string;
                    /**
                     * @description Who pays the courier.
                     * @example sender
                     */
                    payer: string;
                } | null;
                /**
                 * @description Why there is no price.
                 *
                 *     - `no_capacity`: The service currently has no capacity on this route.
                 *     - `not_served`: The service does not serve this route.
                 *     - `package_not_accepted`: The service does not accept this package.
                 *     - `unavailable`: The courier currently has no price for this service.
                 *     - `no_agency`: The request names no agency of the courier for the origin or the destination.
                 *     - `no_product`: The request names no package product of the courier.
                 *     - `courier_rejected`: The courier has no price for such a parcel on this route.
                 *     - `courier_timed_out`: The courier did not answer within 8 s.
                 *     - `courier_unreachable`: The courier could not be reached.
                 *     - `courier_throttled`: The courier asks to slow down.
                 *     - `courier_failed`: The courier answered with an error, or its answer could not be read.
                 *     - `courier_not_available`: The courier is not available to this key.
                 *     - `quotes_not_supported`: The courier gives no prices.
                 *     - `not_supported_by_courier`: The courier does not offer what was asked.
                 *     - `connection_needs_reauth`: The courier refuses the credentials of the connection.
                 *     - `connection_disabled`: The connection is disabled.
                 * @enum {string}
                 */
                reason: "no_capacity" | "not_served" | "package_not_accepted" | "unavailable" | "no_agency" | "no_product" | "courier_rejected" | "courier_timed_out" | "courier_unreachable" | "courier_throttled" | "courier_failed" | "courier_not_available" | "quotes_not_supported" | "not_supported_by_courier" | "connection_needs_reauth" | "connection_disabled" | (string & {});
                /** @description The reason in words, for people. */
                detail: string;
            }[];
            /**
             * @description The scenario that the simulated courier played. `null` in live mode.
             * @example happy_path
             */
            sandbox_scenario: string | null;
            /**
             * Format: date-time
             * @description When it expires on the workspace's clock. A creation can name it until then.
             * @example 2026-03-01T12:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /**
         * @description An order to ship: one key, at most one guide. A union by `status`, which may get more values.
         * @example {
         *       "id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "shipment",
         *       "livemode": false,
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "external_reference": "order-5001",
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
         *         "last_name": "Torres",
         *         "phone": null,
         *         "email": null
         *       },
         *       "idempotency_key": "order-5001",
         *       "status": "created",
         *       "failure": null,
         *       "guide_number": "100000000001",
         *       "pickup_code": "4821",
         *       "operation_id": null,
         *       "quote_id": null,
         *       "declared_value": null,
         *       "cash_on_delivery": null,
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
         *       "tracking_url": "https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w",
         *       "metadata": null,
         *       "sandbox_scenario": "happy_path",
         *       "legal_hold": null,
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T12:00:00.120Z",
         *       "version": 3
         *     }
         */
        Shipment: components["schemas"]["ShipmentWithGuide"] | components["schemas"]["ShipmentWithoutGuide"] | components["schemas"]["ShipmentNotExecuted"] | components["schemas"]["ShipmentOfUnknownOutcome"];
        /** @description Why a parcel is held up. */
        TrackingException: {
            /**
             * @description Why the parcel is held up: a tracking code such as `held` or `damaged`.
             * @example held
             */
            code: string;
            /**
             * Format: date-time
             * @description When it was reported.
             * @example 2026-03-01T12:00:00.000Z
             */
            since: string;
            /** @description Whether the sender or the recipient must do something. */
            action_required: boolean;
        };
        /** @description An event as recorded in the ledger, for good and unchanged. It contains no personal data. */
        LedgerEvent: {
            /**
             * Format: uuid
             * @description Identifies the event and never changes.
             */
            id: string;
            /**
             * @description The type of the object: always `ledger_event`.
             * @constant
             */
            object: "ledger_event";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * Format: date-time
             * @description The same as `recorded_at`.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * @description What happened.
             * @example GuideIssued
             */
            type: string;
            /**
             * @description The version of the schema of `data`, from 1.
             * @example 1
             */
            schema: number;
            /** @description The shipment whose history it belongs to. `null` for an administrative act. */
            shipment_id: string | null;
            /**
             * @description The number of the event in its stream, from 0.
             * @example 2
             */
            revision: number;
            /**
             * Format: date-time
             * @description When it was recorded, in real time.
             * @example 2026-03-01T12:00:00.000Z
             */
            recorded_at: string;
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            occurred_at: string;
            /** @description The workspace that it is about. `null` if it is about none. */
            workspace_id: string | null;
            /** @description Who acted, and with which key. */
            actor: {
                /**
                 * @description What kind of actor. `operator`: a person; `cli`: a command without one; `reconciliation`, `poller` and `system`: the service itself.
                 * @enum {string}
                 */
                type: "api_key" | "reconciliation" | "poller" | "system" | "cli" | "operator" | (string & {});
                /** @description The key that was used. `null` if there was none. */
                key_id: string | null;
                /** @description The operator. As in the leaf, absent unless an operator did it. */
                operator_id?: string;
                /** @description The user of the operating system. Absent unless a command without an operator did it. */
                system_user?: string;
            };
            /** @description The request that caused it. `null` if no request did. */
            request_id: string | null;
            /** @description The event that caused it. `null` if no other event did. */
            causation_id: string | null;
            /** @description The id of the first event of its stream. */
            correlation_id: string;
            /** @description The recorded data, in the schema of the event type. */
            data: {
                [key: string]: unknown;
            };
            /**
             * @description The position in the ledger: `GET /v1/ledger/proof/{position}` proves it.
             * @example 00000000000000000042
             */
            position: string;
            /** @description The digest that the ledger is sealed with: hexadecimal SHA-256 over the RFC 8785 form of all other members except `position`. */
            leaf: string;
        };
        /**
         * @description Where a parcel is, and everything that happened to it.
         * @example {
         *       "id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "tracking",
         *       "livemode": false,
         *       "shipment_id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "status": "in_transit",
         *       "phase": "transit",
         *       "sub_status": "departed_origin",
         *       "exception": null,
         *       "eta": "2026-03-02T09:00:00.000Z",
         *       "events": [
         *         {
         *           "id": "tev_0aB1cD2eF3gH4iJ5kL6mN7",
         *           "object": "tracking_event",
         *           "code": "departed_origin",
         *           "status": "in_transit",
         *           "sub_status": "departed_origin",
         *           "mapped": true,
         *           "occurred_at": "2026-03-01T18:00:00.000Z",
         *           "received_at": "2026-03-01T18:30:00.000Z",
         *           "agency_id": "agy_0aB1cD2eF3gH4iJ5kL6mN7",
         *           "description": "Left the origin agency"
         *         }
         *       ],
         *       "anomalies": [],
         *       "monitoring": {
         *         "state": "active",
         *         "last_checked_at": "2026-03-01T18:30:00.000Z",
         *         "last_changed_at": "2026-03-01T18:30:00.000Z",
         *         "next_check_at": "2026-03-01T20:30:00.000Z"
         *       },
         *       "tracking_url": "https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w",
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T18:30:00.000Z",
         *       "version": 5
         *     }
         */
        Tracking: {
            /**
             * @description The id of its shipment.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `tracking`.
             * @constant
             */
            object: "tracking";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The shipment whose parcel is tracked.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            shipment_id: string;
            /** @description Where the parcel is. `null` if there is no guide. */
            status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
            /** @description The part of the journey that the status belongs to. `null` if there is no guide. */
            phase: ("pre_transit" | "origin" | "transit" | "destination" | "return" | "final") | null;
            /**
             * @description A more precise status. `null` if nothing more precise is known.
             * @example departed_origin
             */
            sub_status: string | null;
            /** @description The current exception. `null` if there is none. */
            exception: components["schemas"]["TrackingException"] | null;
            /** @description When the courier expects to deliver it. `null` if it does not say. */
            eta: string | null;
            /** @description Every scan, in the order in which they happened. */
            events: {
                /** @description Identifies the scan, however often the courier reports it. */
                id: string;
                /**
                 * @description The type of the object: always `tracking_event`.
                 * @constant
                 */
                object: "tracking_event";
                /**
                 * @description What happened, from a fixed list. `unmapped` if the courier's own code is not known.
                 * @example departed_origin
                 */
                code: string;
                /** @description The status that the code leads to. `null` if the code says nothing about where the parcel is. */
                status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
                /**
                 * @description A more precise status. `null` if the code says no more than the status.
                 * @example departed_origin
                 */
                sub_status: string | null;
                /** @description Whether the service knows the courier's own code. */
                mapped: boolean;
                /**
                 * Format: date-time
                 * @description When it happened, according to the courier.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                occurred_at: string;
                /**
                 * Format: date-time
                 * @description When the service learned of it.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                received_at: string;
                /** @description The agency where it happened. `null` if the courier does not say. */
                agency_id: string | null;
                /**
                 * @description What the code means, for people.
                 * @example Left the origin agency
                 */
                description: string;
            }[];
            /** @description Contradictions in what the courier reports. They have no effect. */
            anomalies: {
                /**
                 * @description What is wrong.
                 *
                 *     - `earlier_parcel`: scans older than the shipment: about an earlier parcel with the same guide number.
                 *     - `impossible_move`: scans that cannot follow the ones before them.
                 *     - `guide_number_shared`: another shipment of the connection has the same guide number.
                 * @enum {string}
                 */
                code: "earlier_parcel" | "impossible_move" | "guide_number_shared" | (string & {});
                /** @description The number of scans or shipments. */
                count: number;
                /** @description The other shipments with the same guide number, at most 10. */
                shipment_ids: string[];
            }[];
            /** @description How the service follows the parcel. */
            monitoring: {
                /**
                 * @description Whether the courier is asked regularly about the parcel.
                 *
                 *     - `not_started`: there is no guide yet.
                 *     - `active`: it is asked regularly.
                 *     - `unreachable`: it is asked, but has not answered lately.
                 *     - `completed`: no longer asked, because the journey has ended.
                 *     - `expired`: no longer asked, because nothing has changed for too long. `refresh` starts it again.
                 * @enum {string}
                 */
                state: "not_started" | "active" | "unreachable" | "completed" | "expired" | (string & {});
                /** @description When the courier was last asked. `null` if it was not asked yet. */
                last_checked_at: string | null;
                /** @description When an answer last changed something. `null` if none has. */
                last_changed_at: string | null;
                /** @description When the courier is asked next. `null` if it will not be asked. */
                next_check_at: string | null;
            };
            /**
             * @description The page for the person who waits for the parcel: send it to nobody else, because whoever has it can open it. `null` without a guide, after the erasure, and while the workspace's `tracking_page` is not enabled.
             * @example https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w
             */
            tracking_url: string | null;
            /**
             * Format: date-time
             * @description When the shipment was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the shipment last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description The version of the shipment.
             * @example 1
             */
            version: number;
        };
        /**
         * @description A call to a courier, to create or cancel a guide, whose outcome must become certain.
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
         *       "external_reference": "order-5001",
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
            /**
             * @description Identifies the operation and never changes. The part after `op_` is opaque.
             * @example op_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `operation`.
             * @constant
             */
            object: "operation";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description What the courier was asked for: to create a guide, or to cancel one.
             * @enum {string}
             */
            type: "shipment_creation" | "shipment_cancellation" | (string & {});
            /**
             * @description Current status.
             *
             *     - `reconciling`: the courier is asked until the outcome is certain.
             *     - `needs_review`: a person must decide, unless a later look ends it.
             *     - `resolved`: the outcome is certain; `result` says which.
             * @enum {string}
             */
            status: "reconciling" | "needs_review" | "resolved" | (string & {});
            /**
             * @description The outcome.
             *
             *     - `guide_exists`: there is a guide: the order is shipped.
             *     - `nothing_created`: there is no guide: ship the order with a new key.
             *     - `cancelled`: the guide is cancelled.
             *     - `not_cancelled`: the guide stands: the shipment can be cancelled with a new key.
             *     - `human_review`: not yet: a person must decide, unless a later look ends it. Ship nothing.
             *
             *     `null` while it is reconciling.
             */
            result: ("guide_exists" | "nothing_created" | "cancelled" | "not_cancelled" | "human_review") | null;
            /**
             * @description Why the outcome was unknown.
             *
             *     - `response_lost`: the connection was lost before the courier's answer was complete.
             *     - `response_unreadable`: the answer could not be understood.
             *     - `courier_error`: the courier answered with an error of its own.
             *     - `deadline_passed`: there was no answer by the deadline of the call.
             *     - `process_died`: the process that made the call ended before it recorded an answer.
             *
             *     `null` if it never was.
             */
            cause: ("response_lost" | "response_unreadable" | "courier_error" | "deadline_passed" | "process_died") | null;
            /**
             * @description The shipment that is created or cancelled.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            shipment_id: string;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description The shipment's own order reference.
             * @example order-5001
             */
            external_reference: string;
            /**
             * @description The courier account that was used.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id: string;
            /**
             * @description The courier, by its code in `GET /v1/couriers`.
             * @example mock
             */
            provider_code: string;
            /** @description The agency where the recipient collects the parcel. It must have the capability `pickup`. */
            destination: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The cost of the guide: its price if it is known, otherwise the quoted price. `null` if the shipment has neither. */
            amount: components["schemas"]["Money"] | null;
            /** @description Every look at the courier, oldest first. */
            looks: {
                /**
                 * Format: date-time
                 * @description When the look started.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
                /**
                 * @description How the courier was asked.
                 * @example by_client_reference
                 */
                method: string;
                /**
                 * @description The courier's answer.
                 *
                 *     - `found`: there is exactly one guide under our reference.
                 *     - `ambiguous`: there is more than one.
                 *     - `absent`: there is none.
                 *     - `cancelled`: the guide is cancelled.
                 *     - `standing`: the guide is not cancelled.
                 *     - `inconclusive`: nothing that can be relied on; see `failure`.
                 * @enum {string}
                 */
                answer: "found" | "ambiguous" | "absent" | "inconclusive" | "cancelled" | "standing" | (string & {});
                /** @description The guides that the courier named. */
                guide_numbers: string[];
                /** @description Whether it counts towards *nothing created* or *not cancelled*, which take three in a row. */
                counted: boolean;
                /** @description Why the courier gave no answer. `null` if it gave one. */
                failure: {
                    /**
                     * @description What went wrong.
                     * @enum {string}
                     */
                    kind: "courier_unreachable" | "courier_throttled" | "courier_rejected" | "response_lost" | "response_unreadable" | "courier_error" | "deadline_passed" | (string & {});
                    /** @description The HTTP status of the courier's answer. `null` if there was none. */
                    status_code: number | null;
                } | null;
                /** @description How long the look took, in milliseconds. `null` for looks recorded before this field existed. */
                latency_ms: number | null;
            }[];
            /** @description When the courier is asked next. `null` if it will not be asked. */
            next_look_at: string | null;
            /**
             * Format: date-time
             * @description Until then the call may still take effect at the courier, so *nothing created* cannot be concluded earlier.
             * @example 2026-03-01T12:00:00.000Z
             */
            settle_until: string;
            /**
             * Format: date-time
             * @description If the outcome is not certain by then, a person must decide.
             * @example 2026-03-01T12:00:00.000Z
             */
            deadline_at: string;
            /** @description The conclusion in force. `null` while the operation is open. */
            resolution: {
                /**
                 * @description What was concluded.
                 * @enum {string}
                 */
                decision: "guide_exists" | "nothing_created" | "cancelled" | "not_cancelled" | (string & {});
                /**
                 * @description `reconciliation`: by looks at the courier. `operator`: by a person.
                 * @enum {string}
                 */
                by: "reconciliation" | "operator" | (string & {});
                /**
                 * @description The operator who decided. `null` for reconciliation, and for a key that belongs to no operator.
                 * @example opr_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                operator_id: string | null;
                /** @description The operator's name, or the `decided_by` of a key that belongs to no operator. `null` for reconciliation, once erased, and when the platform reads an operation of another organization. */
                decided_by: string | null;
                /** @description The reason for the decision. `null` as for `decided_by`. */
                note: string | null;
                /**
                 * @description The guide that exists. `null` if the conclusion names none.
                 * @example 100000000001
                 */
                guide_number: string | null;
                /** @description Whether the courier has confirmed the guide. `null` if the conclusion names no guide. */
                confirmed: boolean | null;
                /**
                 * Format: date-time
                 * @description When it was concluded.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
            } | null;
            /** @description Every conclusion, oldest first, including contradicted ones. */
            resolutions: {
                /**
                 * @description What was concluded.
                 * @enum {string}
                 */
                decision: "guide_exists" | "nothing_created" | "cancelled" | "not_cancelled" | (string & {});
                /**
                 * @description `reconciliation`: by looks at the courier. `operator`: by a person.
                 * @enum {string}
                 */
                by: "reconciliation" | "operator" | (string & {});
                /**
                 * @description The operator who decided. `null` for reconciliation, and for a key that belongs to no operator.
                 * @example opr_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                operator_id: string | null;
                /** @description The operator's name, or the `decided_by` of a key that belongs to no operator. `null` for reconciliation, once erased, and when the platform reads an operation of another organization. */
                decided_by: string | null;
                /** @description The reason for the decision. `null` as for `decided_by`. */
                note: string | null;
                /**
                 * @description The guide that exists. `null` if the conclusion names none.
                 * @example 100000000001
                 */
                guide_number: string | null;
                /** @description Whether the courier has confirmed the guide. `null` if the conclusion names no guide. */
                confirmed: boolean | null;
                /**
                 * Format: date-time
                 * @description When it was concluded.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
            }[];
            /** @description Guides that the courier's last clear answer listed and that the decision in force does not use. You may pay for them, so ask the courier to cancel them. Empty while nothing is decided, and once a look no longer finds them. */
            surplus_guide_numbers: string[];
            /** @description Why a person must decide. `null` unless the operation needs review. */
            reason_for_review: {
                /**
                 * @description For programs.
                 *
                 *     - `ambiguous`: The courier lists more than one guide under our reference.
                 *     - `courier_cannot_be_asked`: The courier cannot be asked about the outcome of the call.
                 *     - `deadline_passed`: No look had a clear answer before the deadline.
                 *     - `contradicted`: Evidence contradicted the conclusion.
                 * @enum {string}
                 */
                code: "ambiguous" | "courier_cannot_be_asked" | "deadline_passed" | "contradicted" | (string & {});
                /** @description The same for people. */
                text: string;
            } | null;
            /** @description The operator that it is assigned to. `null` if it is unassigned. */
            assignee: {
                /**
                 * @description The operator who works on it.
                 * @example opr_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                operator_id: string;
                /** @description The operator's current name. `null` in webhooks, and when the platform reads an operator of another organization. */
                name: string | null;
            } | null;
            /** @description The end of its snooze, which has no effect once it has passed. `null` if it was not snoozed, or has come into review, been contradicted or been resolved since. */
            snoozed_until: string | null;
            /** @description The newest 20, oldest first; `GET /v1/operations/{id}/comments` lists all. Webhooks show fewer, without their texts. */
            comments: components["schemas"]["OperationComment"][];
            /** @description The total number of comments. */
            comment_count: number;
            /** @description Whether evidence ever contradicted a conclusion. Only a person can close such an operation. */
            contradicted: boolean;
            /** @description Whether it was escalated to the platform, because it needs review or was open for an hour. */
            escalated: boolean;
            /**
             * Format: date-time
             * @description When the call was requested.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Grows with every change. The `ETag` of a read changes with it.
             * @example 1
             */
            version: number;
        };
        /**
         * @description A person's comment on an operation.
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
            /**
             * @description Identifies the comment and never changes. The part after `cmt_` is opaque.
             * @example cmt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `operation_comment`.
             * @constant
             */
            object: "operation_comment";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The operation that it is about.
             * @example op_0aB1cD2eF3gH4iJ5kL6mN7
             */
            operation_id: string;
            /** @description Who wrote it. */
            by: {
                /**
                 * @description The operator. `null` if the key belongs to none.
                 * @example opr_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                operator_id: string | null;
                /** @description The operator's current name. `null` if there is no operator, and when the platform reads a comment of another organization's operator. */
                name: string | null;
                /**
                 * @description The key that was used. `null` for the command line.
                 * @example key_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                key_id: string | null;
            };
            /** @description The text. `null` once erased, and for the platform unless its own operator wrote it. */
            text: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description A signed statement of how many events the ledger has and what they hash to. */
        LedgerCheckpoint: {
            /**
             * @description The type of the object: always `ledger_checkpoint`.
             * @constant
             */
            object: "ledger_checkpoint";
            /**
             * @description The number of leaves: the tree covers this many events, from the first.
             * @example 1024
             */
            tree_size: number;
            /**
             * @description The root of the tree of that size: 32 bytes, hexadecimal.
             * @example abababababababababababababababababababababababababababababababab
             */
            root_hash: string;
            /** @description The `key_id` of the key that signed it, as in `GET /v1/ledger/keys`. */
            key_id: string;
            /**
             * Format: date-time
             * @description When it was signed.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /** @description The signed text with its signatures, as defined by C2SP tlog-checkpoint. */
            note: string;
        };
        /** @description A proof that an event is in the tree that a checkpoint signs (RFC 9162). */
        LedgerProof: {
            /**
             * @description The type of the object: always `ledger_proof`.
             * @constant
             */
            object: "ledger_proof";
            /**
             * @description The position of the event.
             * @example 00000000000000000042
             */
            position: string;
            /**
             * Format: uuid
             * @description The `id` of the event that is proved.
             */
            event_id: string;
            /**
             * @description The digest of the event. The tree hashes the byte 0x00 followed by these bytes.
             * @example abababababababababababababababababababababababababababababababab
             */
            leaf: string;
            /** @description The index of the event among the leaves, from 0, in the order of the ledger. */
            leaf_index: number;
            /**
             * @description The number of leaves: the tree covers this many events, from the first.
             * @example 1024
             */
            tree_size: number;
            /**
             * @description The root of the tree of that size: 32 bytes, hexadecimal.
             * @example abababababababababababababababababababababababababababababababab
             */
            root_hash: string;
            /** @description The hashes of the proof, in the order of RFC 9162. */
            hashes: string[];
        };
        /** @description A proof that one state of the ledger is the beginning of another (RFC 9162). */
        LedgerConsistency: {
            /**
             * @description The type of the object: always `ledger_consistency`.
             * @constant
             */
            object: "ledger_consistency";
            /**
             * @description The size of the earlier tree.
             * @example 1024
             */
            from_size: number;
            /**
             * @description The root of the earlier tree: 32 bytes, hexadecimal.
             * @example abababababababababababababababababababababababababababababababab
             */
            from_root_hash: string;
            /**
             * @description The size of the later tree.
             * @example 1024
             */
            to_size: number;
            /**
             * @description The root of the later tree: 32 bytes, hexadecimal.
             * @example abababababababababababababababababababababababababababababababab
             */
            to_root_hash: string;
            /** @description The hashes of the proof, in the order of RFC 9162. */
            hashes: string[];
        };
        /** @description A public key that checkpoints are signed with. */
        LedgerKey: {
            /**
             * @description The type of the object: always `ledger_key`.
             * @constant
             */
            object: "ledger_key";
            /** @description Identifies the key in checkpoints. */
            key_id: string;
            /** @description The Ed25519 public key: 32 bytes in base64. */
            public_key: string;
            /** @description The same key as text for tools, in the C2SP signed-note format. */
            verifier: string;
            /**
             * @description The size of the first checkpoint that this key signed. The previous key signed it too.
             * @example 1024
             */
            since_tree_size: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /**
         * @description An administrative act: a change of a resource other than a shipment, and who made it.
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
             * @description Identifies its event in the ledger, as in an export.
             */
            id: string;
            /**
             * @description The type of the object: always `audit_event`.
             * @constant
             */
            object: "audit_event";
            /** @description The mode that it belongs to. `false` also for an act on the organization as a whole, which belongs to no mode. */
            livemode: boolean;
            /** @description The workspace that it is about. `null` if it is about none. */
            workspace_id: string | null;
            /**
             * @description What was done: the type of its event.
             * @enum {string}
             */
            action: "OrganizationCreated" | "OrganizationPlanChanged" | "OrganizationSuspended" | "OrganizationResumed" | "PlanCreated" | "PlanChanged" | "ApiKeyCreated" | "ApiKeyRolled" | "ApiKeyRevoked" | "OperatorCreated" | "OperatorDisabled" | "OperatorSignedIn" | "SignInRefused" | "OperatorChanged" | "WorkspaceCreated" | "WorkspaceChanged" | "WorkspaceHoldPlaced" | "WorkspaceHoldLifted" | "CourierConnectionCreated" | "CourierConnectionChanged" | "CourierCredentialsReplaced" | "CourierConnectionVerified" | "OperationsSeenByPlatform" | "CourierRegistered" | "CourierReplaced" | "WebhookEndpointCreated" | "WebhookEndpointChanged" | "WebhookEndpointDeleted" | "CourierConnectionDeleted" | "WebhookSecretRotated" | "PersonalDataErasureOrdered" | "WebhookRedelivered" | "WebhookPeriodRecovered" | "WebhookDeliveriesSeen" | "AuditEventsSeen" | "AuthenticationsFailed" | "ShipmentReplayed" | "LedgerExported" | "EvidenceExported" | "CourierInvoiceImported" | "CourierInvoiceLineDecided" | "CourierInvoiceWithdrawn" | "LedgerMoved" | "LedgerRecovered" | "MasterKeyRotated" | (string & {});
            /** @description Who acted, and with which key. */
            actor: {
                /**
                 * @description What kind of actor. `operator`: a person; `cli`: a command without one; `system`: the service itself.
                 * @enum {string}
                 */
                type: "api_key" | "reconciliation" | "poller" | "system" | "cli" | "operator" | (string & {});
                /** @description The key that was used. `null` if there was none. */
                key_id: string | null;
                /** @description The operator. `null` if there was none. */
                operator_id: string | null;
            };
            /** @description The resource that was changed or read. */
            resource: {
                /**
                 * @description What kind of resource.
                 * @enum {string}
                 */
                type: "organization" | "plan" | "api_key" | "operator" | "workspace" | "courier_connection" | "courier" | "webhook_endpoint" | "webhook_delivery" | "operation" | "courier_invoice" | "shipment" | "audit_log" | "ledger" | "master_key" | (string & {});
                /** @description Its id. `null` if there were several. */
                id: string | null;
            };
            /** @description Every field that changed, including those whose values are not recorded. */
            changed_fields: string[];
            /** @description The recorded values of the changed fields before the change. Names, descriptions, secrets and webhook URLs are never recorded, and older events lack some values. */
            before: {
                [key: string]: unknown;
            };
            /** @description The recorded values of the changed fields after the change. */
            after: {
                [key: string]: unknown;
            };
            /** @description The data of the event, as recorded in the ledger. */
            data: {
                [key: string]: unknown;
            };
            /** @description The request that did it. `null` if a command or the service did. */
            request_id: string | null;
            /** @description The position of the event in the ledger: `GET /v1/ledger/proof/{position}` proves it. */
            position: string;
            /**
             * Format: date-time
             * @description When it was done.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description The operations that need attention now. */
        OperationStatistics: {
            /**
             * @description The type of the object: always `operation_statistics`.
             * @constant
             */
            object: "operation_statistics";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /** @description Operations for which the courier is asked until their outcome is certain. */
            reconciling: number;
            /** @description Operations that wait for a person. */
            needs_review: number;
            /** @description Operations in review that are snoozed. */
            snoozed: number;
            /** @description Operations in review that evidence contradicted. */
            contradicted: number;
            /** @description Open operations that were escalated to the platform. */
            escalated: number;
            /** @description Operations that were decided for a guide that the courier has not confirmed so far. */
            unconfirmed: number;
            /** @description Operations that were decided although the courier lists a guide that the decision does not use. */
            surplus: number;
            /** @description Open operations that are older than the 8 hours after which a person must decide. */
            past_deadline: number;
            /** @description The oldest open operation by the clock of its workspace. `null` if none is open. */
            oldest: {
                /** @description Its id, for `GET /v1/operations/{id}`. */
                operation_id: string;
                /**
                 * @description Whether reconciliation or a person is working on it.
                 * @enum {string}
                 */
                status: "reconciling" | "needs_review" | (string & {});
                /**
                 * Format: date-time
                 * @description When it was created.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                created_at: string;
                /** @description Its age in seconds on the workspace's clock. */
                age_seconds: number;
            } | null;
        };
        /** @description Calls that create a guide over time. */
        CreationStatistics: {
            /**
             * @description The type of the object: always `creation_statistics`.
             * @constant
             */
            object: "creation_statistics";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The length of each interval.
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | (string & {});
            /**
             * Format: date-time
             * @description The start of the first interval.
             * @example 2026-03-01T12:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the last interval, exclusive.
             * @example 2026-03-01T12:00:00.000Z
             */
            to: string;
            /** @description How calls that create a guide ended over the whole period. More outcomes may be added. */
            total: {
                /** @description Calls that created a guide. */
                created: number;
                /** @description Calls that the courier refused. */
                rejected: number;
                /** @description Calls that did not reach the courier. */
                not_executed: number;
                /** @description Calls whose answer was lost; reconciliation concludes them later. */
                unknown_outcome: number;
            };
            /** @description The same for every interval, oldest first. */
            data: {
                /**
                 * Format: date-time
                 * @description The start of the interval.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
                /** @description How calls ended in the interval. */
                outcomes: {
                    /** @description Calls that created a guide. */
                    created: number;
                    /** @description Calls that the courier refused. */
                    rejected: number;
                    /** @description Calls that did not reach the courier. */
                    not_executed: number;
                    /** @description Calls whose answer was lost; reconciliation concludes them later. */
                    unknown_outcome: number;
                };
            }[];
        };
        /** @description Unknown outcomes and their conclusions over time. */
        ReconciliationStatistics: {
            /**
             * @description The type of the object: always `reconciliation_statistics`.
             * @constant
             */
            object: "reconciliation_statistics";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The length of each interval.
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | (string & {});
            /**
             * Format: date-time
             * @description The start of the first interval.
             * @example 2026-03-01T12:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the last interval, exclusive.
             * @example 2026-03-01T12:00:00.000Z
             */
            to: string;
            /** @description What happened in every interval, oldest first. */
            data: {
                /**
                 * Format: date-time
                 * @description The start of the interval.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
                /** @description Calls whose outcome became unknown. */
                unknown: number;
                /** @description Operations that came into review. */
                needs_review: number;
                /** @description Conclusions that evidence contradicted. */
                contradicted: number;
                /** @description Conclusions, by result. */
                concluded: {
                    /** @description There is a guide. */
                    guide_exists: number;
                    /** @description There is no guide. */
                    nothing_created: number;
                    /** @description The guide is cancelled. */
                    cancelled: number;
                    /** @description The guide remains valid. */
                    not_cancelled: number;
                };
            }[];
            /** @description The time from the unknown outcome, or the contradiction, to the conclusion, over the whole period. */
            durations: {
                /** @description For operations concluded by looks at the courier, in seconds. */
                reconciliation: {
                    /** @description The number of values. */
                    count: number;
                    /** @description The value that half of the values do not exceed. `null` if there are none. */
                    p50: number | null;
                    /** @description The value that 90 % of the values do not exceed. `null` if there are none. */
                    p90: number | null;
                    /** @description The value that 99 % of the values do not exceed. `null` if there are none. */
                    p99: number | null;
                    /** @description The values by size, from which the quantiles are estimated. Bounds may be added. */
                    buckets: {
                        /** @description The upper bound of the bucket, inclusive. The bound of the previous bucket is its lower one. `null` if it has no upper bound. */
                        up_to: number | null;
                        /** @description The number of values in the bucket. */
                        count: number;
                    }[];
                };
                /** @description For operations that a person decided, in seconds. */
                operator: {
                    /** @description The number of values. */
                    count: number;
                    /** @description The value that half of the values do not exceed. `null` if there are none. */
                    p50: number | null;
                    /** @description The value that 90 % of the values do not exceed. `null` if there are none. */
                    p90: number | null;
                    /** @description The value that 99 % of the values do not exceed. `null` if there are none. */
                    p99: number | null;
                    /** @description The values by size, from which the quantiles are estimated. Bounds may be added. */
                    buckets: {
                        /** @description The upper bound of the bucket, inclusive. The bound of the previous bucket is its lower one. `null` if it has no upper bound. */
                        up_to: number | null;
                        /** @description The number of values in the bucket. */
                        count: number;
                    }[];
                };
            };
        };
        /** @description Calls to couriers over time. */
        CourierStatistics: {
            /**
             * @description The type of the object: always `courier_statistics`.
             * @constant
             */
            object: "courier_statistics";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The length of each interval.
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | (string & {});
            /**
             * Format: date-time
             * @description The start of the first interval.
             * @example 2026-03-01T12:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the last interval, exclusive.
             * @example 2026-03-01T12:00:00.000Z
             */
            to: string;
            /** @description The couriers with the most calls first, at most 20. One that the query names is always included. */
            couriers: {
                /**
                 * @description The courier, by its code in `GET /v1/couriers`.
                 * @example mock
                 */
                provider_code: string;
                /** @description The number of calls; each request of a safe retry counts. */
                calls: number;
                /** @description Calls that the courier did not answer as it should. A refused shipment, refused credentials and a call given up before it was sent are not counted. */
                failed: number;
                /** @description How calls ended. */
                ends: {
                    /**
                     * @description What the courier was asked for.
                     * @enum {string}
                     */
                    call: "create" | "cancel" | "look" | (string & {});
                    /**
                     * @description `ok`, or what went wrong: `courier_unreachable`, `courier_throttled`, `connection_needs_reauth`, `courier_rejected`, `too_late`, `response_lost`, `response_unreadable`, `courier_error`, `deadline_passed`.
                     * @example ok
                     */
                    end: string;
                    /** @description How many calls ended so. */
                    count: number;
                }[];
                /** @description Milliseconds from the start of a call to its end. */
                latency_ms: {
                    /** @description The number of values. */
                    count: number;
                    /** @description The value that half of the values do not exceed. `null` if there are none. */
                    p50: number | null;
                    /** @description The value that 90 % of the values do not exceed. `null` if there are none. */
                    p90: number | null;
                    /** @description The value that 99 % of the values do not exceed. `null` if there are none. */
                    p99: number | null;
                    /** @description The values by size, from which the quantiles are estimated. Bounds may be added. */
                    buckets: {
                        /** @description The upper bound of the bucket, inclusive. The bound of the previous bucket is its lower one. `null` if it has no upper bound. */
                        up_to: number | null;
                        /** @description The number of values in the bucket. */
                        count: number;
                    }[];
                };
                /** @description The same for every interval, oldest first. */
                data: {
                    /**
                     * Format: date-time
                     * @description The start of the interval.
                     * @example 2026-03-01T12:00:00.000Z
                     */
                    at: string;
                    /** @description The number of calls; each request of a safe retry counts. */
                    calls: number;
                    /** @description Calls that the courier did not answer as it should. A refused shipment, refused credentials and a call given up before it was sent are not counted. */
                    failed: number;
                    /** @description Milliseconds from the start of a call to its end. */
                    latency_ms: {
                        /** @description The number of values. */
                        count: number;
                        /** @description The value that half of the values do not exceed. `null` if there are none. */
                        p50: number | null;
                        /** @description The value that 90 % of the values do not exceed. `null` if there are none. */
                        p90: number | null;
                        /** @description The value that 99 % of the values do not exceed. `null` if there are none. */
                        p99: number | null;
                    };
                }[];
            }[];
        };
        /** @description Attempts to deliver webhooks over time. */
        WebhookStatistics: {
            /**
             * @description The type of the object: always `webhook_statistics`.
             * @constant
             */
            object: "webhook_statistics";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The length of each interval.
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | (string & {});
            /**
             * Format: date-time
             * @description The start of the first interval.
             * @example 2026-03-01T12:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the last interval, exclusive.
             * @example 2026-03-01T12:00:00.000Z
             */
            to: string;
            /** @description The endpoints with the most attempts first, at most 20. One that the query names is always included. */
            endpoints: {
                /** @description The endpoint that was sent to. */
                endpoint_id: string;
                /** @description Attempts to deliver a webhook. */
                attempts: number;
                /** @description Attempts without a 2xx response. */
                failed: number;
                /** @description How attempts ended. */
                ends: {
                    /**
                     * @description `ok`, a class of status such as `5xx`, or an error such as `timeout`.
                     * @example ok
                     */
                    end: string;
                    /** @description How many attempts ended so. */
                    count: number;
                }[];
                /** @description Milliseconds from the start of an attempt to its end. */
                latency_ms: {
                    /** @description The number of values. */
                    count: number;
                    /** @description The value that half of the values do not exceed. `null` if there are none. */
                    p50: number | null;
                    /** @description The value that 90 % of the values do not exceed. `null` if there are none. */
                    p90: number | null;
                    /** @description The value that 99 % of the values do not exceed. `null` if there are none. */
                    p99: number | null;
                    /** @description The values by size, from which the quantiles are estimated. Bounds may be added. */
                    buckets: {
                        /** @description The upper bound of the bucket, inclusive. The bound of the previous bucket is its lower one. `null` if it has no upper bound. */
                        up_to: number | null;
                        /** @description The number of values in the bucket. */
                        count: number;
                    }[];
                };
                /** @description The same for every interval, oldest first. */
                data: {
                    /**
                     * Format: date-time
                     * @description The start of the interval.
                     * @example 2026-03-01T12:00:00.000Z
                     */
                    at: string;
                    /** @description Attempts to deliver a webhook. */
                    attempts: number;
                    /** @description Attempts without a 2xx response. */
                    failed: number;
                    /** @description Milliseconds from the start of an attempt to its end. */
                    latency_ms: {
                        /** @description The number of values. */
                        count: number;
                        /** @description The value that half of the values do not exceed. `null` if there are none. */
                        p50: number | null;
                        /** @description The value that 90 % of the values do not exceed. `null` if there are none. */
                        p90: number | null;
                        /** @description The value that 99 % of the values do not exceed. `null` if there are none. */
                        p99: number | null;
                    };
                }[];
            }[];
        };
        /**
         * @description A request that a key made.
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
            /**
             * @description The `X-Request-Id` of the answer.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `request`.
             * @constant
             */
            object: "request";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /** @description The workspace that the key is restricted to. `null` if the key reaches every workspace. */
            workspace_id: string | null;
            /**
             * @description The key that made the request.
             * @example key_0aB1cD2eF3gH4iJ5kL6mN7
             */
            key_id: string;
            /**
             * @description The HTTP method.
             * @example POST
             */
            method: string;
            /**
             * @description The pattern of the route, without the values in it.
             * @example /v1/shipments
             */
            route: string;
            /**
             * @description The HTTP status of the answer.
             * @example 409
             */
            status: number;
            /** @description The reason of the problem. `null` if the answer was no problem. */
            reason: ("unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "validation_failed" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "unknown_outcome" | "nothing_created" | "shipment_not_cancellable" | "not_cancelled" | "courier_rejected" | "courier_not_available" | "not_supported_by_courier" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "ledger_damaged" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "label_unreadable" | "shipment_has_no_guide" | "operation_open" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "papers_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "invoice_comparing" | "invoice_not_ready" | "invoice_withdrawn" | "operation_already_resolved" | "invoice_line_changed" | "operation_full" | "guide_unconfirmed" | "operator_not_yours" | "key_not_rollable" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing") | null;
            /** @description What a failed change did. `null` if it did not fail, or was no change. */
            outcome: ("not_executed" | "executed" | "unknown") | null;
            /** @description How long it took, in milliseconds. */
            duration_ms: number;
            /** @description How many requests this one stands for: 1, unless there were more than twenty of its kind in that second. The kinds are successes, 429 answers and other errors. */
            represents: number;
            /**
             * Format: date-time
             * @description When it was answered.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description The objects in which a text was found. */
        Search: {
            /**
             * @description The type of the object: always `search`.
             * @constant
             */
            object: "search";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /** @description The objects that were found, by kind. */
            data: {
                /** @description The id of what was found. */
                id: string;
                /**
                 * @description The type of the object: always `search_result`.
                 * @constant
                 */
                object: "search_result";
                /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
                livemode: boolean;
                /**
                 * @description The kind of object that was found.
                 * @enum {string}
                 */
                type: "shipment" | "operation" | "batch" | "request" | "webhook_event" | "webhook_delivery" | "webhook_endpoint" | "workspace" | "courier_connection" | "quote" | "api_key" | "operator" | (string & {});
                /**
                 * @description The field that the text was found in.
                 * @enum {string}
                 */
                matched: "id" | "external_reference" | "idempotency_key" | "guide_number" | (string & {});
                /** @description A title for people: a reference, a name, a type of event or a route. `null` if there is none. */
                title: string | null;
                /**
                 * @description Its status or state. `null` if it has none.
                 * @example created
                 */
                status: string | null;
                /** @description The workspace that it belongs to. `null` if it belongs to none. */
                workspace_id: string | null;
                /**
                 * Format: date-time
                 * @description When it was created.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                created_at: string;
            }[];
            /** @description Whether any kind of object has more than 10 matches. The lists show all of them. */
            has_more: boolean;
        };
        /** @description A scenario that the simulated courier can play. */
        SandboxScenario: {
            /** @description The number of the scenario in the list, from 1. */
            number: number;
            /**
             * @description The name to send in `Sandbox-Scenario`.
             * @enum {string}
             */
            name: "happy_path" | "slow_success" | "courier_rejected" | "credentials_invalid" | "courier_throttled" | "courier_unreachable" | "lost_response_guide_created" | "lost_response_nothing_created" | "lost_response_late_guide" | "lost_response_human_review" | "duplicate_guides" | "malformed_success" | "label_delayed" | "quote_partial" | "cancel_response_lost" | "delivery_exception" | "not_collected_returned" | "lost_parcel" | "noisy_tracking" | (string & {});
            /** @description What it is for. */
            summary: string;
            /** @description What happens, step by step. */
            steps: string[];
            /** @description The end of the scenario. */
            ends: string;
            /** @description The calls that play the scenario. */
            calls: {
                /**
                 * @description The HTTP method.
                 * @example POST
                 */
                method: string;
                /**
                 * @description The address, with ids to fill in between `<` and `>`.
                 * @example /v1/shipments
                 */
                path: string;
                /** @description The headers to send. */
                headers: {
                    [key: string]: string;
                };
                /** @description The body, with ids to fill in between `<` and `>`. `null` if there is none. */
                body: {
                    [key: string]: unknown;
                } | null;
            }[];
            /** @description What the calls lead to. */
            expected: {
                /** @description The answer to the last call. */
                answer: {
                    /**
                     * @description The HTTP status.
                     * @example 201
                     */
                    status: number;
                    /** @description The reason. `null` if the answer is no problem. */
                    reason: string | null;
                };
                /** @description The answer to the same call once the scenario has ended. */
                repeated: {
                    /**
                     * @description The HTTP status.
                     * @example 201
                     */
                    status: number;
                    /** @description The reason. `null` if the answer is no problem. */
                    reason: string | null;
                };
                /**
                 * @description The result of the operation. `null` if the outcome is never unknown.
                 * @example guide_exists
                 */
                operation: string | null;
                /**
                 * @description The status of the shipment.
                 * @example created
                 */
                shipment: string;
                /** @description The status of the tracking. `null` if there is no guide. */
                tracking: string | null;
                /** @description The codes of the scans, in order. */
                tracked: string[];
                /** @description The types of the webhooks that are sent, in order, without alerts. */
                webhooks: ("shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "batch.completed" | "courier_invoice.compared" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.ledger_damaged" | "alert.witness_silent")[];
                /** @description How far the workspace's clock must advance until all of this has happened. */
                after_seconds: number;
            };
            /** @description What the courier's invoice says. */
            billing: {
                /** @description How the invoice of the month bills it. */
                how: string;
                /** @description The findings of `POST /v1/courier-invoices/fetch`, line by line. Empty if it is not billed. */
                findings: ("matched" | "amount_differs" | "weight_differs" | "billed_twice" | "cancelled_guide" | "nothing_created" | "unknown_guide" | "unresolved" | "part_of")[];
            };
        };
        /** @description The clock of a test workspace. */
        SandboxClock: {
            /**
             * @description The type of the object: always `sandbox_clock`.
             * @constant
             */
            object: "sandbox_clock";
            /**
             * @description The workspace whose clock it is.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Always `false`: only test mode has clocks.
             * @constant
             */
            livemode: false;
            /**
             * Format: date-time
             * @description The current time of the clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            now: string;
            /** @description The time that the clock is being advanced to. `null` if it is not. */
            advancing_to: string | null;
            /** @description The progress of the advance, or the result of the last one. `null` if the clock was never advanced. */
            advance: {
                /**
                 * Format: date-time
                 * @description The target time of the advance.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                to: string;
                /** @description Jobs done so far, such as a read of the tracking of one shipment. */
                steps_done: number;
                /** @description Known jobs of shipments that are still due by then; a job that is done may add others. At most 10000 are counted. 0 once the clock has arrived. */
                steps_due: number;
                /** @description Jobs that fell due and could not be done. They stay due and are tried again after the advance. Empty while the clock advances. */
                skipped: {
                    /** @description The shipment. `null` for a webhook that is about none. */
                    shipment_id: string | null;
                    /**
                     * @description The kind of job.
                     * @enum {string}
                     */
                    what: "reconciliation" | "tracking" | "label" | "erasure" | "webhook" | (string & {});
                    /**
                     * @description `deferred`: it cannot be done now, for example because the credentials of the connection were refused. `failed`: every try failed; the log of the service says why. `still_due`: it is due again although it was done, or it is in progress elsewhere.
                     * @enum {string}
                     */
                    reason: "deferred" | "failed" | "still_due" | (string & {});
                }[];
                /** @description How many more jobs were skipped than are listed. */
                skipped_more: number;
            } | null;
        };
        /** @description The state of the service, as far as the key may see it. */
        Health: {
            /**
             * @description The type of the object: always `health`.
             * @constant
             */
            object: "health";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description `ok`, or `degraded`: the ledger is damaged, a projection has stopped, a courier is unreachable, the database or a file cannot be written, or a webhook endpoint is failing or was disabled by the service. For the platform also: a witness is silent.
             * @enum {string}
             */
            status: "ok" | "degraded" | (string & {});
            /**
             * @description `disk_full`: the database answers reads, but requests that store something are refused with 503. `failing`: it cannot be used for another reason.
             * @enum {string}
             */
            database: "ok" | "disk_full" | "failing" | (string & {});
            /** @description Files outside the database that cannot be written. Empty if all can. */
            unwritable_files: {
                /**
                 * @description `checkpoints`: events are recorded, but not sealed until the file can be written. `erasures`: the list of erasures.
                 * @enum {string}
                 */
                file: "checkpoints" | "erasures" | (string & {});
                /**
                 * @description The code that the operating system gave: `ENOSPC` means that the disk is full.
                 * @example ENOSPC
                 */
                code: string;
                /**
                 * Format: date-time
                 * @description Since when it cannot be written.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                since: string;
            }[];
            /** @description Whether the ledger has everything that was recorded in it. */
            ledger: {
                /**
                 * @description `damaged`: the ledger has lost events. Nothing is created or cancelled until the operator of the service has recovered it.
                 * @enum {string}
                 */
                state: "ok" | "damaged" | (string & {});
                /** @description When the damage was found. `null` while the ledger is not damaged. */
                damaged_since: string | null;
                /** @description What was expected and what was found. `null` while the ledger is not damaged, and for keys other than those of the platform. */
                detail: string | null;
                /** @description The command that recovers the ledger. `null` when `detail` is. */
                command: string | null;
                /** @description After a recovery, the service first asks the courier about each key that the ledger does not know. `null` if it need not ask, and for keys other than those of the platform. */
                find_first: {
                    /**
                     * Format: date-time
                     * @description Until when the service asks first.
                     * @example 2026-03-01T12:00:00.000Z
                     */
                    until: string;
                    /** @description How many keys the couriers were asked about first. */
                    asked: number;
                    /** @description How many of them had a guide, which was recorded instead of being created again. */
                    found: number;
                    /** @description How many had none and were created. */
                    created: number;
                } | null;
            };
            /** @description What is derived from the ledger, such as the lists. */
            projections: {
                /**
                 * @description The name of the projection.
                 * @example shipments
                 */
                name: string;
                /**
                 * @description `stopped`: it could not apply an event, so lists are no longer updated.
                 * @enum {string}
                 */
                state: "working" | "stopped" | (string & {});
                /** @description Grows with every rebuild. */
                generation: number;
                /** @description The position in the ledger that it has reached. `null` for keys other than those of the platform. */
                position: string | null;
                /** @description How far it lags behind the ledger, in seconds. */
                lag_seconds: number;
            }[];
            /** @description Open operations, at most the 10,000 oldest of each status. */
            operations: {
                /**
                 * @description What the operations wait for: reconciliation or a person.
                 * @enum {string}
                 */
                status: "reconciling" | "needs_review" | (string & {});
                /** @description How many operations there are. */
                count: number;
                /** @description The age of the oldest, in seconds. `null` if there is none. */
                oldest_age_seconds: number | null;
                /** @description How many operations there are of each age. Each is counted once. */
                ages: {
                    /** @description Younger than 10 minutes. */
                    under_10_minutes: number;
                    /** @description Younger than an hour. */
                    under_1_hour: number;
                    /** @description Younger than a day. */
                    under_1_day: number;
                    /** @description A day old or older. */
                    older: number;
                };
            }[];
            /** @description The couriers that the key may use. */
            couriers: {
                /**
                 * @description The courier, by its code in `GET /v1/couriers`.
                 * @example mock
                 */
                provider_code: string;
                /**
                 * @description Whether it answers a request for its capabilities.
                 * @enum {string}
                 */
                status: "reachable" | "unreachable" | (string & {});
            }[];
            /** @description The webhook event that has waited longest for its endpoint, on its workspace's clock. `null` if none waits. */
            oldest_undelivered: {
                /** @description The id to read with `GET /v1/events/{id}`. */
                event_id: string;
                /** @description How long it has waited, in seconds. */
                age_seconds: number;
            } | null;
            /** @description Webhook deliveries of the last 30 days, at most 10,000 of each state. */
            deliveries: {
                /** @description Still to be sent or retried. */
                pending: number;
                /** @description No longer retried. */
                dead: number;
                /** @description For an endpoint that was disabled or removed. */
                discarded: number;
            };
            /** @description Webhook endpoints, by their state. */
            webhook_endpoints: {
                /** @description Enabled, and not failing. */
                ok: number;
                /** @description Enabled, with at least three failures in a row. */
                failing: number;
                /** @description Disabled by you or by the service. */
                disabled: number;
            };
            /** @description The witnesses of the ledger. Empty for keys other than those of the platform. */
            witnesses: {
                /** @description The name of the witness. */
                name: string;
                /** @description The id of the key that it cosigns with. */
                key_id: string;
                /**
                 * @description `silent` if a checkpoint has waited for its cosignature for over a minute, otherwise `cosigning`.
                 * @enum {string}
                 */
                state: "cosigning" | "silent" | (string & {});
                /** @description How many events the last checkpoint that it cosigned covers. */
                cosigned_tree_size: number;
                /** @description When it last cosigned a checkpoint. `null` if it never did. */
                cosigned_at: string | null;
                /** @description The age of the oldest checkpoint that waits for it, in seconds. 0 if none waits. */
                waiting_seconds: number;
            }[];
        };
        /** @description What a creation of these lines would refuse. Nothing was stored. */
        BatchCheck: {
            /**
             * @description The type of the object: always `batch_check`.
             * @constant
             */
            object: "batch_check";
            /** @description How the CSV is written, for a program that corrects it. `null` for JSON. */
            file: components["schemas"]["SheetFile"] | null;
            /** @description The columns of a CSV. Empty for JSON. */
            columns: components["schemas"]["SheetColumn"][];
            /**
             * @description The number of lines.
             * @example 120
             */
            lines: number;
            /**
             * @description How many lines have no error. 0 if the header has one: then the whole file would be refused.
             * @example 118
             */
            good: number;
            /** @description The first 200 errors. */
            errors: components["schemas"]["SheetError"][];
            /**
             * @description How many more errors there are.
             * @example 0
             */
            more_errors: number;
            /** @description The first 5 lines. */
            sample: components["schemas"]["SheetLine"][];
            /**
             * @description How many of the good lines exceed what is left of the plan's shipments this month: as many would be refused with `quota_exceeded`. Lines of other batches that have not begun are not counted. 0 if the plan has no limit.
             * @example 0
             */
            over_quota: number;
            /** @description Sums over the good lines. */
            totals: {
                /**
                 * @description The pieces of the good lines.
                 * @example 120
                 */
                pieces: number;
                /**
                 * @description The weight of all their pieces in kilograms.
                 * @example 96.4
                 */
                weight_kg: number;
            };
        };
        /** @description How a CSV is written. */
        SheetFile: {
            /**
             * @description The charset, declared, marked or recognised.
             * @example windows-1252
             * @enum {string}
             */
            charset: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
            /**
             * @description What stands between two cells.
             * @example ;
             * @enum {string}
             */
            separator: "," | ";" | "\t";
        };
        /** @description A column of the file, and the field that it was read as. */
        SheetColumn: {
            /**
             * @description The header in the file.
             * @example Peso (g)
             */
            header: string;
            /**
             * @description The column that it stands for. `null` if it is not read.
             * @example weight_kg
             */
            field: string | null;
            /**
             * @description The unit of its cells, which are converted: `g`, `cm`, a currency, or `minor` for minor units. `null` if it has none.
             * @example g
             */
            unit: string | null;
        };
        /** @description An error of a line, or of the header. */
        SheetError: {
            /**
             * @description The line, numbered as in the items of a batch: in a CSV the row that a spreadsheet shows.
             * @example 3
             */
            line: number;
            /**
             * @description The header of the cell in the file. `null` for JSON, and if the error is not about one cell.
             * @example Destino
             */
            column: string | null;
            /**
             * @description The order reference of the line. `null` if it has none that can be read, and for a courier invoice.
             * @example order-5001
             */
            external_reference: string | null;
            /**
             * @description The guide that the line of a courier invoice bills. `null` if it has none that can be read, and for a batch.
             * @example null
             */
            guide_number: string | null;
            /**
             * @description The field of the line in JSON. Empty if the error is not about one field.
             * @example /destination/agency_id
             */
            pointer: string;
            /**
             * @description The text of the cell. `null` if it is empty or the error is not about one cell.
             * @example Agencia Cuzco
             */
            value: string | null;
            /**
             * @description The reason, as in `errors` of a refused creation.
             * @example agency_not_found
             */
            reason: string;
            /**
             * @description What is wrong, as a sentence.
             * @example Column `destination_agency`: The courier has no agency of this name.
             */
            detail: string;
            /** @description What the text may have meant, closest first. After these, products of the courier to choose from. Empty if there are none. */
            suggestions: components["schemas"]["SheetSuggestion"][];
        };
        /** @description What a misspelt text may have meant. */
        SheetSuggestion: {
            /**
             * @description What the file can have instead: an id, a word, or a column for `columns`.
             * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
             */
            value: string;
            /**
             * @description What a person knows it by.
             * @example Agencia Cusco, Cusco, Cusco
             */
            label: string;
        };
        /** @description A line as it was understood. */
        SheetLine: {
            /**
             * @description Numbered like the lines of errors.
             * @example 2
             */
            line: number;
            /** @description Its fields, with the ids of names. Fields that cannot be read are absent. */
            fields: {
                [key: string]: unknown;
            };
        };
        /**
         * @description Shipments that were requested together, and their outcome.
         * @example {
         *       "id": "bat_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "batch",
         *       "livemode": false,
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "external_reference": "monday-morning",
         *       "status": "completed",
         *       "result": "some",
         *       "total": 200,
         *       "counts": {
         *         "created": 197,
         *         "unknown_outcome": 1,
         *         "failed": 2
         *       },
         *       "reasons": {
         *         "unknown_outcome": 1,
         *         "validation_failed": 2
         *       },
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "cancelled_at": null,
         *       "ended_at": "2026-03-01T12:00:08.000Z"
         *     }
         */
        Batch: {
            /**
             * @description Identifies the batch and never changes. The part after `bat_` is opaque.
             * @example bat_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `batch`.
             * @constant
             */
            object: "batch";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Your name for the batch.
             * @example monday-morning
             */
            external_reference: string;
            /**
             * @description Current status.
             *
             *     - `running`: Some lines have not been answered yet.
             *     - `completed`: Every line was answered or refused.
             *     - `cancelled`: Lines that had not begun were skipped; those that had begun are finished.
             * @enum {string}
             */
            status: "running" | "completed" | "cancelled" | (string & {});
            /**
             * @description How many lines got a guide, cancelled ones included.
             *
             *     - `all`: Every line.
             *     - `some`: Some lines. `counts` and `reasons` show what happened to the others.
             *     - `none`: No line.
             *
             *     A line whose outcome is unknown counts once its guide is found. `null` until the batch has ended.
             * @example some
             */
            result: ("all" | "some" | "none") | null;
            /**
             * @description The number of lines.
             * @example 200
             */
            total: number;
            /**
             * @description How many lines are in each state now. `state` of a line lists the states; those without a line are omitted. Changes of shipments count within about a second.
             * @example {
             *       "created": 197,
             *       "unknown_outcome": 1,
             *       "failed": 2
             *     }
             */
            counts: {
                [key: string]: number;
            };
            /**
             * @description How many lines were refused without a guide, by the `reason` of their error.
             * @example {
             *       "unknown_outcome": 1,
             *       "validation_failed": 2
             *     }
             */
            reasons: {
                [key: string]: number;
            };
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /** @description When it was cancelled. `null` if it was not. */
            cancelled_at: string | null;
            /** @description When its last line was answered or skipped. `null` until then. */
            ended_at: string | null;
        };
        /** @description One line of a batch, and its outcome. */
        BatchItem: {
            /**
             * @description The type of the object: always `batch_item`.
             * @constant
             */
            object: "batch_item";
            /**
             * @description Its position, from 1. In a CSV the header is line 1, so the first shipment is line 2.
             * @example 1
             */
            line: number;
            /**
             * @description Its idempotency key. `POST /v1/shipments` with the same key and body returns the same. `null` if the line was refused before it had a key.
             * @example order-5001
             */
            key: string | null;
            /**
             * @description Current state.
             *
             *     - `waiting`: It has not begun.
             *     - `failed`: It was refused and nothing was created; `error` gives the reason.
             *     - `invalid`: It was skipped because it is wrong (`skip_invalid`), and never begins; `error` gives the reason.
             *     - `not_begun`: The batch was cancelled before it began.
             *
             *     Any other value is the current status of its shipment.
             * @example created
             * @enum {string}
             */
            state: "waiting" | "failed" | "invalid" | "not_begun" | "creating" | "created" | "rejected" | "not_executed" | "unknown_outcome" | "not_created" | "cancelling" | "cancelled" | (string & {});
            /** @description Its shipment. `null` if there is none. */
            shipment_id: string | null;
            /**
             * @description Its order reference. `null` if it cannot be read, and for about a second after the line was answered.
             * @example order-5001
             */
            external_reference: string | null;
            /** @description The error, as a single creation would return it. `null` if the line was not refused, or has received its guide since. */
            error: components["schemas"]["Problem"] | null;
        };
        /** @description What a creation of these lines would refuse. Nothing was stored. */
        CourierInvoiceCheck: {
            /**
             * @description The type of the object: always `courier_invoice_check`.
             * @constant
             */
            object: "courier_invoice_check";
            /** @description How the CSV is written, for a program that corrects it. `null` for JSON. */
            file: components["schemas"]["SheetFile"] | null;
            /** @description The columns of a CSV. Empty for JSON. */
            columns: components["schemas"]["SheetColumn"][];
            /**
             * @description The number of lines.
             * @example 120
             */
            lines: number;
            /**
             * @description How many lines have no error. 0 if the header has one: then the whole file would be refused.
             * @example 118
             */
            good: number;
            /** @description The first 200 errors. */
            errors: components["schemas"]["SheetError"][];
            /**
             * @description How many more errors there are.
             * @example 0
             */
            more_errors: number;
            /** @description The first 5 lines. */
            sample: components["schemas"]["SheetLine"][];
            /** @description Sums over the good lines. */
            totals: {
                /** @description A sum for each kind of line and currency. */
                amounts: {
                    /**
                     * @description What the line is about.
                     *
                     *     - `charge`: The courier bills the amount.
                     *     - `cash_on_delivery`: The courier pays the amount out: cash that it collected for the shop. It is compared with the `cash_on_delivery` of the shipment.
                     * @example charge
                     * @enum {string}
                     */
                    kind: "charge" | "cash_on_delivery" | (string & {});
                    /**
                     * @description The ISO 4217 code.
                     * @example PEN
                     */
                    currency: string;
                    /**
                     * @description The sum of the good lines, in minor units of the currency.
                     * @example 145000
                     */
                    amount: number;
                    /**
                     * @description How many lines there are.
                     * @example 100
                     */
                    lines: number;
                }[];
            };
            /** @description The first 50 rows of a CSV that are set aside: totals, subtotals, taxes and notes without a guide number, in English or Spanish. They are neither lines nor errors, and an import leaves them out. */
            set_aside: {
                /**
                 * @description Numbered like the lines of errors.
                 * @example 102
                 */
                line: number;
                /**
                 * @description The text of its first cell with text, at most 100 characters.
                 * @example Total
                 */
                text: string;
                /**
                 * @description Its amount in minor units. `null` if it has none that can be read.
                 * @example 145000
                 */
                amount: number | null;
                /** @description The currency that the row or the header names, or else that of the line before. `null` without an amount. */
                currency: string | null;
            }[];
            /**
             * @description How many more rows are set aside.
             * @example 0
             */
            more_set_aside: number;
        };
        /**
         * @description What a courier bills, compared with the ledger.
         * @example {
         *       "id": "inv_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "object": "courier_invoice",
         *       "livemode": false,
         *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "reference": "F001-000123",
         *       "period": {
         *         "from": "2026-02-01",
         *         "to": "2026-02-28"
         *       },
         *       "version": 1,
         *       "status": "compared",
         *       "total": 200,
         *       "invalid_lines": 0,
         *       "compared_lines": 200,
         *       "totals": [
         *         {
         *           "finding": "amount_differs",
         *           "kind": "charge",
         *           "currency": "PEN",
         *           "lines": 2,
         *           "amount": 3100,
         *           "at_stake": 200,
         *           "accepted": {
         *             "lines": 0,
         *             "amount": 0,
         *             "at_stake": 0
         *           },
         *           "to_check": {
         *             "lines": 1,
         *             "amount": 1550,
         *             "at_stake": 100
         *           },
         *           "disputed": {
         *             "lines": 1,
         *             "amount": 1550,
         *             "at_stake": 100
         *           }
         *         },
         *         {
         *           "kind": "charge",
         *           "finding": "matched",
         *           "currency": "PEN",
         *           "lines": 198,
         *           "amount": 287100,
         *           "at_stake": 0,
         *           "to_check": {
         *             "lines": 0,
         *             "amount": 0,
         *             "at_stake": 0
         *           },
         *           "disputed": {
         *             "lines": 0,
         *             "amount": 0,
         *             "at_stake": 0
         *           },
         *           "accepted": {
         *             "lines": 0,
         *             "amount": 0,
         *             "at_stake": 0
         *           }
         *         }
         *       ],
         *       "amounts": [
         *         {
         *           "kind": "charge",
         *           "currency": "PEN",
         *           "lines": 200,
         *           "amount": 290200,
         *           "at_stake": 200,
         *           "accepted": {
         *             "lines": 0,
         *             "amount": 0,
         *             "at_stake": 0
         *           },
         *           "to_check": {
         *             "lines": 1,
         *             "amount": 1550,
         *             "at_stake": 100
         *           },
         *           "disputed": {
         *             "lines": 1,
         *             "amount": 1550,
         *             "at_stake": 100
         *           }
         *         }
         *       ],
         *       "decisions": {
         *         "accepted": 0,
         *         "disputed": 1,
         *         "outdated": 0,
         *         "matched": 0,
         *         "to_check": 1
         *       },
         *       "ledger_position": "000000000000004711",
         *       "compared_at": "2026-03-01T12:00:03.000Z",
         *       "withdrawn_at": null,
         *       "created_at": "2026-03-01T12:00:00.000Z",
         *       "updated_at": "2026-03-01T12:05:00.000Z"
         *     }
         */
        CourierInvoice: {
            /**
             * @description Identifies the courier's invoice and never changes. The part after `inv_` is opaque.
             * @example inv_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `courier_invoice`.
             * @constant
             */
            object: "courier_invoice";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description The connection whose courier sent the invoice.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id: string;
            /**
             * @description The courier's number of the invoice.
             * @example F001-000123
             */
            reference: string;
            /** @description The period that it is for. `null` if it names none. */
            period: {
                /** @description Its beginning, as it was sent. */
                from: string;
                /** @description Its end, as it was sent. */
                to: string;
            } | null;
            /**
             * @description The number of its newest version: other lines under the same reference are a new version. The lines of every version can be read.
             * @example 1
             */
            version: number;
            /**
             * @description Current status.
             *
             *     - `comparing`: Lines are being compared, and attempts that they call into question are looked up.
             *     - `compared`: Every line has its finding.
             *     - `withdrawn`: It was withdrawn: its lines bill nothing. Send it again to restore it.
             * @enum {string}
             */
            status: "comparing" | "compared" | "withdrawn" | (string & {});
            /**
             * @description The number of lines, without invalid ones.
             * @example 200
             */
            total: number;
            /**
             * @description How many other lines are kept although they are wrong (`skip_invalid`). They bill nothing and are in no sum; `GET /v1/courier-invoices/{id}/invalid-lines` lists them.
             * @example 0
             */
            invalid_lines: number;
            /**
             * @description How many lines have been compared: all of them, once `status` is `compared`.
             * @example 200
             */
            compared_lines: number;
            /** @description The lines by kind, finding and currency. Empty until the first comparison of the version is complete. */
            totals: {
                /**
                 * @description What the comparison found.
                 * @example matched
                 * @enum {string}
                 */
                finding: "matched" | "amount_differs" | "weight_differs" | "billed_twice" | "cancelled_guide" | "nothing_created" | "unknown_guide" | "unresolved" | "part_of" | (string & {});
                /**
                 * @description What the line is about.
                 *
                 *     - `charge`: The courier bills the amount.
                 *     - `cash_on_delivery`: The courier pays the amount out: cash that it collected for the shop. It is compared with the `cash_on_delivery` of the shipment.
                 * @example charge
                 * @enum {string}
                 */
                kind: "charge" | "cash_on_delivery" | (string & {});
                /**
                 * @description The ISO 4217 code.
                 * @example PEN
                 */
                currency: string;
                /**
                 * @description The number of lines.
                 * @example 2
                 */
                lines: number;
                /**
                 * @description The sum of their amounts in minor units.
                 * @example 3100
                 */
                amount: number;
                /**
                 * @description What they bill too much or, of cash on delivery, pay out too little, in minor units: the sum of the `at_stake` of the lines. Money that is billed too little is not subtracted.
                 * @example 200
                 */
                at_stake: number;
                /** @description The lines that differ and are not decided: every finding except `matched` and `part_of`. Zero for a withdrawn invoice. */
                to_check: {
                    /**
                     * @description The number of lines.
                     * @example 2
                     */
                    lines: number;
                    /**
                     * @description The sum of their amounts in minor units.
                     * @example 3100
                     */
                    amount: number;
                    /**
                     * @description What they bill too much or, of cash on delivery, pay out too little, in minor units: the sum of the `at_stake` of the lines. Money that is billed too little is not subtracted.
                     * @example 200
                     */
                    at_stake: number;
                };
                /** @description The disputed lines. Their `at_stake` is what is claimed. */
                disputed: {
                    /**
                     * @description The number of lines.
                     * @example 2
                     */
                    lines: number;
                    /**
                     * @description The sum of their amounts in minor units.
                     * @example 3100
                     */
                    amount: number;
                    /**
                     * @description What they bill too much or, of cash on delivery, pay out too little, in minor units: the sum of the `at_stake` of the lines. Money that is billed too little is not subtracted.
                     * @example 200
                     */
                    at_stake: number;
                };
                /** @description The accepted lines, to be paid as billed. */
                accepted: {
                    /**
                     * @description The number of lines.
                     * @example 2
                     */
                    lines: number;
                    /**
                     * @description The sum of their amounts in minor units.
                     * @example 3100
                     */
                    amount: number;
                    /**
                     * @description What they bill too much or, of cash on delivery, pay out too little, in minor units: the sum of the `at_stake` of the lines. Money that is billed too little is not subtracted.
                     * @example 200
                     */
                    at_stake: number;
                };
            }[];
            /** @description The sums of `totals` by kind and currency: all lines, and of them those to check, disputed and accepted. Charges are money that the shop owes, cash on delivery is money that it gets. */
            amounts: {
                /**
                 * @description What the line is about.
                 *
                 *     - `charge`: The courier bills the amount.
                 *     - `cash_on_delivery`: The courier pays the amount out: cash that it collected for the shop. It is compared with the `cash_on_delivery` of the shipment.
                 * @example charge
                 * @enum {string}
                 */
                kind: "charge" | "cash_on_delivery" | (string & {});
                /**
                 * @description The ISO 4217 code.
                 * @example PEN
                 */
                currency: string;
                /**
                 * @description The number of lines.
                 * @example 2
                 */
                lines: number;
                /**
                 * @description The sum of their amounts in minor units.
                 * @example 3100
                 */
                amount: number;
                /**
                 * @description What they bill too much or, of cash on delivery, pay out too little, in minor units: the sum of the `at_stake` of the lines. Money that is billed too little is not subtracted.
                 * @example 200
                 */
                at_stake: number;
                /** @description The lines that differ and are not decided: every finding except `matched` and `part_of`. Zero for a withdrawn invoice. */
                to_check: {
                    /**
                     * @description The number of lines.
                     * @example 2
                     */
                    lines: number;
                    /**
                     * @description The sum of their amounts in minor units.
                     * @example 3100
                     */
                    amount: number;
                    /**
                     * @description What they bill too much or, of cash on delivery, pay out too little, in minor units: the sum of the `at_stake` of the lines. Money that is billed too little is not subtracted.
                     * @example 200
                     */
                    at_stake: number;
                };
                /** @description The disputed lines. Their `at_stake` is what is claimed. */
                disputed: {
                    /**
                     * @description The number of lines.
                     * @example 2
                     */
                    lines: number;
                    /**
                     * @description The sum of their amounts in minor units.
                     * @example 3100
                     */
                    amount: number;
                    /**
                     * @description What they bill too much or, of cash on delivery, pay out too little, in minor units: the sum of the `at_stake` of the lines. Money that is billed too little is not subtracted.
                     * @example 200
                     */
                    at_stake: number;
                };
                /** @description The accepted lines, to be paid as billed. */
                accepted: {
                    /**
                     * @description The number of lines.
                     * @example 2
                     */
                    lines: number;
                    /**
                     * @description The sum of their amounts in minor units.
                     * @example 3100
                     */
                    amount: number;
                    /**
                     * @description What they bill too much or, of cash on delivery, pay out too little, in minor units: the sum of the `at_stake` of the lines. Money that is billed too little is not subtracted.
                     * @example 200
                     */
                    at_stake: number;
                };
            }[];
            /** @description How many lines of the version are decided, and how many must be. */
            decisions: {
                /**
                 * @description Lines that a person accepted.
                 * @example 0
                 */
                accepted: number;
                /**
                 * @description Lines that a person disputed.
                 * @example 1
                 */
                disputed: number;
                /**
                 * @description Of these, lines that had another finding when they were decided.
                 * @example 0
                 */
                outdated: number;
                /**
                 * @description Of these, lines whose finding is `matched`. They needed no decision, so do not subtract them from the lines that differ.
                 * @example 0
                 */
                matched: number;
                /**
                 * @description Lines that differ and are not decided; `GET /v1/courier-invoices/{id}/lines?differs=true&decided=false` lists exactly these.
                 * @example 1
                 */
                to_check: number;
            };
            /**
             * @description The ledger was read at this position or later; each line names the version of its shipment. `null` until the comparison begins.
             * @example 000000000000004711
             */
            ledger_position: string | null;
            /** @description When the comparison was completed. `null` if it is not complete. */
            compared_at: string | null;
            /** @description When it was withdrawn. `null` if it was not. */
            withdrawn_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * @description What a courier bills for one guide, and what the ledger says about it.
         * @example {
         *       "object": "courier_invoice_line",
         *       "line": 1,
         *       "kind": "charge",
         *       "guide_number": "100000000001",
         *       "amount": 1550,
         *       "currency": "PEN",
         *       "weight_kg": 0.8,
         *       "date": "2026-02-27",
         *       "client_reference": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "finding": "amount_differs",
         *       "shipment_id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "shipment_version": 6,
         *       "expected": {
         *         "amount": 1450,
         *         "currency": "PEN",
         *         "weight_kg": 0.8
         *       },
         *       "at_stake": 100,
         *       "billed_before": null,
         *       "billing": null,
         *       "decision": {
         *         "decision": "disputed",
         *         "note": "The price was quoted at 14.50.",
         *         "finding": "amount_differs",
         *         "operator_id": "opr_0aB1cD2eF3gH4iJ5kL6mN7",
         *         "decided_by": "Ana Torres",
         *         "at": "2026-03-01T12:05:00.000Z"
         *       }
         *     }
         */
        CourierInvoiceLine: {
            /**
             * @description The type of the object: always `courier_invoice_line`.
             * @constant
             */
            object: "courier_invoice_line";
            /**
             * @description Its position, from 1. In a CSV the header is line 1, so the first is line 2.
             * @example 1
             */
            line: number;
            /**
             * @description What the line is about.
             *
             *     - `charge`: The courier bills the amount.
             *     - `cash_on_delivery`: The courier pays the amount out: cash that it collected for the shop. It is compared with the `cash_on_delivery` of the shipment.
             * @example charge
             * @enum {string}
             */
            kind: "charge" | "cash_on_delivery" | (string & {});
            /**
             * @description The guide that is billed.
             * @example 100000000001
             */
            guide_number: string;
            /**
             * @description The amount that is billed or, of cash on delivery, paid out, in minor units.
             * @example 1450
             */
            amount: number;
            /**
             * @description The ISO 4217 code.
             * @example PEN
             */
            currency: string;
            /**
             * @description The billed weight in kilograms. `null` if there was none, or it is no longer kept.
             * @example 0.8
             */
            weight_kg: number | null;
            /**
             * @description The day that the courier names. `null` if there was none, or it is no longer kept.
             * @example 2026-02-27
             */
            date: string | null;
            /**
             * @description The reference that the courier prints. `null` if there was none, or it is no longer kept.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            client_reference: string | null;
            /**
             * @description What the comparison found: the first that applies, from `billed_twice` on.
             *
             *     - `matched`: The guide was issued, and the line agrees with the ledger.
             *     - `amount_differs`: The guide was issued for another amount or currency, or with another cash on delivery.
             *     - `weight_differs`: The amount is correct, but the weight differs from the shipment.
             *     - `billed_twice`: Earlier lines of this invoice or another invoice of the connection already bill the guide in full, or pay out all of its cash on delivery.
             *     - `cancelled_guide`: The guide is known to be cancelled.
             *     - `nothing_created`: The attempt was concluded to have created no guide; the courier is asked again.
             *     - `unknown_guide`: No shipment of the connection has this guide.
             *     - `unresolved`: The outcome of the shipment is not certain yet.
             *     - `part_of`: One of several lines of its kind for the guide. The last one has the finding for their sum.
             *
             *     `null` until it is compared.
             * @example amount_differs
             */
            finding: ("matched" | "amount_differs" | "weight_differs" | "billed_twice" | "cancelled_guide" | "nothing_created" | "unknown_guide" | "unresolved" | "part_of") | null;
            /** @description The shipment that the line is about; `GET /v1/shipments/{id}/evidence` has its evidence. `null` if none is known. */
            shipment_id: string | null;
            /**
             * @description The version of the shipment that the finding is based on, for `as_of`. `null` if there is no shipment.
             * @example 6
             */
            shipment_version: number | null;
            /** @description The amount that the ledger expects. `null` if it expects none, or is not certain yet. */
            expected: {
                /** @description The price of the guide in minor units, or the cash on delivery of the shipment, which is 0 if it has none. `null` if the courier has given no price; the amount is then not compared. */
                amount: number | null;
                /** @description Its ISO 4217 code. `null` if there is no price. */
                currency: string | null;
                /**
                 * @description The weight of all pieces of the shipment in kilograms.
                 * @example 0.8
                 */
                weight_kg: number;
            } | null;
            /**
             * @description What is billed too much, in minor units of the currency of the line: the whole bill of a guide that was billed twice, was cancelled or never existed, or the excess over the expected amount. Of cash on delivery, what is paid out too little. If several lines bill the guide, the last of them has that of their sum. `null` if the finding names no amount.
             * @example 100
             */
            at_stake: number | null;
            /** @description Where the guide was billed first. `null` if it was here. */
            billed_before: {
                /**
                 * @description The invoice that bills the guide first.
                 * @example inv_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                courier_invoice_id: string;
                /**
                 * @description The version of that invoice that is compared.
                 * @example 1
                 */
                version: number;
                /**
                 * @description The line that bills it first.
                 * @example 7
                 */
                line: number;
            } | null;
            /** @description The lines of its kind that bill the guide together; the last of them has the finding. `null` if this line does so alone. */
            billing: {
                /**
                 * @description The last of these lines.
                 * @example 9
                 */
                line: number;
                /** @description The number of lines. */
                lines: number;
                /** @description Their sum in minor units. `null` if they are in several currencies. */
                amount: number | null;
            } | null;
            /** @description The last decision of a person. `null` if there is none. */
            decision: {
                /**
                 * @description What was decided.
                 * @enum {string}
                 */
                decision: "accepted" | "disputed" | (string & {});
                /**
                 * @description The finding that was decided.
                 * @enum {string}
                 */
                finding: "matched" | "amount_differs" | "weight_differs" | "billed_twice" | "cancelled_guide" | "nothing_created" | "unknown_guide" | "unresolved" | "part_of" | (string & {});
                /** @description The reason. `null` once it is no longer kept. */
                note: string | null;
                /** @description The operator who decided. `null` if the key belongs to none. */
                operator_id: string | null;
                /**
                 * @description Who decided: the name of the operator, or the one given with the decision.
                 * @example ana.torres
                 */
                decided_by: string | null;
                /**
                 * Format: date-time
                 * @description When it was decided.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
            } | null;
        };
        /**
         * @description A line of an invoice that bills a shipment.
         * @example {
         *       "object": "courier_invoice_line",
         *       "line": 1,
         *       "kind": "charge",
         *       "guide_number": "100000000001",
         *       "amount": 1550,
         *       "currency": "PEN",
         *       "weight_kg": 0.8,
         *       "date": "2026-02-27",
         *       "client_reference": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "finding": "amount_differs",
         *       "shipment_id": "shp_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "shipment_version": 6,
         *       "expected": {
         *         "amount": 1450,
         *         "currency": "PEN",
         *         "weight_kg": 0.8
         *       },
         *       "at_stake": 100,
         *       "billed_before": null,
         *       "billing": null,
         *       "decision": {
         *         "decision": "disputed",
         *         "note": "The price was quoted at 14.50.",
         *         "finding": "amount_differs",
         *         "operator_id": "opr_0aB1cD2eF3gH4iJ5kL6mN7",
         *         "decided_by": "Ana Torres",
         *         "at": "2026-03-01T12:05:00.000Z"
         *       },
         *       "courier_invoice_id": "inv_0aB1cD2eF3gH4iJ5kL6mN7",
         *       "reference": "F001-000123",
         *       "version": 1
         *     }
         */
        BilledLine: {
            /**
             * @description The type of the object: always `courier_invoice_line`.
             * @constant
             */
            object: "courier_invoice_line";
            /**
             * @description Its position, from 1. In a CSV the header is line 1, so the first is line 2.
             * @example 1
             */
            line: number;
            /**
             * @description What the line is about.
             *
             *     - `charge`: The courier bills the amount.
             *     - `cash_on_delivery`: The courier pays the amount out: cash that it collected for the shop. It is compared with the `cash_on_delivery` of the shipment.
             * @example charge
             * @enum {string}
             */
            kind: "charge" | "cash_on_delivery" | (string & {});
            /**
             * @description The guide that is billed.
             * @example 100000000001
             */
            guide_number: string;
            /**
             * @description The amount that is billed or, of cash on delivery, paid out, in minor units.
             * @example 1450
             */
            amount: number;
            /**
             * @description The ISO 4217 code.
             * @example PEN
             */
            currency: string;
            /**
             * @description The billed weight in kilograms. `null` if there was none, or it is no longer kept.
             * @example 0.8
             */
            weight_kg: number | null;
            /**
             * @description The day that the courier names. `null` if there was none, or it is no longer kept.
             * @example 2026-02-27
             */
            date: string | null;
            /**
             * @description The reference that the courier prints. `null` if there was none, or it is no longer kept.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            client_reference: string | null;
            /**
             * @description What the comparison found: the first that applies, from `billed_twice` on.
             *
             *     - `matched`: The guide was issued, and the line agrees with the ledger.
             *     - `amount_differs`: The guide was issued for another amount or currency, or with another cash on delivery.
             *     - `weight_differs`: The amount is correct, but the weight differs from the shipment.
             *     - `billed_twice`: Earlier lines of this invoice or another invoice of the connection already bill the guide in full, or pay out all of its cash on delivery.
             *     - `cancelled_guide`: The guide is known to be cancelled.
             *     - `nothing_created`: The attempt was concluded to have created no guide; the courier is asked again.
             *     - `unknown_guide`: No shipment of the connection has this guide.
             *     - `unresolved`: The outcome of the shipment is not certain yet.
             *     - `part_of`: One of several lines of its kind for the guide. The last one has the finding for their sum.
             *
             *     `null` until it is compared.
             * @example amount_differs
             */
            finding: ("matched" | "amount_differs" | "weight_differs" | "billed_twice" | "cancelled_guide" | "nothing_created" | "unknown_guide" | "unresolved" | "part_of") | null;
            /** @description The shipment that the line is about; `GET /v1/shipments/{id}/evidence` has its evidence. `null` if none is known. */
            shipment_id: string | null;
            /**
             * @description The version of the shipment that the finding is based on, for `as_of`. `null` if there is no shipment.
             * @example 6
             */
            shipment_version: number | null;
            /** @description The amount that the ledger expects. `null` if it expects none, or is not certain yet. */
            expected: {
                /** @description The price of the guide in minor units, or the cash on delivery of the shipment, which is 0 if it has none. `null` if the courier has given no price; the amount is then not compared. */
                amount: number | null;
                /** @description Its ISO 4217 code. `null` if there is no price. */
                currency: string | null;
                /**
                 * @description The weight of all pieces of the shipment in kilograms.
                 * @example 0.8
                 */
                weight_kg: number;
            } | null;
            /**
             * @description What is billed too much, in minor units of the currency of the line: the whole bill of a guide that was billed twice, was cancelled or never existed, or the excess over the expected amount. Of cash on delivery, what is paid out too little. If several lines bill the guide, the last of them has that of their sum. `null` if the finding names no amount.
             * @example 100
             */
            at_stake: number | null;
            /** @description Where the guide was billed first. `null` if it was here. */
            billed_before: {
                /**
                 * @description The invoice that bills the guide first.
                 * @example inv_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                courier_invoice_id: string;
                /**
                 * @description The version of that invoice that is compared.
                 * @example 1
                 */
                version: number;
                /**
                 * @description The line that bills it first.
                 * @example 7
                 */
                line: number;
            } | null;
            /** @description The lines of its kind that bill the guide together; the last of them has the finding. `null` if this line does so alone. */
            billing: {
                /**
                 * @description The last of these lines.
                 * @example 9
                 */
                line: number;
                /** @description The number of lines. */
                lines: number;
                /** @description Their sum in minor units. `null` if they are in several currencies. */
                amount: number | null;
            } | null;
            /** @description The last decision of a person. `null` if there is none. */
            decision: {
                /**
                 * @description What was decided.
                 * @enum {string}
                 */
                decision: "accepted" | "disputed" | (string & {});
                /**
                 * @description The finding that was decided.
                 * @enum {string}
                 */
                finding: "matched" | "amount_differs" | "weight_differs" | "billed_twice" | "cancelled_guide" | "nothing_created" | "unknown_guide" | "unresolved" | "part_of" | (string & {});
                /** @description The reason. `null` once it is no longer kept. */
                note: string | null;
                /** @description The operator who decided. `null` if the key belongs to none. */
                operator_id: string | null;
                /**
                 * @description Who decided: the name of the operator, or the one given with the decision.
                 * @example ana.torres
                 */
                decided_by: string | null;
                /**
                 * Format: date-time
                 * @description When it was decided.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
            } | null;
            /**
             * @description The invoice of the line.
             * @example inv_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_invoice_id: string;
            /**
             * @description The courier's number of the invoice.
             * @example F001-000123
             */
            reference: string;
            /**
             * @description The version of the invoice: its newest.
             * @example 1
             */
            version: number;
        };
        /** @description A line of an invoice that was skipped because it is wrong. */
        InvalidInvoiceLine: {
            /**
             * @description The type of the object: always `invalid_invoice_line`.
             * @constant
             */
            object: "invalid_invoice_line";
            /**
             * @description Its position, numbered together with the lines that are compared.
             * @example 3
             */
            line: number;
            /**
             * @description The guide that it names. `null` if it cannot be read.
             * @example 100000000002
             */
            guide_number: string | null;
            /**
             * @description The line as it was sent: for CSV a row with commas, otherwise JSON. `null` if it is no longer kept.
             * @example 100000000002,#N/A,PEN
             */
            text: string | null;
            /** @description What is wrong with it. Empty if it is no longer kept. */
            errors: components["schemas"]["InvalidInvoiceLineError"][];
        };
        /** @description What is wrong with the line. */
        InvalidInvoiceLineError: {
            /**
             * @description The header of the cell in the file. `null` for JSON, and if the error is not about one cell.
             * @example Destino
             */
            column: string | null;
            /**
             * @description The field of the line in JSON. Empty if the error is not about one field.
             * @example /destination/agency_id
             */
            pointer: string;
            /**
             * @description The text of the cell. `null` if it is empty or the error is not about one cell.
             * @example Agencia Cuzco
             */
            value: string | null;
            /**
             * @description The reason, as in `errors` of a refused creation.
             * @example agency_not_found
             */
            reason: string;
            /**
             * @description What is wrong, as a sentence.
             * @example Column `destination_agency`: The courier has no agency of this name.
             */
            detail: string;
        };
        /** @description A guide that no invoice of its connection bills. */
        UnbilledGuide: {
            /**
             * @description The type of the object: always `unbilled_guide`.
             * @constant
             */
            object: "unbilled_guide";
            /**
             * @description The number of a guide that the courier has not billed.
             * @example 100000000002
             */
            guide_number: string;
            /**
             * @description The shipment that has the guide.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            shipment_id: string;
            /**
             * @description The `status` of the shipment. A `cancelled` one need not be billed.
             * @example created
             */
            status: string;
            /**
             * @description What the line is about.
             *
             *     - `charge`: The courier bills the amount.
             *     - `cash_on_delivery`: The courier pays the amount out: cash that it collected for the shop. It is compared with the `cash_on_delivery` of the shipment.
             * @example charge
             * @enum {string}
             */
            kind: "charge" | "cash_on_delivery" | (string & {});
            /** @description The amount that the ledger expects. */
            expected: {
                /** @description The price of the guide in minor units, or the cash on delivery of the shipment, which is 0 if it has none. `null` if the courier has given no price; the amount is then not compared. */
                amount: number | null;
                /** @description Its ISO 4217 code. `null` if there is no price. */
                currency: string | null;
                /**
                 * @description The weight of all pieces of the shipment in kilograms.
                 * @example 0.8
                 */
                weight_kg: number;
            };
            /**
             * Format: date-time
             * @description When the shipment was requested.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description A condition that a person should know of. */
        Alert: {
            /**
             * @description Identifies the alert: the same condition of the same subject has the same id.
             * @example alr_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `alert`.
             * @constant
             */
            object: "alert";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description `firing`: the condition lasts. `resolved`: it has ended.
             * @enum {string}
             */
            state: "firing" | "resolved" | (string & {});
            /** @description What it is about. */
            subject: {
                /**
                 * @description The kind of what it is about. `service`: the whole service.
                 * @enum {string}
                 */
                type: "operation" | "webhook_endpoint" | "courier_connection" | "service" | (string & {});
                /** @description The id of what it is about. `null` if it is about the whole service. */
                id: string | null;
            };
            /** @description The shipment of the operation. `null` if it is not about an operation. */
            shipment_id: string | null;
            /**
             * @description Why a person must decide: the code of `reason_for_review`. `null` if it is not about an operation.
             * @example deadline_passed
             */
            reason: string | null;
            /**
             * Format: date-time
             * @description When the condition began.
             * @example 2026-03-01T12:00:00.000Z
             */
            since: string;
            /** @description When it ended. `null` while it is firing. */
            resolved_at: string | null;
            /**
             * @description Grows with every change of the alert.
             * @example 1
             */
            version: number;
        };
        /** @description A share of a month's quota that was used. */
        Quota: {
            /**
             * @description The organization.
             * @example org_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `quota`.
             * @constant
             */
            object: "quota";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description What is counted.
             * @example shipments
             */
            metric: string;
            /**
             * @description The month in UTC.
             * @example 2026-03
             */
            period: string;
            /**
             * @description How much of it is used, in percent.
             * @example 80
             */
            percent: number;
            /**
             * @description How many are used.
             * @example 80
             */
            used: number;
            /**
             * @description How many the plan has.
             * @example 100
             */
            limit: number;
        };
        /** @description Where a parcel is, with the new scans only. */
        TrackingUpdate: {
            /**
             * @description The id of its shipment.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `tracking`.
             * @constant
             */
            object: "tracking";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The shipment whose parcel is tracked.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            shipment_id: string;
            /** @description Where the parcel is. `null` if there is no guide. */
            status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
            /** @description The part of the journey that the status belongs to. `null` if there is no guide. */
            phase: ("pre_transit" | "origin" | "transit" | "destination" | "return" | "final") | null;
            /**
             * @description A more precise status. `null` if nothing more precise is known.
             * @example departed_origin
             */
            sub_status: string | null;
            /** @description The current exception. `null` if there is none. */
            exception: components["schemas"]["TrackingException"] | null;
            /** @description When the courier expects to deliver it. `null` if it does not say. */
            eta: string | null;
            /** @description Every scan, in the order in which they happened. */
            events: {
                /** @description Identifies the scan, however often the courier reports it. */
                id: string;
                /**
                 * @description The type of the object: always `tracking_event`.
                 * @constant
                 */
                object: "tracking_event";
                /**
                 * @description What happened, from a fixed list. `unmapped` if the courier's own code is not known.
                 * @example departed_origin
                 */
                code: string;
                /** @description The status that the code leads to. `null` if the code says nothing about where the parcel is. */
                status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
                /**
                 * @description A more precise status. `null` if the code says no more than the status.
                 * @example departed_origin
                 */
                sub_status: string | null;
                /** @description Whether the service knows the courier's own code. */
                mapped: boolean;
                /**
                 * Format: date-time
                 * @description When it happened, according to the courier.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                occurred_at: string;
                /**
                 * Format: date-time
                 * @description When the service learned of it.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                received_at: string;
                /** @description The agency where it happened. `null` if the courier does not say. */
                agency_id: string | null;
                /**
                 * @description What the code means, for people.
                 * @example Left the origin agency
                 */
                description: string;
            }[];
            /** @description Contradictions in what the courier reports. They have no effect. */
            anomalies: {
                /**
                 * @description What is wrong.
                 *
                 *     - `earlier_parcel`: scans older than the shipment: about an earlier parcel with the same guide number.
                 *     - `impossible_move`: scans that cannot follow the ones before them.
                 *     - `guide_number_shared`: another shipment of the connection has the same guide number.
                 * @enum {string}
                 */
                code: "earlier_parcel" | "impossible_move" | "guide_number_shared" | (string & {});
                /** @description The number of scans or shipments. */
                count: number;
                /** @description The other shipments with the same guide number, at most 10. */
                shipment_ids: string[];
            }[];
            /** @description How the service follows the parcel. */
            monitoring: {
                /**
                 * @description Whether the courier is asked regularly about the parcel.
                 *
                 *     - `not_started`: there is no guide yet.
                 *     - `active`: it is asked regularly.
                 *     - `unreachable`: it is asked, but has not answered lately.
                 *     - `completed`: no longer asked, because the journey has ended.
                 *     - `expired`: no longer asked, because nothing has changed for too long. `refresh` starts it again.
                 * @enum {string}
                 */
                state: "not_started" | "active" | "unreachable" | "completed" | "expired" | (string & {});
                /** @description When the courier was last asked. `null` if it was not asked yet. */
                last_checked_at: string | null;
                /** @description When an answer last changed something. `null` if none has. */
                last_changed_at: string | null;
                /** @description When the courier is asked next. `null` if it will not be asked. */
                next_check_at: string | null;
            };
            /**
             * @description The page for the person who waits for the parcel: send it to nobody else, because whoever has it can open it. `null` without a guide, after the erasure, and while the workspace's `tracking_page` is not enabled.
             * @example https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w
             */
            tracking_url: string | null;
            /**
             * Format: date-time
             * @description When the shipment was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the shipment last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description The version of the shipment.
             * @example 1
             */
            version: number;
            /**
             * @description How many new scans were left out, because the body would be too large.
             * @example 0
             */
            events_omitted: number;
        };
        /** @description A connection whose credentials the courier refused, without your own texts. */
        ParkedConnection: {
            /**
             * @description Identifies the courier connection and never changes. The part after `ccn_` is opaque.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `courier_connection`.
             * @constant
             */
            object: "courier_connection";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description The courier, by its code in `GET /v1/couriers`.
             * @example mock
             */
            provider_code: string;
            /** @description A name for people, such as the name of the account at the courier. Always `null` here. */
            display_name: string | null;
            /**
             * @description Whether it can be used for creations and quotes.
             *
             *     - `active`: it can be used.
             *     - `needs_reauth`: the courier refused its credentials. Replace them with PATCH.
             *     - `disabled`: you disabled it. PATCH enables it again.
             * @enum {string}
             */
            status: "active" | "needs_reauth" | "disabled" | (string & {});
            /** @description When `verify` last found that the courier accepts the credentials. `null` if it never did for the current ones. */
            verified_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Grows with every change. The `ETag` of a read changes with it.
             * @example 1
             */
            version: number;
        };
        /** @description An endpoint that was disabled, without your own texts. */
        DisabledEndpoint: {
            /**
             * @description Identifies the webhook endpoint and never changes. The part after `whe_` is opaque.
             * @example whe_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `webhook_endpoint`.
             * @constant
             */
            object: "webhook_endpoint";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /** @description Where events are sent. Always `null` here. */
            url: string | null;
            /** @description Your own note on what it is for. `null` if there is none. Always `null` here. */
            description: string | null;
            /** @description Which events are sent: types, or families such as `shipment.*`. */
            event_types: ("shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "batch.completed" | "courier_invoice.compared" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.ledger_damaged" | "alert.witness_silent" | "shipment.*" | "label.*" | "operation.*" | "tracking.*" | "connection.*" | "webhook_endpoint.*" | "quota.*" | "batch.*" | "courier_invoice.*" | "alert.*")[];
            /**
             * @description `enabled`, or `disabled`: nothing is sent.
             * @enum {string}
             */
            status: "enabled" | "disabled" | (string & {});
            /** @description Why it is disabled. `gone`: it answered 410. `failing`: no attempt succeeded for five days. `by_owner`: disabled by a PATCH. `null` if it is enabled. */
            disabled_reason: ("by_owner" | "gone" | "failing") | null;
            /** @description How deliveries to it are doing, on the workspace's clock. It changes by itself, without a new `version`. */
            health: {
                /**
                 * @description `failing` from the third failure in a row until a success, otherwise `ok`.
                 * @enum {string}
                 */
                state: "ok" | "failing" | (string & {});
                /** @description When the first of those failures happened. `null` while the state is `ok`. */
                failing_since: string | null;
                /** @description When an attempt last succeeded. `null` if none has. */
                last_success_at: string | null;
                /** @description When the next attempt is due while the endpoint is paused. `null` if it is not paused. Deliveries requested by hand are sent at once. */
                next_probe_at: string | null;
            };
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Grows with every change. The `ETag` of a read changes with it.
             * @example 1
             */
            version: number;
        };
        /** @description The former values of the fields that changed. */
        ShipmentChanges: {
            /**
             * @description Identifies the shipment and never changes. The part after `shp_` is opaque.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id?: string;
            /**
             * @description The type of the object: always `shipment`.
             * @constant
             */
            object?: "shipment";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode?: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id?: string;
            /**
             * @description The courier account that ships it.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id?: string;
            /**
             * @description Your own order reference. It need not be unique. It is stored unencrypted: do not put personal data in it.
             * @example order-5001
             */
            external_reference?: string;
            /**
             * @description The `Idempotency-Key` of its creation.
             * @example order-5001
             */
            idempotency_key?: string;
            /**
             * @description Current status.
             *
             *     - `creating`: the courier is being asked for a guide.
             *     - `created`: it has a guide.
             *     - `rejected`: the courier refused it permanently.
             *     - `not_executed`: the courier did nothing: repeat the creation with the same key.
             *     - `unknown_outcome`: the courier's answer was lost: follow `operation_id` and create nothing.
             *     - `not_created`: it is certain that there is no guide: ship the order with a new key.
             *     - `cancelling`: the courier is being asked to cancel the guide, or its answer was lost.
             *     - `cancelled`: the guide is cancelled.
             * @enum {string}
             */
            status?: "creating" | "created" | "rejected" | "not_executed" | "unknown_outcome" | "not_created" | "cancelling" | "cancelled" | (string & {});
            /** @description Why there is no guide: the courier refused it, or it was not executed. `null` otherwise. */
            failure?: {
                /**
                 * @description The `reason` of the problem that the creation returned, for programs.
                 * @enum {string}
                 */
                reason: "unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "validation_failed" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "unknown_outcome" | "nothing_created" | "shipment_not_cancellable" | "not_cancelled" | "courier_rejected" | "courier_not_available" | "not_supported_by_courier" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "ledger_damaged" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "label_unreadable" | "shipment_has_no_guide" | "operation_open" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "papers_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "invoice_comparing" | "invoice_not_ready" | "invoice_withdrawn" | "operation_already_resolved" | "invoice_line_changed" | "operation_full" | "guide_unconfirmed" | "operator_not_yours" | "key_not_rollable" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing" | (string & {});
                /** @description The courier's own words, for people, or its code if it gave only that. `null` if there is neither or they were erased. */
                detail: string | null;
                /**
                 * Format: date-time
                 * @description When it failed.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
            } | null;
            /**
             * @description The courier's guide number. `null` if there is no guide.
             * @example 100000000001
             */
            guide_number?: string | null;
            /**
             * @description The code that the recipient shows to collect the parcel. `null` if there is none or it was erased.
             * @example 4821
             */
            pickup_code?: string | null;
            /** @description The operation whose outcome is not certain yet. `null` if there is none. */
            operation_id?: string | null;
            /** @description The agency where the parcel is dropped off. It must have the capability `drop_off`. */
            origin?: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The agency where the recipient collects the parcel. It must have the capability `pickup`. */
            destination?: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The parcel. */
            package?: {
                /**
                 * @description The kind of parcel, from `GET /v1/package-products`.
                 * @example pkg_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                product_id: string;
                /**
                 * @description How many pieces of this weight and size there are, from 1 to 99.
                 * @example 1
                 */
                quantity: number;
                /**
                 * @description The weight of a piece in kilograms, with at most three decimals.
                 * @example 0.8
                 */
                weight_kg: number;
                /**
                 * @description The height of a piece in meters, with at most three decimals.
                 * @example 0.05
                 */
                height_m: number;
                /**
                 * @description The length of a piece in meters, with at most three decimals.
                 * @example 0.2
                 */
                length_m: number;
                /**
                 * @description The width of a piece in meters, with at most three decimals.
                 * @example 0.15
                 */
                width_m: number;
            };
            /** @description How the parcel travels, and who pays. */
            service?: {
                /**
                 * @description How the parcel travels.
                 * @example terrestrial
                 */
                mode: string;
                /**
                 * @description Who pays the courier.
                 * @example sender
                 */
                payer: string;
            };
            /**
             * @description What is in the parcel, as declared to the courier. `null` once erased.
             * @example Books
             */
            declared_content?: string | null;
            /** @description The person who collects the parcel. `null` once erased. */
            recipient?: {
                /**
                 * @description The kind of identity document. `RUC` is a tax number.
                 * @example DNI
                 */
                document_type: string;
                /**
                 * @description Its number. DNI: 8 digits; CE: 9 to 12 letters or digits; RUC: 11 digits, the last one a check digit; PASSPORT: 6 to 12 letters or digits.
                 * @example 45678912
                 */
                document: string;
                /**
                 * @description The given names.
                 * @example Ana
                 */
                first_name: string;
                /**
                 * @description The family names.
                 * @example Torres
                 */
                last_name: string;
                /**
                 * @description The phone number. `null` if the creation had none.
                 * @example +51987654321
                 */
                phone: string | null;
                /**
                 * @description The e-mail address. `null` if the creation had none.
                 * @example ana@example.com
                 */
                email: string | null;
            } | null;
            /** @description The quote whose price the courier is held to. `null` if the creation named none. */
            quote_id?: string | null;
            /** @description What the content is worth, as declared to the courier. `null` if the creation named no value. */
            declared_value?: components["schemas"]["Money"] | null;
            /** @description What the courier collects from the recipient and pays to the shop. `null` if it collects nothing. */
            cash_on_delivery?: components["schemas"]["Money"] | null;
            /** @description The price of the guide. `null` if it is not known. */
            price?: components["schemas"]["Money"] | null;
            /** @description Whether the label is available. */
            label?: {
                /**
                 * @description `pending`: not made yet. `ready`: available for download. `erased`: erased with the personal data.
                 * @enum {string}
                 */
                status: "pending" | "ready" | "erased" | (string & {});
            };
            /** @description Where the parcel is. `GET /v1/shipments/{id}/tracking` has the details. */
            tracking?: {
                /** @description Where the parcel is. `null` if there is no guide. */
                status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
                /** @description The part of the journey that the status belongs to. `null` if there is no guide. */
                phase: ("pre_transit" | "origin" | "transit" | "destination" | "return" | "final") | null;
                /** @description The current exception. `null` if there is none. */
                exception: components["schemas"]["TrackingException"] | null;
            };
            /**
             * @description The page for the person who waits for the parcel: send it to nobody else, because whoever has it can open it. `null` without a guide, after the erasure, and while the workspace's `tracking_page` is not enabled.
             * @example https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w
             */
            tracking_url?: string | null;
            /** @description Your own keys and values. `null` if there are none or they were erased. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description The scenario that the simulated courier plays. `null` in live mode. */
            sandbox_scenario?: string | null;
            /** @description Its own legal hold. `null` if it has none. A hold on its workspace also keeps its personal data; the workspace shows that hold. */
            legal_hold?: {
                /**
                 * Format: date-time
                 * @description When the hold was placed.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                since: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at?: string;
        };
        /** @description The body of a delivery: something that happened in a workspace. It is about the `shipment` in `data.object`. */
        ShipmentWebhook: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `shipment.created`: The creation call itself was confirmed.
             *     - `shipment.reconciled`: Reconciliation or a decision established a guide: sent instead of `shipment.created`.
             *     - `shipment.rejected`: The courier refused: nothing was created.
             *     - `shipment.outcome_unknown`: The answer of the creation call was lost: the guide may exist.
             *     - `shipment.cancelled`: The guide was cancelled, whether by the call, reconciliation or a decision.
             *     - `label.ready`: The label can be downloaded. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example shipment
                 * @enum {string}
                 */
                type: "shipment";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["Shipment"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["ShipmentChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
        };
        /** @description Something that happened in a workspace, as it was sent to webhook endpoints. It is about the `shipment` in `data.object`. */
        ShipmentWebhookEvent: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `shipment.created`: The creation call itself was confirmed.
             *     - `shipment.reconciled`: Reconciliation or a decision established a guide: sent instead of `shipment.created`.
             *     - `shipment.rejected`: The courier refused: nothing was created.
             *     - `shipment.outcome_unknown`: The answer of the creation call was lost: the guide may exist.
             *     - `shipment.cancelled`: The guide was cancelled, whether by the call, reconciliation or a decision.
             *     - `label.ready`: The label can be downloaded. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example shipment
                 * @enum {string}
                 */
                type: "shipment";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["Shipment"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["ShipmentChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
            /**
             * @description The type of the object: always `webhook_event`.
             * @constant
             */
            object: "webhook_event";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description The former values of the fields that changed. */
        OperationChanges: {
            /**
             * @description Identifies the operation and never changes. The part after `op_` is opaque.
             * @example op_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id?: string;
            /**
             * @description The type of the object: always `operation`.
             * @constant
             */
            object?: "operation";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode?: boolean;
            /**
             * @description What the courier was asked for: to create a guide, or to cancel one.
             * @enum {string}
             */
            type?: "shipment_creation" | "shipment_cancellation" | (string & {});
            /**
             * @description Current status.
             *
             *     - `reconciling`: the courier is asked until the outcome is certain.
             *     - `needs_review`: a person must decide, unless a later look ends it.
             *     - `resolved`: the outcome is certain; `result` says which.
             * @enum {string}
             */
            status?: "reconciling" | "needs_review" | "resolved" | (string & {});
            /**
             * @description The outcome.
             *
             *     - `guide_exists`: there is a guide: the order is shipped.
             *     - `nothing_created`: there is no guide: ship the order with a new key.
             *     - `cancelled`: the guide is cancelled.
             *     - `not_cancelled`: the guide stands: the shipment can be cancelled with a new key.
             *     - `human_review`: not yet: a person must decide, unless a later look ends it. Ship nothing.
             *
             *     `null` while it is reconciling.
             */
            result?: ("guide_exists" | "nothing_created" | "cancelled" | "not_cancelled" | "human_review") | null;
            /**
             * @description Why the outcome was unknown.
             *
             *     - `response_lost`: the connection was lost before the courier's answer was complete.
             *     - `response_unreadable`: the answer could not be understood.
             *     - `courier_error`: the courier answered with an error of its own.
             *     - `deadline_passed`: there was no answer by the deadline of the call.
             *     - `process_died`: the process that made the call ended before it recorded an answer.
             *
             *     `null` if it never was.
             */
            cause?: ("response_lost" | "response_unreadable" | "courier_error" | "deadline_passed" | "process_died") | null;
            /**
             * @description The shipment that is created or cancelled.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            shipment_id?: string;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id?: string;
            /**
             * @description The shipment's own order reference.
             * @example order-5001
             */
            external_reference?: string;
            /**
             * @description The courier account that was used.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id?: string;
            /**
             * @description The courier, by its code in `GET /v1/couriers`.
             * @example mock
             */
            provider_code?: string;
            /** @description The agency where the recipient collects the parcel. It must have the capability `pickup`. */
            destination?: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The cost of the guide: its price if it is known, otherwise the quoted price. `null` if the shipment has neither. */
            amount?: components["schemas"]["Money"] | null;
            /** @description When the courier is asked next. `null` if it will not be asked. */
            next_look_at?: string | null;
            /**
             * Format: date-time
             * @description Until then the call may still take effect at the courier, so *nothing created* cannot be concluded earlier.
             * @example 2026-03-01T12:00:00.000Z
             */
            settle_until?: string;
            /**
             * Format: date-time
             * @description If the outcome is not certain by then, a person must decide.
             * @example 2026-03-01T12:00:00.000Z
             */
            deadline_at?: string;
            /** @description The conclusion in force. `null` while the operation is open. */
            resolution?: {
                /**
                 * @description What was concluded.
                 * @enum {string}
                 */
                decision: "guide_exists" | "nothing_created" | "cancelled" | "not_cancelled" | (string & {});
                /**
                 * @description `reconciliation`: by looks at the courier. `operator`: by a person.
                 * @enum {string}
                 */
                by: "reconciliation" | "operator" | (string & {});
                /**
                 * @description The operator who decided. `null` for reconciliation, and for a key that belongs to no operator.
                 * @example opr_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                operator_id: string | null;
                /** @description The operator's name, or the `decided_by` of a key that belongs to no operator. `null` for reconciliation, once erased, and when the platform reads an operation of another organization. */
                decided_by: string | null;
                /** @description The reason for the decision. `null` as for `decided_by`. */
                note: string | null;
                /**
                 * @description The guide that exists. `null` if the conclusion names none.
                 * @example 100000000001
                 */
                guide_number: string | null;
                /** @description Whether the courier has confirmed the guide. `null` if the conclusion names no guide. */
                confirmed: boolean | null;
                /**
                 * Format: date-time
                 * @description When it was concluded.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
            } | null;
            /** @description Guides that the courier's last clear answer listed and that the decision in force does not use. You may pay for them, so ask the courier to cancel them. Empty while nothing is decided, and once a look no longer finds them. */
            surplus_guide_numbers?: string[];
            /** @description Why a person must decide. `null` unless the operation needs review. */
            reason_for_review?: {
                /**
                 * @description For programs.
                 *
                 *     - `ambiguous`: The courier lists more than one guide under our reference.
                 *     - `courier_cannot_be_asked`: The courier cannot be asked about the outcome of the call.
                 *     - `deadline_passed`: No look had a clear answer before the deadline.
                 *     - `contradicted`: Evidence contradicted the conclusion.
                 * @enum {string}
                 */
                code: "ambiguous" | "courier_cannot_be_asked" | "deadline_passed" | "contradicted" | (string & {});
                /** @description The same for people. */
                text: string;
            } | null;
            /** @description The operator that it is assigned to. `null` if it is unassigned. */
            assignee?: {
                /**
                 * @description The operator who works on it.
                 * @example opr_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                operator_id: string;
                /** @description The operator's current name. `null` in webhooks, and when the platform reads an operator of another organization. */
                name: string | null;
            } | null;
            /** @description The end of its snooze, which has no effect once it has passed. `null` if it was not snoozed, or has come into review, been contradicted or been resolved since. */
            snoozed_until?: string | null;
            /** @description The total number of comments. */
            comment_count?: number;
            /** @description Whether evidence ever contradicted a conclusion. Only a person can close such an operation. */
            contradicted?: boolean;
            /** @description Whether it was escalated to the platform, because it needs review or was open for an hour. */
            escalated?: boolean;
            /**
             * Format: date-time
             * @description When the call was requested.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at?: string;
        };
        /** @description The body of a delivery: something that happened in a workspace. It is about the `operation` in `data.object`. */
        OperationWebhook: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `operation.needs_review`: Reconciliation cannot conclude: a person must decide.
             *     - `operation.resolved`: An operation whose outcome was unknown ended, by evidence or decision.
             *     - `operation.contradicted`: New evidence contradicts a conclusion. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "operation.needs_review" | "operation.resolved" | "operation.contradicted";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example operation
                 * @enum {string}
                 */
                type: "operation";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["Operation"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["OperationChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
        };
        /** @description Something that happened in a workspace, as it was sent to webhook endpoints. It is about the `operation` in `data.object`. */
        OperationWebhookEvent: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `operation.needs_review`: Reconciliation cannot conclude: a person must decide.
             *     - `operation.resolved`: An operation whose outcome was unknown ended, by evidence or decision.
             *     - `operation.contradicted`: New evidence contradicts a conclusion. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "operation.needs_review" | "operation.resolved" | "operation.contradicted";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example operation
                 * @enum {string}
                 */
                type: "operation";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["Operation"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["OperationChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
            /**
             * @description The type of the object: always `webhook_event`.
             * @constant
             */
            object: "webhook_event";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description The former values of the fields that changed. */
        TrackingUpdateChanges: {
            /**
             * @description The id of its shipment.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id?: string;
            /**
             * @description The type of the object: always `tracking`.
             * @constant
             */
            object?: "tracking";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode?: boolean;
            /**
             * @description The shipment whose parcel is tracked.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            shipment_id?: string;
            /** @description Where the parcel is. `null` if there is no guide. */
            status?: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
            /** @description The part of the journey that the status belongs to. `null` if there is no guide. */
            phase?: ("pre_transit" | "origin" | "transit" | "destination" | "return" | "final") | null;
            /**
             * @description A more precise status. `null` if nothing more precise is known.
             * @example departed_origin
             */
            sub_status?: string | null;
            /** @description The current exception. `null` if there is none. */
            exception?: components["schemas"]["TrackingException"] | null;
            /** @description When the courier expects to deliver it. `null` if it does not say. */
            eta?: string | null;
            /** @description Contradictions in what the courier reports. They have no effect. */
            anomalies?: {
                /**
                 * @description What is wrong.
                 *
                 *     - `earlier_parcel`: scans older than the shipment: about an earlier parcel with the same guide number.
                 *     - `impossible_move`: scans that cannot follow the ones before them.
                 *     - `guide_number_shared`: another shipment of the connection has the same guide number.
                 * @enum {string}
                 */
                code: "earlier_parcel" | "impossible_move" | "guide_number_shared" | (string & {});
                /** @description The number of scans or shipments. */
                count: number;
                /** @description The other shipments with the same guide number, at most 10. */
                shipment_ids: string[];
            }[];
            /** @description How the service follows the parcel. */
            monitoring?: {
                /**
                 * @description Whether the courier is asked regularly about the parcel.
                 *
                 *     - `not_started`: there is no guide yet.
                 *     - `active`: it is asked regularly.
                 *     - `unreachable`: it is asked, but has not answered lately.
                 *     - `completed`: no longer asked, because the journey has ended.
                 *     - `expired`: no longer asked, because nothing has changed for too long. `refresh` starts it again.
                 * @enum {string}
                 */
                state: "not_started" | "active" | "unreachable" | "completed" | "expired" | (string & {});
                /** @description When the courier was last asked. `null` if it was not asked yet. */
                last_checked_at: string | null;
                /** @description When an answer last changed something. `null` if none has. */
                last_changed_at: string | null;
                /** @description When the courier is asked next. `null` if it will not be asked. */
                next_check_at: string | null;
            };
            /**
             * @description The page for the person who waits for the parcel: send it to nobody else, because whoever has it can open it. `null` without a guide, after the erasure, and while the workspace's `tracking_page` is not enabled.
             * @example https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w
             */
            tracking_url?: string | null;
            /**
             * Format: date-time
             * @description When the shipment was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at?: string;
        };
        /** @description The body of a delivery: something that happened in a workspace. It is about the `tracking` in `data.object`. */
        TrackingWebhook: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `tracking.updated`: There are new scans, or the status, exception or ETA changed.
             *     - `tracking.delivered`: The parcel was delivered: sent in addition to `tracking.updated`.
             *     - `tracking.returned`: The parcel is back at its sender: sent in addition to `tracking.updated`.
             *     - `tracking.lost`: The courier declared the parcel lost: sent in addition to `tracking.updated`.
             *     - `tracking.exception_raised`: Something delays the parcel: sent in addition to `tracking.updated`.
             *     - `tracking.exception_resolved`: The parcel is no longer delayed: sent in addition to `tracking.updated`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example tracking
                 * @enum {string}
                 */
                type: "tracking";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["TrackingUpdate"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["TrackingUpdateChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
        };
        /** @description Something that happened in a workspace, as it was sent to webhook endpoints. It is about the `tracking` in `data.object`. */
        TrackingWebhookEvent: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `tracking.updated`: There are new scans, or the status, exception or ETA changed.
             *     - `tracking.delivered`: The parcel was delivered: sent in addition to `tracking.updated`.
             *     - `tracking.returned`: The parcel is back at its sender: sent in addition to `tracking.updated`.
             *     - `tracking.lost`: The courier declared the parcel lost: sent in addition to `tracking.updated`.
             *     - `tracking.exception_raised`: Something delays the parcel: sent in addition to `tracking.updated`.
             *     - `tracking.exception_resolved`: The parcel is no longer delayed: sent in addition to `tracking.updated`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example tracking
                 * @enum {string}
                 */
                type: "tracking";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["TrackingUpdate"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["TrackingUpdateChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
            /**
             * @description The type of the object: always `webhook_event`.
             * @constant
             */
            object: "webhook_event";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description The former values of the fields that changed. */
        ParkedConnectionChanges: {
            /**
             * @description Whether it can be used for creations and quotes.
             *
             *     - `active`: it can be used.
             *     - `needs_reauth`: the courier refused its credentials. Replace them with PATCH.
             *     - `disabled`: you disabled it. PATCH enables it again.
             * @enum {string}
             */
            status?: "active" | "needs_reauth" | "disabled" | (string & {});
        };
        /** @description The body of a delivery: something that happened in a workspace. It is about the `courier_connection` in `data.object`. */
        ConnectionWebhook: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `connection.needs_reauth`: The courier refuses the credentials of a connection. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "connection.needs_reauth";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example courier_connection
                 * @enum {string}
                 */
                type: "courier_connection";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["ParkedConnection"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["ParkedConnectionChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
        };
        /** @description Something that happened in a workspace, as it was sent to webhook endpoints. It is about the `courier_connection` in `data.object`. */
        ConnectionWebhookEvent: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `connection.needs_reauth`: The courier refuses the credentials of a connection. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "connection.needs_reauth";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example courier_connection
                 * @enum {string}
                 */
                type: "courier_connection";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["ParkedConnection"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["ParkedConnectionChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
            /**
             * @description The type of the object: always `webhook_event`.
             * @constant
             */
            object: "webhook_event";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description The former values of the fields that changed. */
        DisabledEndpointChanges: {
            /**
             * @description `enabled`, or `disabled`: nothing is sent.
             * @enum {string}
             */
            status?: "enabled" | "disabled" | (string & {});
            /** @description Why it is disabled. `gone`: it answered 410. `failing`: no attempt succeeded for five days. `by_owner`: disabled by a PATCH. `null` if it is enabled. */
            disabled_reason?: ("by_owner" | "gone" | "failing") | null;
        };
        /** @description The body of a delivery: something that happened in a workspace. It is about the `webhook_endpoint` in `data.object`. */
        EndpointWebhook: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `webhook_endpoint.disabled`: An endpoint was disabled: sent to the other endpoints. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook_endpoint.disabled";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example webhook_endpoint
                 * @enum {string}
                 */
                type: "webhook_endpoint";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["DisabledEndpoint"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["DisabledEndpointChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
        };
        /** @description Something that happened in a workspace, as it was sent to webhook endpoints. It is about the `webhook_endpoint` in `data.object`. */
        EndpointWebhookEvent: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `webhook_endpoint.disabled`: An endpoint was disabled: sent to the other endpoints. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook_endpoint.disabled";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example webhook_endpoint
                 * @enum {string}
                 */
                type: "webhook_endpoint";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["DisabledEndpoint"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["DisabledEndpointChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
            /**
             * @description The type of the object: always `webhook_event`.
             * @constant
             */
            object: "webhook_event";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description The former values of the fields that changed. */
        AlertChanges: {
            /**
             * @description `firing`: the condition lasts. `resolved`: it has ended.
             * @enum {string}
             */
            state?: "firing" | "resolved" | (string & {});
            /** @description When it ended. `null` while it is firing. */
            resolved_at?: string | null;
        };
        /** @description The body of a delivery: something that happened in a workspace. It is about the `alert` in `data.object`. */
        AlertWebhook: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `alert.review_needed`: An operation waits for a person to decide, or no longer does.
             *     - `alert.contradicted`: Evidence contradicts a conclusion, until a person closes the operation.
             *     - `alert.endpoint_failing`: An endpoint fails, or was disabled because it failed; sent to the other endpoints.
             *     - `alert.courier_unreachable`: Most calls to a connection's courier get no usable answer.
             *     - `alert.projection_stopped`: Lists and webhooks of shipments are out of date for every shop.
             *     - `alert.ledger_damaged`: The ledger has lost events: nothing can be created or cancelled until it is recovered.
             *     - `alert.witness_silent`: A witness has not cosigned the newest checkpoints of the ledger. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.ledger_damaged" | "alert.witness_silent";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example alert
                 * @enum {string}
                 */
                type: "alert";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["Alert"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["AlertChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
        };
        /** @description Something that happened in a workspace, as it was sent to webhook endpoints. It is about the `alert` in `data.object`. */
        AlertWebhookEvent: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `alert.review_needed`: An operation waits for a person to decide, or no longer does.
             *     - `alert.contradicted`: Evidence contradicts a conclusion, until a person closes the operation.
             *     - `alert.endpoint_failing`: An endpoint fails, or was disabled because it failed; sent to the other endpoints.
             *     - `alert.courier_unreachable`: Most calls to a connection's courier get no usable answer.
             *     - `alert.projection_stopped`: Lists and webhooks of shipments are out of date for every shop.
             *     - `alert.ledger_damaged`: The ledger has lost events: nothing can be created or cancelled until it is recovered.
             *     - `alert.witness_silent`: A witness has not cosigned the newest checkpoints of the ledger. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.ledger_damaged" | "alert.witness_silent";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example alert
                 * @enum {string}
                 */
                type: "alert";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["Alert"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: components["schemas"]["AlertChanges"] | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
            /**
             * @description The type of the object: always `webhook_event`.
             * @constant
             */
            object: "webhook_event";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description The body of a delivery: something that happened in a workspace. It is about the `courier_invoice` in `data.object`. */
        InvoiceWebhook: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `courier_invoice.compared`: Every line of a courier's invoice was compared: sent once per comparison. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "courier_invoice.compared";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example courier_invoice
                 * @enum {string}
                 */
                type: "courier_invoice";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["CourierInvoice"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
        };
        /** @description Something that happened in a workspace, as it was sent to webhook endpoints. It is about the `courier_invoice` in `data.object`. */
        InvoiceWebhookEvent: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `courier_invoice.compared`: Every line of a courier's invoice was compared: sent once per comparison. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "courier_invoice.compared";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example courier_invoice
                 * @enum {string}
                 */
                type: "courier_invoice";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["CourierInvoice"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
            /**
             * @description The type of the object: always `webhook_event`.
             * @constant
             */
            object: "webhook_event";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description The body of a delivery: something that happened in a workspace. It is about the `batch` in `data.object`. */
        BatchWebhook: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `batch.completed`: Every line of a batch has been answered. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "batch.completed";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example batch
                 * @enum {string}
                 */
                type: "batch";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number | null;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["Batch"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
        };
        /** @description Something that happened in a workspace, as it was sent to webhook endpoints. It is about the `batch` in `data.object`. */
        BatchWebhookEvent: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `batch.completed`: Every line of a batch has been answered. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "batch.completed";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example batch
                 * @enum {string}
                 */
                type: "batch";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number | null;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["Batch"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
            /**
             * @description The type of the object: always `webhook_event`.
             * @constant
             */
            object: "webhook_event";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description The body of a delivery: something that happened in a workspace. It is about the `quota` in `data.object`. */
        QuotaWebhook: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `quota.threshold_reached`: 80% or 100% of a quota is used: sent once each per month and mode. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "quota.threshold_reached";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example quota
                 * @enum {string}
                 */
                type: "quota";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number | null;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["Quota"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
        };
        /** @description Something that happened in a workspace, as it was sent to webhook endpoints. It is about the `quota` in `data.object`. */
        QuotaWebhookEvent: {
            /**
             * @description Identifies the event. It is the same on every delivery: deduplicate by it.
             * @example evt_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description What happened.
             *
             *     - `quota.threshold_reached`: 80% or 100% of a quota is used: sent once each per month and mode. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "quota.threshold_reached";
            /**
             * Format: date-time
             * @description When it happened, on the workspace's clock.
             * @example 2026-03-01T12:00:00.000Z
             */
            timestamp: string;
            /**
             * @description The version of the API that `data.object` follows.
             * @example v1
             */
            api_version: string;
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.
             * @example 1
             */
            sequence: number | null;
            /** @description What the event is about. */
            resource: {
                /**
                 * @description The `object` of the resource.
                 * @example quota
                 * @enum {string}
                 */
                type: "quota";
                /** @description The id of the resource. */
                id: string;
                /** @description The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions. */
                version: number | null;
            };
            /** @description The resource after what happened. */
            data: {
                /** @description The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans. */
                object: components["schemas"]["Quota"];
            };
            /** @description The previous values of the changed fields. `null` if there was nothing before. */
            previous: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The request that caused it. `null` if no request did.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string | null;
            /**
             * @description The type of the object: always `webhook_event`.
             * @constant
             */
            object: "webhook_event";
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
        };
        /**
         * @description The body of a delivery: something that happened in a workspace. A union by `type`, which may get more types: ignore those that you do not know.
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
         *           "external_reference": "order-5001",
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
         *           "idempotency_key": "order-5001",
         *           "status": "created",
         *           "failure": null,
         *           "guide_number": "100000000001",
         *           "pickup_code": null,
         *           "operation_id": null,
         *           "quote_id": null,
         *           "declared_value": null,
         *           "cash_on_delivery": null,
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
         *           "tracking_url": "https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w",
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
        WebhookPayload: components["schemas"]["ShipmentWebhook"] | components["schemas"]["OperationWebhook"] | components["schemas"]["TrackingWebhook"] | components["schemas"]["ConnectionWebhook"] | components["schemas"]["EndpointWebhook"] | components["schemas"]["QuotaWebhook"] | components["schemas"]["BatchWebhook"] | components["schemas"]["InvoiceWebhook"] | components["schemas"]["AlertWebhook"];
        /** @description A shipment that has a guide, which may have been cancelled since. */
        ShipmentWithGuide: {
            /**
             * @description Identifies the shipment and never changes. The part after `shp_` is opaque.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `shipment`.
             * @constant
             */
            object: "shipment";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description The courier account that ships it.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id: string;
            /**
             * @description Your own order reference. It need not be unique. It is stored unencrypted: do not put personal data in it.
             * @example order-5001
             */
            external_reference: string;
            /**
             * @description The `Idempotency-Key` of its creation.
             * @example order-5001
             */
            idempotency_key: string;
            /**
             * @description Current status.
             *
             *     - `created`: it has a guide.
             *     - `cancelling`: the courier is being asked to cancel the guide, or its answer was lost.
             *     - `cancelled`: the guide is cancelled. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "created" | "cancelling" | "cancelled";
            /** @description Why there is no guide: the courier refused it, or it was not executed. `null` otherwise. */
            failure: {
                /**
                 * @description The `reason` of the problem that the creation returned, for programs.
                 * @enum {string}
                 */
                reason: "unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "validation_failed" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "unknown_outcome" | "nothing_created" | "shipment_not_cancellable" | "not_cancelled" | "courier_rejected" | "courier_not_available" | "not_supported_by_courier" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "ledger_damaged" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "label_unreadable" | "shipment_has_no_guide" | "operation_open" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "papers_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "invoice_comparing" | "invoice_not_ready" | "invoice_withdrawn" | "operation_already_resolved" | "invoice_line_changed" | "operation_full" | "guide_unconfirmed" | "operator_not_yours" | "key_not_rollable" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing" | (string & {});
                /** @description The courier's own words, for people, or its code if it gave only that. `null` if there is neither or they were erased. */
                detail: string | null;
                /**
                 * Format: date-time
                 * @description When it failed.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
            } | null;
            /**
             * @description The courier's guide number.
             * @example 100000000001
             */
            guide_number: string;
            /**
             * @description The code that the recipient shows to collect the parcel. `null` if there is none or it was erased.
             * @example 4821
             */
            pickup_code: string | null;
            /** @description The operation whose outcome is not certain yet. `null` if there is none. */
            operation_id: string | null;
            /** @description The agency where the parcel is dropped off. It must have the capability `drop_off`. */
            origin: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The agency where the recipient collects the parcel. It must have the capability `pickup`. */
            destination: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The parcel. */
            package: {
                /**
                 * @description The kind of parcel, from `GET /v1/package-products`.
                 * @example pkg_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                product_id: string;
                /**
                 * @description How many pieces of this weight and size there are, from 1 to 99.
                 * @example 1
                 */
                quantity: number;
                /**
                 * @description The weight of a piece in kilograms, with at most three decimals.
                 * @example 0.8
                 */
                weight_kg: number;
                /**
                 * @description The height of a piece in meters, with at most three decimals.
                 * @example 0.05
                 */
                height_m: number;
                /**
                 * @description The length of a piece in meters, with at most three decimals.
                 * @example 0.2
                 */
                length_m: number;
                /**
                 * @description The width of a piece in meters, with at most three decimals.
                 * @example 0.15
                 */
                width_m: number;
            };
            /** @description How the parcel travels, and who pays. */
            service: {
                /**
                 * @description How the parcel travels.
                 * @example terrestrial
                 */
                mode: string;
                /**
                 * @description Who pays the courier.
                 * @example sender
                 */
                payer: string;
            };
            /**
             * @description What is in the parcel, as declared to the courier. `null` once erased.
             * @example Books
             */
            declared_content: string | null;
            /** @description The person who collects the parcel. `null` once erased. */
            recipient: {
                /**
                 * @description The kind of identity document. `RUC` is a tax number.
                 * @example DNI
                 */
                document_type: string;
                /**
                 * @description Its number. DNI: 8 digits; CE: 9 to 12 letters or digits; RUC: 11 digits, the last one a check digit; PASSPORT: 6 to 12 letters or digits.
                 * @example 45678912
                 */
                document: string;
                /**
                 * @description The given names.
                 * @example Ana
                 */
                first_name: string;
                /**
                 * @description The family names.
                 * @example Torres
                 */
                last_name: string;
                /**
                 * @description The phone number. `null` if the creation had none.
                 * @example +51987654321
                 */
                phone: string | null;
                /**
                 * @description The e-mail address. `null` if the creation had none.
                 * @example ana@example.com
                 */
                email: string | null;
            } | null;
            /** @description The quote whose price the courier is held to. `null` if the creation named none. */
            quote_id: string | null;
            /** @description What the content is worth, as declared to the courier. `null` if the creation named no value. */
            declared_value: components["schemas"]["Money"] | null;
            /** @description What the courier collects from the recipient and pays to the shop. `null` if it collects nothing. */
            cash_on_delivery: components["schemas"]["Money"] | null;
            /** @description The price of the guide. `null` if it is not known. */
            price: components["schemas"]["Money"] | null;
            /** @description Whether the label is available. */
            label: {
                /**
                 * @description `pending`: not made yet. `ready`: available for download. `erased`: erased with the personal data.
                 * @enum {string}
                 */
                status: "pending" | "ready" | "erased" | (string & {});
            };
            /** @description Where the parcel is. `GET /v1/shipments/{id}/tracking` has the details. */
            tracking: {
                /** @description Where the parcel is. `null` if there is no guide. */
                status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
                /** @description The part of the journey that the status belongs to. `null` if there is no guide. */
                phase: ("pre_transit" | "origin" | "transit" | "destination" | "return" | "final") | null;
                /** @description The current exception. `null` if there is none. */
                exception: components["schemas"]["TrackingException"] | null;
            };
            /**
             * @description The page for the person who waits for the parcel: send it to nobody else, because whoever has it can open it. `null` without a guide, after the erasure, and while the workspace's `tracking_page` is not enabled.
             * @example https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w
             */
            tracking_url: string | null;
            /** @description Your own keys and values. `null` if there are none or they were erased. */
            metadata: {
                [key: string]: string;
            } | null;
            /** @description The scenario that the simulated courier plays. `null` in live mode. */
            sandbox_scenario: string | null;
            /** @description Its own legal hold. `null` if it has none. A hold on its workspace also keeps its personal data; the workspace shows that hold. */
            legal_hold: {
                /**
                 * Format: date-time
                 * @description When the hold was placed.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                since: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description The number of events in its history. `as_of` reads the shipment at any version.
             * @example 3
             */
            version: number;
        };
        /** @description A shipment that has no guide, or none yet. */
        ShipmentWithoutGuide: {
            /**
             * @description Identifies the shipment and never changes. The part after `shp_` is opaque.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `shipment`.
             * @constant
             */
            object: "shipment";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description The courier account that ships it.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id: string;
            /**
             * @description Your own order reference. It need not be unique. It is stored unencrypted: do not put personal data in it.
             * @example order-5001
             */
            external_reference: string;
            /**
             * @description The `Idempotency-Key` of its creation.
             * @example order-5001
             */
            idempotency_key: string;
            /**
             * @description Current status.
             *
             *     - `creating`: the courier is being asked for a guide.
             *     - `not_created`: it is certain that there is no guide: ship the order with a new key. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "creating" | "not_created";
            /** @description Why there is no guide: the courier refused it, or it was not executed. `null` otherwise. */
            failure: {
                /**
                 * @description The `reason` of the problem that the creation returned, for programs.
                 * @enum {string}
                 */
                reason: "unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "validation_failed" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "unknown_outcome" | "nothing_created" | "shipment_not_cancellable" | "not_cancelled" | "courier_rejected" | "courier_not_available" | "not_supported_by_courier" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "ledger_damaged" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "label_unreadable" | "shipment_has_no_guide" | "operation_open" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "papers_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "invoice_comparing" | "invoice_not_ready" | "invoice_withdrawn" | "operation_already_resolved" | "invoice_line_changed" | "operation_full" | "guide_unconfirmed" | "operator_not_yours" | "key_not_rollable" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing" | (string & {});
                /** @description The courier's own words, for people, or its code if it gave only that. `null` if there is neither or they were erased. */
                detail: string | null;
                /**
                 * Format: date-time
                 * @description When it failed.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
            } | null;
            /**
             * @description The courier's guide number. `null` if there is no guide.
             * @example 100000000001
             */
            guide_number: string | null;
            /**
             * @description The code that the recipient shows to collect the parcel. `null` if there is none or it was erased.
             * @example 4821
             */
            pickup_code: string | null;
            /** @description The operation whose outcome is not certain yet. `null` if there is none. */
            operation_id: string | null;
            /** @description The agency where the parcel is dropped off. It must have the capability `drop_off`. */
            origin: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The agency where the recipient collects the parcel. It must have the capability `pickup`. */
            destination: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The parcel. */
            package: {
                /**
                 * @description The kind of parcel, from `GET /v1/package-products`.
                 * @example pkg_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                product_id: string;
                /**
                 * @description How many pieces of this weight and size there are, from 1 to 99.
                 * @example 1
                 */
                quantity: number;
                /**
                 * @description The weight of a piece in kilograms, with at most three decimals.
                 * @example 0.8
                 */
                weight_kg: number;
                /**
                 * @description The height of a piece in meters, with at most three decimals.
                 * @example 0.05
                 */
                height_m: number;
                /**
                 * @description The length of a piece in meters, with at most three decimals.
                 * @example 0.2
                 */
                length_m: number;
                /**
                 * @description The width of a piece in meters, with at most three decimals.
                 * @example 0.15
                 */
                width_m: number;
            };
            /** @description How the parcel travels, and who pays. */
            service: {
                /**
                 * @description How the parcel travels.
                 * @example terrestrial
                 */
                mode: string;
                /**
                 * @description Who pays the courier.
                 * @example sender
                 */
                payer: string;
            };
            /**
             * @description What is in the parcel, as declared to the courier. `null` once erased.
             * @example Books
             */
            declared_content: string | null;
            /** @description The person who collects the parcel. `null` once erased. */
            recipient: {
                /**
                 * @description The kind of identity document. `RUC` is a tax number.
                 * @example DNI
                 */
                document_type: string;
                /**
                 * @description Its number. DNI: 8 digits; CE: 9 to 12 letters or digits; RUC: 11 digits, the last one a check digit; PASSPORT: 6 to 12 letters or digits.
                 * @example 45678912
                 */
                document: string;
                /**
                 * @description The given names.
                 * @example Ana
                 */
                first_name: string;
                /**
                 * @description The family names.
                 * @example Torres
                 */
                last_name: string;
                /**
                 * @description The phone number. `null` if the creation had none.
                 * @example +51987654321
                 */
                phone: string | null;
                /**
                 * @description The e-mail address. `null` if the creation had none.
                 * @example ana@example.com
                 */
                email: string | null;
            } | null;
            /** @description The quote whose price the courier is held to. `null` if the creation named none. */
            quote_id: string | null;
            /** @description What the content is worth, as declared to the courier. `null` if the creation named no value. */
            declared_value: components["schemas"]["Money"] | null;
            /** @description What the courier collects from the recipient and pays to the shop. `null` if it collects nothing. */
            cash_on_delivery: components["schemas"]["Money"] | null;
            /** @description The price of the guide. `null` if it is not known. */
            price: components["schemas"]["Money"] | null;
            /** @description Whether the label is available. */
            label: {
                /**
                 * @description `pending`: not made yet. `ready`: available for download. `erased`: erased with the personal data.
                 * @enum {string}
                 */
                status: "pending" | "ready" | "erased" | (string & {});
            };
            /** @description Where the parcel is. `GET /v1/shipments/{id}/tracking` has the details. */
            tracking: {
                /** @description Where the parcel is. `null` if there is no guide. */
                status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
                /** @description The part of the journey that the status belongs to. `null` if there is no guide. */
                phase: ("pre_transit" | "origin" | "transit" | "destination" | "return" | "final") | null;
                /** @description The current exception. `null` if there is none. */
                exception: components["schemas"]["TrackingException"] | null;
            };
            /**
             * @description The page for the person who waits for the parcel: send it to nobody else, because whoever has it can open it. `null` without a guide, after the erasure, and while the workspace's `tracking_page` is not enabled.
             * @example https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w
             */
            tracking_url: string | null;
            /** @description Your own keys and values. `null` if there are none or they were erased. */
            metadata: {
                [key: string]: string;
            } | null;
            /** @description The scenario that the simulated courier plays. `null` in live mode. */
            sandbox_scenario: string | null;
            /** @description Its own legal hold. `null` if it has none. A hold on its workspace also keeps its personal data; the workspace shows that hold. */
            legal_hold: {
                /**
                 * Format: date-time
                 * @description When the hold was placed.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                since: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description The number of events in its history. `as_of` reads the shipment at any version.
             * @example 3
             */
            version: number;
        };
        /** @description A shipment whose creation failed: `failure` says why. */
        ShipmentNotExecuted: {
            /**
             * @description Identifies the shipment and never changes. The part after `shp_` is opaque.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `shipment`.
             * @constant
             */
            object: "shipment";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description The courier account that ships it.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id: string;
            /**
             * @description Your own order reference. It need not be unique. It is stored unencrypted: do not put personal data in it.
             * @example order-5001
             */
            external_reference: string;
            /**
             * @description The `Idempotency-Key` of its creation.
             * @example order-5001
             */
            idempotency_key: string;
            /**
             * @description Current status.
             *
             *     - `rejected`: the courier refused it permanently.
             *     - `not_executed`: the courier did nothing: repeat the creation with the same key. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "rejected" | "not_executed";
            /** @description Why there is no guide: the courier refused it, or it was not executed. */
            failure: {
                /**
                 * @description The `reason` of the problem that the creation returned, for programs.
                 * @enum {string}
                 */
                reason: "unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "validation_failed" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "unknown_outcome" | "nothing_created" | "shipment_not_cancellable" | "not_cancelled" | "courier_rejected" | "courier_not_available" | "not_supported_by_courier" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "ledger_damaged" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "label_unreadable" | "shipment_has_no_guide" | "operation_open" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "papers_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "invoice_comparing" | "invoice_not_ready" | "invoice_withdrawn" | "operation_already_resolved" | "invoice_line_changed" | "operation_full" | "guide_unconfirmed" | "operator_not_yours" | "key_not_rollable" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing" | (string & {});
                /** @description The courier's own words, for people, or its code if it gave only that. `null` if there is neither or they were erased. */
                detail: string | null;
                /**
                 * Format: date-time
                 * @description When it failed.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
            };
            /**
             * @description The courier's guide number. `null` if there is no guide.
             * @example 100000000001
             */
            guide_number: string | null;
            /**
             * @description The code that the recipient shows to collect the parcel. `null` if there is none or it was erased.
             * @example 4821
             */
            pickup_code: string | null;
            /** @description The operation whose outcome is not certain yet. `null` if there is none. */
            operation_id: string | null;
            /** @description The agency where the parcel is dropped off. It must have the capability `drop_off`. */
            origin: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The agency where the recipient collects the parcel. It must have the capability `pickup`. */
            destination: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The parcel. */
            package: {
                /**
                 * @description The kind of parcel, from `GET /v1/package-products`.
                 * @example pkg_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                product_id: string;
                /**
                 * @description How many pieces of this weight and size there are, from 1 to 99.
                 * @example 1
                 */
                quantity: number;
                /**
                 * @description The weight of a piece in kilograms, with at most three decimals.
                 * @example 0.8
                 */
                weight_kg: number;
                /**
                 * @description The height of a piece in meters, with at most three decimals.
                 * @example 0.05
                 */
                height_m: number;
                /**
                 * @description The length of a piece in meters, with at most three decimals.
                 * @example 0.2
                 */
                length_m: number;
                /**
                 * @description The width of a piece in meters, with at most three decimals.
                 * @example 0.15
                 */
                width_m: number;
            };
            /** @description How the parcel travels, and who pays. */
            service: {
                /**
                 * @description How the parcel travels.
                 * @example terrestrial
                 */
                mode: string;
                /**
                 * @description Who pays the courier.
                 * @example sender
                 */
                payer: string;
            };
            /**
             * @description What is in the parcel, as declared to the courier. `null` once erased.
             * @example Books
             */
            declared_content: string | null;
            /** @description The person who collects the parcel. `null` once erased. */
            recipient: {
                /**
                 * @description The kind of identity document. `RUC` is a tax number.
                 * @example DNI
                 */
                document_type: string;
                /**
                 * @description Its number. DNI: 8 digits; CE: 9 to 12 letters or digits; RUC: 11 digits, the last one a check digit; PASSPORT: 6 to 12 letters or digits.
                 * @example 45678912
                 */
                document: string;
                /**
                 * @description The given names.
                 * @example Ana
                 */
                first_name: string;
                /**
                 * @description The family names.
                 * @example Torres
                 */
                last_name: string;
                /**
                 * @description The phone number. `null` if the creation had none.
                 * @example +51987654321
                 */
                phone: string | null;
                /**
                 * @description The e-mail address. `null` if the creation had none.
                 * @example ana@example.com
                 */
                email: string | null;
            } | null;
            /** @description The quote whose price the courier is held to. `null` if the creation named none. */
            quote_id: string | null;
            /** @description What the content is worth, as declared to the courier. `null` if the creation named no value. */
            declared_value: components["schemas"]["Money"] | null;
            /** @description What the courier collects from the recipient and pays to the shop. `null` if it collects nothing. */
            cash_on_delivery: components["schemas"]["Money"] | null;
            /** @description The price of the guide. `null` if it is not known. */
            price: components["schemas"]["Money"] | null;
            /** @description Whether the label is available. */
            label: {
                /**
                 * @description `pending`: not made yet. `ready`: available for download. `erased`: erased with the personal data.
                 * @enum {string}
                 */
                status: "pending" | "ready" | "erased" | (string & {});
            };
            /** @description Where the parcel is. `GET /v1/shipments/{id}/tracking` has the details. */
            tracking: {
                /** @description Where the parcel is. `null` if there is no guide. */
                status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
                /** @description The part of the journey that the status belongs to. `null` if there is no guide. */
                phase: ("pre_transit" | "origin" | "transit" | "destination" | "return" | "final") | null;
                /** @description The current exception. `null` if there is none. */
                exception: components["schemas"]["TrackingException"] | null;
            };
            /**
             * @description The page for the person who waits for the parcel: send it to nobody else, because whoever has it can open it. `null` without a guide, after the erasure, and while the workspace's `tracking_page` is not enabled.
             * @example https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w
             */
            tracking_url: string | null;
            /** @description Your own keys and values. `null` if there are none or they were erased. */
            metadata: {
                [key: string]: string;
            } | null;
            /** @description The scenario that the simulated courier plays. `null` in live mode. */
            sandbox_scenario: string | null;
            /** @description Its own legal hold. `null` if it has none. A hold on its workspace also keeps its personal data; the workspace shows that hold. */
            legal_hold: {
                /**
                 * Format: date-time
                 * @description When the hold was placed.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                since: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description The number of events in its history. `as_of` reads the shipment at any version.
             * @example 3
             */
            version: number;
        };
        /** @description A shipment that may have a guide: `operation_id` finds out. */
        ShipmentOfUnknownOutcome: {
            /**
             * @description Identifies the shipment and never changes. The part after `shp_` is opaque.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            id: string;
            /**
             * @description The type of the object: always `shipment`.
             * @constant
             */
            object: "shipment";
            /** @description The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode. */
            livemode: boolean;
            /**
             * @description The workspace that it belongs to.
             * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
             */
            workspace_id: string;
            /**
             * @description The courier account that ships it.
             * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
             */
            courier_connection_id: string;
            /**
             * @description Your own order reference. It need not be unique. It is stored unencrypted: do not put personal data in it.
             * @example order-5001
             */
            external_reference: string;
            /**
             * @description The `Idempotency-Key` of its creation.
             * @example order-5001
             */
            idempotency_key: string;
            /**
             * @description Current status.
             *
             *     - `unknown_outcome`: the courier's answer was lost: follow `operation_id` and create nothing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "unknown_outcome";
            /** @description Why there is no guide: the courier refused it, or it was not executed. `null` otherwise. */
            failure: {
                /**
                 * @description The `reason` of the problem that the creation returned, for programs.
                 * @enum {string}
                 */
                reason: "unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "validation_failed" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "unknown_outcome" | "nothing_created" | "shipment_not_cancellable" | "not_cancelled" | "courier_rejected" | "courier_not_available" | "not_supported_by_courier" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "ledger_damaged" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "label_unreadable" | "shipment_has_no_guide" | "operation_open" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "papers_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "invoice_comparing" | "invoice_not_ready" | "invoice_withdrawn" | "operation_already_resolved" | "invoice_line_changed" | "operation_full" | "guide_unconfirmed" | "operator_not_yours" | "key_not_rollable" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing" | (string & {});
                /** @description The courier's own words, for people, or its code if it gave only that. `null` if there is neither or they were erased. */
                detail: string | null;
                /**
                 * Format: date-time
                 * @description When it failed.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                at: string;
            } | null;
            /**
             * @description The courier's guide number. `null` if there is no guide.
             * @example 100000000001
             */
            guide_number: string | null;
            /**
             * @description The code that the recipient shows to collect the parcel. `null` if there is none or it was erased.
             * @example 4821
             */
            pickup_code: string | null;
            /**
             * @description The operation whose outcome is not certain yet.
             * @example op_0aB1cD2eF3gH4iJ5kL6mN7
             */
            operation_id: string;
            /** @description The agency where the parcel is dropped off. It must have the capability `drop_off`. */
            origin: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The agency where the recipient collects the parcel. It must have the capability `pickup`. */
            destination: {
                /**
                 * @description An agency of the connection's courier.
                 * @example agy_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                agency_id: string;
            };
            /** @description The parcel. */
            package: {
                /**
                 * @description The kind of parcel, from `GET /v1/package-products`.
                 * @example pkg_0aB1cD2eF3gH4iJ5kL6mN7
                 */
                product_id: string;
                /**
                 * @description How many pieces of this weight and size there are, from 1 to 99.
                 * @example 1
                 */
                quantity: number;
                /**
                 * @description The weight of a piece in kilograms, with at most three decimals.
                 * @example 0.8
                 */
                weight_kg: number;
                /**
                 * @description The height of a piece in meters, with at most three decimals.
                 * @example 0.05
                 */
                height_m: number;
                /**
                 * @description The length of a piece in meters, with at most three decimals.
                 * @example 0.2
                 */
                length_m: number;
                /**
                 * @description The width of a piece in meters, with at most three decimals.
                 * @example 0.15
                 */
                width_m: number;
            };
            /** @description How the parcel travels, and who pays. */
            service: {
                /**
                 * @description How the parcel travels.
                 * @example terrestrial
                 */
                mode: string;
                /**
                 * @description Who pays the courier.
                 * @example sender
                 */
                payer: string;
            };
            /**
             * @description What is in the parcel, as declared to the courier. `null` once erased.
             * @example Books
             */
            declared_content: string | null;
            /** @description The person who collects the parcel. `null` once erased. */
            recipient: {
                /**
                 * @description The kind of identity document. `RUC` is a tax number.
                 * @example DNI
                 */
                document_type: string;
                /**
                 * @description Its number. DNI: 8 digits; CE: 9 to 12 letters or digits; RUC: 11 digits, the last one a check digit; PASSPORT: 6 to 12 letters or digits.
                 * @example 45678912
                 */
                document: string;
                /**
                 * @description The given names.
                 * @example Ana
                 */
                first_name: string;
                /**
                 * @description The family names.
                 * @example Torres
                 */
                last_name: string;
                /**
                 * @description The phone number. `null` if the creation had none.
                 * @example +51987654321
                 */
                phone: string | null;
                /**
                 * @description The e-mail address. `null` if the creation had none.
                 * @example ana@example.com
                 */
                email: string | null;
            } | null;
            /** @description The quote whose price the courier is held to. `null` if the creation named none. */
            quote_id: string | null;
            /** @description What the content is worth, as declared to the courier. `null` if the creation named no value. */
            declared_value: components["schemas"]["Money"] | null;
            /** @description What the courier collects from the recipient and pays to the shop. `null` if it collects nothing. */
            cash_on_delivery: components["schemas"]["Money"] | null;
            /** @description The price of the guide. `null` if it is not known. */
            price: components["schemas"]["Money"] | null;
            /** @description Whether the label is available. */
            label: {
                /**
                 * @description `pending`: not made yet. `ready`: available for download. `erased`: erased with the personal data.
                 * @enum {string}
                 */
                status: "pending" | "ready" | "erased" | (string & {});
            };
            /** @description Where the parcel is. `GET /v1/shipments/{id}/tracking` has the details. */
            tracking: {
                /** @description Where the parcel is. `null` if there is no guide. */
                status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
                /** @description The part of the journey that the status belongs to. `null` if there is no guide. */
                phase: ("pre_transit" | "origin" | "transit" | "destination" | "return" | "final") | null;
                /** @description The current exception. `null` if there is none. */
                exception: components["schemas"]["TrackingException"] | null;
            };
            /**
             * @description The page for the person who waits for the parcel: send it to nobody else, because whoever has it can open it. `null` without a guide, after the erasure, and while the workspace's `tracking_page` is not enabled.
             * @example https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w
             */
            tracking_url: string | null;
            /** @description Your own keys and values. `null` if there are none or they were erased. */
            metadata: {
                [key: string]: string;
            } | null;
            /** @description The scenario that the simulated courier plays. `null` in live mode. */
            sandbox_scenario: string | null;
            /** @description Its own legal hold. `null` if it has none. A hold on its workspace also keeps its personal data; the workspace shows that hold. */
            legal_hold: {
                /**
                 * Format: date-time
                 * @description When the hold was placed.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                since: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-01T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description The number of events in its history. `as_of` reads the shipment at any version.
             * @example 3
             */
            version: number;
        };
        /** @description An error about an operation, which `operation_id` names. */
        OperationProblem: {
            /**
             * Format: uri-reference
             * @description Where the reason is explained.
             * @example /docs/errors#unknown_outcome
             */
            type: string;
            /** @description The reason for people. The text may change at any time. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What happened in this case, for people. The text may change at any time. */
            detail: string;
            /**
             * Format: uri-reference
             * @description Identifies this error: the address of its request.
             * @example /v1/requests/req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            instance: string;
            /**
             * @description The reason for programs. docs/errors.md lists all reasons. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "unknown_outcome" | "nothing_created" | "not_cancelled" | "operation_open";
            /**
             * @description What this request did. Present on every error of a changing call, absent on others.
             *
             *     - `not_executed`: nothing.
             *     - `executed`: what it was meant to do.
             *     - `unknown`: it is not known: the guide may exist, or be cancelled.
             * @enum {string}
             */
            outcome?: "not_executed" | "executed" | "unknown" | (string & {});
            /** @description Whether repeating the same request can help. */
            retryable: boolean;
            /**
             * @description What to do next.
             *
             *     - `same_key`: repeat the same request, after `Retry-After` if there is one, and with the same key if it had one. With its key this is always safe.
             *     - `follow`: read the operation in `operation_id` until it has ended. Create or cancel nothing meanwhile.
             *     - `new_key`: nothing was created or cancelled: do it again with a new key.
             *     - `fix`: correct the request, or the program that sends it. If the key was used up, as by `courier_rejected`, the corrected request needs a new one.
             *     - `person`: a person must do something that the program cannot. Then repeat, with the same key if there was one.
             * @enum {string}
             */
            action: "same_key" | "follow" | "new_key" | "fix" | "person" | (string & {});
            /**
             * @description The `X-Request-Id` of the answer. Include it when you report a problem.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string;
            /**
             * @description The operation to follow.
             * @example op_0aB1cD2eF3gH4iJ5kL6mN701
             */
            operation_id: string;
            /**
             * @description The shipment that it is about.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            shipment_id: string;
            /**
             * @description The version of that shipment at the time of the answer. The higher version of a shipment is newer, whether it came in an answer or a webhook. Absent if there is no shipment or it was not read.
             * @example 3
             */
            shipment_version?: number;
            /** @description With `quote_price_changed`: the courier's new price. Absent otherwise. */
            price?: components["schemas"]["Money"];
            /** @description What is wrong with which field. Absent if no field caused the error. */
            errors?: {
                /**
                 * @description Where: an RFC 6901 pointer into the body, or `#/query/<name>` or `#/headers/<name>`.
                 * @example /package/weight_kg
                 */
                pointer: string;
                /**
                 * @description What is wrong, for programs.
                 * @example required
                 */
                reason: string;
                /** @description The same for people. The text may change at any time. */
                detail: string;
            }[];
        };
        /** @description An error about fields, which `errors` names. */
        ValidationProblem: {
            /**
             * Format: uri-reference
             * @description Where the reason is explained.
             * @example /docs/errors#unknown_outcome
             */
            type: string;
            /** @description The reason for people. The text may change at any time. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What happened in this case, for people. The text may change at any time. */
            detail: string;
            /**
             * Format: uri-reference
             * @description Identifies this error: the address of its request.
             * @example /v1/requests/req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            instance: string;
            /**
             * @description The reason for programs. docs/errors.md lists all reasons. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "validation_failed";
            /**
             * @description What this request did. Present on every error of a changing call, absent on others.
             *
             *     - `not_executed`: nothing.
             *     - `executed`: what it was meant to do.
             *     - `unknown`: it is not known: the guide may exist, or be cancelled.
             * @enum {string}
             */
            outcome?: "not_executed" | "executed" | "unknown" | (string & {});
            /** @description Whether repeating the same request can help. */
            retryable: boolean;
            /**
             * @description What to do next.
             *
             *     - `same_key`: repeat the same request, after `Retry-After` if there is one, and with the same key if it had one. With its key this is always safe.
             *     - `follow`: read the operation in `operation_id` until it has ended. Create or cancel nothing meanwhile.
             *     - `new_key`: nothing was created or cancelled: do it again with a new key.
             *     - `fix`: correct the request, or the program that sends it. If the key was used up, as by `courier_rejected`, the corrected request needs a new one.
             *     - `person`: a person must do something that the program cannot. Then repeat, with the same key if there was one.
             * @enum {string}
             */
            action: "same_key" | "follow" | "new_key" | "fix" | "person" | (string & {});
            /**
             * @description The `X-Request-Id` of the answer. Include it when you report a problem.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string;
            /**
             * @description The operation to follow. Absent if there is none.
             * @example op_0aB1cD2eF3gH4iJ5kL6mN701
             */
            operation_id?: string;
            /**
             * @description The shipment that it is about. Absent if there is none.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            shipment_id?: string;
            /**
             * @description The version of that shipment at the time of the answer. The higher version of a shipment is newer, whether it came in an answer or a webhook. Absent if there is no shipment or it was not read.
             * @example 3
             */
            shipment_version?: number;
            /** @description With `quote_price_changed`: the courier's new price. Absent otherwise. */
            price?: components["schemas"]["Money"];
            /** @description What is wrong with which field. */
            errors: {
                /**
                 * @description Where: an RFC 6901 pointer into the body, or `#/query/<name>` or `#/headers/<name>`.
                 * @example /package/weight_kg
                 */
                pointer: string;
                /**
                 * @description What is wrong, for programs.
                 * @example required
                 */
                reason: string;
                /** @description The same for people. The text may change at any time. */
                detail: string;
            }[];
        };
        /** @description Any other error. */
        OtherProblem: {
            /**
             * Format: uri-reference
             * @description Where the reason is explained.
             * @example /docs/errors#unknown_outcome
             */
            type: string;
            /** @description The reason for people. The text may change at any time. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What happened in this case, for people. The text may change at any time. */
            detail: string;
            /**
             * Format: uri-reference
             * @description Identifies this error: the address of its request.
             * @example /v1/requests/req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            instance: string;
            /**
             * @description The reason for programs. docs/errors.md lists all reasons. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "shipment_not_cancellable" | "courier_rejected" | "courier_not_available" | "not_supported_by_courier" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "ledger_damaged" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "label_unreadable" | "shipment_has_no_guide" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "papers_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "invoice_comparing" | "invoice_not_ready" | "invoice_withdrawn" | "operation_already_resolved" | "invoice_line_changed" | "operation_full" | "guide_unconfirmed" | "operator_not_yours" | "key_not_rollable" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing";
            /**
             * @description What this request did. Present on every error of a changing call, absent on others.
             *
             *     - `not_executed`: nothing.
             *     - `executed`: what it was meant to do.
             *     - `unknown`: it is not known: the guide may exist, or be cancelled.
             * @enum {string}
             */
            outcome?: "not_executed" | "executed" | "unknown" | (string & {});
            /** @description Whether repeating the same request can help. */
            retryable: boolean;
            /**
             * @description What to do next.
             *
             *     - `same_key`: repeat the same request, after `Retry-After` if there is one, and with the same key if it had one. With its key this is always safe.
             *     - `follow`: read the operation in `operation_id` until it has ended. Create or cancel nothing meanwhile.
             *     - `new_key`: nothing was created or cancelled: do it again with a new key.
             *     - `fix`: correct the request, or the program that sends it. If the key was used up, as by `courier_rejected`, the corrected request needs a new one.
             *     - `person`: a person must do something that the program cannot. Then repeat, with the same key if there was one.
             * @enum {string}
             */
            action: "same_key" | "follow" | "new_key" | "fix" | "person" | (string & {});
            /**
             * @description The `X-Request-Id` of the answer. Include it when you report a problem.
             * @example req_0aB1cD2eF3gH4iJ5kL6mN7
             */
            request_id: string;
            /**
             * @description The operation to follow. Absent if there is none.
             * @example op_0aB1cD2eF3gH4iJ5kL6mN701
             */
            operation_id?: string;
            /**
             * @description The shipment that it is about. Absent if there is none.
             * @example shp_0aB1cD2eF3gH4iJ5kL6mN7
             */
            shipment_id?: string;
            /**
             * @description The version of that shipment at the time of the answer. The higher version of a shipment is newer, whether it came in an answer or a webhook. Absent if there is no shipment or it was not read.
             * @example 3
             */
            shipment_version?: number;
            /** @description With `quote_price_changed`: the courier's new price. Absent otherwise. */
            price?: components["schemas"]["Money"];
            /** @description What is wrong with which field. Absent if no field caused the error. */
            errors?: {
                /**
                 * @description Where: an RFC 6901 pointer into the body, or `#/query/<name>` or `#/headers/<name>`.
                 * @example /package/weight_kg
                 */
                pointer: string;
                /**
                 * @description What is wrong, for programs.
                 * @example required
                 */
                reason: string;
                /** @description The same for people. The text may change at any time. */
                detail: string;
            }[];
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only the workspace with exactly this `external_reference`. */
                external_reference?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workspaces, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["Workspace"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The workspace to create. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Another shop",
                 *       "external_reference": "another-shop"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description A name for people. It need not be unique.
                     * @example Another shop
                     */
                    name: string;
                    /**
                     * @description Your own id of the shop, unique within your organization and mode. It never changes.
                     * @example another-shop
                     */
                    external_reference: string;
                    /**
                     * @description How many days after its creation a shipment's personal data is erased. Absent or `null`: it is not erased by age. An existing workspace keeps its value; use PATCH to change it.
                     * @example 90
                     */
                    personal_data_retention_days?: number | null;
                    /**
                     * @description How labels are printed if a request does not say, field by field. `null`: as a PDF in A6 without a caption. An object replaces the former one as a whole.
                     * @example {
                     *       "format": "zpl",
                     *       "size": "4x6",
                     *       "dpi": 203,
                     *       "caption": true
                     *     }
                     */
                    label_format?: {
                        /**
                         * @description The format of the file. The default is `pdf`.
                         * @enum {string}
                         */
                        format?: "pdf" | "png" | "zpl";
                        /**
                         * @description The page size. The default is `a6`.
                         * @enum {string}
                         */
                        size?: "a6" | "a4" | "4x6" | "80mm";
                        /**
                         * @description Dots per inch of `png` and `zpl`. The default is 203.
                         * @enum {number}
                         */
                        dpi?: 203 | 300;
                        /** @description Whether each page has a strip with the order's `external_reference` and the name of the workspace. The default is `false`. */
                        caption?: boolean;
                    } | null;
                    /** @description The page for the person who waits for a parcel, which a shipment's `tracking_url` opens. A field that is absent stays as it is; at first the page is enabled. */
                    tracking_page?: {
                        /**
                         * @description Whether the shipments have a `tracking_url`. While it is `false`, links that were sent lead nowhere.
                         * @example true
                         */
                        enabled?: boolean;
                        /**
                         * @description The name of the shop on the page, in at most 80 characters. `null`: the name of the workspace.
                         * @example Tienda Norte
                         */
                        shop_name?: string | null;
                        /**
                         * @description Where a recipient can ask the shop: an address that begins with `https://`, `mailto:` or `tel:`. `null` if the page has no such link.
                         * @example https://shop.example/help
                         */
                        support_url?: string | null;
                        /**
                         * @description The color of the page, like `#1f6f54`. Text on it is black or white, whichever is easier to read. `null`: a gray.
                         * @example #1f6f54
                         */
                        accent?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The workspace that already had this `external_reference`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description The new workspace. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the workspace. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace. */
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
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the workspace. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description What to change. A field that is absent stays as it is. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Another shop"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description A name for people. It need not be unique.
                     * @example Another shop
                     */
                    name?: string;
                    /**
                     * @description How many days after its creation a shipment's personal data is erased. `null` if it is not erased by age.
                     * @example 90
                     */
                    personal_data_retention_days?: number | null;
                    /**
                     * @description How labels are printed if a request does not say, field by field. `null`: as a PDF in A6 without a caption. An object replaces the former one as a whole.
                     * @example {
                     *       "format": "zpl",
                     *       "size": "4x6",
                     *       "dpi": 203,
                     *       "caption": true
                     *     }
                     */
                    label_format?: {
                        /**
                         * @description The format of the file. The default is `pdf`.
                         * @enum {string}
                         */
                        format?: "pdf" | "png" | "zpl";
                        /**
                         * @description The page size. The default is `a6`.
                         * @enum {string}
                         */
                        size?: "a6" | "a4" | "4x6" | "80mm";
                        /**
                         * @description Dots per inch of `png` and `zpl`. The default is 203.
                         * @enum {number}
                         */
                        dpi?: 203 | 300;
                        /** @description Whether each page has a strip with the order's `external_reference` and the name of the workspace. The default is `false`. */
                        caption?: boolean;
                    } | null;
                    /** @description The page for the person who waits for a parcel, which a shipment's `tracking_url` opens. A field that is absent stays as it is; at first the page is enabled. */
                    tracking_page?: {
                        /**
                         * @description Whether the shipments have a `tracking_url`. While it is `false`, links that were sent lead nowhere.
                         * @example true
                         */
                        enabled?: boolean;
                        /**
                         * @description The name of the shop on the page, in at most 80 characters. `null`: the name of the workspace.
                         * @example Tienda Norte
                         */
                        shop_name?: string | null;
                        /**
                         * @description Where a recipient can ask the shop: an address that begins with `https://`, `mailto:` or `tel:`. `null` if the page has no such link.
                         * @example https://shop.example/help
                         */
                        support_url?: string | null;
                        /**
                         * @description The color of the page, like `#1f6f54`. Text on it is black or white, whichever is easier to read. `null`: a gray.
                         * @example #1f6f54
                         */
                        accent?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The workspace after the change. */
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
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the workspace. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The reason for placing or lifting the hold. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Claim 2026-114: keep everything until the court has decided."
                 *     }
                 */
                "application/json": {
                    /** @description The reason, in at most 2000 characters. Stored encrypted. */
                    note: string;
                };
            };
        };
        responses: {
            /** @description The workspace, with or without its hold. */
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
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the workspace. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The reason for placing or lifting the hold. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Claim 2026-114: keep everything until the court has decided."
                 *     }
                 */
                "application/json": {
                    /** @description The reason, in at most 2000 characters. Stored encrypted. */
                    note: string;
                };
            };
        };
        responses: {
            /** @description The workspace, with or without its hold. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only connections to this courier, by its code. */
                provider_code?: string;
                /** @description Only connections in this status. */
                status?: "active" | "needs_reauth" | "disabled";
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of courier connections, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["CourierConnection"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The account to connect, and the workspace that may use it. */
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
                    /**
                     * @description The workspace that gets the connection.
                     * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
                     */
                    workspace_id: string;
                    /**
                     * @description The courier, by its code in `GET /v1/couriers`.
                     * @example mock
                     */
                    provider_code: string;
                    /**
                     * @description A name for people, such as the name of the account at the courier.
                     * @example Simulated courier
                     */
                    display_name: string;
                    /** @description The shop's account at the courier: the `credential_fields` of the courier in `GET /v1/couriers`, by name; for the simulated courier `username` and `password`. The credentials are stored encrypted and never returned or logged. The simulated courier accepts any. */
                    credentials: {
                        /** @description The user name of the account, for couriers that ask for one. */
                        username?: string;
                        /** @description The password of the account, for couriers that ask for one. */
                        password?: string;
                    } & {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description The new connection. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the courier connection. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection. */
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
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the courier connection. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is removed. */
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
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the courier connection. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description What to change. A field that is absent stays as it is. */
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
                    /**
                     * @description A name for people, such as the name of the account at the courier.
                     * @example Simulated courier
                     */
                    display_name?: string;
                    /** @description The new credentials. They replace the old ones, and a connection that was `needs_reauth` becomes `active`. */
                    credentials?: {
                        /** @description The user name of the account, for couriers that ask for one. */
                        username?: string;
                        /** @description The password of the account, for couriers that ask for one. */
                        password?: string;
                    } & {
                        [key: string]: string;
                    };
                    /**
                     * @description `disabled`: no more creations or quotes, but operations in progress are finished. `active`: enables it again.
                     * @enum {string}
                     */
                    status?: "active" | "disabled";
                };
            };
        };
        responses: {
            /** @description The connection after the change. */
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
                /** @description With a test key: one of the scenarios that `GET /v1/sandbox/scenarios` lists; the default is `happy_path`. With a live key: 400 `sandbox_only`. */
                "sandbox-scenario"?: string;
            };
            path: {
                /** @description The `id` of the courier connection. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection after the check. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of couriers, by code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["Courier"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listAgencies: {
        parameters: {
            query: {
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description The connection whose courier is asked. */
                courier_connection_id: string;
                /** @description Only agencies that match these words, at most 12. Each must be the start of a word in the name, address, district, province or department. Punctuation only separates words. A search without a word returns every agency. */
                search?: string;
                /** @description Only agencies in this department, ignoring case and accents. */
                department?: string;
                /** @description Only agencies in this province, ignoring case and accents. */
                province?: string;
                /** @description Only agencies in this district, ignoring case and accents. */
                district?: string;
                /** @description Only agencies where parcels can be dropped off, or picked up. */
                capability?: "drop_off" | "pickup";
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agencies, best match first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["Agency"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the agency. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agency. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only products of this connection's courier. */
                courier_connection_id?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of package products, by courier and code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["PackageProduct"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key that made the request. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description `true`: only keys that a sign-in to the console created. `false`: only the others. */
                from_sign_in?: "true" | "false";
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["ApiKey"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description What the new key may do. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Web shop",
                 *       "role": "integration",
                 *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7"
                 *     }
                 */
                "application/json": {
                    /** @description What people call it, so that they know what stops when it is revoked. Absent or `null`: no name. */
                    name?: string | null;
                    /**
                     * @description What it is for. A role but `custom` gives the key the scopes of the role. Absent: `custom`.
                     * @enum {string}
                     */
                    role?: "integration" | "clerk" | "support" | "accountant" | "operator" | "admin" | "custom";
                    /** @description What the new key may do: only scopes that the calling key has itself. Required for a `custom` key, and allowed only for one. */
                    scopes?: ("shipments:read" | "shipments:write" | "connections:read" | "connections:write" | "webhooks:read" | "webhooks:write" | "workspaces:read" | "workspaces:write" | "keys:write" | "operators:write" | "operations:read" | "operations:review" | "ledger:read")[];
                    /** @description The only workspace that the new key reaches. Absent or `null`: it reaches as far as the calling key. A key of one workspace creates keys of that workspace only. */
                    workspace_id?: string | null;
                    /** @description When the new key expires, not later than the calling key; with a key of a sign-in, a key without operator may last a year. Absent: when the calling key expires. `null`: never. */
                    expires_at?: string | null;
                    /** @description The operator that the new key belongs to: the operator of the calling key, or else 422 `operator_not_yours`. Absent or `null`: none. */
                    operator_id?: string | null;
                };
            };
        };
        responses: {
            /** @description The new key, with the key itself. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the API key. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
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
                /** @description The `id` of the API key. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
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
    rollKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the API key. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description How to roll the key. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlap_hours": 24
                 *     }
                 */
                "application/json": {
                    /** @description For how many hours the old key still works beside the next one, unless it expires earlier: 0 (it stops within 5 seconds) to 168. Absent: 24. */
                    overlap_hours?: number;
                    /** @description When the next key expires, not later than the calling key. Absent: after as long a life as the old key was given, but not later than the calling key. `null`: never. */
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            /** @description The next key, with the key itself. */
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
    listOperators: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only operators in this status. */
                status?: "active" | "disabled";
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of operators, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["Operator"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The person. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ana Torres",
                 *       "email": "ana.torres@shop.example"
                 *     }
                 */
                "application/json": {
                    /** @description The name, shown with their decisions. */
                    name: string;
                    /** @description The email address. */
                    email: string;
                    /** @description The `sub` of the person at the OpenID Connect issuer, if the email address is not to be enough for signing in. Absent or `null`: none. */
                    subject?: string | null;
                };
            };
        };
        responses: {
            /** @description The new operator. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the operator. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operator. */
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
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the operator. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description What to change. A field that is absent stays as it is. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ana Torres"
                 *     }
                 */
                "application/json": {
                    /** @description The name, shown with their decisions. */
                    name?: string;
                    /** @description The email address. */
                    email?: string;
                    /** @description The `sub` of the person at the OpenID Connect issuer, if the email address is not to be enough for signing in. Absent or `null`: none. */
                    subject?: string | null;
                    /**
                     * @description `active`, or `disabled`: the keys of the operator do not work.
                     * @enum {string}
                     */
                    status?: "active" | "disabled";
                    /** @description Whether to revoke also the keys without an operator that the operator or its keys created. Required with `status: disabled`, and allowed only with it. The answer lists these keys. */
                    revoke_created_keys?: boolean;
                };
            };
        };
        responses: {
            /** @description The operator after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedOperator"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current limits and usage. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only endpoints in this status. */
                status?: "enabled" | "disabled";
                /** @description Only endpoints whose `health` has this state. Disabled ones keep theirs. */
                health?: "ok" | "failing";
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhook endpoints, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["WebhookEndpoint"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Where events are sent, and which. */
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
                    /**
                     * @description The workspace whose events are sent.
                     * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
                     */
                    workspace_id: string;
                    /** @description Where events are sent. In live mode it must be https. It must not be a private, loopback or link-local address, and must have no credentials or fragment. */
                    url: string;
                    /** @description Your own note on what it is for. `null` if there is none. */
                    description?: string | null;
                    /**
                     * @description Which events are sent: types, or families such as `shipment.*`. The types are:
                     *
                     *     - `shipment.created`: The creation call itself was confirmed.
                     *     - `shipment.reconciled`: Reconciliation or a decision established a guide: sent instead of `shipment.created`.
                     *     - `shipment.rejected`: The courier refused: nothing was created.
                     *     - `shipment.outcome_unknown`: The answer of the creation call was lost: the guide may exist.
                     *     - `shipment.cancelled`: The guide was cancelled, whether by the call, reconciliation or a decision.
                     *     - `label.ready`: The label can be downloaded.
                     *     - `operation.needs_review`: Reconciliation cannot conclude: a person must decide.
                     *     - `operation.resolved`: An operation whose outcome was unknown ended, by evidence or decision.
                     *     - `operation.contradicted`: New evidence contradicts a conclusion.
                     *     - `tracking.updated`: There are new scans, or the status, exception or ETA changed.
                     *     - `tracking.delivered`: The parcel was delivered: sent in addition to `tracking.updated`.
                     *     - `tracking.returned`: The parcel is back at its sender: sent in addition to `tracking.updated`.
                     *     - `tracking.lost`: The courier declared the parcel lost: sent in addition to `tracking.updated`.
                     *     - `tracking.exception_raised`: Something delays the parcel: sent in addition to `tracking.updated`.
                     *     - `tracking.exception_resolved`: The parcel is no longer delayed: sent in addition to `tracking.updated`.
                     *     - `connection.needs_reauth`: The courier refuses the credentials of a connection.
                     *     - `webhook_endpoint.disabled`: An endpoint was disabled: sent to the other endpoints.
                     *     - `quota.threshold_reached`: 80% or 100% of a quota is used: sent once each per month and mode.
                     *     - `batch.completed`: Every line of a batch has been answered.
                     *     - `courier_invoice.compared`: Every line of a courier's invoice was compared: sent once per comparison.
                     *     - `alert.review_needed`: An operation waits for a person to decide, or no longer does.
                     *     - `alert.contradicted`: Evidence contradicts a conclusion, until a person closes the operation.
                     *     - `alert.endpoint_failing`: An endpoint fails, or was disabled because it failed; sent to the other endpoints.
                     *     - `alert.courier_unreachable`: Most calls to a connection's courier get no usable answer.
                     *     - `alert.projection_stopped`: Lists and webhooks of shipments are out of date for every shop.
                     *     - `alert.ledger_damaged`: The ledger has lost events: nothing can be created or cancelled until it is recovered.
                     *     - `alert.witness_silent`: A witness has not cosigned the newest checkpoints of the ledger.
                     */
                    event_types: ("shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "batch.completed" | "courier_invoice.compared" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.ledger_damaged" | "alert.witness_silent" | "shipment.*" | "label.*" | "operation.*" | "tracking.*" | "connection.*" | "webhook_endpoint.*" | "quota.*" | "batch.*" | "courier_invoice.*" | "alert.*")[];
                };
            };
        };
        responses: {
            /** @description The new endpoint and its secret. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the webhook endpoint. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
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
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the webhook endpoint. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is removed. */
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
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the webhook endpoint. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description What to change. A field that is absent stays as it is. */
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
                    /** @description Where events are sent. In live mode it must be https. It must not be a private, loopback or link-local address, and must have no credentials or fragment. */
                    url?: string;
                    /** @description Your own note on what it is for. `null` if there is none. */
                    description?: string | null;
                    /**
                     * @description Which events are sent: types, or families such as `shipment.*`. The types are:
                     *
                     *     - `shipment.created`: The creation call itself was confirmed.
                     *     - `shipment.reconciled`: Reconciliation or a decision established a guide: sent instead of `shipment.created`.
                     *     - `shipment.rejected`: The courier refused: nothing was created.
                     *     - `shipment.outcome_unknown`: The answer of the creation call was lost: the guide may exist.
                     *     - `shipment.cancelled`: The guide was cancelled, whether by the call, reconciliation or a decision.
                     *     - `label.ready`: The label can be downloaded.
                     *     - `operation.needs_review`: Reconciliation cannot conclude: a person must decide.
                     *     - `operation.resolved`: An operation whose outcome was unknown ended, by evidence or decision.
                     *     - `operation.contradicted`: New evidence contradicts a conclusion.
                     *     - `tracking.updated`: There are new scans, or the status, exception or ETA changed.
                     *     - `tracking.delivered`: The parcel was delivered: sent in addition to `tracking.updated`.
                     *     - `tracking.returned`: The parcel is back at its sender: sent in addition to `tracking.updated`.
                     *     - `tracking.lost`: The courier declared the parcel lost: sent in addition to `tracking.updated`.
                     *     - `tracking.exception_raised`: Something delays the parcel: sent in addition to `tracking.updated`.
                     *     - `tracking.exception_resolved`: The parcel is no longer delayed: sent in addition to `tracking.updated`.
                     *     - `connection.needs_reauth`: The courier refuses the credentials of a connection.
                     *     - `webhook_endpoint.disabled`: An endpoint was disabled: sent to the other endpoints.
                     *     - `quota.threshold_reached`: 80% or 100% of a quota is used: sent once each per month and mode.
                     *     - `batch.completed`: Every line of a batch has been answered.
                     *     - `courier_invoice.compared`: Every line of a courier's invoice was compared: sent once per comparison.
                     *     - `alert.review_needed`: An operation waits for a person to decide, or no longer does.
                     *     - `alert.contradicted`: Evidence contradicts a conclusion, until a person closes the operation.
                     *     - `alert.endpoint_failing`: An endpoint fails, or was disabled because it failed; sent to the other endpoints.
                     *     - `alert.courier_unreachable`: Most calls to a connection's courier get no usable answer.
                     *     - `alert.projection_stopped`: Lists and webhooks of shipments are out of date for every shop.
                     *     - `alert.ledger_damaged`: The ledger has lost events: nothing can be created or cancelled until it is recovered.
                     *     - `alert.witness_silent`: A witness has not cosigned the newest checkpoints of the ledger.
                     */
                    event_types?: ("shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "batch.completed" | "courier_invoice.compared" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.ledger_damaged" | "alert.witness_silent" | "shipment.*" | "label.*" | "operation.*" | "tracking.*" | "connection.*" | "webhook_endpoint.*" | "quota.*" | "batch.*" | "courier_invoice.*" | "alert.*")[];
                    /**
                     * @description `disabled`: nothing is sent. `enabled`: clears earlier failures.
                     * @enum {string}
                     */
                    status?: "enabled" | "disabled";
                };
            };
        };
        responses: {
            /** @description The endpoint after the change. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the webhook endpoint. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint and its new secret. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the webhook endpoint. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The example to send. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "shipment.created"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The type of the example. The endpoint need not subscribe to it.
                     * @enum {string}
                     */
                    type: "shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "batch.completed" | "courier_invoice.compared" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.ledger_damaged" | "alert.witness_silent";
                };
            };
        };
        responses: {
            /** @description The delivery of the example. Read it again to see how it ended. */
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
                /** @description The `id` of the webhook endpoint. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The period, on the workspace's clock. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-03-01T00:00:00.000Z",
                 *       "until": "2026-03-02T00:00:00.000Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description The start of the period, inclusive: RFC 3339, with an offset or `Z`.
                     * @example 2026-03-01T00:00:00.000Z
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @description The end of the period, exclusive, at most 14 days after `since`: RFC 3339, with an offset or `Z`.
                     * @example 2026-03-02T00:00:00.000Z
                     */
                    until: string;
                };
            };
        };
        responses: {
            /** @description What is sent again, in the background. */
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
                /** @description The start of the period, inclusive: RFC 3339, with an offset or `Z`. */
                since: string;
                /** @description The end of the period, exclusive, at most 14 days after `since`: RFC 3339, with an offset or `Z`. */
                until: string;
            };
            header?: never;
            path: {
                /** @description The `id` of the webhook endpoint. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The count. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only events of this type. */
                type?: "shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "batch.completed" | "courier_invoice.compared" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.ledger_damaged" | "alert.witness_silent";
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only those of this shipment. */
                shipment_id?: string;
                /** @description Only those created at or after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gte]"?: string;
                /** @description Only those created after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gt]"?: string;
                /** @description Only those created at or before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lte]"?: string;
                /** @description Only those created before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lt]"?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["WebhookEvent"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the webhook event. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only deliveries to this endpoint, removed or not. */
                endpoint_id?: string;
                /** @description Only deliveries of this event. */
                event_id?: string;
                /** @description Only deliveries of events of this type. */
                event_type?: "shipment.created" | "shipment.reconciled" | "shipment.rejected" | "shipment.outcome_unknown" | "shipment.cancelled" | "label.ready" | "operation.needs_review" | "operation.resolved" | "operation.contradicted" | "tracking.updated" | "tracking.delivered" | "tracking.returned" | "tracking.lost" | "tracking.exception_raised" | "tracking.exception_resolved" | "connection.needs_reauth" | "webhook_endpoint.disabled" | "quota.threshold_reached" | "batch.completed" | "courier_invoice.compared" | "alert.review_needed" | "alert.contradicted" | "alert.endpoint_failing" | "alert.courier_unreachable" | "alert.projection_stopped" | "alert.ledger_damaged" | "alert.witness_silent";
                /** @description Only deliveries in this state. `dead` lists the dead letters. */
                state?: "pending" | "delivered" | "dead" | "discarded";
                /** @description Only those of this shipment. */
                shipment_id?: string;
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only those created at or after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gte]"?: string;
                /** @description Only those created after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gt]"?: string;
                /** @description Only those created at or before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lte]"?: string;
                /** @description Only those created before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lt]"?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["WebhookDelivery"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the webhook delivery. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
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
                /** @description The `id` of the webhook delivery. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is sent again now. */
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
                /** @description With a test key: one of the scenarios that `GET /v1/sandbox/scenarios` lists; the default is `happy_path`. With a live key: 400 `sandbox_only`. */
                "sandbox-scenario"?: string;
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A parcel and its route, to be priced. */
        requestBody: {
            content: {
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
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            /** @description The quote, possibly without a price for some services or connections. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the quote. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quote. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only those of this courier connection. */
                courier_connection_id?: string;
                /** @description Only shipments in this status. */
                status?: "creating" | "created" | "rejected" | "not_executed" | "unknown_outcome" | "not_created" | "cancelling" | "cancelled";
                /** @description Only shipments whose parcel has this tracking status. */
                tracking_status?: "registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled";
                /** @description Only shipments with exactly this reference. */
                external_reference?: string;
                /** @description Only shipments created with this `Idempotency-Key`. With `workspace_id`, the response never lags. */
                idempotency_key?: string;
                /** @description Only shipments with exactly this guide number. */
                guide_number?: string;
                /** @description `true`: only shipments with an operation whose outcome is not certain yet. `false`: only the others. */
                has_open_operation?: "true" | "false";
                /** @description Only those created at or after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gte]"?: string;
                /** @description Only those created after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gt]"?: string;
                /** @description Only those created at or before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lte]"?: string;
                /** @description Only those created before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lt]"?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of shipments, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["Shipment"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description With a test key: one of the scenarios that `GET /v1/sandbox/scenarios` lists; the default is `happy_path`. With a live key: 400 `sandbox_only`. */
                "sandbox-scenario"?: string;
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description An order to ship a parcel. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
                 *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
                 *       "external_reference": "order-5001",
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
                "application/json": components["schemas"]["ShipmentRequest"];
            };
        };
        responses: {
            /** @description The shipment with its guide. A repeated request returns the shipment as it is now. */
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
                /** @description Returns the shipment at a version (a number of events, from 1) or at a time (RFC 3339). The default is its current state. */
                as_of?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shipment. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["LedgerEvent"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key": string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled shipment. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description What to erase. Optional. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "include_notes": false
                 *     }
                 */
                "application/json": {
                    /** @description Also erases decision notes and comments, which may name the person. Requires the key of an operator with the scope `operations:review`. Who decided what, and when, is kept. The default is `false`. */
                    include_notes?: boolean;
                } | null;
            };
        };
        responses: {
            /** @description The shipment, without its personal data. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The reason for placing or lifting the hold. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Claim 2026-114: keep everything until the court has decided."
                 *     }
                 */
                "application/json": {
                    /** @description The reason, in at most 2000 characters. Stored encrypted. */
                    note: string;
                };
            };
        };
        responses: {
            /** @description The shipment, with or without its hold. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The reason for placing or lifting the hold. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Claim 2026-114: keep everything until the court has decided."
                 *     }
                 */
                "application/json": {
                    /** @description The reason, in at most 2000 characters. Stored encrypted. */
                    note: string;
                };
            };
        };
        responses: {
            /** @description The shipment, with or without its hold. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tracking. */
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
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tracking after the courier's answer. */
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
    rollTrackingLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shipment with its new link. */
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
    listDocuments: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All documents of the shipment, on one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One item for each kind of document. */
                        data: {
                            /**
                             * @description `label`: the label for the parcel.
                             * @enum {string}
                             */
                            type: "label" | (string & {});
                            /**
                             * @description `pending`: not made yet. `ready`: available for download. `unreadable`: the courier's file cannot be printed. `erased`: erased with the personal data.
                             * @enum {string}
                             */
                            status: "pending" | "ready" | "unreadable" | "erased" | (string & {});
                            /**
                             * @description Its media type. `null` until it is made.
                             * @example application/pdf
                             */
                            content_type: string | null;
                            /** @description Its size in bytes. `null` until it is made. */
                            size: number | null;
                            /** @description The SHA-256 of its bytes in hexadecimal. `null` until it is made, and once it is erased. */
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
                /**
                 * @description The format of the file. The default is that of the workspace's `label_format`, or `pdf`.
                 *
                 *     - `pdf`: for any printer of the computer.
                 *     - `png`: a grayscale image of each page. A single image is `image/png`; several are a ZIP file.
                 *     - `zpl`: ZPL II for label printers, one `^XA…^XZ` per page.
                 */
                format?: "pdf" | "png" | "zpl";
                /**
                 * @description The page size. Labels are made smaller to fit, and never larger. The default is that of the workspace's `label_format`, or `a6`.
                 *
                 *     - `a6`: 105 × 148 mm. As `pdf` without a caption, pages stay as the courier made them.
                 *     - `a4`: 210 × 297 mm.
                 *     - `4x6`: 4 × 6 inches.
                 *     - `80mm`: a roll of 80 mm, of which 72 mm are printed; each page is as long as its label.
                 */
                size?: "a6" | "a4" | "4x6" | "80mm";
                /** @description Dots per inch of `png` and `zpl`: that of your printer. The default is that of the workspace's `label_format`, or 203. */
                dpi?: "203" | "300";
                /** @description `true` adds a strip with the order's `external_reference` and the name of the workspace above each page of a label, so that each label can be matched to its parcel, and a QR code of its `tracking_url`, if it has one. It contains no personal data and is the same in every language. The default is that of the workspace's `label_format`, or `false`. */
                caption?: "true" | "false";
                /**
                 * @description The language of the texts that this service writes. The default is the best match of `Accept-Language`, and otherwise `en`.
                 *
                 *     - `en`: English.
                 *     - `es`: Spanish, as in Peru.
                 */
                lang?: "en" | "es";
            };
            header?: {
                /** @description The languages that you prefer (RFC 9110), for the texts that this service writes: `en` or `es`. The query parameter `lang` precedes it. If absent, or if neither matches: English. */
                "accept-language"?: string;
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The label. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/png": string;
                    "application/zip": string;
                    "application/zpl": string;
                };
            };
        };
    };
    printLabels: {
        parameters: {
            query?: {
                /**
                 * @description The language of the texts that this service writes. The default is the best match of `Accept-Language`, and otherwise `en`.
                 *
                 *     - `en`: English.
                 *     - `es`: Spanish, as in Peru.
                 */
                lang?: "en" | "es";
            };
            header?: {
                /** @description The languages that you prefer (RFC 9110), for the texts that this service writes: `en` or `es`. The query parameter `lang` precedes it. If absent, or if neither matches: English. */
                "accept-language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description What to print. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "shipment_ids": [
                 *         "shp_0aB1cD2eF3gH4iJ5kL6mN7"
                 *       ],
                 *       "layout": "four_on_a4"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The shipments, in the order of the labels: 1 to 200 different shipments within the key's reach. An id that does not exist, or that the key does not reach, is 404 `not_found` with its pointer in `errors`, and nothing is printed.
                     * @example [
                     *       "shp_0aB1cD2eF3gH4iJ5kL6mN7"
                     *     ]
                     */
                    shipment_ids: string[];
                    /**
                     * @description How the labels are arranged.
                     *
                     *     - `a6`: each label on a page of its own. The default.
                     *     - `four_on_a4`: four labels on each A4 sheet. Only for `pdf`, and without `size`. The workspace's format and size do not apply.
                     * @example four_on_a4
                     * @enum {string}
                     */
                    layout?: "a6" | "four_on_a4";
                    /**
                     * @description The format of the file. The default is that of the workspace's `label_format`, or `pdf`.
                     *
                     *     - `pdf`: for any printer of the computer.
                     *     - `png`: a grayscale image of each page. A single image is `image/png`; several are a ZIP file.
                     *     - `zpl`: ZPL II for label printers, one `^XA…^XZ` per page.
                     * @enum {string}
                     */
                    format?: "pdf" | "png" | "zpl";
                    /**
                     * @description The page size. Labels are made smaller to fit, and never larger. The default is that of the workspace's `label_format`, or `a6`.
                     *
                     *     - `a6`: 105 × 148 mm. As `pdf` without a caption, pages stay as the courier made them.
                     *     - `a4`: 210 × 297 mm.
                     *     - `4x6`: 4 × 6 inches.
                     *     - `80mm`: a roll of 80 mm, of which 72 mm are printed; each page is as long as its label.
                     * @enum {string}
                     */
                    size?: "a6" | "a4" | "4x6" | "80mm";
                    /**
                     * @description Dots per inch of `png` and `zpl`: that of your printer. The default is that of the workspace's `label_format`, or 203.
                     * @enum {number}
                     */
                    dpi?: 203 | 300;
                    /** @description `true` adds a strip with the order's `external_reference` and the name of the workspace above each page of a label, so that each label can be matched to its parcel, and a QR code of its `tracking_url`, if it has one. It contains no personal data and is the same in every language. The default is that of the workspace's `label_format`, or `false`. */
                    caption?: boolean;
                };
            };
        };
        responses: {
            /** @description The labels, after a list of those that are missing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/png": string;
                    "application/zip": string;
                    "application/zpl": string;
                };
            };
        };
    };
    printManifest: {
        parameters: {
            query?: {
                /**
                 * @description The language of the texts that this service writes. The default is the best match of `Accept-Language`, and otherwise `en`.
                 *
                 *     - `en`: English.
                 *     - `es`: Spanish, as in Peru.
                 */
                lang?: "en" | "es";
            };
            header?: {
                /** @description The languages that you prefer (RFC 9110), for the texts that this service writes: `en` or `es`. The query parameter `lang` precedes it. If absent, or if neither matches: English. */
                "accept-language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description What to list. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "shipment_ids": [
                 *         "shp_0aB1cD2eF3gH4iJ5kL6mN7"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The shipments, in the order of the lists: 1 to 200 different shipments within the key's reach. An id that does not exist, or that the key does not reach, is 404 `not_found` with its pointer in `errors`, and nothing is printed.
                     * @example [
                     *       "shp_0aB1cD2eF3gH4iJ5kL6mN7"
                     *     ]
                     */
                    shipment_ids: string[];
                };
            };
        };
        responses: {
            /** @description The lists, with what must not be handed over at the end. */
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
                /** @description `true` includes the personal data of the vault: the recipient, notes, the bodies of requests to the courier, and labels. Operators are then shown by name rather than only by id. Also requires the scopes `shipments:read` and `operations:read`. If the data was erased, the bundle says so. The default is `false`. */
                include_personal?: "true" | "false";
                /** @description The time zone of the report, by its name in the time zone database. The report also has every time in UTC. The default is `UTC`. */
                time_zone?: string;
                /**
                 * @description The language of the texts that this service writes. The default is the best match of `Accept-Language`, and otherwise `en`.
                 *
                 *     - `en`: English.
                 *     - `es`: Spanish, as in Peru.
                 */
                lang?: "en" | "es";
            };
            header?: {
                /** @description The languages that you prefer (RFC 9110), for the texts that this service writes: `en` or `es`. The query parameter `lang` precedes it. If absent, or if neither matches: English. */
                "accept-language"?: string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bundle. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only creations, or only cancellations. */
                type?: "shipment_creation" | "shipment_cancellation";
                /** @description Only operations in this status. */
                status?: "reconciling" | "needs_review" | "resolved";
                /** @description Whether it is reconciling or in review rather than resolved. */
                open?: "true" | "false";
                /** @description Only operations with this result. */
                result?: "guide_exists" | "nothing_created" | "cancelled" | "not_cancelled" | "human_review";
                /** @description Only operations that became unknown for this cause. */
                cause?: "response_lost" | "response_unreadable" | "courier_error" | "deadline_passed" | "process_died";
                /** @description Whether evidence ever contradicted one of its conclusions. */
                contradicted?: "true" | "false";
                /** @description Whether it was escalated to the platform. */
                escalated?: "true" | "false";
                /** @description Whether it was decided for a guide that the courier has not confirmed so far. */
                unconfirmed?: "true" | "false";
                /** @description Whether the courier lists a guide that the decision does not use. */
                surplus?: "true" | "false";
                /** @description Only operations that this operator works on: an operator's id, `me` for the operator of the key, or `none`. */
                assignee?: ("me" | "none") | string;
                /** @description Whether it is snoozed until a time that is still to come on the workspace's clock. */
                snoozed?: "true" | "false";
                /** @description Only those of this courier, by its code. */
                provider_code?: string;
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only those of this shipment. */
                shipment_id?: string;
                /** @description Only those of shipments with exactly this reference. */
                external_reference?: string;
                /** @description Only those of shipments created with exactly this `Idempotency-Key`. */
                idempotency_key?: string;
                /** @description Only those created at or after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gte]"?: string;
                /** @description Only those created after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gt]"?: string;
                /** @description Only those created at or before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lte]"?: string;
                /** @description Only those created before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lt]"?: string;
                /** @description Only operations created at least this many seconds ago. */
                older_than_seconds?: number;
                /** @description Which operations come first. The default is `newest`. */
                order?: "newest" | "oldest";
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of operations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["Operation"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the operation. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
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
                /** @description The `id` of the operation. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation after the look. */
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
                /** @description The `id` of the operation. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The decision and the reason for it. */
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
                     * @description What is certain now. `guide_exists` and `nothing_created` are for a creation, `cancelled` and `not_cancelled` for a cancellation.
                     * @enum {string}
                     */
                    decision: "guide_exists" | "nothing_created" | "cancelled" | "not_cancelled";
                    /**
                     * @description The guide that exists: 1 to 64 letters, digits and hyphens. Required with `guide_exists`, and allowed only then. The courier is asked about it.
                     * @example 100000000001
                     */
                    guide_number?: string;
                    /** @description With `guide_exists`: decide even if the courier cannot be asked now. Without it, that case is 409 `guide_unconfirmed`. The default is `false`. */
                    accept_unconfirmed?: boolean;
                    /** @description The reason, in at most 2000 characters. Stored encrypted. */
                    note: string;
                    /** @description Who decides, in at most 64 characters. Required from a key that belongs to no operator, and not allowed from an operator's key: the operator decides. Stored with the note. */
                    decided_by?: string;
                };
            };
        };
        responses: {
            /** @description The operation after the decision. */
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
                /** @description The `id` of the operation. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The operator. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "operator_id": "opr_0aB1cD2eF3gH4iJ5kL6mN7"
                 *     }
                 */
                "application/json": {
                    /** @description The operator to assign it to. `null` unassigns it. */
                    operator_id: string | null;
                };
            };
        };
        responses: {
            /** @description The operation with its operator. */
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
                /** @description The `id` of the operation. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The end of the snooze. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "until": "2026-03-02T14:00:00.000Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The end of the snooze on the workspace's clock, at most 30 days ahead: RFC 3339, with an offset or `Z`. `null` ends it now.
                     * @example 2026-03-02T14:00:00.000Z
                     */
                    until: string | null;
                };
            };
        };
        responses: {
            /** @description The snoozed operation. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the operation. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of comments, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["OperationComment"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the operation. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The comment. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "The agency calls back tomorrow at nine."
                 *     }
                 */
                "application/json": {
                    /** @description The comment, in at most 2000 characters. Line breaks are kept. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description The new comment. */
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
    listOperationGuides: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the operation. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All guides that looks have found, on one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The guides, in the order in which they were found. */
                        data: {
                            /**
                             * @description The courier's number for it.
                             * @example 100000000001
                             */
                            guide_number: string;
                            /** @description Whether the courier's last clear answer listed it. */
                            listed: boolean;
                            /** @description Its price in the newest answer that has one. `null` if no answer has one, once the shipment's personal data is erased, and when the platform reads an operation of another organization. */
                            price: components["schemas"]["Money"] | null;
                            /**
                             * Format: date-time
                             * @description When the look began that found it first.
                             * @example 2026-03-01T12:00:00.000Z
                             */
                            first_listed_at: string;
                            /**
                             * Format: date-time
                             * @description When the look began that found it last.
                             * @example 2026-03-01T12:00:00.000Z
                             */
                            last_listed_at: string;
                        }[];
                    };
                };
            };
        };
    };
    listOperationGuideScans: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the operation. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
                /** @description The courier's number for the guide. One that no look of the operation has found is 404. */
                guide_number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scans of the guide, on one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tev_0aB1cD2eF3gH4iJ5kL6mN7",
                     *           "object": "tracking_event",
                     *           "code": "departed_origin",
                     *           "status": "in_transit",
                     *           "sub_status": "departed_origin",
                     *           "mapped": true,
                     *           "occurred_at": "2026-03-01T18:00:00.000Z",
                     *           "received_at": "2026-03-01T18:30:00.000Z",
                     *           "agency_id": "agy_0aB1cD2eF3gH4iJ5kL6mN7",
                     *           "description": "Left the origin agency"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Every scan, in the order in which they happened. Empty if there is none yet. */
                        data: {
                            /** @description Identifies the scan, however often the courier reports it. */
                            id: string;
                            /**
                             * @description The type of the object: always `tracking_event`.
                             * @enum {string}
                             */
                            object: "tracking_event";
                            /**
                             * @description What happened, from a fixed list. `unmapped` if the courier's own code is not known.
                             * @example departed_origin
                             */
                            code: string;
                            /** @description The status that the code leads to. `null` if the code says nothing about where the parcel is. */
                            status: ("registered" | "received_at_origin" | "in_transit" | "arrived_at_destination" | "ready_for_pickup" | "out_for_delivery" | "delivery_attempted" | "delivered" | "returning" | "returned" | "lost" | "cancelled") | null;
                            /**
                             * @description A more precise status. `null` if the code says no more than the status.
                             * @example departed_origin
                             */
                            sub_status: string | null;
                            /** @description Whether the service knows the courier's own code. */
                            mapped: boolean;
                            /**
                             * Format: date-time
                             * @description When it happened, according to the courier.
                             * @example 2026-03-01T12:00:00.000Z
                             */
                            occurred_at: string;
                            /**
                             * Format: date-time
                             * @description When the service learned of it.
                             * @example 2026-03-01T12:00:00.000Z
                             */
                            received_at: string;
                            /** @description The agency where it happened. `null` if the courier does not say. */
                            agency_id: string | null;
                            /**
                             * @description What the code means, for people.
                             * @example Left the origin agency
                             */
                            description: string;
                        }[];
                    };
                };
            };
        };
    };
    getLedgerCheckpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last checkpoint. */
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
                /** @description A number of leaves, from 1 to the `tree_size` of the last checkpoint. Absent: the `tree_size` of the last checkpoint. */
                tree_size?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `position` of a ledger event. */
                position: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof. */
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
                /** @description The size of the earlier tree, from 1 to `to`. */
                from: string;
                /** @description The size of the later tree. Absent: the size of the last checkpoint. */
                to?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, all on one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The keys, oldest first. */
                        data: components["schemas"]["LedgerKey"][];
                    };
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only acts of this operator. */
                operator_id?: string;
                /** @description Only acts with this key. */
                key_id?: string;
                /** @description Only acts of this type. */
                action?: "OrganizationCreated" | "OrganizationPlanChanged" | "OrganizationSuspended" | "OrganizationResumed" | "PlanCreated" | "PlanChanged" | "ApiKeyCreated" | "ApiKeyRolled" | "ApiKeyRevoked" | "OperatorCreated" | "OperatorDisabled" | "OperatorSignedIn" | "SignInRefused" | "OperatorChanged" | "WorkspaceCreated" | "WorkspaceChanged" | "WorkspaceHoldPlaced" | "WorkspaceHoldLifted" | "CourierConnectionCreated" | "CourierConnectionChanged" | "CourierCredentialsReplaced" | "CourierConnectionVerified" | "OperationsSeenByPlatform" | "CourierRegistered" | "CourierReplaced" | "WebhookEndpointCreated" | "WebhookEndpointChanged" | "WebhookEndpointDeleted" | "CourierConnectionDeleted" | "WebhookSecretRotated" | "PersonalDataErasureOrdered" | "WebhookRedelivered" | "WebhookPeriodRecovered" | "WebhookDeliveriesSeen" | "AuditEventsSeen" | "AuthenticationsFailed" | "ShipmentReplayed" | "LedgerExported" | "EvidenceExported" | "CourierInvoiceImported" | "CourierInvoiceLineDecided" | "CourierInvoiceWithdrawn" | "LedgerMoved" | "LedgerRecovered" | "MasterKeyRotated";
                /** @description Only acts on resources of this kind. */
                resource_type?: "organization" | "plan" | "api_key" | "operator" | "workspace" | "courier_connection" | "courier" | "webhook_endpoint" | "webhook_delivery" | "operation" | "courier_invoice" | "shipment" | "audit_log" | "ledger" | "master_key";
                /** @description Only acts on the resource with this id. */
                resource_id?: string;
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only those created at or after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gte]"?: string;
                /** @description Only those created after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gt]"?: string;
                /** @description Only those created at or before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lte]"?: string;
                /** @description Only those created before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lt]"?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of acts, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["AuditEvent"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the act. One that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The act. */
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
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only those of this courier, by its code. */
                provider_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
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
                /** @description The length of an interval. The default is `hour`. Minutes are kept for 48 hours, hours for 400 days. */
                interval?: "minute" | "hour" | "day";
                /** @description The start of the period, rounded down to a whole interval in UTC: RFC 3339, with an offset or `Z`. The default is 60 minutes, 24 hours or 30 days before `to`. */
                from?: string;
                /** @description The end of the period, exclusive, rounded up to a whole interval: RFC 3339, with an offset or `Z`. At most 1,500 intervals after `from`. The default is now: in test mode on the clock of the workspace, if one is named or the key reaches only one. */
                to?: string;
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only those of this courier, by its code. */
                provider_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
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
                /** @description The length of an interval. The default is `hour`. Minutes are kept for 48 hours, hours for 400 days. */
                interval?: "minute" | "hour" | "day";
                /** @description The start of the period, rounded down to a whole interval in UTC: RFC 3339, with an offset or `Z`. The default is 60 minutes, 24 hours or 30 days before `to`. */
                from?: string;
                /** @description The end of the period, exclusive, rounded up to a whole interval: RFC 3339, with an offset or `Z`. At most 1,500 intervals after `from`. The default is now: in test mode on the clock of the workspace, if one is named or the key reaches only one. */
                to?: string;
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only those of this courier, by its code. */
                provider_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
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
                /** @description The length of an interval. The default is `hour`. Minutes are kept for 48 hours, hours for 400 days. */
                interval?: "minute" | "hour" | "day";
                /** @description The start of the period, rounded down to a whole interval in UTC: RFC 3339, with an offset or `Z`. The default is 60 minutes, 24 hours or 30 days before `to`. */
                from?: string;
                /** @description The end of the period, exclusive, rounded up to a whole interval: RFC 3339, with an offset or `Z`. At most 1,500 intervals after `from`. The default is now: in test mode on the clock of the workspace, if one is named or the key reaches only one. */
                to?: string;
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only those of this courier, by its code. */
                provider_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures, by courier. */
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
                /** @description The length of an interval. The default is `hour`. Minutes are kept for 48 hours, hours for 400 days. */
                interval?: "minute" | "hour" | "day";
                /** @description The start of the period, rounded down to a whole interval in UTC: RFC 3339, with an offset or `Z`. The default is 60 minutes, 24 hours or 30 days before `to`. */
                from?: string;
                /** @description The end of the period, exclusive, rounded up to a whole interval: RFC 3339, with an offset or `Z`. At most 1,500 intervals after `from`. The default is now: in test mode on the clock of the workspace, if one is named or the key reaches only one. */
                to?: string;
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only attempts at this endpoint. */
                endpoint_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures, by endpoint. */
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
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only requests with this id: the whole id or at least its first 6 characters, in upper or lower case, with or without `req_`. */
                id?: string;
                /** @description Only requests with this key. */
                key_id?: string;
                /** @description Only requests with this method. */
                method?: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
                /** @description Only requests to this route, by its pattern. */
                route?: string;
                /** @description Only answers of this class. */
                status?: "2xx" | "3xx" | "4xx" | "5xx";
                /** @description Only requests that were answered with this reason. */
                reason?: "unauthenticated" | "forbidden_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "invalid_json" | "unsupported_media_type" | "body_too_large" | "headers_too_large" | "request_timeout" | "validation_failed" | "invalid_request" | "invalid_filter" | "invalid_cursor" | "rate_limited" | "quota_exceeded" | "plan_limit_reached" | "limit_reached" | "organization_suspended" | "precondition_failed" | "internal_error" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_flight" | "resource_deleted" | "unknown_outcome" | "nothing_created" | "shipment_not_cancellable" | "not_cancelled" | "courier_rejected" | "courier_not_available" | "not_supported_by_courier" | "connection_needs_reauth" | "connection_disabled" | "connection_in_use" | "courier_unreachable" | "courier_throttled" | "dependency_unavailable" | "ledger_damaged" | "overloaded" | "quote_expired" | "quote_mismatch" | "quote_price_changed" | "label_not_ready" | "label_unreadable" | "shipment_has_no_guide" | "operation_open" | "personal_data_erased" | "legal_hold" | "evidence_too_large" | "papers_too_large" | "endpoint_disabled" | "webhook_endpoint_deleted" | "delivery_attempts_exhausted" | "operation_not_settled" | "invoice_comparing" | "invoice_not_ready" | "invoice_withdrawn" | "operation_already_resolved" | "invoice_line_changed" | "operation_full" | "guide_unconfirmed" | "operator_not_yours" | "key_not_rollable" | "guide_not_found" | "scenario_conflict" | "sandbox_only" | "unknown_scenario" | "clock_advancing";
                /** @description Only failed changes with this outcome. */
                outcome?: "not_executed" | "executed" | "unknown";
                /** @description Only requests that took at least this many milliseconds. */
                min_duration_ms?: string;
                /** @description Only those created at or after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gte]"?: string;
                /** @description Only those created after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gt]"?: string;
                /** @description Only those created at or before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lte]"?: string;
                /** @description Only those created before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lt]"?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["Request"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
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
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the request. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
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
                /** @description What to find, in 1 to 255 characters. */
                text: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found. */
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
            /** @description The scenarios, all on one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The scenarios, by number. */
                        data: components["schemas"]["SandboxScenario"][];
                    };
                };
            };
        };
    };
    getSandboxClock: {
        parameters: {
            query?: {
                /** @description The workspace. You may leave it out if the key reaches only one. */
                workspace_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock. */
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
        /** @description How far to advance the clock. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "by": "P2D"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The workspace. You may leave it out if the key reaches only one.
                     * @example ws_0aB1cD2eF3gH4iJ5kL6mN7
                     */
                    workspace_id?: string;
                    /**
                     * @description How far to advance: an ISO 8601 duration, longer than zero and at most 60 days.
                     * @example P2D
                     */
                    by: string;
                };
            };
        };
        responses: {
            /** @description The clock, which has arrived at the time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            /** @description The clock, which continues to advance in the background. */
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
            /** @description The current state. */
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
    listBatches: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only those in this workspace. */
                workspace_id?: string;
                /** @description Only batches with exactly this reference. */
                external_reference?: string;
                /** @description Only those created at or after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gte]"?: string;
                /** @description Only those created after this time: RFC 3339, with an offset or `Z`. */
                "created_at[gt]"?: string;
                /** @description Only those created at or before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lte]"?: string;
                /** @description Only those created before this time: RFC 3339, with an offset or `Z`. */
                "created_at[lt]"?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of batches, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["Batch"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a test key: one of the scenarios that `GET /v1/sandbox/scenarios` lists; the default is `happy_path`. With a live key: 400 `sandbox_only`. */
                "sandbox-scenario"?: string;
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Shipments to create together. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "external_reference": "monday-morning",
                 *       "workspace_id": "ws_0aB1cD2eF3gH4iJ5kL6mN7",
                 *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
                 *       "items": [
                 *         {
                 *           "external_reference": "order-5001",
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
                 *           "declared_content": "Books",
                 *           "recipient": {
                 *             "document_type": "DNI",
                 *             "document": "45678912",
                 *             "first_name": "Ana",
                 *             "last_name": "Torres"
                 *           }
                 *         },
                 *         {
                 *           "external_reference": "order-5002",
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
                 *           "declared_content": "Books",
                 *           "recipient": {
                 *             "document_type": "DNI",
                 *             "document": "45678912",
                 *             "first_name": "Ana",
                 *             "last_name": "Torres"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchRequest"];
                "application/x-ndjson": string;
                "text/csv": string;
            };
        };
        responses: {
            /** @description The batch. Its lines are being created. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    getBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the batch. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    listBatchItems: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only lines in this state. */
                state?: "waiting" | "failed" | "invalid" | "not_begun" | "creating" | "created" | "rejected" | "not_executed" | "unknown_outcome" | "not_created" | "cancelling" | "cancelled";
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the batch. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lines, in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["BatchItem"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getBatchLabels: {
        parameters: {
            query?: {
                /**
                 * @description How the labels are arranged.
                 *
                 *     - `a6`: each label on a page of its own. The default.
                 *     - `four_on_a4`: four labels on each A4 sheet. Only for `pdf`, and without `size`. The workspace's format and size do not apply.
                 */
                layout?: "a6" | "four_on_a4";
                /**
                 * @description The format of the file. The default is that of the workspace's `label_format`, or `pdf`.
                 *
                 *     - `pdf`: for any printer of the computer.
                 *     - `png`: a grayscale image of each page. A single image is `image/png`; several are a ZIP file.
                 *     - `zpl`: ZPL II for label printers, one `^XA…^XZ` per page.
                 */
                format?: "pdf" | "png" | "zpl";
                /**
                 * @description The page size. Labels are made smaller to fit, and never larger. The default is that of the workspace's `label_format`, or `a6`.
                 *
                 *     - `a6`: 105 × 148 mm. As `pdf` without a caption, pages stay as the courier made them.
                 *     - `a4`: 210 × 297 mm.
                 *     - `4x6`: 4 × 6 inches.
                 *     - `80mm`: a roll of 80 mm, of which 72 mm are printed; each page is as long as its label.
                 */
                size?: "a6" | "a4" | "4x6" | "80mm";
                /** @description Dots per inch of `png` and `zpl`: that of your printer. The default is that of the workspace's `label_format`, or 203. */
                dpi?: "203" | "300";
                /** @description `true` adds a strip with the order's `external_reference` and the name of the workspace above each page of a label, so that each label can be matched to its parcel, and a QR code of its `tracking_url`, if it has one. It contains no personal data and is the same in every language. The default is that of the workspace's `label_format`, or `false`. */
                caption?: "true" | "false";
                /** @description The first line to print. The default is the first line of the batch. */
                first_line?: number;
                /** @description The last line to print. The default is the last line of the batch. */
                last_line?: number;
                /**
                 * @description The language of the texts that this service writes. The default is the best match of `Accept-Language`, and otherwise `en`.
                 *
                 *     - `en`: English.
                 *     - `es`: Spanish, as in Peru.
                 */
                lang?: "en" | "es";
                /** @description `true`: if the courier has not made a label of a created line yet, the response is 409 `label_not_ready` with `Retry-After` instead of a file without it. The default is `false`. */
                complete?: "true" | "false";
            };
            header?: {
                /** @description The languages that you prefer (RFC 9110), for the texts that this service writes: `en` or `es`. The query parameter `lang` precedes it. If absent, or if neither matches: English. */
                "accept-language"?: string;
            };
            path: {
                /** @description The `id` of the batch. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The labels, after a list of those that are missing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/png": string;
                    "application/zip": string;
                    "application/zpl": string;
                };
            };
        };
    };
    getBatchManifest: {
        parameters: {
            query?: {
                /** @description The first line to print. The default is the first line of the batch. */
                first_line?: number;
                /** @description The last line to print. The default is the last line of the batch. */
                last_line?: number;
                /**
                 * @description The language of the texts that this service writes. The default is the best match of `Accept-Language`, and otherwise `en`.
                 *
                 *     - `en`: English.
                 *     - `es`: Spanish, as in Peru.
                 */
                lang?: "en" | "es";
            };
            header?: {
                /** @description The languages that you prefer (RFC 9110), for the texts that this service writes: `en` or `es`. The query parameter `lang` precedes it. If absent, or if neither matches: English. */
                "accept-language"?: string;
            };
            path: {
                /** @description The `id` of the batch. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lists, with what must not be handed over at the end. */
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
    cancelBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the batch. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch after the cancellation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    listCourierInvoices: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only those of this courier connection. */
                courier_connection_id?: string;
                /** @description Only invoices with exactly this reference. */
                reference?: string;
                /** @description Whether a line of its newest version needs a decision and has none. Withdrawn invoices need none. */
                undecided?: "true" | "false";
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invoices, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["CourierInvoice"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createCourierInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A courier's invoice. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
                 *       "reference": "F001-000123",
                 *       "period": {
                 *         "from": "2026-02-01",
                 *         "to": "2026-02-28"
                 *       },
                 *       "lines": [
                 *         {
                 *           "guide_number": "100000000001",
                 *           "amount": 1550,
                 *           "currency": "PEN",
                 *           "weight_kg": 0.8,
                 *           "date": "2026-02-27",
                 *           "client_reference": "shp_0aB1cD2eF3gH4iJ5kL6mN7"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CourierInvoiceRequest"];
                "text/csv": string;
            };
        };
        responses: {
            /** @description The invoice. Its lines are being compared. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourierInvoice"];
                };
            };
        };
    };
    fetchCourierInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for 24 hours; without it, a repeated request is a new one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The month to fetch. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "courier_connection_id": "ccn_0aB1cD2eF3gH4iJ5kL6mN7",
                 *       "month": "2026-02"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The connection whose courier is asked. It may be disabled.
                     * @example ccn_0aB1cD2eF3gH4iJ5kL6mN7
                     */
                    courier_connection_id: string;
                    /**
                     * @description A calendar month in UTC, which becomes the period of the invoice.
                     * @example 2026-02
                     */
                    month: string;
                };
            };
        };
        responses: {
            /** @description The invoice. Its lines are being compared. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourierInvoice"];
                };
            };
        };
    };
    getCourierInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the courier's invoice. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourierInvoice"];
                };
            };
        };
    };
    compareCourierInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the courier's invoice. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice, which is being compared. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourierInvoice"];
                };
            };
        };
    };
    withdrawCourierInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the courier's invoice. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The withdrawn invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourierInvoice"];
                };
            };
        };
    };
    listCourierInvoiceLines: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description Only lines of this kind. */
                kind?: "charge" | "cash_on_delivery";
                /** @description Only lines with this finding. */
                finding?: "matched" | "amount_differs" | "weight_differs" | "billed_twice" | "cancelled_guide" | "nothing_created" | "unknown_guide" | "unresolved" | "part_of";
                /** @description `true`: only lines that differ, so that they need a decision: every finding except `matched` and `part_of`. `false`: only compared lines with one of these two. */
                differs?: "true" | "false";
                /** @description `true`: only lines that a person has decided. `false`: only the others. `outdated`: only lines that had another finding when they were decided. */
                decided?: "true" | "false" | "outdated";
                /** @description Only lines with this decision. */
                decision?: "accepted" | "disputed";
                /** @description Only lines from this one on. */
                first_line?: string;
                /** @description Only lines up to this one. */
                last_line?: string;
                /** @description The version of the invoice. The default is the newest. */
                version?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the courier's invoice. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lines, in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["CourierInvoiceLine"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listShipmentInvoiceLines: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the shipment. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lines, the first billed first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["BilledLine"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    downloadCourierInvoiceLines: {
        parameters: {
            query?: {
                /** @description Only lines of this kind. */
                kind?: "charge" | "cash_on_delivery";
                /** @description Only lines with this finding. */
                finding?: "matched" | "amount_differs" | "weight_differs" | "billed_twice" | "cancelled_guide" | "nothing_created" | "unknown_guide" | "unresolved" | "part_of";
                /** @description `true`: only lines that differ, so that they need a decision: every finding except `matched` and `part_of`. `false`: only compared lines with one of these two. */
                differs?: "true" | "false";
                /** @description `true`: only lines that a person has decided. `false`: only the others. `outdated`: only lines that had another finding when they were decided. */
                decided?: "true" | "false" | "outdated";
                /** @description Only lines with this decision. */
                decision?: "accepted" | "disputed";
                /** @description Only lines from this one on. */
                first_line?: string;
                /** @description Only lines up to this one. */
                last_line?: string;
                /** @description The version of the invoice. The default is the newest. */
                version?: string;
            };
            header?: never;
            path: {
                /** @description The `id` of the courier's invoice. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file: a header, then a row for each line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listInvalidInvoiceLines: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description The version of the invoice. The default is the newest. */
                version?: string;
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the courier's invoice. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lines, in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["InvalidInvoiceLine"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    decideCourierInvoiceLine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the courier's invoice. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
                /** @description The number of the line. One that the newest version does not have is 404. */
                line: string;
            };
            cookie?: never;
        };
        /** @description The decision and the reason for it. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decision": "disputed",
                 *       "note": "The price was quoted at 14.50."
                 *     }
                 */
                "application/json": {
                    /**
                     * @description What is decided about the finding.
                     *
                     *     - `accepted`: The line is paid as it is.
                     *     - `disputed`: The courier is asked to correct it.
                     * @enum {string}
                     */
                    decision: "accepted" | "disputed";
                    /** @description The reason, in at most 2000 characters. Stored encrypted. */
                    note: string;
                    /** @description Who decides, in at most 64 characters. Required from a key that belongs to no operator, and not allowed from an operator's key: the operator decides. Stored with the note. */
                    decided_by?: string;
                    /** @description The line as you read it. If its version, finding or decision has changed since, the response is 409 `invoice_line_changed` and nothing is decided. If it is absent, the line is decided as it is now. */
                    seen?: {
                        /**
                         * @description The version of the invoice.
                         * @example 1
                         */
                        version: number;
                        /**
                         * @description The `finding` of the line.
                         * @enum {string}
                         */
                        finding: "matched" | "amount_differs" | "weight_differs" | "billed_twice" | "cancelled_guide" | "nothing_created" | "unknown_guide" | "unresolved" | "part_of";
                        /**
                         * @description The `decision.at` of the line. `null` if it was not decided.
                         * @example null
                         */
                        decided_at: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The line after the decision. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourierInvoiceLine"];
                };
            };
        };
    };
    getCourierInvoiceClaim: {
        parameters: {
            query?: {
                /** @description Only lines with this finding. */
                finding?: "matched" | "amount_differs" | "weight_differs" | "billed_twice" | "cancelled_guide" | "nothing_created" | "unknown_guide" | "unresolved" | "part_of";
                /** @description Only lines from this one on. */
                first_line?: string;
                /** @description Only lines up to this one. */
                last_line?: string;
                /** @description The time zone of the report, by its name in the time zone database. The report also has every time in UTC. The default is `UTC`. */
                time_zone?: string;
                /**
                 * @description The language of the texts that this service writes. The default is the best match of `Accept-Language`, and otherwise `en`.
                 *
                 *     - `en`: English.
                 *     - `es`: Spanish, as in Peru.
                 */
                lang?: "en" | "es";
            };
            header?: {
                /** @description The languages that you prefer (RFC 9110), for the texts that this service writes: `en` or `es`. The query parameter `lang` precedes it. If absent, or if neither matches: English. */
                "accept-language"?: string;
            };
            path: {
                /** @description The `id` of the courier's invoice. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The claim. */
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
    getCourierInvoiceEvidence: {
        parameters: {
            query?: {
                /** @description Only lines of this kind. */
                kind?: "charge" | "cash_on_delivery";
                /** @description Only lines with this finding. */
                finding?: "matched" | "amount_differs" | "weight_differs" | "billed_twice" | "cancelled_guide" | "nothing_created" | "unknown_guide" | "unresolved" | "part_of";
                /** @description `true`: only lines that differ, so that they need a decision: every finding except `matched` and `part_of`. `false`: only compared lines with one of these two. */
                differs?: "true" | "false";
                /** @description `true`: only lines that a person has decided. `false`: only the others. `outdated`: only lines that had another finding when they were decided. */
                decided?: "true" | "false" | "outdated";
                /** @description Only lines with this decision. */
                decision?: "accepted" | "disputed";
                /** @description Only lines from this one on. */
                first_line?: string;
                /** @description Only lines up to this one. */
                last_line?: string;
                /** @description The version of the invoice. The default is the newest. */
                version?: string;
                /** @description `true` includes the personal data of the vault: the recipient, notes, the bodies of requests to the courier, and labels. Operators are then shown by name rather than only by id. Also requires the scopes `shipments:read` and `operations:read`. If the data was erased, the bundle says so. The default is `false`. */
                include_personal?: "true" | "false";
                /** @description The time zone of the report, by its name in the time zone database. The report also has every time in UTC. The default is `UTC`. */
                time_zone?: string;
                /**
                 * @description The language of the texts that this service writes. The default is the best match of `Accept-Language`, and otherwise `en`.
                 *
                 *     - `en`: English.
                 *     - `es`: Spanish, as in Peru.
                 */
                lang?: "en" | "es";
            };
            header?: {
                /** @description The languages that you prefer (RFC 9110), for the texts that this service writes: `en` or `es`. The query parameter `lang` precedes it. If absent, or if neither matches: English. */
                "accept-language"?: string;
            };
            path: {
                /** @description The `id` of the courier's invoice. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The claim, the lines and the bundles. */
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
    listGuidesNotBilled: {
        parameters: {
            query?: {
                /** @description The maximum number of items of the page, from 1 to 100. The default is 25. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page. */
                cursor?: string;
                /** @description `charge`, the default: guides that no invoice bills. `cash_on_delivery`: delivered parcels whose cash no invoice pays out. */
                kind?: "charge" | "cash_on_delivery";
            };
            header?: {
                /** @description An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body. */
                "if-none-match"?: string;
                /** @description An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the courier's invoice. An id that does not exist, or that the key does not reach, is 404 `not_found`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of guides, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page, in the order of the list. */
                        data: components["schemas"]["UnbilledGuide"][];
                        /** @description Whether there are items after this page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. `null` on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    receiveWebhook: {
        parameters: {
            query?: never;
            header: {
                /** @description The `id` of the event: the same on every delivery. */
                "webhook-id": string;
                /** @description The time of this attempt: seconds since 1970, in real time. Reject anything older than 300 s. */
                "webhook-timestamp": string;
                /** @description `v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`, as in Standard Webhooks 1.0. During a rotation there are two, separated by a space. */
                "webhook-signature": string;
                /** @description `sha256=` and hex of HMAC-SHA256 over the body alone. It does not protect the time, so prefer `webhook-signature`. During a rotation there are two. */
                "webhook-body-signature": string;
                /** @description The trace that the delivery belongs to, as in W3C Trace Context: the one that the request which caused the event came with, if any. Only if the service records traces. It is not signed. */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. `type` says what `data.object` is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPayload"];
            };
        };
        responses: {
            /** @description The receiver is gone for good: the endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Retried after 5 s, then at growing intervals, for three days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
