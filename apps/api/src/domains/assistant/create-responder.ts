import type { Logger } from 'pino';
import type { Settings } from '../../env.ts';
import type { Responder } from './responder.ts';

/** The model server of the settings, or our own rules where there is none. */
export async function createResponder(settings: Settings, log: Logger): Promise<Responder> {
  if (!settings.openai) return notYet;
  // Loaded where it is used: a console without a key starts sooner.
  const { createOpenAiResponder } = await import('./openai/openai-responder.ts');
  return createOpenAiResponder(settings.openai, log);
}

const notYet: Responder = {
  model: { local: true, name: 'Local responder' },
  async *answer() {
    yield { type: 'text', text: 'There is no model server: set OPENAI_API_KEY.' };
  },
};
