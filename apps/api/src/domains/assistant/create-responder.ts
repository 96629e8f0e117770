import type { Logger } from 'pino';
import type { Settings } from '../../env.ts';
import type { Responder } from './responder.ts';

/** The model server of the settings, or our own rules where there is none, which answer at a pace of so many ms. */
export async function createResponder(settings: Settings, log: Logger, pace?: number): Promise<Responder> {
  // Each loaded where it is used: the console starts sooner.
  if (!settings.openai) return (await import('./local/local-responder.ts')).createLocalResponder({ pace });
  const { createOpenAiResponder } = await import('./openai/openai-responder.ts');
  return createOpenAiResponder(settings.openai, log);
}
