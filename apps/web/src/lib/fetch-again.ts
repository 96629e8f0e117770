/** Milliseconds before each attempt after the first. */
const PAUSES = [200, 800, 2000];

/**
 * `fetch` that outlives a connection lost on the way: browsers end what they have under way when the device's network
 * changes, as between two access points or while Docker beside them makes one. For what may be repeated: reads, and
 * writes with an `Idempotency-Key`, whose first attempt may still be at work (409 IDEMPOTENCY_IN_PROGRESS).
 *
 * @throws as `fetch`, after the last attempt
 */
export async function fetchAgain(...[address, init]: Parameters<typeof fetch>): Promise<Response> {
  for (const pause of PAUSES) {
    const answer = await fetch(address, init).catch(() => undefined);
    if (answer && answer.status !== 409) return answer;
    const refusal = await answer?.text().catch(() => undefined);
    if (refusal !== undefined && !refusal.includes('"IDEMPOTENCY_IN_PROGRESS"'))
      return new Response(refusal, answer);
    init?.signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return fetch(address, init);
}
