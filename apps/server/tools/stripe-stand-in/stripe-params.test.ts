import { expect, test } from 'vitest';
import { checkParams, parseForm } from './stripe-params.ts';

const session = (text: string) => checkParams('Checkout/Sessions', 'Checkout.SessionCreateParams', parseForm(text));
const update = (text: string) => checkParams('Subscriptions', 'SubscriptionUpdateParams', parseForm(text));

test('a request that the types of the package allow passes', () => {
  expect(session('mode=subscription&line_items[0][price]=price_1&line_items[0][quantity]=10')).toBeUndefined();
  expect(update('items[0][id]=si_1&items[0][quantity]=3&proration_behavior=always_invoice')).toBeUndefined();
  expect(update('metadata[anything]=goes&cancel_at_period_end=true')).toBeUndefined();
  expect(checkParams('Prices', 'PriceListParams', parseForm('limit=3&recurring[interval]=year'))).toBeUndefined();
});

test('unknown, missing and wrong parameters are named as Stripe names them', () => {
  expect(session('mode=subscription&colour=red')).toMatchObject({ code: 'parameter_unknown', param: 'colour' });
  expect(session('line_items[0][amount]=3')).toMatchObject({
    message: 'Received unknown parameter: line_items[0][amount]',
  });
  expect(session('custom_fields[0][key]=name&custom_fields[0][type]=text')).toMatchObject({
    code: 'parameter_missing',
    param: 'custom_fields[0][label]',
  });
  expect(session('mode=rent')?.message).toBe('Invalid mode: must be one of payment, setup, subscription');
  expect(update('items[0][quantity]=many')).toMatchObject({ message: 'Invalid integer: many' });
  expect(update('items=3')).toMatchObject({ code: 'parameter_invalid', param: 'items' });
});
