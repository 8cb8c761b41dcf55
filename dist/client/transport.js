import { retryDelay } from "./retry-delay.js";
import { ShippingLedgerError } from "./shipping-ledger-error.js";
/** One request: the server ends it after 40 s. */
const requestTimeoutMs = 50_000;
/** Larger than any label or page; a server that sends without end is none of ours. */
const answerBytesMax = 32 * 1024 * 1024;
/** A longer wait than an hour is not meant for a program that waits. */
const retryAfterMsMax = 3_600_000;
/** Sends a request, again where that is safe, and answers with what succeeds or throws. */
export async function send(transport, request) {
    const idempotencyKey = request.options.idempotencyKey ?? (request.takesKey ? crypto.randomUUID() : null);
    const isRepeatable = request.method === 'GET' || idempotencyKey !== null;
    const startedAt = performance.now();
    for (let requests = 1;; requests++) {
        try {
            const { body, response } = await once(transport, request, idempotencyKey);
            return { body, info: infoOf(response, idempotencyKey, requests) };
        }
        catch (error) {
            if (!(error instanceof ShippingLedgerError))
                throw error;
            const elapsedMs = performance.now() - startedAt;
            const failed = { error, requests, elapsedMs, isRepeatable };
            const waitMs = retryDelay(failed, transport.limits, Math.random);
            if (waitMs === null)
                throw error;
            await pause(waitMs, request.options.signal);
        }
    }
}
async function once({ baseUrl, apiKey, fetch }, request, idempotencyKey) {
    const { options, method, body, accept } = request;
    const facts = { method, idempotencyKey };
    const timeout = AbortSignal.timeout(requestTimeoutMs);
    const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
    options.signal?.throwIfAborted();
    let response;
    let bytes;
    try {
        response = await fetch(baseUrl + request.path, {
            method,
            headers: {
                authorization: `Bearer ${apiKey}`,
                accept: accept === 'application/json' ? accept : `${accept}, application/problem+json`,
                ...(body === undefined ? {} : { 'content-type': 'application/json' }),
                ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
                ...(options.scenario === undefined ? {} : { 'sandbox-scenario': options.scenario }),
                ...(options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch }),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            // A key is not carried to another place.
            redirect: 'error',
            signal,
        });
        bytes = await bytesOf(response);
    }
    catch (cause) {
        throw unanswered(facts, options.signal?.aborted === true, cause);
    }
    if (!response.ok)
        throw errorOf(facts, response, bytes);
    if (response.status === 204)
        return { body: undefined, response };
    if (accept !== 'application/json')
        return { body: bytes, response };
    const json = parsed(bytes);
    if (json === undefined)
        throw unreadable(facts, response);
    return { body: json, response };
}
async function bytesOf(response) {
    const chunks = [];
    let length = 0;
    for (const reader = response.body?.getReader(); reader !== undefined;) {
        const { done, value } = await reader.read();
        if (done)
            break;
        length += value.length;
        if (length > answerBytesMax) {
            await reader.cancel();
            throw new Error(`The answer is longer than ${answerBytesMax} bytes.`);
        }
        chunks.push(value);
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
        bytes.set(chunk, at);
        at += chunk.length;
    }
    return bytes;
}
function parsed(bytes) {
    try {
        return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    }
    catch {
        return undefined;
    }
}
function shared({ method, idempotencyKey }) {
    const outcome = method === 'GET' ? null : 'unknown';
    return { outcome, ...(idempotencyKey === null ? {} : { idempotencyKey }) };
}
function unanswered(facts, isAborted, cause) {
    return new ShippingLedgerError({
        ...shared(facts),
        reason: isAborted ? 'aborted' : 'connection_lost',
        retryable: !isAborted,
        message: isAborted ? 'The call was given up.' : 'No whole answer came.',
        cause,
    });
}
function unreadable(facts, response) {
    return new ShippingLedgerError({
        ...shared(facts),
        ...answerFacts(response),
        reason: 'unreadable_answer',
        // A gateway in between may be at fault, or the answer was cut.
        retryable: response.ok || response.status >= 500,
        message: `The answer with status ${response.status} is none of the service's.`,
    });
}
function answerFacts(response) {
    return {
        status: response.status,
        requestId: response.headers.get('x-request-id') ?? undefined,
        retryAfterMs: retryAfterOf(response) ?? undefined,
    };
}
function errorOf(facts, response, bytes) {
    const problem = problemOf(parsed(bytes));
    if (problem === null)
        return unreadable(facts, response);
    return new ShippingLedgerError({
        ...shared(facts),
        ...answerFacts(response),
        outcome: problem.outcome ?? (facts.method === 'GET' ? null : 'unknown'),
        reason: problem.reason,
        retryable: problem.retryable,
        message: `${problem.reason}: ${problem.detail}`,
        requestId: problem.request_id,
        problem,
    });
}
function problemOf(value) {
    if (typeof value !== 'object' || value === null)
        return null;
    const { reason, retryable } = value;
    if (typeof reason !== 'string' || typeof retryable !== 'boolean')
        return null;
    return value;
}
/** Seconds, as the service sends it, or the date of a gateway in between. */
function retryAfterOf(response) {
    const header = response.headers.get('retry-after');
    if (header === null)
        return null;
    const waitMs = /^[0-9]+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
    return Number.isNaN(waitMs) ? null : Math.min(retryAfterMsMax, Math.max(0, waitMs));
}
function infoOf(response, idempotencyKey, requests) {
    const { headers, status } = response;
    return {
        status,
        requestId: headers.get('x-request-id'),
        idempotencyKey,
        replayed: headers.get('idempotent-replayed') === 'true',
        etag: headers.get('etag'),
        retryAfterMs: retryAfterOf(response),
        requests,
    };
}
/** Waits, or throws the signal's reason as soon as it is aborted. */
export function pause(ms, signal) {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', stop);
            resolve();
        }, ms);
        if (signal?.aborted === true)
            stop();
        else
            signal?.addEventListener('abort', stop, { once: true });
    });
}
