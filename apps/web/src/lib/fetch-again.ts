/** Statuses of refusals that are looked into; 207 are several answers at once. */
const LOOKED_INTO = new Set([207, 403, 409]);
/** Milliseconds before each attempt after the first. */
const PAUSES = [200, 800, 2000];

/**
 * `fetch` that outlives a connection lost on the way: browsers end what they have under way when the device's network
 * changes, as between two access points or while Docker beside them makes one. For what may be repeated: reads, and
 * writes with an `Idempotency-Key`, whose first attempt may still be at work (409 IDEMPOTENCY_IN_PROGRESS).
 * Who lacks a second factor that is demanded of them (403 SECOND_FACTOR_DEMANDED) is led to where it is set up.
 * Where a recent proof is asked for (403 PROOF_REQUIRED), it asks the person for that, and then repeats the call.
 *
 * @throws as `fetch`, after the last attempt; an AbortError where the person does not want to prove anything; of several
 * calls at once only those fail that asked for it
 */
export async function fetchAgain(...[address, init]: Parameters<typeof fetch>): Promise<Response> {
  for (const pause of PAUSES) {
    const answer = await fetch(address, init).catch(() => undefined);
    if (answer && !LOOKED_INTO.has(answer.status)) return answer;
    const refusal = await answer?.text().catch(() => undefined);
    if (refusal?.includes('"PROOF_REQUIRED"')) {
      try {
        await (await import('./prove-dialog.tsx')).askForProof();
      } catch (error) {
        // Several answers hold those of calls that asked for nothing.
        if (answer?.status === 207) return new Response(refusal, answer);
        throw error;
      }
      return fetchAgain(address, init);
    }
    if (refusal?.includes('"SECOND_FACTOR_DEMANDED"')) {
      (await import('./lead-to-factors.ts')).leadToFactors();
    }
    if (refusal !== undefined && !refusal.includes('"IDEMPOTENCY_IN_PROGRESS"'))
      return new Response(refusal, answer);
    init?.signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return fetch(address, init);
}
