import {
  newSecondFactor,
  proofBody,
  proofMailed,
  proofMethod,
  recoveryCodes,
  secondFactor,
} from '@heterosis/contracts/people/second-factor';
import * as z from 'zod';
import { requirePrincipal } from '../../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../../platform/http/app.ts';
import { findProofMethod, mailProofCode, PROOF_SECONDS, proveAgain } from './proof.service.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor.service.ts';

/** Of a person, without the second factor that an organization demands: this is how it is set up. */
const OWN = { guard: 'signed-in', accessTokens: 'none', beforeSecondFactor: true } as const;
const FRESH = { ...OWN, needsProof: true } as const;
const SECRET = { hasSecretAnswer: true } as const;

/** The second factor of the caller. */
export const secondFactorRoutes: FeatureRoutes = (app, { db, config, mailer }) => {
  const context = { db, config, mailer };
  app.get(
    '/users/me/second_factor',
    { config: OWN, schema: { summary: 'My second factor', response: { 200: secondFactor } } },
    async (request) => readSecondFactor(db, requirePrincipal(request)),
  );
  app.post(
    '/users/me/second_factor',
    {
      config: { ...FRESH, ...SECRET },
      schema: {
        summary: 'Set up a second factor',
        description: 'Codes of an authenticator app (RFC 6238). It counts once it is confirmed by a first code.',
        response: { 201: newSecondFactor },
      },
    },
    async (request, reply) => reply.status(201).send(await beginSecondFactor(context, requirePrincipal(request))),
  );
  app.post(
    '/users/me/second_factor/confirm',
    {
      config: { ...FRESH, ...SECRET },
      schema: {
        summary: 'Confirm the second factor by a first code',
        description: 'Every sign-in needs a code from then on. All other sessions end.',
        body: proofBody,
        response: { 200: recoveryCodes },
      },
    },
    async (request) => ({
      recovery_codes: await confirmSecondFactor(context, requirePrincipal(request), request.body.code),
    }),
  );
  app.post(
    '/users/me/second_factor/recovery_codes',
    {
      config: { ...FRESH, ...SECRET },
      schema: {
        summary: 'Make new recovery codes',
        description: 'The ones before stop working.',
        response: { 200: recoveryCodes },
      },
    },
    async (request) => ({ recovery_codes: await renewRecoveryCodes(context, requirePrincipal(request)) }),
  );
  app.delete(
    '/users/me/second_factor',
    { config: FRESH, schema: { summary: 'Remove my second factor', response: { 204: z.null() } } },
    async (request, reply) => {
      await removeSecondFactor(context, requirePrincipal(request));
      return reply.status(204).send(null);
    },
  );
};

/** What is asked for before a session may do what a stolen one must not. */
export const proofRoutes: FeatureRoutes = (app, { db, config, mailer }) => {
  const context = { db, config, mailer };
  app.get(
    '/auth/proof',
    { config: OWN, schema: { summary: 'How I confirm that it is me', response: { 200: proofMethod } } },
    async (request) => {
      const { userId, isFresh } = requirePrincipal(request);
      return { method: await findProofMethod(context, userId), is_fresh: isFresh };
    },
  );
  app.post(
    '/auth/proof/mail',
    { config: OWN, schema: { summary: 'Mail me a code to confirm that it is me', response: { 200: proofMailed } } },
    async (request) => {
      await mailProofCode(context, requirePrincipal(request), request.callerIp);
      return { expires_in: PROOF_SECONDS };
    },
  );
  app.post(
    '/auth/proof',
    {
      config: OWN,
      schema: {
        summary: 'Confirm that it is me',
        description:
          'Changing the e-mail address, deleting the account, making access tokens and changing the second factor need a sign-in or this within the last 15 minutes.',
        body: proofBody,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await proveAgain(context, requirePrincipal(request), request.body.code);
      return reply.status(204).send(null);
    },
  );
};
