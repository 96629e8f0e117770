/** A server sent more than an answer can be. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

/** `fetch` whose answers break off with `TooMuch` past so many bytes, whatever they claim to be. */
export function boundedFetch(limit: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    let room = limit;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        room -= chunk.byteLength;
        if (room < 0) controller.error(new TooMuch());
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  };
}
