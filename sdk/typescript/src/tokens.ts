/** The part of an answer of the token endpoint that a client needs. */
export interface TokenAnswer {
  access_token: string;
  /** In seconds. */
  expires_in: number;
}

/** A source of access tokens. */
export interface Tokens {
  current(): Promise<string>;
  /** After this one was refused. @returns undefined if there is no other */
  another(refused: string): Promise<string | undefined>;
}

/** So long before its end a token is not sent any more: calls take a while, and clocks differ. */
const SPARE_MS = 30_000;
/** Of a token that lives shorter than that, a tenth. */
const SPARE_PART = 0.1;

/** Tokens for client credentials: kept until shortly before their end, and asked for once for all. */
export class ClientTokens implements Tokens {
  private kept: { token: string; until: number } | undefined;
  private asked: Promise<string> | undefined;

  constructor(private readonly ask: () => Promise<TokenAnswer>) {}

  async current(): Promise<string> {
    // The wall clock may be set while we run.
    if (this.kept && performance.now() < this.kept.until) return this.kept.token;
    this.asked ??= this.fetched().finally(() => {
      this.asked = undefined;
    });
    return this.asked;
  }

  async another(refused: string): Promise<string> {
    if (this.kept?.token === refused) this.kept = undefined;
    return this.current();
  }

  private async fetched(): Promise<string> {
    const begun = performance.now();
    const { access_token: token, expires_in: seconds } = await this.ask();
    const lifeMs = seconds * 1000;
    const until = begun + lifeMs - Math.min(SPARE_MS, lifeMs * SPARE_PART);
    this.kept = { token, until };
    return token;
  }
}

/** A token of the caller's, or a function that brings the present one. */
export class GivenTokens implements Tokens {
  constructor(private readonly given: string | (() => string | Promise<string>)) {}

  async current(): Promise<string> {
    return typeof this.given === 'string' ? this.given : this.given();
  }

  async another(refused: string): Promise<string | undefined> {
    const token = await this.current();
    return token === refused ? undefined : token;
  }
}

/** Of a client that only reads portal links. */
export const NO_TOKENS: Tokens = {
  async current() {
    throw new TypeError('This call needs clientId and clientSecret, or accessToken.');
  },
  another: async () => undefined,
};
