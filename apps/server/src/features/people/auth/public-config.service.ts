import type { AnswerOf } from '@heterosis/contracts/endpoint';
import type { authApi } from '@heterosis/contracts/endpoints/people/auth';
import type { SignInConfig } from '../../../platform/config/sign-in-config.ts';
import type { Call } from '../../../platform/http/bind.ts';
import { offersDemo } from './guests/guests.service.ts';
import type { KeyRing } from './sessions/key-ring.ts';

type PublicConfig = AnswerOf<typeof authApi.readPublicConfig>;

/** What pages know before anybody is signed in. */
export const readPublicConfig = async ({ services, keys }: Call & { keys: KeyRing }): Promise<PublicConfig> => {
  const { config, mailer } = services;
  return {
    outbox: mailer.kind === 'outbox',
    demo: await offersDemo(services, keys),
    registration: config.registration,
    max_upload_bytes: config.limits.uploadBytes,
    support: config.support,
    billing: {
      kind: config.billing.kind,
      stripe_key: config.billing.kind === 'stripe' ? config.billing.publishableKey : null,
      contact: config.billing.contact,
      free_seats: config.billing.freeSeats,
    },
    sign_in: publicSignIn(config.signIn),
    version: config.version,
  };
};

function publicSignIn({ emailLinks, oidc, firebase }: SignInConfig): PublicConfig['sign_in'] {
  return {
    email_link: emailLinks && firebase === null,
    oidc: oidc === null ? null : { name: oidc.name },
    firebase:
      firebase === null
        ? null
        : {
            project_id: firebase.projectId,
            api_key: firebase.apiKey,
            auth_domain: firebase.authDomain,
            emulator_host: firebase.emulatorHost ?? null,
          },
  };
}
