/** Authenticated encryption at rest; `context` (for example a row's id and column) must be the same to open. */
export interface SecretsBox {
  seal(plaintext: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
}
