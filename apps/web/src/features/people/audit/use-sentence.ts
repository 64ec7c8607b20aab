import type { Role } from '@heterosis/contracts/common';
import { type AuditAction, type AuditEntry, isNamedAction } from '@heterosis/contracts/people/audit';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useDeviceName } from '../../../lib/session/use-device-name.ts';

const ROLES: readonly unknown[] = ['OWNER', 'MANAGER', 'MEMBER'] satisfies Role[];
const METHODS = ['email_link', 'custom_token', 'invitation', 'oidc', 'firebase'] as const;

/** An event as a sentence without its subject: "Invited ann@example.org as Member". */
export function useSentence(): (entry: AuditEntry) => string {
  const { t } = useTranslation();
  const deviceName = useDeviceName();
  return ({ action, details }) => {
    const word = (key: string): string => {
      const value = details[key];
      if (ROLES.includes(value)) return t(`role.${value as Role}`);
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    };
    const method = METHODS.find((one) => one === details['method']);
    const words = {
      name: word('name'),
      email: word('email'),
      recipient: word('recipient'),
      role: word('role'),
      from: word('from'),
      to: word('to'),
      method: method === undefined ? '' : t(`audit.methods.${method}`),
      device: deviceName(word('device')),
    };
    if (isNamedAction(action)) return t(`audit.action.${action}`, words).replace(/\s+/g, ' ').trim();
    const kind = /^(.+)\.(deleted|restored)$/.exec(action);
    if (kind === null) return action;
    return t(kind[2] === 'restored' ? 'audit.restored' : 'audit.deleted', {
      noun: nounOf(t, kind[1] ?? ''),
      name: words.name,
    });
  };
}

const nounOf = (t: TFunction, kind: string): string =>
  kind === 'file' ? t('audit.file') : (RUN_KINDS[kind as RunKind]?.noun ?? kind);

/** An action in the list of those to choose from. */
export function useActionName(): (action: AuditAction) => string {
  const sentence = useSentence();
  return (action) =>
    sentence({
      id: '',
      created_at: '',
      action,
      area: null,
      actor: null,
      project: null,
      target_type: null,
      target_id: null,
      details: { name: '…', email: '…', recipient: '…', role: '…', from: '…', to: '…', device: '…' },
    });
}
