import type { Price } from '@heterosis/contracts/people/billing';
import * as z from 'zod';

interface CommonBilling {
  /** Seats of an organization without a subscription. */
  freeSeats: number;
  /** Where other ways to pay are asked for: an https or mailto address; null when none is given. */
  contact: string | null;
}

export type BillingConfig = CommonBilling &
  (
    | { kind: 'offline'; prices: readonly Price[] }
    | {
        kind: 'stripe';
        secretKey: string;
        publishableKey: string;
        webhookSecret: string;
        /** Another host than Stripe's own, for tests. */
        apiUrl: string | undefined;
        /** Only the prices of this product are offered; undefined: those of all. */
        product: string | undefined;
      }
  );

/** $120 for a seat and year. */
const DEFAULT_PRICES: readonly Price[] = [
  {
    id: 'standard-yearly',
    nickname: 'Standard',
    unit_amount: 12_000,
    currency: 'usd',
    metadata: {
      notes: 'For teams that breed together',
      features: ['Every analysis and file format', 'Any number of projects and crops', 'Add seats at any time'],
    },
  },
];

const MAX_UNIT_AMOUNT = 100_000_000;

const price = z.strictObject({
  id: z.string().min(1).max(100),
  nickname: z.string().min(1).max(100),
  unit_amount: z.number().int().min(0).max(MAX_UNIT_AMOUNT),
  currency: z
    .string()
    .regex(/^[a-zA-Z]{3}$/)
    .transform((code) => code.toLowerCase())
    .default('usd'),
  notes: z.string().max(500).nullable().default(null),
  features: z.array(z.string().min(1).max(200)).max(20).default([]),
});

/** Prices as JSON; the message says which one is wrong and never quotes it. */
export const offlinePrices = z
  .string()
  .optional()
  .transform((text, context): readonly Price[] => {
    if (text === undefined) return DEFAULT_PRICES;
    const result = z.array(price).min(1).max(20).safeParse(jsonOf(text));
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (!result.success) {
      const path = result.error.issues[0]?.path.join('.') ?? '';
      return refuse(
        `must be a JSON list of prices such as [{"id":"standard","nickname":"Standard","unit_amount":12000,"currency":"usd"}]${
          path === '' ? '' : ` (look at ${path})`
        }`,
      );
    }
    if (new Set(result.data.map(({ id }) => id)).size < result.data.length)
      return refuse('must give each price its own id');
    return result.data.map(({ notes, features, ...rest }) => ({ ...rest, metadata: { notes, features } }));
  });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
