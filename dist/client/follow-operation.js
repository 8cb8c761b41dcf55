import { pause } from "./transport.js";
/** Looks are seconds apart at first and half a minute later: asking more often tells nothing new. */
const askApartMinMs = 1_000;
const askApartMaxMs = 15_000;
/** A quiet loss ends after about three and a half minutes. */
const followDefaultMs = 240_000;
/** Reads an operation until it has a result or the time is up; it changes nothing. */
export async function followOperation(read, id, { timeoutMs = followDefaultMs, signal } = {}) {
    const endsAt = performance.now() + timeoutMs;
    for (;;) {
        signal?.throwIfAborted();
        const operation = await read(id);
        if (operation.result !== null)
            return { kind: operation.result, operation };
        const askedMs = operation.lastAnswer.retryAfterMs ?? askApartMinMs;
        const waitMs = Math.min(askApartMaxMs, Math.max(askApartMinMs, askedMs));
        const leftMs = endsAt - performance.now();
        if (leftMs <= 0)
            return { kind: 'reconciling', operation };
        await pause(Math.min(waitMs, leftMs), signal);
    }
}
