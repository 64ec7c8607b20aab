import { createHmac } from 'node:crypto';

/** Value of the header `heterosis-signature`: HMAC-SHA256 of `timestamp.body` under the webhook's secret, in hex. */
export function signatureOf(secret: string, timestamp: number, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
