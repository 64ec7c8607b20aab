// The stand-in of Stripe as a process, for the journeys in a browser. It prints the address of its API and that of its
// page, on which customers pay and journeys tell it what happens.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stripe } from 'stripe';
import { startStripeStandIn } from './stripe-stand-in.ts';

/** A number that Stripe keeps for trying out refusals. */
const DECLINED = /^4000000000000002$/;

/** Where events go, once the product has started. */
let webhook: string | undefined;

const page = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://page');
  const [, what = '', id = ''] = pathname.split('/');
  void readText(request).then((text) => {
    const form = new URLSearchParams(text);
    if (request.method === 'GET') return response.writeHead(200, { 'content-type': 'text/html' }).end(payForm(id));
    switch (what) {
      case 'pay': {
        stripe.pay(id, { organizationName: form.get('organization_name') ?? '', quantity: Number(form.get('seats')) });
        return response.writeHead(303, { location: successUrl }).end();
      }
      case 'webhook':
        webhook = form.get('url') ?? undefined;
        break;
      case 'card': {
        // What Stripe's own script asks for when a set-up is confirmed; the id is its secret.
        const number = form.get('number') ?? '';
        const answer = DECLINED.test(number)
          ? { error: { type: 'card_error', message: 'Your card was declined.' } }
          : { id, status: 'succeeded', payment_method: stripe.addCard(id, number) };
        return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      }
      case 'fail':
        stripe.failRenewal(id);
        break;
      case 'settle':
        stripe.payOpenInvoice(id);
        break;
    }
    return response.writeHead(204).end();
  });
});
page.listen(0, '127.0.0.1');
await new Promise((resolve) => page.once('listening', resolve));
const pageUrl = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
let successUrl = '';

const stripe = await startStripeStandIn({ onEvent: (event) => void deliver(event), payPage: `${pageUrl}/pay` });
process.stdout.write(`${JSON.stringify({ api: stripe.url, page: pageUrl })}\n`);

function payForm(session: string): string {
  successUrl = stripe.lastSession().success_url ?? '';
  return `<!doctype html><html lang="en"><title>Pay</title><h1>Pay</h1><form method="post" action="/pay/${session}">
<label>Organization name <input name="organization_name"></label>
<label>Quantity <input name="seats" type="number" value="10"></label>
<button>Pay and subscribe</button></form></html>`;
}

const TRIES = 5;
const WAIT_MS = 200;

/** Again after a while when the product does not answer, as Stripe does. */
async function deliver(event: Stripe.Event): Promise<void> {
  const { payload, signature } = stripe.sign(event);
  const url = webhook;
  if (url === undefined) return;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const answer = await fetch(url, { method: 'POST', headers, body: payload });
    if (answer.ok) return;
    await sleep(WAIT_MS);
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk as string;
  return text;
}
