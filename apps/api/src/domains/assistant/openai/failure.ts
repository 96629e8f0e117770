import { APIConnectionError, APIError } from 'openai';
import { TooMuch } from '../../../platform/bounded-fetch.ts';
import { ResponderFailure } from '../responder/responder.ts';

/** In one sentence for the person who asked, without a word of the server's own: that may hold part of the key. */
export function failureOf(error: unknown): ResponderFailure {
  return error instanceof ResponderFailure
    ? error
    : new ResponderFailure(sentenceOf(error), { cause: error });
}

function sentenceOf(error: unknown): string {
  if (hasCause(error, TooMuch)) return 'The model’s answer was too long.';
  if (error instanceof APIConnectionError) {
    return 'The model server can’t be reached. Ask your admin to check OPENAI_BASE_URL.';
  }
  if (!(error instanceof APIError)) return 'The model server stopped in the middle of the answer.';
  switch (error.status) {
    case 401:
    case 403:
      return 'The model server rejected the API key. Ask your admin to check OPENAI_API_KEY.';
    case 404:
      return 'The model server doesn’t have this model. Ask your admin to check OPENAI_MODEL and OPENAI_BASE_URL.';
    case 429:
      return 'The model server is overloaded or out of quota. Try again later.';
    default:
      return 'The model server couldn’t answer. Try again in a moment.';
  }
}

function hasCause(error: unknown, kind: new () => Error): boolean {
  if (error instanceof kind) return true;
  return error instanceof Error && error.cause !== undefined && hasCause(error.cause, kind);
}
