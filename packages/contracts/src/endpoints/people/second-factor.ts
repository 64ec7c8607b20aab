import { del, type Endpoints, get, post } from '../../endpoint.ts';
import {
  newSecondFactor,
  proofBody,
  proofMailed,
  proofMethod,
  recoveryCodes,
  secondFactor,
} from '../../people/second-factor.ts';

/** Of a person, without the second factor that an organization demands: this is how it is set up. */
const OWN = { accessTokens: 'none', beforeSecondFactor: true } as const;
const FRESH = { ...OWN, needsProof: true } as const;
const SECRET = { ...FRESH, hasSecretAnswer: true } as const;

/** What is asked for before a session may do what a stolen one must not. */
export const proofsApi = {
  readProofMethod: get('/auth/proof', 'signed-in', {
    summary: 'How I confirm that it is me',
    answer: proofMethod,
    ...OWN,
  }),
  mailProofCode: post('/auth/proof/mail', 'signed-in', {
    summary: 'Mail me a code to confirm that it is me',
    answer: proofMailed,
    ...OWN,
  }),
  proveAgain: post('/auth/proof', 'signed-in', {
    summary: 'Confirm that it is me',
    description:
      'Changing the e-mail address, deleting the account, making access tokens and changing the second factor need a sign-in or this within the last 15 minutes.',
    body: proofBody,
    ...OWN,
  }),
} as const satisfies Endpoints;

/** The second factor of the caller. */
export const secondFactorApi = {
  readSecondFactor: get('/users/me/second_factor', 'signed-in', {
    summary: 'My second factor',
    answer: secondFactor,
    ...OWN,
  }),
  beginSecondFactor: post('/users/me/second_factor', 'signed-in', {
    summary: 'Set up a second factor',
    description: 'Codes of an authenticator app (RFC 6238). It counts once it is confirmed by a first code.',
    answer: newSecondFactor,
    status: 201,
    ...SECRET,
  }),
  confirmSecondFactor: post('/users/me/second_factor/confirm', 'signed-in', {
    summary: 'Confirm the second factor by a first code',
    description: 'Every sign-in needs a code from then on. All other sessions end.',
    body: proofBody,
    answer: recoveryCodes,
    ...SECRET,
  }),
  renewRecoveryCodes: post('/users/me/second_factor/recovery_codes', 'signed-in', {
    summary: 'Make new recovery codes',
    description: 'The ones before stop working.',
    answer: recoveryCodes,
    ...SECRET,
  }),
  removeSecondFactor: del('/users/me/second_factor', 'signed-in', { summary: 'Remove my second factor', ...FRESH }),
} as const satisfies Endpoints;
