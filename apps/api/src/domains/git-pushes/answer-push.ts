import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { GitAnswer, GitRequest } from '../deployments/engine/engine.ts';
import type { Pusher } from './access.ts';
import { deployPush } from './deploy-push.ts';
import type { GitParts } from './git-pushes.ts';
import type { OpenedFor } from './open-for.ts';
import { FLUSH, isBanded, KEEP_ALIVE, readPackets, tell } from './packets.ts';
import { notePush } from './pending-pushes.ts';
import { tellDeployment } from './tell-deployment.ts';

interface Push {
  pusher: Pusher;
  request: GitRequest;
}

/**
 * Has git take a push in, deploys what came of it, and tells both in one answer. What git has taken in is deployed
 * whether or not anyone still listens.
 */
export async function answerPush(
  parts: GitParts,
  opened: OpenedFor,
  push: Push,
): Promise<Pick<GitAnswer, 'status' | 'headers'> & { body: Readable }> {
  const { repository } = opened;
  const taking = async () => {
    const before = await notePush(parts.db, { ...opened, by: push.pusher.by }, await repository.branches());
    return { before, given: await repository.answer(push.request) };
  };
  const { before, given } = await taking().catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  const output = new PassThrough();
  const work = async () => {
    try {
      await tellPush(parts, { ...push, opened, before, given, output });
    } catch (error) {
      parts.log.error({ err: error, project: opened.project.id }, 'a push could not be followed');
    } finally {
      await opened.close();
      output.end();
    }
  };
  void work();
  return { status: given.status, headers: given.headers, body: output };
}

interface Telling extends Push {
  opened: OpenedFor;
  before: Awaited<ReturnType<OpenedFor['repository']['branches']>>;
  given: GitAnswer;
  output: PassThrough;
}

async function tellPush(parts: GitParts, { pusher, opened, before, given, output }: Telling): Promise<void> {
  let banded = false;
  let isEnded = false;
  for await (const packet of readPackets(given.body)) {
    isEnded = packet.equals(FLUSH);
    // The last one is ours to send.
    if (isEnded) break;
    banded ||= isBanded(packet);
    await write(output, packet);
  }
  const say = async (text: string) => {
    if (banded) await write(output, text === '' ? KEEP_ALIVE : tell(text));
  };
  const outcome = await deployPush(parts, { pusher, opened, before });
  await opened.close();
  if ('said' in outcome) await say(endLine(outcome.said || given.fault()));
  else if (!output.destroyed) {
    const listening = new AbortController();
    output.once('close', () => listening.abort());
    const signal = AbortSignal.any([listening.signal, parts.stopping]);
    for await (const text of tellDeployment(parts, { ...outcome, project: opened.project, signal }))
      await say(text);
  }
  if (isEnded) await write(output, FLUSH);
}

function endLine(sentence: string): string {
  return sentence === '' ? '' : `${sentence}\n`;
}

/** Waits for whoever reads; who has gone away is not waited for. */
async function write(output: PassThrough, bytes: Buffer): Promise<void> {
  if (output.destroyed || output.write(bytes)) return;
  const controller = new AbortController();
  const options = { signal: controller.signal };
  await Promise.race([once(output, 'drain', options), once(output, 'close', options)]).catch(() => {});
  controller.abort();
}
