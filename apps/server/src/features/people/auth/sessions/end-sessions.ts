import { recordAccountEvent } from '../../../../platform/audit/audit-events.ts';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import { revokeSessions } from './sessions.queries.ts';

/** Ends sessions and tells their tabs; returns how many. */
export async function endSessions(
  trx: DatabaseTransaction,
  actor: { userId: string; email: string },
  which: Parameters<typeof revokeSessions>[2],
  action: 'session.ended' | 'session.revoked' | 'session.copied',
): Promise<number> {
  const { userId } = actor;
  const ended = await revokeSessions(trx, userId, which);
  for (const { id, user_agent: device } of ended) {
    await recordAccountEvent(trx, { action, actor, targetType: 'session', targetId: id, details: { device } });
    await publishEvent(trx, { type: 'session', id, project_id: null, organization_id: null, user_ids: [userId] });
  }
  return ended.length;
}
