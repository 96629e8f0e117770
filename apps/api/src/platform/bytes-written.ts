/** Bytes that went to a socket without its knowledge. */
const uncounted = new WeakMap<object, number>();

/** Counts bytes that were sent to a socket's peer past the socket itself. */
export function countBytes(socket: object, bytes: number): void {
  uncounted.set(socket, (uncounted.get(socket) ?? 0) + bytes);
}

/** Bytes that have been sent to a socket's peer, in whichever way, those that wait for it in this process included. */
export function bytesWritten(socket: object): number {
  // Node's servers give out sockets of the net, which count, though their types say so of some only.
  const counted = 'bytesWritten' in socket ? Number(socket.bytesWritten) : 0;
  return counted + (uncounted.get(socket) ?? 0);
}
