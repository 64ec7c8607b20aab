import type { InputOf } from '@heterosis/contracts/endpoint';
import type { accountsApi } from '@heterosis/contracts/endpoints/people/accounts';
import { recordAccountEvent, recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { SignedInCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { deleteUser, listPlaces, lockSoleOwned, readAccountData } from './account-data.queries.ts';
import { findPhoto } from './photos.queries.ts';

/** What is stored about the caller, with the photo as a data URL. */
export async function exportAccount({
  services: { db, config },
  principal,
}: SignedInCall): Promise<Record<string, unknown>> {
  await recordAccountEvent(db, { action: 'account.exported', actor: principal, targetType: 'user' });
  const photo = await findPhoto(db, { user_id: principal.userId });
  return {
    service: config.publicUrl,
    exported_at: new Date().toISOString(),
    ...(await readAccountData(db, principal.userId)),
    photo: photo === undefined ? null : `data:${photo.content_type};base64,${photo.bytes.toString('base64')}`,
  };
}

/**
 * Deletes the account of the caller. Refused while an organization would be left without an owner. What the person
 * created stays.
 */
export async function deleteAccount(
  { services: { db, mailer, config }, principal }: SignedInCall,
  { query: { confirm } }: InputOf<typeof accountsApi.deleteAccount>,
): Promise<void> {
  const { userId, email } = principal;
  if (confirm.toLowerCase() !== email)
    throw new Problem('accounts/confirmation-mismatch', 'Type the e-mail address of your account to delete it.');
  await db.transaction().execute(async (trx) => {
    const left = await lockSoleOwned(trx, userId);
    if (left.length > 0)
      throw new Problem(
        'accounts/sole-owner',
        `You are the only owner of ${left.map(({ name }) => name).join(', ')}. Make somebody else an owner, or delete the organization, and try again.`,
        { details: { organizations: left } },
      );
    const places = await listPlaces(trx, userId);
    await recordAccountEvent(trx, {
      action: 'account.deleted',
      actor: principal,
      targetType: 'user',
      targetId: userId,
    });
    await deleteUser(trx, { id: userId, email });
    // For operators: without the name of the person.
    await recordAuditEvent(trx, { action: 'account.deleted', targetType: 'user', targetId: userId });
    for (const { organization_id, project_id } of places)
      await publishEvent(trx, {
        type: project_id === null ? 'organization' : 'project',
        id: project_id ?? organization_id,
        organization_id,
        project_id,
      });
    await publishEvent(trx, {
      type: 'session',
      id: userId,
      project_id: null,
      organization_id: null,
      user_ids: [userId],
    });
    await mailer.send({
      to: email,
      subject: 'Your Heterosis account was deleted',
      text: `Your account at ${config.publicUrl} was deleted as you asked. What you created in projects of others stays there.\n`,
    });
  });
}
