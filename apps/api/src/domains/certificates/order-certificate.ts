import { type AccountParts, forgetAccount, openAccount } from './account.ts';
import { countAttempt, countSuccess, type Wanted } from './attempts.ts';
import { AuthorityProblem } from './authority-problem.ts';
import { decided, type ProofParts, proveName } from './prove-name.ts';

export type OrderParts = AccountParts & ProofParts;

/** As the authority gives it, with the key that was made for it. */
export interface Issued {
  /** PEM, the name's own first. */
  certificate: string;
  /** PEM. */
  privateKey: string;
}

/** Has the authority issue a certificate for a name (RFC 8555 §7.4), and counts that. Throws `AuthorityProblem`. */
export async function orderCertificate(
  parts: OrderParts,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Issued> {
  const attempt = await countAttempt(parts.db, wanted);
  const { client, crypto, order } = await begin(parts, wanted);
  for (const authorization of await client.getAuthorizations(order)) {
    signal.throwIfAborted();
    await proveName(parts, client, authorization, { ownerId: wanted.ownerId, signal });
  }
  signal.throwIfAborted();
  const [privateKey, request] = await crypto.createCsr(
    { altNames: [wanted.name] },
    await crypto.createPrivateEcdsaKey(),
  );
  await decided(client, order);
  const finished = await decided(client, await client.finalizeOrder(order, request));
  const certificate = await client.getCertificate(finished);
  await countSuccess(parts.db, attempt);
  return { certificate, privateKey: String(privateKey) };
}

/** Asks for it, with an account made anew where the authority no longer knows ours. */
async function begin(parts: OrderParts, { name }: Wanted) {
  const ask = async () => {
    const account = await openAccount(parts);
    const order = await account.client.createOrder({ identifiers: [{ type: 'dns', value: name }] });
    return { ...account, order };
  };
  try {
    return await ask();
  } catch (error) {
    const isForgotten = error instanceof AuthorityProblem && error.type === 'accountDoesNotExist';
    if (!isForgotten) throw error;
    await forgetAccount(parts);
    return ask();
  }
}
