import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stripe } from 'stripe';
import type { Form } from './stripe-params.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- objects of every shape
export type StripeObject = any;

/** Objects as Stripe documents them; what the stand-in answers is made of these. */
const { objects: documented } = JSON.parse(readFileSync(join(import.meta.dirname, 'stripe-objects.json'), 'utf8')) as {
  objects: Record<string, object>;
};

export const documentedObject = (kind: string): StripeObject => structuredClone(documented[kind]);

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** An answer that says why a request was not carried out. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: object;
  constructor(status: number, error: object) {
    super(JSON.stringify(error));
    this.status = status;
    this.body = { error };
  }
}

/** The objects of an account, and what was reported of them. */
export class StripeStore {
  readonly events: Stripe.Event[] = [];
  readonly #all = new Map<string, StripeObject>();
  readonly #onEvent: (event: Stripe.Event) => void;
  #count = 0;

  constructor(onEvent: (event: Stripe.Event) => void) {
    this.#onEvent = onEvent;
  }

  /** Ids given so far. */
  get count(): number {
    return this.#count;
  }

  newId(prefix: string): string {
    return `${prefix}_${String(++this.#count).padStart(6, '0')}`;
  }

  make(kind: string, prefix: string, values: object): StripeObject {
    const id = this.newId(prefix);
    return this.put({ ...documentedObject(kind), id, created: nowSeconds(), metadata: {}, ...values });
  }

  put(object: StripeObject): StripeObject {
    this.#all.set(object.id, object);
    return object;
  }

  find(id: string, what: string): StripeObject {
    const object = this.#all.get(id);
    if (object !== undefined) return object;
    throw new Refusal(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such ${what}: '${id}'`,
      param: 'id',
    });
  }

  /** The newest first. */
  ofKind(kind: string): StripeObject[] {
    return [...this.#all.values()].filter(({ object }) => object === kind).reverse();
  }

  report(type: string, object: StripeObject): void {
    const event = { ...documentedObject('event'), id: this.newId('evt'), created: nowSeconds(), type };
    const whole = { ...event, data: { object: structuredClone(object) } } as Stripe.Event;
    this.events.push(whole);
    this.#onEvent(whole);
  }

  /** A copy, with the objects that the request asks for in the place of their ids. */
  expand(object: StripeObject, form: Form): StripeObject {
    const copy = structuredClone(object);
    for (const path of Object.values((form['expand'] as Form | undefined) ?? {}))
      this.#expandPath(copy, String(path).split('.'));
    return copy;
  }

  #expandPath(object: StripeObject, [name = '', ...rest]: string[]): void {
    if (Array.isArray(object)) {
      for (const one of object) this.#expandPath(one, [name, ...rest]);
      return;
    }
    if (!(name in object))
      throw new Refusal(400, { type: 'invalid_request_error', message: `This property cannot be expanded (${name}).` });
    if (typeof object[name] === 'string') object[name] = structuredClone(this.find(object[name], name));
    if (object[name] !== null && rest.length > 0) this.#expandPath(object[name], rest);
  }

  list(url: string, data: StripeObject[], form: Form): StripeObject {
    const start =
      form['starting_after'] === undefined ? 0 : data.findIndex(({ id }) => id === form['starting_after']) + 1;
    const limit = Number(form['limit'] ?? 10);
    const page = data.slice(start, start + limit);
    return this.expand({ object: 'list', url, data: page, has_more: data.length > start + limit }, form);
  }
}
