import * as z from 'zod';
import { id, isVisible, name, paper, reference, timestamp, withoutControls } from '../common.ts';
import { billingKind } from './billing.ts';
import { mailedKind, notificationKind } from './notifications.ts';

/** Starts with a letter or digit and has an at sign and a domain with a dot. */
export const EMAIL_PATTERN =
  /^[A-Za-z0-9][A-Za-z0-9._%+'-]*@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;
export const email = z.string().trim().max(254).regex(EMAIL_PATTERN, 'Invalid email address');

/** `POST /api/auth/link`: mails a sign-in link. 404 `auth/user-not-found` if the address is unknown. */
export const signInLinkBody = z.object({
  email,
  return_to: z.string().max(2000).optional().describe('Address in the web application to go on to.'),
});
export const signInLinkResult = z.object({
  status: z
    .enum(['sent', 'provider'])
    .describe('sent: the link was mailed; provider: the browser asks Firebase Authentication to mail it.'),
  expires_in: z.number().int().describe('Seconds for which the link works.'),
});

/**
 * `POST /api/signup`: requests an account, by an address or by one that a sign-in service has verified. `approved` when
 * registration is open: a link is mailed at once.
 */
export const signupBody = z.union([
  z.object({
    email,
    return_to: z.string().max(2000).optional().describe('Address in the web application to go on to.'),
  }),
  z.object({
    proof: z.string().min(1).max(4000).describe('From the address to which a sign-in at the provider led back.'),
  }),
]);
export const signupResult = z.object({
  status: z
    .enum(['requested', 'approved'])
    .describe('approved: a sign-in link was mailed; requested: an operator decides first.'),
});

export const tokenBody = z.discriminatedUnion('grant_type', [
  z.object({ grant_type: z.literal('email_link'), code: z.string().min(1).max(200).describe('From the mailed link.') }),
  z.object({
    grant_type: z.literal('custom_token'),
    token: z.string().min(1).max(4000).describe('Made by an operator: `npm run admin -- custom-token EMAIL`.'),
  }),
  z.object({
    grant_type: z.literal('firebase'),
    id_token: z.string().min(1).max(8000).describe('ID token of Firebase Authentication, where that is offered.'),
  }),
  z.object({ grant_type: z.literal('refresh_token'), refresh_token: z.string().min(1).max(200) }),
  z.object({
    grant_type: z.literal('second_factor'),
    token: z.string().min(1).max(4000).describe('`second_factor_token` of the answer to the first step.'),
    code: z.string().trim().min(1).max(40).describe('Of the authenticator app, or a recovery code.'),
  }),
]);

/** The person who is signed in. */
export const signedInUser = z
  .object({
    uid: id,
    displayName: z.string().nullable(),
    photoURL: z.string().nullable(),
    email: z.string(),
    emailVerified: z.boolean(),
    phoneNumber: z.string().nullable(),
    tenantId: z.string().nullable(),
    providerData: z.array(z.object({ providerId: z.string(), uid: z.string(), email: z.string().nullable() })),
  })
  .meta({ id: 'SignedInUser' });
export type SignedInUser = z.infer<typeof signedInUser>;

/** `expires_in` in seconds. Each refresh replaces the refresh token too. */
export const tokenResult = z
  .object({
    access_token: z.string().describe('For `Authorization: Bearer …`.'),
    refresh_token: z
      .string()
      .describe('Gets new tokens once, as long as the session lives; the answer brings the next one.'),
    expires_in: z.number().int().describe('Seconds for which the access token is valid.'),
    user: signedInUser,
  })
  .meta({ id: 'TokenResult' });
export type TokenResult = z.infer<typeof tokenResult>;

/** `GET /api/auth/token`: identity and scope of the presented token. */
export const tokenInfo = z
  .object({
    user: signedInUser,
    kind: z
      .enum(['session', 'access_token'])
      .describe('session: of somebody signed in; access_token: a personal access token.'),
    scopes: z.array(z.string()).describe('What the token may do. `write` includes `read`.'),
    organizations: z.array(z.object({ id, name: z.string(), role: z.enum(['OWNER', 'MANAGER', 'MEMBER']) })),
    project_ids: z.array(id).nullable().describe('The only projects that the token reaches; null: all.'),
    expires_at: timestamp,
  })
  .meta({ id: 'TokenInfo' });

/** `GET /api/users/me`: the profile of the caller. */
export const userProfile = z
  .object({
    id,
    name: z.string().nullable(),
    email: z.string(),
    pending_email: z.string().nullable().describe('A new address that was not confirmed yet.'),
    photo_url: z.string().nullable(),
    role: z.enum(['OWNER', 'MANAGER', 'MEMBER']).nullable(),
    run_mail_minutes: z
      .number()
      .int()
      .nullable()
      .describe('Minutes: a mail is sent at the end of runs that take longer; null: no mails.'),
    muted_notifications: z.array(notificationKind).describe('Kinds of which the person is not told in the product.'),
    mailed_notifications: z.array(mailedKind).describe('Kinds of which the person is told by mail.'),
    paper: paper.nullable().describe('That the person prints on; null until the person has chosen.'),
    is_operator: z.boolean().describe('Operates this installation.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'UserProfile' });
export type UserProfile = z.infer<typeof userProfile>;

/** `PUT /api/users/me`: the NameRegistration modal; the display name becomes `first last`. */
export const updateProfileBody = z.object({
  first_name: z
    .string()
    .trim()
    .min(1, 'First name is required')
    .max(100)
    .refine(withoutControls, 'Control characters are not allowed')
    .refine(isVisible, 'Only invisible characters'),
  last_name: z
    .string()
    .trim()
    .min(1, 'Last name is required')
    .max(100)
    .refine(withoutControls, 'Control characters are not allowed')
    .refine(isVisible, 'Only invisible characters'),
});

/** `POST /api/users/me/email`: mails a link to the new address. The address changes when the link is opened. */
export const changeEmailBody = z.object({
  email,
  end_other_sessions: z
    .boolean()
    .optional()
    .describe('Signs out all other devices when the address changes; default false.'),
});
export const emailChangeSent = z.object({
  status: z.literal('sent'),
  expires_in: z.number().int().describe('Seconds for which the link works.'),
});

/** `POST /api/auth/email`: the code of that link. It need not be opened where the person is signed in. */
export const confirmEmailBody = z.object({ code: z.string().min(1).max(200).describe('From the mailed link.') });
export const confirmedEmail = z.object({ email: z.string() });

/** Formats of a photo, and the most bytes and pixels on a side that are accepted. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PhotoType = (typeof PHOTO_TYPES)[number];
export const PHOTO_BYTES: number = 512 * 1024;
export const PHOTO_SIDE = 2048;

/** `GET /api/sessions`: where the person is signed in. */
export const userSession = z
  .object({
    id,
    user_agent: z.string().nullable().describe('How the browser or script named itself.'),
    created_at: timestamp,
    last_used_at: timestamp.describe('To within a quarter of an hour.'),
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' });
export type UserSession = z.infer<typeof userSession>;

/** `DELETE /api/users/me`: the address is typed to confirm it. */
export const deleteAccountQuery = z.object({ confirm: z.string().trim().max(254).describe('Your e-mail address.') });

/** `PUT /api/users/me/paper`. */
export const updatePaperBody = z.object({ paper });

/** `PUT /api/users/me/mails`: absent ones stay. Of runs default off; those of a few minutes need no mail. */
export const updateMailsBody = z.object({
  run_mail_minutes: z.number().int().min(5).max(1440).nullable().optional(),
  mailed_notifications: z.array(mailedKind).max(mailedKind.options.length).optional(),
});

export const accessTokenScope = z
  .enum(['read', 'write'])
  .describe('`read`: GET, and POST that changes nothing; `write`: all that its owner may do.');

/** Personal access tokens for scripts: `GET`, `POST /api/access_tokens`, `DELETE /api/access_tokens/{id}`. */
export const accessToken = z
  .object({
    id,
    name: z.string(),
    scopes: z.array(accessTokenScope),
    projects: z.array(reference).nullable().describe('The only projects that it reaches; null: all of its owner.'),
    created_at: timestamp,
    expires_at: timestamp,
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.infer<typeof accessToken>;
export const createAccessTokenBody = z.object({
  name,
  scopes: z.array(accessTokenScope).min(1).max(2),
  project_ids: z
    .array(id)
    .min(1)
    .max(100)
    .nullish()
    .describe('The only projects that the token reaches; absent or null: all that its owner reaches.'),
  expires_in_days: z.number().int().min(1).max(365).describe('The token ends after this many days.'),
});
/** The token itself; only this response contains it. */
export const createdAccessToken = accessToken
  .extend({ token: z.string().describe('Shown only now.') })
  .meta({ id: 'CreatedAccessToken' });

/** `GET /api/dev/outbox` (outbox mode only). */
export const outboxQuery = z.object({ key: z.string().max(500).describe('The key printed at start.') });
export const outboxMail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  link: z.string().nullable(),
  created_at: timestamp,
});
export type OutboxMail = z.infer<typeof outboxMail>;
export const outboxMails = z.object({ data: z.array(outboxMail) });

/** `GET /api/auth/oidc/start`. */
export const startOidcQuery = z.object({
  return_to: z.string().max(2000).optional(),
  again: z.literal('true').optional().describe('The provider asks who it is, whoever is signed in there.'),
});

/** `GET /api/config`: installation settings for the signed-out page. */
export const publicConfig = z.object({
  outbox: z.boolean(),
  demo: z.boolean().describe('Whether `POST /api/auth/guest` opens a demo to visitors.'),
  registration: z.enum(['open', 'approval']),
  max_upload_bytes: z.number(),
  support: z.string().nullable().describe('Address of the support, `https:` or `mailto:`.'),
  billing: z.object({
    kind: billingKind,
    stripe_key: z.string().nullable().describe('Publishable key of Stripe; null without it.'),
    contact: z.string().nullable().describe('Where other ways to pay are asked for, `https:` or `mailto:`.'),
    free_seats: z.number().int().describe('Seats of an organization without a subscription.'),
  }),
  sign_in: z
    .object({
      email_link: z.boolean().describe('Whether this server mails links.'),
      oidc: z
        .object({ name: z.string() })
        .nullable()
        .describe('A provider to sign in with: `GET /api/auth/oidc/start`.'),
      firebase: z
        .object({
          project_id: z.string(),
          api_key: z.string(),
          auth_domain: z.string(),
          emulator_host: z.string().nullable(),
        })
        .nullable()
        .describe('The project of Firebase Authentication that mails links instead.'),
    })
    .describe('How people can sign in.'),
  version: z.string(),
});
