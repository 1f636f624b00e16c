export const GATEWAY_PARTS = [
  'payments',
  'refunds',
  'fees',
  'disputes',
  'payouts',
  'other',
] as const;
export type GatewayPart = (typeof GATEWAY_PARTS)[number];

/** The sum of facts of one kind: before the first day, and from then on. In minor units. */
export interface GatewayMovement {
  /** Null for what names none. */
  gateway: string | null;
  currency: string;
  part: GatewayPart;
  before: bigint;
  within: bigint;
}

/** The money that a gateway has of us in one currency, and how it came to that. */
export interface ReconciledGateway {
  gateway: string | null;
  currency: string;
  opening: bigint;
  moved: Record<GatewayPart, bigint>;
  closing: bigint;
}

/** One line for each gateway and currency, by their names. */
export function reconciledGateways(movements: readonly GatewayMovement[]): ReconciledGateway[] {
  const lines = new Map<string, GatewayMovement[]>();
  for (const one of movements) {
    const key = `${one.currency} ${one.gateway ?? ''}`;
    lines.set(key, [...(lines.get(key) ?? []), one]);
  }
  return [...lines]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, own]) => {
      const [first] = own;
      if (!first) return [];
      const opening = own.reduce((sum, { before }) => sum + before, 0n);
      const within = own.reduce((sum, one) => sum + one.within, 0n);
      const { gateway, currency } = first;
      return [{ gateway, currency, opening, moved: movedIn(own), closing: opening + within }];
    });
}

function movedIn(own: readonly GatewayMovement[]): Record<GatewayPart, bigint> {
  const sumOf = (part: GatewayPart) =>
    own.filter((one) => one.part === part).reduce((sum, { within }) => sum + within, 0n);
  return Object.fromEntries(GATEWAY_PARTS.map((part) => [part, sumOf(part)])) as Record<
    GatewayPart,
    bigint
  >;
}
