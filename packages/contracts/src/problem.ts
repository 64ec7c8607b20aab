import * as z from 'zod';

/**
 * Every expected failure of the API: its stable code, HTTP status and title.
 * The `detail` of a problem describes what happened to this request; `docs` and tests quote the code.
 */
export const PROBLEMS = {
  'request/invalid': { status: 400, title: 'The request is not valid' },
  'request/not-found': { status: 404, title: 'Not found' },
  'request/too-large': { status: 413, title: 'The request is too large' },
  'request/too-many': { status: 429, title: 'Too many requests' },
  'request/not-allowed': { status: 403, title: 'Your role does not allow this' },
  'request/conflict': { status: 409, title: 'This conflicts with what is stored' },
  'request/idempotency-mismatch': { status: 422, title: 'This Idempotency-Key was used with another request' },
  'server/internal': { status: 500, title: 'Something went wrong on our side' },
  'server/unavailable': { status: 503, title: 'The service is not available at the moment' },
  'server/stored-part-lost': { status: 500, title: 'Something stored is missing or damaged' },
  'server/storage-full': { status: 507, title: 'The storage is full' },

  'events/too-many-streams': { status: 429, title: 'Too many event streams are open' },

  'auth/missing-token': { status: 401, title: 'Please sign in' },
  'auth/invalid-token': { status: 401, title: 'Please sign in again' },
  'auth/user-token-expired': { status: 401, title: 'Your session has ended' },
  'auth/user-not-found': { status: 404, title: 'This e-mail address is not registered' },
  'auth/user-disabled': { status: 403, title: 'This account is disabled' },
  'auth/invalid-verification-code': { status: 400, title: 'This sign-in link is not valid' },
  'auth/code-expired': { status: 400, title: 'This sign-in link has expired' },
  'auth/invalid-custom-token': { status: 400, title: 'This custom token is not valid' },
  'auth/custom-token-mismatch': { status: 400, title: 'This custom token was issued for another service' },
  'auth/too-many-requests': { status: 429, title: 'Too many sign-in mails were requested' },
  'auth/registration-pending': { status: 409, title: 'The registration is waiting for approval' },
  'auth/email-already-in-use': { status: 409, title: 'This e-mail address belongs to another account' },
  'auth/insufficient-scope': { status: 403, title: 'This access token may not do that' },

  'accounts/sole-owner': { status: 409, title: 'You are the only owner of an organization' },
  'accounts/confirmation-mismatch': { status: 409, title: 'The typed address does not match' },
  'accounts/unusable-photo': { status: 400, title: 'This photo cannot be used' },

  'organizations/last-owner': { status: 409, title: 'An organization needs at least one owner' },
  'organizations/seats-exhausted': { status: 409, title: 'All seats are taken' },
  'organizations/storage-exhausted': { status: 409, title: 'The storage of the organization is full' },
  'organizations/runs-exhausted': { status: 409, title: 'The organization has all the runs it may have' },
  'invitations/self': { status: 409, title: 'You are here already' },
  'invitations/already-member': { status: 409, title: 'This person is here already' },
  'invitations/already-invited': { status: 409, title: 'This address is invited already' },
  'invitations/expired': { status: 409, title: 'The invitation has expired' },
  'invitations/unusable-link': { status: 400, title: 'This link is not valid any more' },
  'billing/read-only': { status: 402, title: 'The organization can only be read' },
  'billing/unknown-price': { status: 400, title: 'This price is not offered' },
  'billing/no-subscription': { status: 409, title: 'The organization has no subscription' },
  'billing/already-subscribed': { status: 409, title: 'The organization has a subscription already' },
  'billing/seats-in-use': { status: 409, title: 'More seats are in use' },
  'billing/seats-changed': { status: 409, title: 'The seats have changed meanwhile' },
  'billing/not-active': { status: 409, title: 'The subscription is not active' },
  'billing/not-paid': { status: 409, title: 'The payment has not arrived' },
  'billing/no-cards': { status: 409, title: 'This installation takes no cards' },
  'billing/which-organization': { status: 400, title: 'Name the organization' },
  'billing/card-refused': { status: 402, title: 'The card was refused' },
  'billing/provider-failed': { status: 502, title: 'The payment service did not answer as expected' },
  'billing/bad-signature': { status: 400, title: 'The signature of the event is not valid' },
  'germplasm/name-taken': { status: 409, title: 'This name belongs to another germplasm' },
  'germplasm/name-alike': { status: 409, title: 'A germplasm of nearly this name exists' },
  'germplasm/related': { status: 409, title: 'These are ancestor and descendant' },
  'germplasm/in-use': { status: 409, title: 'This germplasm is a parent of others' },
  'germplasm/upload-refused': { status: 422, title: 'The file has errors' },
  'germplasm/upload-not-ready': { status: 409, title: 'The upload is not ready for this' },
  'germplasm/warnings-unread': { status: 409, title: 'The warnings need a confirmation' },
  'crops/in-use': { status: 409, title: 'This crop is used by a project' },
  'crops/name-taken': { status: 409, title: 'A crop of this name already exists' },
  'projects/crop-not-in-organization': { status: 400, title: 'This crop does not belong to the organization' },

  'folders/name-taken': { status: 409, title: 'A folder of this name already exists here' },
  'folders/not-empty': { status: 409, title: 'The folder is not empty' },
  'folders/inside-itself': { status: 400, title: 'A folder cannot be moved into itself' },
  'files/name-taken': { status: 409, title: 'A file of this name already exists here' },
  'files/not-uploaded': { status: 409, title: 'The bytes of this file have not arrived' },
  'files/upload-incomplete': { status: 400, title: 'The upload was cut off' },
  'files/upload-expired': { status: 403, title: 'The upload link has expired' },
  'files/not-ready': { status: 409, title: 'The file is not ready' },
  'files/not-replaceable': { status: 409, title: 'Only an invalid file can be replaced' },
  'files/wrong-type': { status: 400, title: 'The file is of another type' },
  'files/in-use': { status: 409, title: 'The file is in use' },
  'files/format-cannot-hold': { status: 422, title: 'The format cannot hold these genotypes' },
  'files/phasing-under-way': { status: 409, title: 'The file is already being phased' },
  'files/no-preview': { status: 409, title: 'There is nothing to show for this file' },

  'match/nothing-in-common': { status: 409, title: 'The two files have no name in common' },
  'runs/not-cancellable': { status: 409, title: 'This run has already ended' },
  'runs/not-retryable': { status: 409, title: 'Only a failed run can be repeated' },
  'runs/no-result': { status: 409, title: 'There is no result yet' },
  'models/trait-not-in-phenotype': { status: 400, title: 'The phenotype file has no such trait' },
  'models/input-gone': { status: 409, title: 'An input file was deleted' },
  'predictions/model-not-trained': { status: 409, title: 'The model is not trained' },
  'crossing/trait-not-trained': { status: 400, title: 'The model has no such trained trait' },
  'crossing/too-many-progeny': { status: 400, title: 'Too many progeny in one run' },
  'evaluation/group-varies': { status: 400, title: 'The column must put each individual into one group' },
  'gwas/unknown-covariate': { status: 400, title: 'The phenotype file has no such column' },
  'gwas/covariate-varies': { status: 400, title: 'A covariate must put each individual into one group' },
  'gwas/too-many-groups': { status: 400, title: 'A covariate has too many groups' },
  'gwas/covariate-not-numeric': { status: 400, title: 'A covariate of text cannot be used as numbers' },
  'gwas/covariate-is-trait': { status: 400, title: 'A trait cannot be its own covariate' },
  'gwas/unknown-marker': { status: 404, title: 'The result has no such marker' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One invalid field of the request; `name` is a dotted path such as `body.email`. */
export const invalidParam = z.object({ name: z.string(), reason: z.string() });

/** RFC 9457 `application/problem+json`, with a stable `code` and the id of the request in the log. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  instance: z.string(),
  code: z.string(),
  request_id: z.string(),
  invalid_params: z.array(invalidParam).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type ProblemBody = z.infer<typeof problem>;
