/** The API client that another issuer's token stands for. */
export interface IssuedFor {
  /** `cli_...` */
  clientId: string;
  /** They and the client's own limit each other. */
  scopes: readonly string[];
  expiresAt: Date;
}

/**
 * Verifies access tokens that are not ours, such as those of a company's own OIDC server. Its answer
 * is remembered until the token ends, and no longer than a token of ours would live.
 */
export abstract class TokenIssuer {
  /**
   * @returns null for a token that is wrong, expired, or of nobody that it knows
   * @throws DomainError of the kind `unavailable` while nobody can tell
   */
  abstract verify(token: string): Promise<IssuedFor | null>;
}

export class NoOtherIssuer extends TokenIssuer {
  async verify(): Promise<null> {
    return null;
  }
}
