import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { answerCall } from './stripe-api.ts';
import { type CheckoutAnswers, paySession } from './stripe-checkout.ts';
import { parseForm } from './stripe-params.ts';
import { Refusal, StripeStore } from './stripe-store.ts';
import { StripeSubscriptions } from './stripe-subscriptions.ts';

export const STAND_IN_KEY = 'sk_test_standIn';
export const STAND_IN_WEBHOOK_SECRET = 'whsec_standIn';

export interface StripeStandIn {
  url: string;
  /** Everything that has been reported, in order; a test delivers it as it likes. */
  events: Stripe.Event[];
  /** Body and signature of an event as Stripe sends them. */
  sign(event: Stripe.Event): { payload: string; signature: string };
  /** The customer pays on Stripe's page. */
  pay(sessionId: string, answers?: CheckoutAnswers): void;
  /** The next payments are refused. */
  refuseCards(refuse: boolean): void;
  /** The yearly payment fails. */
  failRenewal(subscriptionId: string): void;
  /** The customer pays the open invoice on Stripe's page. */
  payOpenInvoice(subscriptionId: string): void;
  /** Somebody changes the seats in Stripe's dashboard. */
  setQuantity(subscriptionId: string, quantity: number): void;
  /** Stripe ends the subscription. */
  end(subscriptionId: string): void;
  /** The card entry of the browser adds a card for a customer, who may be named by the secret of the set-up. */
  addCard(customerOrSecret: string, number?: string): string;
  subscription(id: string): Stripe.Subscription;
  lastSession(): Stripe.Checkout.Session;
  /** Requests received so far, as `POST /v1/…`. */
  requests: string[];
  close(): Promise<void>;
}

/** A stateful stand-in of Stripe: it knows the parameters of each request and refuses others. */
export async function startStripeStandIn({
  onEvent = () => {},
  payPage = 'https://checkout.stripe.com/c/pay',
}: {
  onEvent?: (event: Stripe.Event) => void;
  /** Address of the page on which customers pay; the id of the session follows. */
  payPage?: string;
} = {}): Promise<StripeStandIn> {
  const store = new StripeStore(onEvent);
  const subscriptions = new StripeSubscriptions(store);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://stripe');
    requests.push(`${request.method} ${pathname}`);
    void readBody(request).then((text) => {
      try {
        if (request.headers.authorization !== `Bearer ${STAND_IN_KEY}`)
          throw new Refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
        const form = parseForm(request.method === 'GET' ? search.slice(1) : text);
        const answer = answerCall({ store, subscriptions, payPage }, request.method ?? 'GET', pathname, form);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      } catch (error) {
        const status = error instanceof Refusal ? error.status : 500;
        const body = error instanceof Refusal ? error.body : { error: { type: 'api_error', message: String(error) } };
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }
    });
  });
  const url = await listen(server);
  const stripe = new Stripe(STAND_IN_KEY);
  return {
    ...controlsOf(store, subscriptions),
    url,
    requests,
    sign(event) {
      const payload = JSON.stringify(event);
      return {
        payload,
        signature: stripe.webhooks.generateTestHeaderString({ payload, secret: STAND_IN_WEBHOOK_SECRET }),
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What happens at Stripe without a request of ours. */
function controlsOf(
  store: StripeStore,
  subscriptions: StripeSubscriptions,
): Omit<StripeStandIn, 'url' | 'requests' | 'sign' | 'close'> {
  return {
    events: store.events,
    pay: (sessionId, answers) => paySession(store, subscriptions, sessionId, answers),
    refuseCards(refuse) {
      subscriptions.refusesCards = refuse;
    },
    failRenewal(id) {
      subscriptions.refusesCards = true;
      subscriptions.renew(subscriptions.find(id));
    },
    payOpenInvoice(id) {
      subscriptions.refusesCards = false;
      subscriptions.pay(store.find(subscriptions.find(id).latest_invoice, 'invoice'));
    },
    setQuantity: (id, quantity) => subscriptions.setQuantity(subscriptions.find(id), quantity),
    end: (id) => subscriptions.cancel(subscriptions.find(id)),
    addCard: (customerOrSecret, number) => subscriptions.addCard(customerOrSecret, number),
    subscription: (id) => structuredClone(subscriptions.find(id)) as Stripe.Subscription,
    lastSession: () => store.ofKind('checkout.session')[0] as Stripe.Checkout.Session,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk as string;
  return text;
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
