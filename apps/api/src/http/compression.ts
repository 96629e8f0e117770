import compress from '@fastify/compress';
import { TRPC_PATH } from '@nephos/contracts/constants';
import type { FastifyInstance } from 'fastify';

/** Bytes from which on an answer is worth packing. */
const WORTH_IT = 1024;
/** The types that are packed: not events, which have to leave at once, and not people's own bytes. */
const TYPES = /^(application\/json|text\/html)(;|$)/;

/**
 * Lets routes pack their answers, by `compress: {}`. None does whose answer holds a secret: the length of what is packed
 * tells how much it has in common with input that a stranger put beside it (BREACH). Requests are never unpacked.
 */
export async function addCompression(app: FastifyInstance): Promise<void> {
  // tRPC's plugin makes its own routes; this hook has to see them before that of the one below.
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith(TRPC_PATH)) route.compress = {};
  });
  await app.register(compress, {
    globalCompression: false,
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: WORTH_IT,
    customTypes: TYPES,
  });
}
