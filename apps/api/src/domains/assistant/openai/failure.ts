import { APIConnectionError, APIError } from 'openai';
import { ResponderFailure } from '../responder/responder.ts';
import { TooMuch } from './bounded-fetch.ts';

/** In one sentence for the person who asked, without a word of the server's own: that may hold part of the key. */
export function failureOf(error: unknown): ResponderFailure {
  return error instanceof ResponderFailure
    ? error
    : new ResponderFailure(sentenceOf(error), { cause: error });
}

function sentenceOf(error: unknown): string {
  if (hasCause(error, TooMuch)) return 'The model server sent more than an answer can be.';
  if (error instanceof APIConnectionError) {
    return 'The model server cannot be reached. Whoever runs this console can check OPENAI_BASE_URL.';
  }
  if (!(error instanceof APIError)) return 'The model server broke off in the middle of the answer.';
  switch (error.status) {
    case 401:
    case 403:
      return 'The model server refused the key. Whoever runs this console can check OPENAI_API_KEY.';
    case 404:
      return 'The model server does not know the model. Whoever runs this console can check OPENAI_MODEL and OPENAI_BASE_URL.';
    case 429:
      return 'The model server has too much to do, or its quota is used up. Ask again later.';
    default:
      return 'The model server could not answer. Ask again in a moment.';
  }
}

function hasCause(error: unknown, kind: new () => Error): boolean {
  if (error instanceof kind) return true;
  return error instanceof Error && error.cause !== undefined && hasCause(error.cause, kind);
}
