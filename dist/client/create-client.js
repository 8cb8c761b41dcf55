import { createShipment } from "./create-shipment.js";
import { followOperation } from "./follow-operation.js";
import { operations } from "./generated/operations.js";
import { retryDefaults } from "./retry-delay.js";
import { send } from "./transport.js";
/** A client of one API key. It keeps nothing between calls and may be used by many at once. */
export function createClient(settings) {
    const transport = {
        baseUrl: checkedUrl(settings),
        apiKey: settings.apiKey,
        fetch: settings.fetch ?? ((input, init) => globalThis.fetch(input, init)),
        limits: { ...retryDefaults, ...settings.retry },
    };
    const methods = methodsOf(transport);
    return {
        ...methods,
        shipments: { ...methods.shipments, create: createShipment(methods) },
        waitForOperation: (operationId, options = {}) => {
            const { signal } = options;
            const read = (id) => methods.operations.get({ id }, signal === undefined ? {} : { signal });
            return followOperation(read, operationId, options);
        },
    };
}
/** A live key does not leave this machine in clear. */
function checkedUrl({ baseUrl, apiKey }) {
    const url = new URL(baseUrl);
    const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
    const isPlain = url.protocol !== 'https:';
    if (isPlain && (url.protocol !== 'http:' || (apiKey.startsWith('svc_live_') && !isLocal))) {
        throw new TypeError('baseUrl must be an https address.');
    }
    return url.href.replace(/\/+$/, '');
}
/** One function for each operation of the document, where its row says. */
function methodsOf(transport) {
    const resources = {};
    for (const row of Object.values(operations)) {
        const resource = resources[row.resource] ?? {};
        resources[row.resource] = resource;
        resource[row.name] = (input = {}, options = {}) => row.answers === 'list'
            ? listed(transport, row, input, options)
            : called(transport, row, input, options);
    }
    return resources;
}
async function called(transport, row, input, options) {
    const { path, rest } = addressed(row.path, input);
    const { body, info } = await send(transport, {
        method: row.method,
        path: row.hasBody ? path : path + queryOf(rest),
        body: row.hasBody ? rest : undefined,
        accept: row.answers === 'bytes' ? 'application/pdf' : 'application/json',
        takesKey: row.takesKey,
        options,
    });
    return withAnswer(body, info);
}
function withAnswer(body, info) {
    if (typeof body !== 'object' || body === null)
        return undefined;
    return Object.defineProperty(body, 'lastAnswer', { value: info, enumerable: false });
}
function addressed(template, input) {
    const rest = { ...input };
    const path = template.replace(/\{([a-z_]+)\}/g, (_, name) => {
        const value = rest[name];
        delete rest[name];
        // Nothing, or a step in the path, in place of an id would be another route.
        if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
            throw new TypeError(`${name} is missing`);
        return encodeURIComponent(value);
    });
    return { path, rest };
}
function queryOf(fields) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) {
        if (value !== undefined)
            query.set(name, String(value));
    }
    return query.size === 0 ? '' : `?${query}`;
}
/** The first page is asked for at once; the others as they are reached. */
function listed(transport, row, input, options) {
    const first = called(transport, row, input, options);
    async function* items() {
        let cursor = null;
        for (let page = await first;;) {
            yield* page.data;
            if (page.next_cursor === null || page.next_cursor === cursor)
                return;
            cursor = page.next_cursor;
            page = (await called(transport, row, { ...input, cursor }, options));
        }
    }
    return Object.assign(first, { [Symbol.asyncIterator]: items });
}
