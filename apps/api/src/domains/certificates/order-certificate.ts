import { type AccountParts, forgetAccount, openAccount } from './account.ts';
import { countAttempt, countSuccess, type Wanted } from './attempts.ts';
import { AuthorityProblem } from './authority-problem.ts';
import { decided, type ProofParts, proveName } from './prove-name.ts';
import { certificateIdOf, openRenewalInfo, type RenewalParts } from './renewal-info.ts';

export interface Renewed extends Wanted {
  /** The certificate of the same authority whose place it takes: PEM, its own first; null for the first one. */
  replaced: string | null;
}

export type OrderParts = AccountParts & ProofParts & RenewalParts;

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
  wanted: Renewed,
  signal: AbortSignal,
): Promise<Issued> {
  const { directory } = parts;
  const attempt = await countAttempt(parts.db, { ...wanted, directory, renews: wanted.replaced !== null });
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

/**
 * Asks for it, with an account made anew where the authority no longer knows ours. It is told which certificate is replaced
 * (RFC 9773 §5), unless it refuses an order for that.
 */
async function begin(parts: OrderParts, { name, replaced }: Renewed) {
  const identifiers = [{ type: 'dns', value: name }];
  const replaces =
    replaced !== null && (await openRenewalInfo(parts)) ? certificateIdOf(replaced) : undefined;
  const ask = async () => {
    const account = await openAccount(parts);
    const { client } = account;
    const order = await client.createOrder({ identifiers, ...(replaces && { replaces }) }).catch((error) => {
      if (replaces === undefined || !isRefusalOf(error)) throw error;
      return client.createOrder({ identifiers });
    });
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

/** Whether it may be the certificate to be replaced that an order is refused for. */
function isRefusalOf(error: unknown): boolean {
  const type = error instanceof AuthorityProblem ? error.type : '';
  return ['alreadyReplaced', 'malformed', 'unauthorized'].includes(type);
}
