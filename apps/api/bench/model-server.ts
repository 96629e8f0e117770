import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds until the first word. */
const FIRST_WORD = 300;

const { PORT = '0' } = process.env;

function chunkOf(delta: object, finishReason: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;
}

/** The question is how many words to say, and with how many milliseconds between two. */
const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { messages } = JSON.parse(Buffer.concat(parts).toString()) as { messages: { content: string }[] };
  const [words = 0, pace = 0] = messages.at(-1)?.content.split(' ').map(Number) ?? [];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await sleep(FIRST_WORD);
  for (let word = 0; word < words && !response.closed; word += 1) {
    response.write(chunkOf({ content: `word ${word} ` }));
    await sleep(pace);
  }
  response.end(`${chunkOf({}, 'stop')}data: [DONE]\n\n`);
});

process.on('SIGTERM', () => process.exit(0));
server.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`Nephos is ready at http://127.0.0.1:${PORT}\n`);
});
