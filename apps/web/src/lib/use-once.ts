import { type CallContext, newIdempotencyKey } from '@nephos/contracts/client';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type CallError, statusOf } from './errors.ts';
import type { Mutation } from './use-action.ts';

/** What a failed attempt says about the effect of its write. */
type Outcome =
  /** There is none. */
  | 'none'
  /** This attempt had none; one before it may have had. */
  | 'not-reached'
  | 'unknown';

function outcomeOf(error: CallError): Outcome {
  const status = statusOf(error) ?? 0;
  if (status === 400 || status === 404 || status === 422) return 'none';
  // 409 is another attempt of the same write that is still under way.
  return status >= 400 && status < 500 && status !== 409 ? 'not-reached' : 'unknown';
}

interface Attempt<Output> {
  /** What is asked for, as text. */
  body: string;
  key: string;
  /** Set while it is under way. */
  answer?: Promise<Output> | undefined;
}

export interface Once<Input, Output> extends Mutation<Input, Output> {
  /** Whether the last attempt may have had its effect, though no answer said so. Repeating it is safe. */
  uncertain: boolean;
}

/**
 * A write that happens once, however often it is asked for: a second click joins the first, and repeating the same
 * input after a lost answer carries the same `Idempotency-Key`. Made over the client, as in
 * `useOnce(utils.client.paymentGateway.send.mutate)`.
 */
export function useOnce<Input, Output>(
  write: (input: Input, options: { context: CallContext & Record<string, unknown> }) => Promise<Output>,
): Once<Input, Output> {
  const attempt = useRef<Attempt<Output>>(undefined);
  const [uncertain, setUncertain] = useState(false);

  function ask(input: Input): Promise<Output> {
    const body = JSON.stringify(input);
    if (attempt.current?.body !== body) attempt.current = { body, key: newIdempotencyKey() };
    const { current } = attempt;
    current.answer ??= settle(current, input);
    return current.answer;
  }

  /** What comes after it is a write of its own. */
  function forget(settled: Attempt<Output>) {
    if (attempt.current === settled) attempt.current = undefined;
    setUncertain(false);
  }

  async function settle(current: Attempt<Output>, input: Input): Promise<Output> {
    try {
      const output = await write(input, { context: { idempotencyKey: current.key } });
      forget(current);
      return output;
    } catch (error) {
      current.answer = undefined;
      // The client throws nothing else.
      const outcome = outcomeOf(error as CallError);
      if (outcome === 'none') forget(current);
      if (outcome === 'unknown') setUncertain(true);
      throw error;
    }
  }

  const mutation = useMutation<Output, CallError, Input>({ mutationFn: ask });
  return { ...mutation, uncertain };
}
