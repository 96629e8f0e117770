import type { Ask } from './redis-client.ts';
import { Refusal } from './resp.ts';

export async function isLetIn(ask: Ask, name: string, password: string): Promise<boolean> {
  try {
    await ask('AUTH', name, password);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.message.startsWith('WRONGPASS')) return false;
    throw error;
  }
}
