import type { Stripe } from 'stripe';
import type { BillingConfig } from '../../../platform/config/billing-config.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { boundedFetch } from '../../../platform/outgoing/bounded-fetch.ts';

export type StripeConfig = Extract<BillingConfig, { kind: 'stripe' }>;

const TIMEOUT_MS = 15_000;
const RETRIES = 2;

/** Calls Stripe and turns its failures into problems. */
export type CallStripe = <Answer>(use: (stripe: Stripe) => Promise<Answer>) => Promise<Answer>;

/**
 * The SDK is loaded with the first call: an installation without Stripe does not need it. Each answer is bounded in
 * bytes and time; what of it is kept has a schema in `stripe-state.ts`.
 */
export function createStripeClient(
  { secretKey, apiUrl }: StripeConfig,
  timeoutMs: number = TIMEOUT_MS,
): {
  call: CallStripe;
  load: () => Promise<Stripe>;
} {
  let client: Promise<Stripe> | undefined;
  const load = (): Promise<Stripe> => {
    client ??= import('stripe').then(
      ({ Stripe }) =>
        new Stripe(secretKey, {
          ...hostOf(apiUrl),
          timeout: timeoutMs,
          httpClient: Stripe.createFetchHttpClient((url, options = {}) => boundedFetch(String(url), options)),
          maxNetworkRetries: RETRIES,
          telemetry: false,
        }),
    );
    return client;
  };
  return {
    load,
    async call(use) {
      const stripe = await load();
      try {
        return await use(stripe);
      } catch (error) {
        throw toProblem(error);
      }
    },
  };
}

function hostOf(apiUrl: string | undefined) {
  if (apiUrl === undefined) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  return protocol === 'http:'
    ? { protocol: 'http' as const, host: hostname, port: port === '' ? 80 : port }
    : { protocol: 'https' as const, host: hostname, port: port === '' ? 443 : port };
}

interface StripeFailure {
  type?: string;
  code?: string;
  statusCode?: number;
  requestId?: string;
  message: string;
}

/**
 * A refused card is the customer's business; everything else ours. The cause is a summary: the error of the SDK holds
 * the request.
 */
function toProblem(error: unknown): unknown {
  if (!isStripeError(error)) return error;
  const { type, code = '', statusCode, requestId = '', message } = error;
  if (type === 'StripeCardError')
    return new Problem('billing/card-refused', `The card was refused: ${message} Enter another card or ask your bank.`);
  return providerFailed(`${type} ${code} ${statusCode ?? ''} ${requestId}: ${message}`);
}

export const providerFailed = (why: string): Problem =>
  new Problem(
    'billing/provider-failed',
    'The payment service cannot be reached or did not accept the request. Nothing was changed here. Try again in a minute; if it stays, tell the operator.',
    { cause: new Error(`Stripe: ${why}`) },
  );

export function isStripeError(error: unknown): error is StripeFailure {
  return error instanceof Error && /^Stripe\w*Error$/.test((error as StripeFailure).type ?? '');
}
