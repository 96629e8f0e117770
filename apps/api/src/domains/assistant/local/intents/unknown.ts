import { nearestIntents } from '../choose-intent.ts';
import type { Answer, LocalTurn } from '../intent.ts';
import { bullets, code, paragraphs } from '../markdown.ts';

/** Says honestly that the rules have no answer, and what they have one for. */
export async function* answerUnknown({ asked, scope }: LocalTurn): Answer {
  return paragraphs(
    'I cannot answer that without a model; set `OPENAI_API_KEY` on the server to have one. By my rules I can answer, for example:',
    bullets(nearestIntents(asked, scope).map(({ example }) => example)),
    'Ask `help` for everything that I know.',
  );
}

/** To a follow-up about something that there is not. */
export function nothingCalled(name: string): string {
  return `I find nothing called ${code(name)} among what you have here.`;
}
