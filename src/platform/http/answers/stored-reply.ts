/** An answer that is sent again, byte for byte as it was stored with its idempotency key. */
export class StoredReply extends Error {
  override readonly name = 'StoredReply';

  constructor(
    readonly status: number,
    readonly body: Buffer,
  ) {
    super(`stored reply ${status}`);
  }
}
