import { followOperation } from "./follow-operation.js";
import { ShippingLedgerError } from "./shipping-ledger-error.js";
/** Wraps the plain call, which never creates again once the outcome is unknown. */
export function createShipment(methods) {
    const { shipments, operations } = methods;
    async function create(request, { follow, ...options } = {}) {
        if (follow === undefined)
            return await shipments.create(request, options);
        try {
            return { kind: 'guide_exists', shipment: await shipments.create(request, options) };
        }
        catch (error) {
            const id = followable(error);
            if (id === null)
                throw error;
            const signal = follow.signal ?? options.signal;
            const until = { ...follow, ...(signal === undefined ? {} : { signal }) };
            const read = (operationId) => operations.get({ id: operationId }, signalOf(until));
            return await resultOf(methods, await followOperation(read, id, until), signalOf(until));
        }
    }
    return create;
}
function signalOf({ signal }) {
    return signal === undefined ? {} : { signal };
}
/** The operation of a creation that is open, or that ended without a guide. */
function followable(error) {
    if (!(error instanceof ShippingLedgerError))
        return null;
    const says = error.reason === 'unknown_outcome' || error.reason === 'nothing_created';
    return says ? error.operationId : null;
}
async function resultOf({ shipments }, { kind, operation }, options) {
    switch (kind) {
        case 'guide_exists':
            return { kind, shipment: await shipments.get({ id: operation.shipment_id }, options) };
        case 'nothing_created':
        case 'human_review':
        case 'reconciling':
            return { kind, operation };
        default:
            // A result that this client does not know: nothing may be concluded from it.
            return { kind: 'human_review', operation };
    }
}
