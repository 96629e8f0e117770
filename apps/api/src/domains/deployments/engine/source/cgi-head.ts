const MAX_HEAD = 16 * 1024;
const END = '\r\n\r\n';

/** The head of a CGI program's answer (RFC 3875 §6), and what came of the body with it. */
export interface CgiHead {
  status: number;
  headers: Record<string, string>;
  rest: Buffer;
}

/** Reads as much of a CGI program's output as its head takes. Throws where there is none. */
export async function readCgiHead(output: AsyncIterator<Buffer>): Promise<CgiHead> {
  let read: Buffer = Buffer.alloc(0);
  for (;;) {
    const end = read.indexOf(END);
    if (end >= 0)
      return { ...headOf(read.toString('latin1', 0, end)), rest: read.subarray(end + END.length) };
    const next = await output.next();
    if (next.done || read.length > MAX_HEAD) throw new Error('the CGI program gave no answer');
    read = Buffer.concat([read, next.value]);
  }
}

function headOf(text: string): Omit<CgiHead, 'rest'> {
  const { status = '200', ...headers } = Object.fromEntries(
    text.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number.parseInt(status, 10), headers };
}
