import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from '@playwright/test';
import { launchProduct } from './start-product.ts';

const root = join(import.meta.dirname, '../..');

export interface StripeProduct {
  /** Has something happen to a subscription: `fail` a payment, `settle` what is open. */
  tell: (what: 'fail' | 'settle', subscription: string) => Promise<unknown>;
  /** Serves a stand-in of Stripe's script to a page. Without it nothing of Stripe can be reached. */
  serveScript: (page: Page) => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts the stand-in of Stripe and a product that takes its cards, which the helpers of journeys use until `stop`. */
export async function startStripeProduct(): Promise<StripeProduct> {
  const usual = process.env.HETEROSIS_URL;
  const program = join(root, 'apps/server/tools/stripe-stand-in/run-stripe-stand-in.ts');
  const stripe = spawn(process.execPath, [program], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: stripe.stdout }), 'line')) as [string];
  const { api, page: payPage } = JSON.parse(line) as { api: string; page: string };
  const product = await launchProduct({
    DEMO: 'off',
    BILLING: 'stripe',
    STRIPE_API_URL: api,
    STRIPE_SECRET_KEY: 'sk_test_standIn',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_standIn',
    STRIPE_WEBHOOK_SECRET: 'whsec_standIn',
  });
  process.env.HETEROSIS_URL = product.url;
  const post = (path: string, body?: string) =>
    fetch(`${payPage}/${path}`, { method: 'POST', body: new URLSearchParams(body) });
  await post('webhook', `url=${product.url}/api/stripe/webhook`);
  return {
    tell: (what, subscription) => post(`${what}/${subscription}`),
    serveScript: async (page) => {
      await page.route('https://js.stripe.com/**', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: `(${stripeScript})()` }),
      );
      await page.route('https://api.stripe.com/**', async (route) => {
        const form = route.request().postData() ?? '';
        const answer = await post(`card/${new URLSearchParams(form).get('client_secret')}`, form);
        const headers = { 'access-control-allow-origin': '*' };
        await route.fulfill({ headers, contentType: 'application/json', body: await answer.text() });
      });
    },
    stop: async () => {
      process.env.HETEROSIS_URL = usual;
      await product.stop();
      stripe.kill();
    },
  };
}

/** Runs in the page: what the application uses of Stripe's script. Its field takes the number of a card alone. */
function stripeScript(): void {
  type Listener = (event: unknown) => void;
  const COMPLETE = /^\d{16}$/;
  const createCard = () => {
    const field = document.createElement('input');
    field.setAttribute('aria-label', 'Card number');
    const listeners = new Map<string, Listener>();
    const element = {
      on: (event: string, listener: Listener) => listeners.set(event, listener),
      off: () => undefined,
      once: () => undefined,
      update: () => undefined,
      destroy: () => field.remove(),
      focus: () => field.focus(),
      mount: (node: Element) => {
        node.append(field);
        setTimeout(() => listeners.get('ready')?.(element));
      },
      number: () => field.value,
    };
    field.addEventListener('input', () => listeners.get('change')?.({ complete: COMPLETE.test(field.value) }));
    return element;
  };
  const Stripe = () => {
    let card: ReturnType<typeof createCard> | null = null;
    const elements = {
      create: () => {
        card = createCard();
        return card;
      },
      getElement: () => card,
      update: () => undefined,
    };
    const nothing = () => undefined;
    return {
      elements: () => elements,
      createToken: nothing,
      createPaymentMethod: nothing,
      confirmCardPayment: nothing,
      registerAppInfo: nothing,
      _registerWrapper: nothing,
      async confirmCardSetup(secret: string) {
        const body = new URLSearchParams({ client_secret: secret, number: card?.number() ?? '' });
        const answer = await fetch('https://api.stripe.com/v1/setup_intents/confirm', { method: 'POST', body });
        const { error, ...setupIntent } = (await answer.json()) as { error?: object };
        return error ? { error } : { setupIntent };
      },
    };
  };
  Object.assign(globalThis, { Stripe });
}
