import type { Form } from './stripe-params.ts';
import { documentedObject, nowSeconds, Refusal, type StripeObject, type StripeStore } from './stripe-store.ts';

export const STAND_IN_PRICE = 'price_standard';
const YEAR_S = 365 * 86_400;

/** Subscriptions to the one price of the account, their invoices, and the cards that pay them. */
export class StripeSubscriptions {
  /** The next payments are refused. */
  refusesCards = false;
  readonly price: StripeObject;
  readonly #store: StripeStore;

  constructor(store: StripeStore) {
    this.#store = store;
    const product = store.make('product', 'prod', {
      name: 'Heterosis',
      metadata: { notes: 'For teams', features: 'One; Two' },
    });
    const price = store.make('price', 'price', {});
    this.price = store.put({
      ...price,
      id: STAND_IN_PRICE,
      nickname: 'Standard',
      product: product.id,
      unit_amount: 12_000,
      unit_amount_decimal: '12000',
      recurring: { ...price.recurring, interval: 'year' },
      transform_quantity: null,
    });
  }

  find(id: string): StripeObject {
    return this.#store.find(id, 'subscription');
  }

  /** What a paid session of the checkout leads to. */
  subscribe(session: StripeObject, quantity: number): StripeObject {
    const store = this.#store;
    const customer =
      session.customer ?? store.make('customer', 'cus', { email: session.customer_email, discount: null }).id;
    const { items, ...rest } = documentedObject('subscription');
    const subscription = store.make('subscription', 'sub', {
      ...rest,
      id: store.newId('sub'),
      created: nowSeconds(),
      customer,
      status: 'active',
      cancel_at: null,
      canceled_at: null,
      ended_at: null,
      cancel_at_period_end: false,
      trial_start: null,
      trial_end: null,
      pending_update: null,
      pause_collection: null,
      default_payment_method: this.addCard(customer),
      metadata: session.subscription_metadata,
    });
    const item = {
      ...items.data[0],
      id: store.newId('si'),
      price: this.price,
      quantity,
      subscription: subscription.id,
      current_period_start: nowSeconds(),
      current_period_end: nowSeconds() + YEAR_S,
    };
    subscription.items = { ...items, data: [item] };
    store.report('customer.subscription.created', subscription);
    store.report('invoice.paid', this.#bill(subscription, this.price.unit_amount * quantity, `${quantity} × Standard`));
    return subscription;
  }

  change(subscription: StripeObject, form: Form): void {
    const [item] = subscription.items.data;
    const changed = (form['items'] as Form | undefined)?.['0'] as Form | undefined;
    if (changed !== undefined && changed['id'] !== item.id)
      throw new Error(`There is no item ${String(changed['id'])}`);
    if (changed?.['quantity'] !== undefined) this.#changeSeats(subscription, Number(changed['quantity']), form);
    if (form['cancel_at_period_end'] !== undefined)
      subscription.cancel_at_period_end = form['cancel_at_period_end'] === 'true';
    const card = form['default_payment_method'];
    if (card !== undefined) subscription.default_payment_method = this.#store.find(String(card), 'PaymentMethod').id;
    this.#store.report('customer.subscription.updated', subscription);
  }

  /** Added seats may be paid at once, for the rest of the year. */
  #changeSeats(subscription: StripeObject, quantity: number, form: Form): void {
    const [item] = subscription.items.data;
    if (quantity > item.quantity && form['proration_behavior'] === 'always_invoice') {
      if (this.refusesCards && form['payment_behavior'] === 'error_if_incomplete') throw cardRefused();
      const left = (item.current_period_end - nowSeconds()) / YEAR_S;
      const amount = Math.round(this.price.unit_amount * (quantity - item.quantity) * left);
      this.#store.report('invoice.paid', this.#bill(subscription, amount, 'Added seats'));
    }
    item.quantity = quantity;
  }

  /** Somebody changes the seats in Stripe's dashboard. */
  setQuantity(subscription: StripeObject, quantity: number): void {
    subscription.items.data[0].quantity = quantity;
    this.#store.report('customer.subscription.updated', subscription);
  }

  cancel(subscription: StripeObject): void {
    subscription.status = 'canceled';
    subscription.canceled_at = subscription.ended_at = nowSeconds();
    this.#store.report('customer.subscription.deleted', subscription);
  }

  renew(subscription: StripeObject): void {
    const amount = this.price.unit_amount * subscription.items.data[0].quantity;
    this.#settle(subscription, this.#bill(subscription, amount, 'Renewal'));
  }

  pay(invoice: StripeObject): StripeObject {
    if (this.refusesCards) throw cardRefused();
    invoice.status = 'paid';
    this.#settle(this.find(invoice.parent.subscription_details.subscription), invoice);
    return invoice;
  }

  addCard(customerOrSecret: string, number: string = '4242'): string {
    const customer =
      this.#store.ofKind('setup_intent').find(({ client_secret }) => client_secret === customerOrSecret)?.customer ??
      customerOrSecret;
    const card = { ...documentedObject('payment_method').card, last4: number.slice(-4) };
    return this.#store.make('payment_method', 'pm', { customer, card }).id;
  }

  #bill(subscription: StripeObject, amount: number, description: string): StripeObject {
    const isPaid = !this.refusesCards;
    const { count } = this.#store;
    const invoice = this.#store.make('invoice', 'in', {
      customer: subscription.customer,
      number: `HET-${count}`,
      status: isPaid ? 'paid' : 'open',
      total: amount,
      amount_due: amount,
      amount_paid: isPaid ? amount : 0,
      hosted_invoice_url: `https://invoice.stripe.com/i/${count}`,
      invoice_pdf: `https://pay.stripe.com/invoice/${count}/pdf`,
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { metadata: {}, subscription: subscription.id },
      },
    });
    invoice.lines = { ...invoice.lines, data: [{ ...invoice.lines.data[0], amount, description }] };
    subscription.latest_invoice = invoice.id;
    return invoice;
  }

  #settle(subscription: StripeObject, invoice: StripeObject): void {
    const isPaid = invoice.status === 'paid';
    subscription.status = isPaid ? 'active' : 'past_due';
    this.#store.report(isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoice);
    this.#store.report('customer.subscription.updated', subscription);
  }
}

const cardRefused = (): Refusal =>
  new Refusal(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });
