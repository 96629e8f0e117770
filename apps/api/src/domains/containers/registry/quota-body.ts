import { type RegistryCall, writer } from './call.ts';
import { streamBody } from './read-body.ts';
import { reserveSpace, setSize } from './upload-store.ts';

/** Bytes by which the space of an upload grows whose length nobody knows. */
const STEP = 16 * 1024 * 1024;

/** The request's body behind the `size` bytes before it, each piece once there is room for it in the quota. */
export async function* bodyWithinQuota(
  call: RegistryCall,
  id: string,
  size: number,
): AsyncGenerator<Uint8Array> {
  const { deps, request } = call;
  const upload = { id, ownerId: writer(call).id };
  let arrived = size;
  const announced = size + Number(request.headers['content-length'] ?? 0);
  let reserved =
    announced > size ? await reserveSpace(deps, upload, { least: announced, most: announced }) : size;
  try {
    for await (const piece of streamBody(request)) {
      arrived += piece.length;
      if (arrived > reserved) {
        reserved = await reserveSpace(deps, upload, { least: arrived, most: arrived + STEP });
      }
      yield piece;
    }
  } finally {
    if (reserved !== arrived) await setSize(deps.db, id, arrived);
  }
}
